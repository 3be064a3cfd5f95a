#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
flow - counts of all blocks and edges from few hooks, on a live kernel

With the fewest hooks a known number of calls comes out whole. With every block
hooked the counts check each other: what goes into a block comes out of it.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PIPE_WRITE, Run, expect, lab_of_arguments, main


def gilk(lab, *words):
  return subprocess.run([GILK, *words, "--target", lab.target], text=True, check=True,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def record(lab, plan_words, command):
  """Runs COMMAND once all hooks are armed; returns the counts of the first function."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "flow.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(gilk(lab, "plan", "new", *plan_words))
    run = Run(lab, os.path.join(folder, "flow.gilk"), plan, "--for", "10m")
    try:
      lab.wait_armed()          # all of a plan or nothing
      lab.run(command)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    return json.loads(gilk(lab, "report", "--json", "--edges", run.session))["edge_counts"][0]


def path_of_fsync(lab):
  """Where its work is done: some compilers put it into the system call's own function."""
  known = subprocess.run([GILK, "survey", "--function", "do_fsync", "--target", lab.target],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
  return "do_fsync" if known.returncode == 0 else "__x64_sys_fsync"


def known_calls_come_out_whole(lab):
  calls = 100_000
  flow = record(lab, ["--edges", path_of_fsync(lab)], f"calls -o fsync -t 2 -n {calls}")
  counted = sum(block["counted"] for block in flow["blocks"])
  expect(flow["contradictions"] == [], f"contradictions: {flow['contradictions']}")
  expect(flow["blocks"][0]["count"] == calls, f"{calls} calls, entry {flow['blocks'][0]}")
  left = sum(edge["count"] for edge in flow["edges"] if edge["from"] == "+0x0")
  expect(left == calls, f"{calls} calls, {left} left the first block")
  return f"{calls} calls, {counted} of {len(flow['blocks'])} blocks counted"


def every_block_agrees(lab):
  blocks = json.loads(gilk(lab, "survey", "--function", PIPE_WRITE, "--json"))["points"]
  points = [f"{PIPE_WRITE}{block['block']}:pre" for block in blocks if block["pre"] != "refused"]
  flow = record(lab, points,
                "for i in 1 2 3 4; do head -c 1000000 /dev/zero | cat | wc -c; done")
  expect(flow["contradictions"] == [], f"contradictions: {flow['contradictions']}")
  expect(flow["checks"] >= 15, f"only {flow['checks']} checks")
  expect(flow["blocks"][0]["count"] > 100, f"the entry ran {flow['blocks'][0]['count']} times")
  return f"{len(points)} blocks counted, {flow['checks']} checks of each other"


if __name__ == "__main__":
  sys.exit(main([known_calls_come_out_whole, every_block_agrees], lab_of_arguments()))
