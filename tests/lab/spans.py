#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
spans - entry and exits of one call find each other: pairs equal calls

A function that calls itself is run by two threads that change CPUs, sleep in it
and interrupt each other; each of its calls must be one pair, the inner ones
within the outer ones.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import json
from gilklab import GILK, Run, expect, lab_of_arguments, main

DEPTH = 8
READS = 1000    # both ends of all calls fit one ring


def spans_of(session, function):
  done = subprocess.run([GILK, "report", "--json", "--span", session],
                        stdout=subprocess.PIPE, text=True, check=True)
  spans = [s for s in json.loads(done.stdout)["spans"] if s["function"] == function]
  expect(len(spans) == 1, f"{len(spans)} rows for {function}")
  return spans[0]


def record(lab, function, workload):
  """Runs WORKLOAD under span hooks; returns the function's spans."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "spans.plan")
    lab.gilk("plan", "new", function, "--span", "-a", plan)
    run = Run(lab, os.path.join(folder, "spans.gilk"), plan, "--for", "10m")
    try:
      lab.wait_armed()
      lab.run(workload)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    return spans_of(run.session, function)


def check(spans, calls):
  expect(spans["lost"] == 0, f"{spans['lost']} samples lost: too much for this test")
  expect(spans["calls"] == calls, f"{calls} calls, {spans['calls']} pairs, "
         f"{spans['open']} open, {spans['stray']} stray")
  expect(spans["open"] == 0 and spans["stray"] == 0,
         f"{spans['open']} open, {spans['stray']} stray")
  expect(0 < spans["min_ns"] <= spans["median_ns"] <= spans["p99_ns"] <= spans["max_ns"],
         f"durations out of order: {spans}")
  return f"{calls} calls, median {spans['median_ns']} ns, longest {spans['max_ns']} ns"


def recursive_calls_of_two_threads(lab):
  lab.run("test -c /dev/gilk_recurse || insmod /lib/modules/$(uname -r)/extra/gilk_recurse.ko")
  reader = f"dd if=/dev/gilk_recurse of=/dev/null bs={DEPTH} count={READS} 2>/dev/null"
  spans = record(lab, "gilk_recurse_step", f"{reader} & {reader}; wait")
  lab.wait_clean()
  lab.run("rmmod gilk_recurse")
  return check(spans, 2 * READS * DEPTH)


def calls_of_a_kernel_function(lab):
  calls = 15_000
  spans = record(lab, "__x64_sys_getpgid", f"calls -o getpgid -t 2 -n {calls}")
  return check(spans, calls)


def exits_by_a_jump_are_reported(lab):
  """Where the plan is written, and where its spans are shown: how many of how many exits."""
  with tempfile.TemporaryDirectory() as folder:
    plan, session = os.path.join(folder, "tail.plan"), os.path.join(folder, "tail.gilk")
    blocks = lab.gilk("cfg", "fput")["blocks"]
    written = subprocess.run([GILK, "plan", "new", "fput", "--span", "-a", plan, "--target", lab.target], stderr=subprocess.PIPE,
                             text=True, check=True).stderr
    said = re.search(r"fput jumps into another function at (\d+) of its (\d+) exits", written)
    expect(said, f"the plan's exits by a jump are not said: {written}")
    jumps, exits = int(said[1]), int(said[2])
    expect(0 < jumps == sum(block["ending"] == "tail-call" for block in blocks), f"{jumps} said, of {[b['ending'] for b in blocks]}")
    lab.gilk("run", plan, "--for", "1s", "-o", session)
    shown = subprocess.run([GILK, "report", "--span", session], stdout=subprocess.PIPE, text=True, check=True).stdout
    spans = spans_of(session, "fput")
  expect(f"Not covered: {jumps} of the {exits} exits of fput jump into another function" in shown, f"not shown: {shown}")
  expect((spans["tail_calls"], spans["exits"]) == (jumps, exits), f"{spans}")
  return f"{jumps} of {exits} exits of fput"


if __name__ == "__main__":
  sys.exit(main([recursive_calls_of_two_threads, calls_of_a_kernel_function, exits_by_a_jump_are_reported],
                lab_of_arguments()))
