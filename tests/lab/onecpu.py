#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
onecpu - a kernel on one CPU takes lock prefixes out, and writes them back when a second comes up

usage: onecpu.py FLAVOUR

It writes only where it finds what it wrote, so that a jump of ours there would leave the
instruction without its lock for good. Such a point is refused by name until the second CPU is
there; a hook elsewhere lives through its coming. Newer kernels (7.3) leave the locks where they are, and there
the point can be hooked.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Failure, GILK, Run, expect
from gilkstorm import on_own_lab

LOCKED = "get_task_mm"                          # one of its blocks begins with a lock; who looks into /proc calls it
LOOKING = "touch /tmp/looking; (while [ -e /tmp/looking ]; do cat /proc/1/cmdline; usleep 100000; done) >/dev/null 2>&1 &"
ELSEWHERE = "__x64_sys_fsync@entry:pre:count"


def document(lab, *command):
  done = subprocess.run([GILK, *command, "--json", "--target", lab.target], stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL, text=True, timeout=300, check=False)
  return json.loads(done.stdout)


def locked_block(lab):
  """Its name, and whether its lock is there; the kernel puts a prefix without meaning in its place."""
  for block in document(lab, "cfg", LOCKED)["blocks"]:
    first = block["instructions"][0]
    if "lock" in first["mnemonic"] or "%ds:" in first["operands"]:
      return block["name"], "lock" in first["mnemonic"]
  raise Failure(f"no block of {LOCKED} begins with a lock")


def has_lock(lab):
  return locked_block(lab)[1]


def hook_on_it(lab):
  lab.run(LOOKING)
  try:
    return document(lab, "run", "--for", "2s", "--hook", f"{LOCKED}{locked_block(lab)[0]}:pre:count")
  finally:
    lab.run("rm /tmp/looking")


def takes_locks_out(lab):
  return lab.has_symbol("__smp_locks")


def refused_on_one_cpu(lab):
  expect(not has_lock(lab), f"{LOCKED} has its lock on one CPU")
  error = hook_on_it(lab).get("error") or {}
  expect(error.get("refusal") == "smp-lock", f"on one CPU: {error}")


def hooked(lab, where):
  expect(has_lock(lab), f"{LOCKED} has no lock {where}")
  before = lab.text_sum()
  hooks = hook_on_it(lab).get("hooks")
  expect(hooks and hooks[0]["hits"] > 0, f"{where}: {hooks}")
  lab.wait_clean()
  expect(lab.text_sum() == before and has_lock(lab), "text is not as it was")


def locks_come_back(lab):
  lab.gilk("doctor", "--load")
  if takes_locks_out(lab):
    refused_on_one_cpu(lab)
  else:
    hooked(lab, "on one CPU")
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "live.gilk"), "--hook", ELSEWHERE, "--for", "10m")
    lab.wait_armed()
    lab.run("echo 1 >/sys/devices/system/cpu/cpu1/online && calls -o fsync -t 1 -n 1000")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hits = run.report()["hooks"][0]["hits"]
  expect(hits == 1000, f"1000 calls, {hits} counted")
  lab.wait_clean()
  hooked(lab, "on two CPUs")


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: onecpu.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("onecpu", sys.argv[1], [locks_come_back], "--append", "maxcpus=1"))
