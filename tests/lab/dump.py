#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
dump - the patches of a machine are found in a dump of its memory

QEMU writes the memory of a lab with hooks of all tactics in it, as a crash kernel would.
What is found there must be what the driver said, and again without hooks.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkdump import patches_in
from gilklab import PIPE_READ, Run, expect, lab_of_arguments, main
from gilkqmp import Monitor

HOOKS = ("do_getpgid@entry:post:count:bounce", "vfs_read@entry:pre:count:splice",
         "vfs_write@entry:pre:count:trap", f"{PIPE_READ}@entry:pre:count:clone")


def patches_of(lab, folder):
  """The patches that are in text, by the address of their site, from a dump."""
  path = os.path.join(folder, "dump")
  monitor = Monitor(lab)
  try:
    monitor.command("dump-guest-memory", paging=False, protocol=f"file:{path}")
  finally:
    monitor.close()
  found = patches_in(path)
  os.remove(path)
  expect(found is not None, "the driver was not found in the dump")
  return {patch["site"]["addr"]: patch for patch in found.values()
          if patch["site"]["form"] != "old"}


def found_in_a_dump(lab):
  with tempfile.TemporaryDirectory() as folder:
    words = [word for hook in HOOKS for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "d.gilk"), *words, "--for", "10m")
    try:
      lab.wait_armed(len(HOOKS))
      told = {int(patch["site"], 16): patch for patch in lab.hooks()}
      found = patches_of(lab, folder)
    finally:
      code = run.stop()
    expect(code == 0, f"gilk run failed: {run.output}")
    expect(found.keys() == told.keys(), f"in the dump {found}, the driver says {told}")
    for site, patch in found.items():
      expect(patch["tactic"] == told[site]["tactic"] and patch["state"] == "armed" and
             patch["site"]["old"] != patch["site"]["now"], f"{patch}, the driver says {told[site]}")
    lab.wait_clean()
    left = patches_of(lab, folder)
    expect(not left, f"found without hooks: {left}")
  return f"{len(found)} patches"


if __name__ == "__main__":
  sys.exit(main([found_in_a_dump], lab_of_arguments()))
