#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: two CPUs that only take samples lose none
"""
loss - what is lost of samples that are taken as fast as two CPUs can

  loss.py LAB [--calls N]

Two threads do nothing but the hooked call. Rings have the size that a plan gets which says
nothing. Prints, for each instrument: calls a second, samples stored and lost, how full the
rings were at most, and the share of a CPU that the agent took.
"""
import argparse
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Lab, Run, expect, main

HOOK = "__x64_sys_fsync@entry:pre:"


def agent_seconds(lab):
  """Of all agents there."""
  stats = lab.run("for p in $(pidof gilkd); do cut -d' ' -f14,15 /proc/$p/stat; done").split()
  return sum(map(int, stats)) / 100


def measure(lab, instrument):
  calls = options.calls
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "loss.gilk"), "--hook", HOOK + instrument, "--for", "10m")
    lab.wait_armed()
    before, begin = agent_seconds(lab), time.monotonic()
    lab.run(f"calls -o fsync -t 2 -n {calls}")
    seconds = time.monotonic() - begin
    share = (agent_seconds(lab) - before) / seconds
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hook = run.report()["hooks"][0]
    size = os.path.getsize(run.session)
  figure = (f"{calls / seconds / 1e3:.0f} thousand calls a second, {hook['stored']} stored, "
            f"{hook['lost']} lost, agent {100 * share:.0f} % of a CPU, {size / calls:.1f} bytes a sample")
  expect(hook["stored"] + hook["lost"] == calls, figure)
  expect(hook["lost"] == 0, figure)
  return figure


def stamps(lab):
  return measure(lab, "stamp")


def samples_with_fields(lab):
  return measure(lab, "args")


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--calls", type=int, default=2_000_000)
  options = parser.parse_args()
  sys.exit(main([stamps, samples_with_fields], Lab(options.lab)))
