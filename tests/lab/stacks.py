#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
stacks - what programs take and do at a hit beyond numbers: stacks, markers, a freeze, an end, a notice

Stacks are those that the kernel's function tracer takes at the same function; each hit is of one. The time of a call
is that of its running and of its waiting, and a wait of a known length is found where it was.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, ROOT, Run, expect, lab_of_arguments, main, wait_for

BYTES = 5113            # nobody else writes as many
TRACING = "/sys/kernel/tracing"
WRITES = f"dd if=/dev/zero of=/dev/null bs={BYTES} count=%d 2>/dev/null"


def record(lab, words, workload, armed=1, way="ilk"):
  """Runs WORKLOAD under what WORDS have armed. Returns: its report, and what asks SQL."""
  folder = tempfile.TemporaryDirectory()
  run = Run(lab, os.path.join(folder.name, "stacks.gilk"), *words, "--by", way, "--for", "10m")
  run.folder = folder
  try:
    (lab.wait_links if way == "bpf" else lab.wait_armed)(armed)
    said = lab.run(workload)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  return run, run.report(), said


def stacks_of(report, name):
  """{(function, ...): value} of a map, from within outwards, places without offsets."""
  found = {}
  for program in report["programs"]:
    for kept in program["maps"]:
      if kept["name"] == name:
        for key in kept["keys"]:
          names = tuple(place.split("+")[0] for place in key["stack"])
          found[names] = found.get(names, 0) + key["value"]
  return found


def witness(lab, function, workload):
  """The same by the function tracer, which tells no more than the functions."""
  text = lab.run(f"cd {TRACING}; echo nop >current_tracer; echo {function} >set_ftrace_filter; echo 1 >options/func_stack_trace; "
                 f"echo >trace; echo function >current_tracer; {workload}; echo 0 >tracing_on; cat trace; "
                 "echo nop >current_tracer; echo 0 >options/func_stack_trace; echo >set_ftrace_filter; echo 1 >tracing_on; "
                 "echo >trace")
  found, stack = set(), None
  for line in text.splitlines():
    if "<stack trace>" in line:
      stack = []
    elif stack is not None and line.startswith(" => "):
      stack.append(line[4:].strip())
    elif stack is not None:
      found.add(tuple(stack))
      stack = None
  if stack:
    found.add(tuple(stack))
  return found


# ---- stacks ----

def stacks_by_each_tactic(lab):
  expected = witness(lab, "vfs_write", WRITES % 3)
  told = []
  for tactic in ("splice", "trap", "clone"):
    _, report, _ = record(lab, ["--hook", f"vfs_write:entry:{tactic} {{ map by[64]; if (count == {BYTES}) by[stack()]++ }}"],
                          WRITES % 2000)
    expect(report["hooks"][0]["tactic"] == tactic, f"tactic is {report['hooks'][0]['tactic']}, not {tactic}")
    stacks = stacks_of(report, "by")
    expect(sum(stacks.values()) == 2000, f"2000 writes, stacks of {sum(stacks.values())}")
    for stack in stacks:
      expect(any(stack == one[-len(stack):] for one in expected), f"{tactic}: {stack} is none of {expected}")
    told.append(f"{tactic} {max(map(len, stacks))} calls")
  return ", ".join(told)


def stacks_in_samples(lab):
  run, report, _ = record(lab, ["--hook", f"vfs_write:entry {{ if (count == {BYTES}) sample(s = stack(), pid, comm) }}"],
                          WRITES % 500)
  hook = report["hooks"][0]
  expect(hook["hits"] == 500 and hook["hits"] == hook["stored"] + hook["lost"], f"{hook}")
  rows = run.sql('select s, count(*) as n from "samples_vfs_write_entry_pre" group by s')
  expect(sum(int(row["n"]) for row in rows) == hook["stored"] and all(int(row["s"]) > 0 for row in rows), f"{rows}")
  flame = subprocess.run([GILK, "export", run.session, "--stacks"], stdout=subprocess.PIPE, text=True, check=True).stdout
  lines = [line for line in flame.splitlines() if re.match(r"dd;.*;ksys_write;vfs_write \d+$", line)]
  expect(sum(int(line.rsplit(" ", 1)[1]) for line in lines) == hook["stored"], flame)
  return f"{len(rows)} stacks"


def callers_of_deep_functions(lab):
  """In interrupts as well: whoever runs the timers was interrupted anywhere."""
  _, report, _ = record(lab, ["--hook", "update_process_times:entry { map by[1024]; counter all; all++; by[stack()]++ }"],
                        "calls -o fsync -t 2 -n 300000")
  stacks = stacks_of(report, "by")
  kept = {one["name"]: one["value"] for one in report["programs"][0]["maps"] if "value" in one}
  missed = next(one["full"] for one in report["programs"][0]["maps"] if one["name"] == "by")
  expect(sum(stacks.values()) + missed == kept["all"] and kept["all"] > 20, f"{sum(stacks.values())} of {kept}, {missed} missed")
  for stack in stacks:
    expect(stack[0] == "update_process_times" and len(stack) > 3, f"{stack}")
  return f"{kept['all']} interrupts, {len(stacks)} stacks"


