#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
untraced - what the driver runs at a hit can be neither traced nor probed

Which functions these are is read from the driver's own code: all that are called, call by
call, from what patches, instruments and the trap reach.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, expect, lab_of_arguments, main

TRACING = "/sys/kernel/tracing"
ROOTS = ("ilk_sample", "ilk_param", "on_die")


def calls_of(path):
  """The functions of a module, each with those of its own that it calls or jumps to."""
  text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], stdout=subprocess.PIPE,
                        text=True, check=True).stdout
  calls, name = {}, None
  for line in text.splitlines():
    start = re.match(r"[0-9a-f]+ <([^>]+)>:$", line)
    if start:
      name = start.group(1)
      calls.setdefault(name, set())
      continue
    target = re.search(r"\b(?:call|j[a-z]+)\s+[0-9a-f]+ <([^>+]+)[+>]", line) or \
      re.search(r"R_X86_64_P(?:LT|C)32\s+([A-Za-z_][\w.]*)", line)
    if name and target and target.group(1) != name:
      calls[name].add(target.group(1))
  return calls


def hit_path(lab):
  release = lab.run("uname -r").strip()
  calls = calls_of(os.path.join(BUILD, "lab", release, "modules", "ilk.ko"))
  for root in ROOTS:
    expect(root in calls, f"the driver has no function {root}")
  path, more = set(), set(ROOTS)
  while more:
    path |= more
    more = {callee for name in more for callee in calls[name] if callee in calls} - path
  return {name for name in path if not name.startswith(("__pfx_", "__cfi_"))}


def nothing_at_a_hit_can_be_traced(lab):
  lab.gilk("doctor", "--load")
  path = hit_path(lab)
  traced = lab.run(f"grep -w '\\[ilk\\]' {TRACING}/available_filter_functions || true")
  traced = {line.split()[0] for line in traced.splitlines()}
  expect(traced, "the driver has no function that can be traced: is this the right list?")
  expect(not traced & path, f"can be traced: {sorted(traced & path)}")
  return f"{len(path)} functions"


def nothing_at_a_hit_can_be_probed(lab):
  lab.gilk("doctor", "--load")
  path = hit_path(lab)
  probed = []
  for name in sorted(path):
    said = lab.run(f"echo 'p:gilkun/here ilk:{name}' >{TRACING}/kprobe_events && echo taken; "
                   f"echo '-:gilkun/here' >>{TRACING}/kprobe_events", check=False)
    if "taken" in said:
      probed.append(name)
  expect(not probed, f"can be probed: {probed}")
  return f"{len(path)} functions"


if __name__ == "__main__":
  sys.exit(main([nothing_at_a_hit_can_be_traced, nothing_at_a_hit_can_be_probed],
                lab_of_arguments()))
