#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Faults and traces: stack traces run through patches unbroken
"""
traces - stack traces run through patches unbroken

An instrument takes the stack trace of its own hit: from the patch back through
the hooked function to the system call's entry. The hooks stand where the stack
is as at the entry, deep inside a function, behind a trap, at a bounce, on its nearby
jump, in a function that was called by a patch, in a clone, and below calls of clones.
Who sleeps below a clone can be looked at as before.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import PIPE_READ, PIPE_WRITE, Run, expect, lab_of_arguments, main, name_there

PARAMETERS = "/sys/module/gilk_trace/parameters"
ARENA = "ilk_arena_section"
# On the way of each write; Linux 6.15 moved the lock into a function of its own.
DEEP = {"pipe_write": "pipe_write@call:mutex_lock#1:pre:gilk-trace",
        "anon_pipe_write": "anon_pipe_write@call:copy_page_from_iter#1:pre:gilk-trace"}


def deep(lab):
  return DEEP[name_there(lab, PIPE_WRITE)]


def shown(lab, which, workload="true"):
  """Read by the shell itself, for a new process could hit the hook too."""
  lines = lab.run(f"{workload} >/dev/null; while read -r line; do echo \"$line\"; done "
                  f"<{PARAMETERS}/{which}").split("\n")
  return [re.split(r"[+ ]", line.strip())[0] for line in lines if line.strip()]


def traces_of(lab, workload, *hooks):
  """Names on the stack of a hit, innermost first, behind the patch; and likewise
  those of a thread on the nearby jump, if there is one."""
  there = None
  with tempfile.TemporaryDirectory() as folder:
    arguments = [word for hook in hooks for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "t.gilk"), *arguments, "--for", "10m")
    try:
      lab.wait_armed(len(hooks))
      jumps = [p["jump"] for p in lab.hooks() if p.get("jump_in_text")]
      if jumps:
        lab.run(f"echo {jumps[0]} >{PARAMETERS}/from")
      names = shown(lab, "last", workload)
      if jumps:
        there = shown(lab, "there")
        lab.run(f"echo 0 >{PARAMETERS}/from")
    finally:
      code = run.stop()
  expect(code == 0, f"gilk run failed: {run.output}")
  expect(ARENA in names, f"the patch is not on the stack: {names}")
  return names[names.index(ARENA) + 1:], there


def trace_of(lab, hook, workload):
  return traces_of(lab, workload, hook)[0]


def unbroken(lab, hook, workload, inner):
  names = trace_of(lab, hook, workload)
  expect(names[:len(inner)] == inner, f"behind the patch stand {names}, not {inner}")
  expect("do_syscall_64" in names and names[-1].startswith("entry_SYSCALL_64"),
         f"the trace does not reach the entry: {names}")
  return f"{len(names)} frames"


def at_the_entry(lab):
  return unbroken(lab, "__x64_sys_fsync@entry:pre:gilk-trace", "calls -o fsync -t 1 -n 10", ["do_syscall_64"])


def deep_in_a_function(lab):
  return unbroken(lab, deep(lab), "echo x | cat", ["vfs_write", "ksys_write"])


def behind_a_trap(lab):
  return unbroken(lab, deep(lab) + ":trap", "echo x | cat", ["vfs_write", "ksys_write"])


def at_a_bounce_and_on_its_jump(lab):
  workload = "calls -o getpgid -t 1 -n 10"
  trapped = trace_of(lab, "do_getpgid@entry:post:gilk-trace:trap", workload)
  bounced, there = traces_of(lab, workload, "do_getpgid@entry:post:gilk-trace:bounce")
  expect(bounced == trapped, f"behind the bounce stand {bounced}, behind the trap {trapped}")
  expect(there == trapped, f"from the nearby jump {there} are seen, from the trap {trapped}")
  return f"{len(bounced)} frames"


def in_what_a_patch_called(lab):
  workload = "calls -o getpgid -t 1 -n 10"
  inner = "pid_vnr@entry:pre:gilk-trace"
  alone = trace_of(lab, inner, workload)
  called = traces_of(lab, workload, inner, "do_getpgid@call:pid_vnr:post:count")[0]
  expect(called == [ARENA] + alone[1:],
         f"in what the patch called stand {called}, else {alone}")
  return f"{len(called)} frames"


def in_a_clone(lab):
  return unbroken(lab, deep(lab) + ":clone", "echo x | cat", ["vfs_write", "ksys_write"])


def below_calls_of_clones(lab):
  without = trace_of(lab, deep(lab) + ":trap", "echo x | cat")
  names = traces_of(lab, "echo x | cat", deep(lab) + ":clone", "vfs_write@entry:pre:count:clone",
                    "ksys_write@entry:pre:count:clone")[0]
  expect(names[:2] == [ARENA] * 2, f"behind the patch stand {names}, not two clones")
  expect(names[2:] == without[2:], f"behind the clones stand {names[2:]}, without them {without[2:]}")
  return f"{len(names)} frames"


def asleep_in_a_pipe(lab):
  text = lab.run("sleep 20 | head -c 1 & usleep 300000; pid=$!; cat /proc/$pid/stack; "
                 "kill $pid $(pidof sleep)")
  return re.findall(r"^\[<0>\] (\w+)", text, re.MULTILINE)


def sleeper_below_a_clone(lab):
  """Somebody waits in a clone; its stack, told from outside, has the frames it always has."""
  with tempfile.TemporaryDirectory() as folder:
    without = asleep_in_a_pipe(lab)
    run = Run(lab, os.path.join(folder, "t.gilk"), "--hook", f"{PIPE_READ}@entry:pre:count:clone",
              "--hook", "vfs_read@entry:pre:count:clone", "--for", "10m")
    try:
      lab.wait_armed(2)
      names = asleep_in_a_pipe(lab)
    finally:
      code = run.stop()
  expect(code == 0, f"gilk run failed: {run.output}")
  expect(names.count(ARENA) == 2, f"the stack has no two clones: {names}, without {without}")
  expect(len(names) == len(without) and
         all(new in (old, ARENA) for new, old in zip(names, without)),
         f"frames {names}, without clones {without}")
  return f"{len(names)} frames"


if __name__ == "__main__":
  sys.exit(main([at_the_entry, deep_in_a_function, behind_a_trap, at_a_bounce_and_on_its_jump,
                 in_what_a_patch_called, in_a_clone, below_calls_of_clones,
                 sleeper_below_a_clone], lab_of_arguments()))
