#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Accounts: known numbers of calls count exactly, and produced = stored + lost
"""
exact - a path called N times counts exactly N; produced = stored + lost; hooks work when they are planned to

  exact.py LAB [--calls N]

The workload makes a known number of calls from threads pinned to two CPUs, on a
path that nothing else in the lab uses.
"""
import argparse
import csv
import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Lab, Run, expect, main

CALLS = 2_000_000       # by splice, the part that ./check does
FUNCTION = "__x64_sys_fsync"
HOOK = FUNCTION + "@entry:pre:"

# Behind its call is too little for a jump, on all kernels; the room is in the function.
SHORT = "do_getpgid@entry:post:"


def record(lab, calls, *hooks, path="fsync"):
  """Runs CALLS calls of PATH under HOOKS; returns the report."""
  with tempfile.TemporaryDirectory() as folder:
    arguments = [word for hook in hooks for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "exact.gilk"), *arguments, "--for", "10m")
    try:
      lab.wait_armed()
      out = lab.run(f"calls -o {path} -t 2 -n {calls}")
      expect(f"calls {calls}\n" in out, f"the workload said: {out}")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    with sqlite3.connect(run.session) as db:
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "session is damaged")
    return run.report()


def count_by_splice(lab):
  total = 0
  for calls in (1, options.calls):
    hook = record(lab, calls, HOOK + "count")["hooks"][0]
    expect(hook["tactic"] == "splice", f"tactic is {hook['tactic']}")
    expect(hook["hits"] == calls, f"{calls} calls, {hook['hits']} counted")
    total += calls
  return f"{total} calls"


def count_by_bounce(lab):
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  total = 0
  for calls in (1, 300_000):
    hook = record(lab, calls, SHORT + "count:bounce", path="getpgid")["hooks"][0]
    expect(hook["tactic"] == "bounce", f"tactic is {hook['tactic']}")
    expect(hook["hits"] == calls, f"{calls} calls, {hook['hits']} counted")
    total += calls
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after the hook was taken out")
  return f"{total} calls"


def count_by_trap(lab):
  calls = 200_000
  hook = record(lab, calls, HOOK + "count:trap")["hooks"][0]
  expect(hook["tactic"] == "trap", f"tactic is {hook['tactic']}")
  expect(hook["hits"] == calls, f"{calls} calls, {hook['hits']} counted")
  return f"{calls} calls"


def account(hook, calls):
  expect(hook["hits"] == calls, f"{calls} calls, {hook['hits']} samples produced")
  expect(hook["stored"] + hook["lost"] == calls,
         f"{calls} calls, {hook['stored']} stored + {hook['lost']} lost")
  return f"{hook['stored']} stored + {hook['lost']} lost = {calls}"


def stamp_samples_accounted(lab):
  return account(record(lab, 1_000_000, HOOK + "stamp")["hooks"][0], 1_000_000)


def module_samples_accounted(lab):
  return account(record(lab, 300_000, HOOK + "task")["hooks"][0], 300_000)


def several_instruments_on_one_point(lab):
  calls = 100_000
  report = record(lab, calls, HOOK + "count", HOOK + "stamp", HOOK + "args")
  for hook in report["hooks"]:
    if hook["instrument"] == "count":
      expect(hook["hits"] == calls, f"{calls} calls, {hook['hits']} counted")
    else:
      account(hook, calls)


PLAN = f"""[gilk-plan]
version=2
[hook later]
function={FUNCTION}
anchor=entry
where=pre
instrument=stamp
start=after first + 200ms
stop=+2s
[hook first]
function={FUNCTION}
anchor=entry
where=pre
instrument=stamp
start=300ms
stop=1300ms
"""


def one_starts_after_another(lab):
  """The workload calls all the time; each hook sees its own span of that, from its begin to its end."""
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "after.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write(PLAN)
    # Before it: nobody says how long a busy machine takes to arm.
    lab.background("timeout 120 calls -o fsync -t 1 -n 1000000000")
    try:
      run = Run(lab, os.path.join(folder, "after.gilk"), path, "--for", "5s")
      expect(run.wait() == 0, f"gilk run failed: {run.output}")
    finally:
      lab.run("killall calls; true")
    words = []
    for hook, begin, end in (("first", 0.3, 1.3), ("later", 1.5, 3.5)):
      done = subprocess.run([GILK, "export", "--csv", "--hook", hook, run.session], stdout=subprocess.PIPE, text=True, check=True)
      rows = list(csv.DictReader(done.stdout.splitlines()))
      times = [int(row["t_ns"]) / 1e9 for row in rows]
      expect(len(times) > 10, f"{hook} has {len(times)} samples")
      # The clock's interrupt ends it, and may be late on a machine that others use.
      expect(begin <= min(times) and max(times) < end + 0.2, f"{hook} works from {min(times)} to {max(times)}, planned is {begin} to {end}")
      words.append(f"{hook} from {min(times):.4f} to {max(times):.4f} s")
  return ", ".join(words)


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--calls", type=int, default=CALLS)
  options = parser.parse_args()
  sys.exit(main([count_by_splice, count_by_bounce, count_by_trap, stamp_samples_accounted,
                 module_samples_accounted, several_instruments_on_one_point, one_starts_after_another],
                Lab(options.lab)))