# ---- running and waiting ----

def a_wait_is_found(lab):
  waits, nap = 8, 0.25
  plan = os.path.join(ROOT, "data", "recipes", "waiting.plan")
  run, report, _ = record(lab, [plan], f"(for i in $(seq {waits}); do sleep {nap}; echo; done) | "
                                       "dd of=/dev/null bs=1 2>/dev/null", 3)
  kept = {one["name"]: one.get("value") for program in report["programs"] for one in program["maps"]}
  elapsed, running, waiting = kept["elapsed_ns"], kept["running_ns"], kept["waiting_ns"]
  calls = run.sql("select sum(value) as n from maps where name = 'elapsed'")[0]["n"]
  expect(abs(elapsed - running - waiting) <= 2 * int(calls), f"{elapsed} ns, {running} running, {waiting} waiting, {calls} calls")
  expect(waiting >= waits * nap * 1e9 * 0.98, f"{waits} waits of {nap} s, {waiting} ns")
  stacks = stacks_of(report, "waited")
  piped = sum(value for stack, value in stacks.items() if any(name.endswith("pipe_read") for name in stack) and
              stack[1:3] == ("__schedule", "schedule"))
  expect(piped >= waits * nap * 1e9 * 0.98, f"{piped} ns in pipes, of {stacks}")
  return f"{waiting / 1e9:.3f} s waited, {piped / 1e9:.3f} s of it in pipes; running {running / 1e9:.3f} s"


# ---- markers ----

def markers_are_events(lab):
  lab.run(f"cd {TRACING}; echo >trace; echo 1 >events/ilk/marker/enable")
  try:
    record(lab, ["--hook", f"vfs_write:entry {{ if (count == {BYTES}) marker(\"a large write\", count) }}"], WRITES % 300)
    text = lab.run(f"cat {TRACING}/trace")
  finally:
    lab.run(f"cd {TRACING}; echo 0 >events/ilk/marker/enable; echo >trace")
  found = re.findall(r"marker: a large write value=(\d+) iid=(\d+)", text)
  expect(len(found) == 300 and {value for value, _ in found} == {str(BYTES)}, f"300 markers, {len(found)} found: {found[:3]}")
  return f"{len(found)} events"


# ---- the end ----

PLAN = """[gilk-plan]
version=2
ring-mode=overwrite
ring=64K

[program freezes]
code=global seen; if (count == %d) { seen += 1; sample(seen); if (seen == 3000) freeze }

[hook writes]
function=vfs_write
anchor=entry
where=pre
program=freezes
"""


def freeze(lab, way):
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "freeze.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write(PLAN % BYTES)
    # The agent keeps no processor busy once the rings are frozen.
    run, report, said = record(lab, [path], WRITES % 4000 + "; for p in $(pidof gilkd); do cut -d ' ' -f 41 /proc/$p/stat; done", way=way)
  hook = report["hooks"][0]
  expect(set(re.findall(r"^\d+$", said, re.M)) == {"0"}, f"scheduling policies of the agent's processes: {said}")
  expect(hook["hits"] == 4000 and hook["hits"] == hook["stored"] + hook["lost"], f"{hook}")
  last = run.sql("select max(seen) as last, count(*) as n from samples_freezes")[0]
  expect(int(last["last"]) <= 3000 and 0 < int(last["n"]) < 3000, f"frozen at 3000, the last sample is {last}")
  return f"by {way} {last['n']} samples up to {last['last']}, {hook['lost']} given up or behind it"


def freeze_keeps_the_latest_samples(lab):
  return ", ".join(freeze(lab, way) for way in ("ilk", "bpf"))


def a_program_ends_the_run(lab):
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "end.gilk"), "--hook",
              f"vfs_write:entry {{ if (count == {BYTES}) {{ notify(\"a large write\"); stop run }} }}", "--for", "10m")
    lab.wait_armed(1)
    began = time.monotonic()
    lab.run(WRITES % 1)
    wait_for("the run has ended", lambda: run.process.poll() is not None)
    took = time.monotonic() - began
    run.process.wait()
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    report = run.report()
    expect(report["run"]["ended"] == "ended by a program", f"{report['run']}")
    expect("a large write" in run.output, f"no notice in: {run.output}")
  return f"ended {took:.1f} s after"


def killing_the_client_restores_all(lab):
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "killed.gilk"), "--hook", "vfs_write:entry { map by[64]; by[stack()]++ }", "--for", "10m")
    lab.wait_armed(1)
    lab.background(WRITES % 200000)
    time.sleep(1)
    run.process.send_signal(signal.SIGKILL)
    run.process.wait()
    lab.wait_clean()
  expect(lab.text_sum() == before, "text differs")


if __name__ == "__main__":
  sys.exit(main([stacks_by_each_tactic, stacks_in_samples, callers_of_deep_functions, a_wait_is_found, markers_are_events,
                 freeze_keeps_the_latest_samples, a_program_ends_the_run, killing_the_client_restores_all], lab_of_arguments()))
