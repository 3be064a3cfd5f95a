#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
network-paced - GILK's second case study in a time that no host delays: lines and quantiles, always

usage: network-paced.py FLAVOUR

The emulator counts instructions and takes that for the time, so that no request is late because the host has other
work, and nothing but the kernel is between a hook and the tap. Beside that, four of five requests may be late, and then
there is no line to find. The kernel's own tick, 250 times a second, is a line of a busy machine too, and a multiple of
a pace: it is not enough.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, expect
from gilkstorm import on_own_lab
from network import HOOKS, NEXT_TO_TAP, PACES, SECONDS, against, record

LATE_MOST = 0.01
TICK = 250
# Of a run of 8 s a segment has one.
STEP = 1.0
QUANTILE_MOST = 0.10


class Paced:
  """One recording for all the tests."""
  said = lines = requests = None

  @classmethod
  def of(cls, lab):
    if cls.said is None:
      with tempfile.TemporaryDirectory() as folder:
        session, capture = record(lab, folder, SECONDS)[:2]
        cls.requests = re.findall(r"client (paced-\d+) requests (\d+) late (\d+)", lab.run("cat /tmp/test.traffic"))
        cls.said = against(session, capture, *(word for hook in HOOKS for word in ("--hook", hook)))
        done = subprocess.run([GILK, "report", "--json", "--spectrum", "--hook", NEXT_TO_TAP, session],
                              stdout=subprocess.PIPE, text=True, check=True)
        cls.lines = [peak["hz"] for peak in json.loads(done.stdout)["spectra"][0]["peaks"]]
    return cls


def lines_are_where_the_clients_are_paced(lab):
  paced = Paced.of(lab)
  for name, requests, late in paced.requests:
    expect(int(late) <= LATE_MOST * int(requests), f"{name}: {late} of {requests} requests were late")
  others = [hz for hz in paced.lines if all(abs(hz - pace * round(hz / pace)) > STEP for pace in PACES)]
  expect(paced.lines and not others, f"lines at {paced.lines} Hz")
  expect(any(abs(hz - TICK * round(hz / TICK)) > STEP for hz in paced.lines), f"the tick's alone: {paced.lines} Hz")
  return f"lines at {', '.join(f'{hz:.0f}' for hz in paced.lines)} Hz"


def quantiles_are_near(lab):
  """Between packets, at the hook that is right behind tcpdump's tap; on the way to others packets wait for each other."""
  hook = next(hook for hook in Paced.of(lab).said["hooks"] if hook["hook"] == NEXT_TO_TAP)
  apart = 0.0
  for key in ("p10", "median", "p90", "p99"):
    ours, theirs = hook["intervals"][key], hook["capture"][key]
    expect(abs(ours - theirs) < QUANTILE_MOST * theirs, f"{key} {ours} s, tcpdump {theirs} s")
    apart = max(apart, abs(ours - theirs) / theirs)
  return f"{100 * apart:.2f} % apart at most"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: network-paced.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("network-paced", sys.argv[1], [lines_are_where_the_clients_are_paced, quantiles_are_near], "--icount"))
