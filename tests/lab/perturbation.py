#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: hooks are off exactly in their intervals, and their effect on a workload is found
"""
perturbation - hooks are off when their blocks say so, and what they do to a workload is seen

A program calls one function often and another one seldom. Hooks at the first are switched off and on
in random blocks, a hook at the second stays on: it must see fewer turns while they are on, and the
program itself say so.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Run, expect, lab_of_arguments, main, wait_for

PLAN = """[gilk-plan]
version=2
interleave=20ms,5
ring=8M

[hook turn]
function=__x64_sys_umask
anchor=entry
where=pre
instrument=stamp
control=yes

[hook who]
function=__x64_sys_getppid
anchor=entry
where=pre
instrument=task

[hook when]
function=__x64_sys_getppid
anchor=entry
where=pre
instrument=stamp

[hook what]
function=__x64_sys_getppid
anchor=entry
where=pre
instrument=args
"""
# Beside other work it takes more intervals to know the effect within NARROW of the rate.
SECONDS, NARROW = (6, 12, 24, 48), 0.15


def json_of(*args):
  done = subprocess.run([GILK, args[0], "--json", *args[1:]], stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)


def record(lab, folder, way, seconds):
  plan = os.path.join(folder, "ab.plan")
  with open(plan, "w", encoding="utf-8") as file:
    file.write(PLAN)
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "control-intervals"), "/tmp/control-intervals")
  run = Run(lab, os.path.join(folder, "ab.gilk"), plan, "--by", way, "--for", "10m")
  try:
    if way == "bpf":
      wait_for("hooks", lambda: lab.links() >= 4 or run.process.poll() is not None, 60)
    else:
      lab.wait_armed()
    noted = lab.run(f"/tmp/control-intervals {seconds}")
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  outcomes = os.path.join(folder, "outcomes")
  with open(outcomes, "w", encoding="utf-8") as file:
    file.write(noted)
  return run.session, outcomes


def expect_off(session, blocks, error):
  """In a block that is off there are no samples but of hits that were under way, one of each processor."""
  times = [row["t"] for row in json_of("sql", session, "SELECT t FROM samples_task ORDER BY t")["rows"]]
  expect(len(times) > 1000, f"{len(times)} samples")
  at = 0
  for block in blocks:
    if block["hooks_on"]:
      continue
    low, high = block["from_ns"] / 1e9 + error, block["to_ns"] / 1e9 - error
    while at < len(times) and times[at] < low:
      at += 1
    late = [t for t in times[at:at + 4] if t < high]
    expect(len(late) <= 2, f"samples at {late} and so on in block {block}")
  return len(times)


def measure(lab, way, seconds):
  """What SECONDS of the workload show: number of samples and of intervals, and the effect by the hook and by the workload."""
  with tempfile.TemporaryDirectory() as folder:
    session, outcomes = record(lab, folder, way, seconds)
    blocks = json_of("sql", session, "SELECT * FROM interval ORDER BY position")["rows"]
    clock = json_of("report", session)["clock"]
    error = (clock.get("end_error_ns", 0) + clock.get("order_error_ns", 0)) / 1e9 + 20e-6
    samples = expect_off(session, blocks, error)
    rate = json_of("report", session, "--perturbation", "--hook", "turn")["perturbation"]
    own = json_of("report", session, "--perturbation", "--outcomes", outcomes)["perturbation"]
  for first, second in zip(blocks[::2], blocks[1::2]):
    expect(first["hooks_on"] != second["hooks_on"], f"a pair alike: {first}, {second}")
  expect(rate["pairs"] >= 30, f"only {rate['pairs']} pairs: {rate}")
  return samples, len(blocks), rate, own


def switched_and_seen_to_cost(lab, way):
  for seconds in SECONDS:
    samples, blocks, rate, own = measure(lab, way, seconds)
    if max(effect["relative_high"] - effect["relative_low"] for effect in (rate, own)) < NARROW:
      break
  expect(rate["high"] < 0, f"the hooks slow nothing down: {rate}")
  expect(own["high"] < 0, f"the workload notices nothing: {own}")
  return (f"{seconds} s: {samples} samples, none of {blocks} blocks' wrong; {100 * rate['relative']:+.1f} % of turns "
          f"({100 * rate['relative_low']:+.1f} to {100 * rate['relative_high']:+.1f}), by the workload's clock "
          f"{100 * own['relative']:+.1f} %")


def hooks_are_switched_and_seen_to_cost(lab):
  return switched_and_seen_to_cost(lab, "ilk")


def hooks_by_bpf_are_too(lab):
  return switched_and_seen_to_cost(lab, "bpf")


if __name__ == "__main__":
  sys.exit(main([hooks_are_switched_and_seen_to_cost, hooks_by_bpf_are_too], lab_of_arguments()))
