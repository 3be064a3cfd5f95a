#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
traces - stack traces run through patches unbroken (rule 6)

An instrument takes the stack trace of its own hit: from the patch back through
the hooked function to the system call's entry. The hooks stand where the stack
is as at the entry, deep inside a function, and behind a trap.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, lab_of_arguments, main

LAST = "/sys/module/ilk_trace/parameters/last"


def trace_of(lab, hook, workload):
  """Names on the stack of a hit, innermost first, from the patch on."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "t.gilk"), "--hook", hook, "--for", "10m")
    try:
      lab.wait_armed()
      lab.run(workload)
      lines = lab.run(f"cat {LAST}").split("\n")
    finally:
      code = run.stop()
  expect(code == 0, f"gilk run failed: {run.output}")
  names = [re.split(r"[+ ]", line.strip())[0] for line in lines if line.strip()]
  expect("ilk_arena_section" in names, f"the patch is not on the stack: {names}")
  return names[names.index("ilk_arena_section") + 1:]


def unbroken(lab, hook, workload, inner):
  names = trace_of(lab, hook, workload)
  expect(names[:len(inner)] == inner, f"behind the patch stand {names}, not {inner}")
  expect("do_syscall_64" in names and names[-1].startswith("entry_SYSCALL_64"),
         f"the trace does not reach the entry: {names}")
  return f"{len(names)} frames"


def at_the_entry(lab):
  return unbroken(lab, "__x64_sys_fsync@entry:pre:trace", "calls -o fsync -t 1 -n 10", ["do_syscall_64"])


def deep_in_a_function(lab):
  return unbroken(lab, "pipe_write@call:mutex_lock#1:pre:trace", "echo x | cat",
                  ["vfs_write", "ksys_write"])


def behind_a_trap(lab):
  return unbroken(lab, "pipe_write@call:mutex_lock#1:pre:trace:trap", "echo x | cat",
                  ["vfs_write", "ksys_write"])


if __name__ == "__main__":
  sys.exit(main([at_the_entry, deep_in_a_function, behind_a_trap], lab_of_arguments()))
