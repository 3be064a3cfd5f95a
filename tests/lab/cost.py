#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the cost of a hit is measured over the whole run
"""
cost LAB [--runs N] - measures what a hit costs in several runs, and checks that their intervals hold the mean of all runs

tests/bench/hits.py checks the figure itself, where instructions are counted. Here the emulator's time depends on what
else its machine does, so that measurements differ from each other, and runs from the next. Prints how many of the
intervals hold the mean, for each kind of hook, and how wide they are.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BRIEF, GILK, Lab, Run, expect, main, wait_for

HOOKS = ("--hook", "__x64_sys_umask@entry:pre:stamp", "--hook", "__x64_sys_getpgid@entry:pre:count")
# Each interval is stated to hold the mean over runs with 95 %.
SHARE = 0.95


def least_held(count):
  """Of COUNT intervals, if SHARE of them hold: fewer than this do in one of 2,000 rounds at most."""
  below = 0.0
  for held in range(count + 1):
    below += math.comb(count, held) * SHARE ** held * (1 - SHARE) ** (count - held)
    if below > 1 / 2000:
      return held
  return count


def sql(session, query):
  done = subprocess.run([GILK, "sql", "--json", session, query], stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)["rows"]


def measurements(session, instrument):
  return sql(session, f"SELECT position, t_ns, ns FROM cost_measurement WHERE instrument = '{instrument}' ORDER BY position")


def record(lab, session, calls):
  """Some calls that are sampled while the run goes on."""
  run = Run(lab, session, *HOOKS, "--for", "3s")
  try:
    lab.wait_armed(2)
    lab.run(f"calls -o umask -t 1 -n {calls}")
  except BaseException:
    run.kill()
    raise
  expect(run.wait() == 0, f"gilk run failed: {run.output}")
  return run.report()


def check_run(session, report, calls):
  """Measured before, in between and at the end; and the samples are the run's alone."""
  hooks = {hook["instrument"]: hook for hook in report["hooks"]}
  expect(hooks["stamp"]["hits"] == hooks["stamp"]["stored"] + hooks["stamp"]["lost"] == calls, f"{calls} calls: {hooks}")
  expect(hooks["count"]["hits"] == 0, f"no call was made of what is counted: {hooks}")
  for cost in report["costs"]:
    rows = measurements(session, cost["instrument"])
    times = [row["t_ns"] for row in rows]
    expect(cost["measurements"] == len(rows) >= 3, f"{cost}: {rows}")
    expect(times[0] is None and times[1:] == sorted(times[1:]) and times[-1] >= 3e9 > times[1], f"measured at {times}")
    expect(cost["low_ns"] <= cost["ns"] <= cost["high_ns"], f"{cost}")


def describe(instrument, runs):
  """Returns: how many intervals hold the mean over the runs, and what to print of it."""
  levels = [sum(values) / len(values) for _, _, values in runs]
  mean = sum(levels) / len(levels)
  held = sum(low <= mean <= high for low, high, _ in runs)
  halves = sorted((high - low) / 2 / mean for low, high, _ in runs)
  spread = math.sqrt(sum((level - mean) ** 2 for level in levels) / max(1, len(levels) - 1)) / mean
  counts = sorted(len(values) for _, _, values in runs)
  return held, (f"{instrument}: {held} of {len(runs)} hold {mean:.2f} ns, median half-width {100 * halves[len(halves) // 2]:.1f} %, "
                f"runs differ by {100 * spread:.1f} %, {counts[0]} to {counts[-1]} measurements")


def intervals_of_runs_hold_the_mean_of_all(lab):
  calls = 1000
  figures = {}
  with tempfile.TemporaryDirectory() as folder:
    for number in range(lab.runs):
      session = os.path.join(folder, f"{number}.gilk")
      report = record(lab, session, calls)
      check_run(session, report, calls)
      for cost in report["costs"]:
        values = [row["ns"] for row in measurements(session, cost["instrument"])]
        figures.setdefault(cost["instrument"], []).append((cost["low_ns"], cost["high_ns"], values))
  described = [describe(instrument, runs) for instrument, runs in figures.items()]
  held = sum(count for count, _ in described)
  text = "; ".join(words for _, words in described)
  expect(lab.runs == 1 or held >= least_held(lab.runs * len(figures)), f"{text}: {figures}")
  return text


def what_was_measured_stays(lab):
  """The client is killed while the run goes on."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "killed.gilk"), *HOOKS, "--for", "10m")
    lab.wait_armed(2)
    wait_for("a second measurement", lambda: len(measurements(run.session, "stamp")) >= 3, 60)
    time.sleep(0.5)     # and the transaction's end
    run.kill()
    costs = {cost["instrument"]: cost for cost in run.report()["costs"]}
    expect(len(costs) == 2 and all(cost["measurements"] >= 3 for cost in costs.values()), f"{costs}")
  wait_for("the hooks' end", lambda: not lab.gilk("status")["patches"], 60)
  return f"{costs['stamp']['measurements']} measurements"


PLAN = """[gilk-plan]
version=1

[hook umask]
function=__x64_sys_umask
anchor=entry
where=pre
instrument=count
"""
ADDED = """
[hook getpgid]
function=__x64_sys_getpgid
anchor=entry
where=pre
instrument=stamp
"""


def hooks_added_to_a_live_run_are_measured(lab):
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "added.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write(PLAN)
    run = Run(lab, os.path.join(folder, "added.gilk"), path, "--follow", "--for", "10m")
    try:
      lab.wait_armed(1)
      with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(PLAN + ADDED)
      os.rename(path + ".new", path)
      lab.wait_armed(2)
      wait_for("measurements of the new hook", lambda: len(measurements(run.session, "stamp")) >= 3, 60)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    rows = measurements(run.session, "stamp")
    expect([row["position"] for row in rows] == list(range(len(rows))) and all(row["t_ns"] is not None for row in rows), f"{rows}")
    costs = {cost["instrument"]: cost for cost in run.report()["costs"]}
    expect(len(costs) == 2 and costs["stamp"]["measurements"] == len(rows), f"{costs}")
    expect(costs["stamp"]["low_ns"] <= costs["stamp"]["ns"] <= costs["stamp"]["high_ns"], f"{costs}")
    expect(costs["stamp"]["ns"] > costs["count"]["ns"] > 0, f"{costs}")
  return f"{len(rows)} measurements"


def lab_with_runs():
  parser = argparse.ArgumentParser(prog="cost")
  parser.add_argument("lab")
  parser.add_argument("--runs", type=int, default=1 if BRIEF else 10)
  arguments = parser.parse_args()
  lab = Lab(arguments.lab)
  lab.runs = arguments.runs
  return lab


if __name__ == "__main__":
  sys.exit(main([intervals_of_runs_hold_the_mean_of_all, what_was_measured_stays,
                 hooks_added_to_a_live_run_are_measured], lab_with_runs()))
