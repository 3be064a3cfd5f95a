#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Accounts: hooks in programs by BPF count and record what the program did, next to hooks in the kernel
# Promise: Way out: a process that cannot run delays no disarm of hooks by BPF, and an agent that dies leaves no byte in processes
"""
user-by-bpf - hooks in programs whose hits run BPF programs, without the driver

What tests/lab/user.py checks of the driver's hooks, by the kernel's uprobes alone; and what only this way has: one plan
whose hooks in the kernel and in programs share a map. Without GILK_BRIEF all of it.
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
import user
from gilklab import BRIEF, expect, lab_of_arguments, main, wait_for
from user import (CALLS, DEEP, HELD, PLAIN, SWITCH, TARGET, Going, Waiting, push_programs)

FSYNC = "__x64_sys_fsync"
HOLD_S = 120            # time that a process is stuck; ending hooks takes a part of it even on a busy machine


def hooks_share_a_map(lab):
  """One map of a hook in the kernel and of one in a program, by the process; and a sample of each"""
  maps = "common map seen[64]; seen[pid]++; sample(pid)"
  going = Going(lab, f"{PLAIN}:entry {{ {maps} }}", f"{FSYNC}:entry {{ {maps} }}")
  said = lab.run(f"{TARGET} plain 1 300; calls -o fsync -t 1 -n 200")
  expect("calls 300\n" in said and "calls 200\n" in said, said)
  hooks = going.hooks()
  tactics = sorted(hook["tactic"] for hook in going.run.report()["hooks"])
  kept = sorted(int(row["n"]) for row in going.run.sql("select sum(value) as n from maps where name = 'seen' group by key having n > 0"))
  expect(tactics == ["kprobe", "uprobe"], f"tactics: {tactics}")
  expect([hook["stored"] + hook["lost"] for hook in hooks] == [300, 200], f"samples: {hooks}")
  expect(kept == [200, 300], f"the map has {kept}")
  return "300 hits in a program, 200 in the kernel"


def no_hit_is_lost_unseen(lab):
  """Hits inside of critical sections of others count as missed; hits and misses add up to the calls"""
  going = Going(lab, f"{DEEP}:entry {{ table seen[64]; seen[tid & 7] = now; count() }}")
  lab.run(f"{TARGET} 4 {CALLS // 4}")
  hook, = going.hooks()
  expect(hook["hits"] + hook["missed"] == CALLS * 5 // 2, f"{hook['hits']} hits, {hook['missed']} missed of {CALLS * 5 // 2} calls")
  return f"{hook['missed']} of {CALLS * 5 // 2} missed"


def modules_are_refused(lab):
  user.refused(lab, f"{PLAIN}:entry:task", "kernel module")
  user.refused(lab, f"{PLAIN}:entry {{ marker(\"x\") }}", "only the driver provides")
  return "2 hooks"


def a_stuck_process_delays_no_disarm(lab):
  """A process keeps its memory locked: hooks end nevertheless, and the kernel's text is as it was"""
  lab.run("insmod /lib/modules/$(uname -r)/extra/gilk_hold.ko")
  kernel = lab.text_sum()
  stuck = Waiting(lab)
  before = stuck.sum()
  going = Going(lab, SWITCH + ":entry", f"{FSYNC}:entry")
  # While the kernel waits for the process, nothing forks in the lab. This shell does not need to.
  begin = time.monotonic()
  lab.run(f"(sleep {HOLD_S}; echo 0 >{HELD}) >/dev/null 2>&1 & sleep 1; echo {stuck.pid} >{HELD}")
  expect(going.run.stop() == 0, f"gilk run: {going.run.output}")
  expect(lab.text_sum() == kernel, "kernel text is not as it was")
  expect(time.monotonic() - begin < HOLD_S, "the hooks ended only when the process went on")
  wait_for("the text of the process as before", lambda: stuck.sum() == before, 2 * HOLD_S)
  stuck.end()
  lab.run("rmmod gilk_hold")
  return "disarmed, and clean once the process goes on"


def many_processes(lab):
  """60 at once, each counted for itself"""
  going = Going(lab, PLAIN + ":entry { map by[256]; by[pid]++; count() }")
  said = lab.run(f"for i in $(seq 60); do (sleep 2; exec {TARGET} plain 1 10) & done; wait")
  hook, = going.hooks()
  rows = going.run.sql("select key, sum(value) as n from maps where name = 'by' group by 1 having n > 0")
  expect(said.count("calls 10\n") == 60, said)
  expect(hook["hits"] == 600 and len(rows) == 60 and {int(row["n"]) for row in rows} == {10}, f"{hook['hits']} hits, {rows}")
  return "60 processes, 10 hits each"


SHORT = [user.samples_have_what_the_process_had, user.what_a_process_gives_is_its_own_memory, hooks_share_a_map]
LONG = [
  user.blocks_and_instructions_count, user.text_is_as_it_was,
  user.hits_are_those_of_perf_and_bpf, user.returns_are_those_of_perf_and_bpf, user.exceptions_pass_through,
  user.inlined_functions_are_hooked, user.calls_are_timed_by_their_frames, user.spans_and_stamps, user.one_process_alone,
  user.start_and_stop_times_are_kept, no_hit_is_lost_unseen, many_processes, modules_are_refused, user.tracers_see_no_uprobes,
  user.unhookable_points_are_named, user.a_file_that_was_replaced_is_refused, user.programs_in_other_roots,
  user.an_agent_that_is_killed_leaves_nothing, a_stuck_process_delays_no_disarm,
]


if __name__ == "__main__":
  LAB = lab_of_arguments()
  user.WAY = "bpf"
  push_programs(LAB)
  sys.exit(main(SHORT if BRIEF else SHORT + LONG, LAB))
