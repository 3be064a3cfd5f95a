#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Accounts: programs at tracepoints count each hit, with the right arguments, and timers hit every CPU
"""
events - runs with tracepoints and timers

Known numbers of system calls and processes are counted exactly, arguments of sched_switch agree with the
current task and with each other, and nothing is left when the agent is killed.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BRIEF, GILK, Run, expect, lab_of_arguments, main, wait_for

CALLS = 4000 if BRIEF else 20000
EXECS = 15
FSYNC = 74
ENTER = f'tracepoint:raw_syscalls:sys_enter {{ common map at[8]; if (comm == "calls" && id == {FSYNC}) {{ count(); at[1]++ }} }}'
LEAVE = 'tracepoint:sys_exit { common map at[8]; if (comm == "calls" && ret == -9) { count(); at[2]++ } }'
KERNEL = "__x64_sys_fsync:entry { common map at[8]; count(); at[3]++ }"
EXEC = 'tracepoint:sched:sched_process_exec { if (comm == "calls") count() }'
SWITCH = "tracepoint:sched:sched_switch { if (limit(2000)) sample(was = prev->pid, to = next->pid, now = tid, on = cpu) }"


def programs(lab):
  """BPF programs of agents that the kernel has."""
  return sum(bool(re.search("bpf_prog_.*_gilk_", name)) for _, _, name, _ in lab.kallsyms())


def attached(lab):
  """Tracepoints to which agents have attached programs."""
  return len(lab.run("for p in $(pidof gilkd); do grep -h tp_name /proc/$p/fdinfo/* 2>/dev/null; done || true").splitlines())


def start(lab, folder, *words, tracepoints=0, timers=0):
  """A run in which everything is armed."""
  run = Run(lab, os.path.join(folder, "run.gilk"), *words)
  try:
    wait_for("programs", lambda: run.process.poll() is not None or
             (attached(lab) >= tracepoints and programs(lab) >= tracepoints + timers), 60)
    expect(run.process.poll() is None, "the run ended early")
  except BaseException:
    run.kill()
    raise
  return run


def hooks_of(*points):
  return [word for point in points for word in ("--hook", point)]


def every_call(lab):
  """A plan of two tracepoints and a kernel hook with a map in common; --by is not given."""
  with tempfile.TemporaryDirectory() as folder:
    run = start(lab, folder, *hooks_of(KERNEL, EXEC, ENTER, LEAVE), "--for", "10m", tracepoints=3)
    out = lab.run(f"calls -o fsync -t 2 -n {CALLS}; i=1; while [ $i -lt {EXECS} ]; do calls -o fsync -t 1 -n 0 >/dev/null; i=$((i+1)); done")
    expect(f"calls {CALLS}\n" in out, f"the workload said: {out}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect("All hooks of the plan are BPF programs" in run.output, f"no note on the way: {run.output}")
    report = run.report()
  hits = [hook["hits"] for hook in report["hooks"]]
  expect(hits[0] == hits[2] == hits[3] == CALLS, f"hits of {CALLS}: {hits}")
  expect(hits[1] == EXECS, f"{hits[1]} of {EXECS} processes")
  expect([hook["tactic"] for hook in report["hooks"]] == [lab.entry_tactic()] + 3 * ["tracepoint"], report["hooks"])
  expect(all(hook["missed"] == 0 for hook in report["hooks"]), report["hooks"])
  return f"{CALLS} calls at 3 points, {EXECS} processes"


def arguments(lab):
  """The task that is left is the current one, and the next one on the CPU is the one that was chosen."""
  with tempfile.TemporaryDirectory() as folder:
    run = start(lab, folder, *hooks_of(SWITCH), "--for", "10m", tracepoints=1)
    lab.run("calls -o sched_yield -t 4 -n 2000")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    text = subprocess.run([GILK, "export", "--csv", run.session], text=True, check=True, stdout=subprocess.PIPE).stdout
  rows = list(csv.DictReader(text.splitlines()))
  last = {}
  for row in rows:
    expect(row["was"] == row["now"], f"not the current task: {row}")
    expect(last.get(row["on"], row["was"]) == row["was"], f"on CPU {row['on']} came {row['was']}, not {last.get(row['on'])}")
    last[row["on"]] = row["to"]
  expect(len(rows) > 50, f"{len(rows)} switches")
  return f"{len(rows)} switches"


def timers(lab):
  """A profile is on every CPU, an interval on one."""
  cpus = int(lab.run("grep -c ^processor /proc/cpuinfo"))
  with tempfile.TemporaryDirectory() as folder:
    load = lab.background(f"timeout 200 calls -o getppid -t {cpus} -n 2000000000")
    try:
      run = Run(lab, os.path.join(folder, "run.gilk"), *hooks_of("profile:99hz { map on[64]; on[cpu]++; map at[4096]; at[ip]++; count() }",
                                                                 "interval:20ms { map on[64]; on[cpu]++; count() }", "profile:50hz:stamp"),
                "--until", "hits profile-99hz >= 300", "--for", "10m")
      expect(run.wait() == 0, f"gilk run failed: {run.output}")
    finally:
      lab.run(f"kill {load}; killall calls; true")
    report = run.report()
  kept = [entry for program in report["programs"] for entry in program["maps"] if entry["name"] == "on"]
  expect(sorted(len(entry["keys"]) for entry in kept) == [1, cpus], f"CPUs: {kept}")
  expect(all(hook["tactic"] == "timer" and hook["hits"] > 0 for hook in report["hooks"]), report["hooks"])
  stamps = report["hooks"][2]
  expect(stamps["stored"] + stamps["lost"] == stamps["hits"], stamps)
  return f"{[hook['hits'] for hook in report['hooks']]} hits on {cpus} CPUs"


def lists(lab):
  found = lab.gilk("find", "tracepoint:sched:sched_sw")["tracepoints"]
  expect([row for row in found if row["tracepoint"].endswith(":sched_switch") and
          any("prev" in argument for argument in row["arguments"])], found)
  return f"{len(lab.gilk('find', 'tracepoint:', '--limit', '0')['tracepoints'])} tracepoints"


def refused_by_name(lab):
  for hook, options, words in (("profile:99hz", ("--by", "ilk"), "needs-bpf"), ("tracepoint:sched:sched_swich", (), "sched_switch"),
                               ("tracepoint:irq:sched_switch", (), "belongs to sched"), ("profile:99hz:span", (), "event-span"),
                               ("tracepoint:sched:sched_switch { sample(%rdi) }", (), "Registers are not"),
                               ("profile:99hz:template", (), "bpf-module")):
    done = subprocess.run([GILK, "run", "--json", "--target", lab.target, *options, "--for", "1s", "--hook", hook],
                          text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    error = json.loads(done.stdout)["error"]
    expect(done.returncode != 0 and words in (error["refusal"] or error["message"]), f"{hook}: {error}")
  expect(not programs(lab), "a program is left")
  return "6 hooks"


def what_is_left_goes_by_the_driver(lab):
  """--partial leaves out a tracepoint that this kernel lacks; what only the driver can do is not left out with it"""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--partial", "--hook", "tracepoint:sched:no_such", "--hook",
              "__x64_sys_fsync@entry:pre:count:splice", "--for", "10m")
    lab.wait_armed(1)
    lab.run("calls -o fsync -t 1 -n 500")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hook, = run.report()["hooks"]
  expect(hook["hits"] == 500 and hook["tactic"] == "splice", f"{hook}")
  expect("Left out" in run.output, run.output)
  return "500 hits"


def the_agent_dies(lab):
  """kill -9 in the middle of hits"""
  with tempfile.TemporaryDirectory() as folder:
    run = start(lab, folder, *hooks_of("tracepoint:sched:sched_switch:stamp", "profile:99hz"), "--for", "10m", tracepoints=1, timers=1)
    expect(programs(lab) == 2, f"{programs(lab)} programs")
    lab.kill_agents()
    run.wait()
    wait_for("no program", lambda: not programs(lab) and not attached(lab), 60)
  return "nothing is left"


if __name__ == "__main__":
  TESTS = [every_call, arguments] if BRIEF else [every_call, arguments, timers, lists, refused_by_name, what_is_left_goes_by_the_driver, the_agent_dies]
  sys.exit(main(TESTS, lab_of_arguments()))
