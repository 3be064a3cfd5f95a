#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
network-paced - the traffic of GILK's second case study has its lines where the clients are paced, always

usage: network-paced.py FLAVOUR

The emulator counts instructions and takes that for the time, so that no request is late because the host has other
work: beside that, four of five may be, and then there is no line to find. The kernel's own tick, 250 times a second,
is a line of a busy machine too, and a multiple of a pace: it is not enough.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect
from gilkstorm import on_own_lab
from network import NEXT_TO_TAP, PACES, PLAN, SECONDS, background

LATE_MOST = 0.01
TICK = 250
# Of a run of 8 s a segment has one.
STEP = 1.0


def spectrum(lab, folder):
  session = os.path.join(folder, "paced.gilk")
  traffic = background(lab, "traffic 600 >/tmp/paced.traffic")
  try:
    run = Run(lab, session, PLAN, "--for", f"{SECONDS}s")
    expect(run.wait() == 0, f"gilk run failed: {run.output}")
  finally:
    lab.run(f"kill -INT {traffic}; while kill -0 {traffic} 2>/dev/null; do sleep 0.1; done")
  said = lab.run("cat /tmp/paced.traffic")
  for name, requests, late in re.findall(r"client (paced-\d+) requests (\d+) late (\d+)", said):
    expect(int(late) <= LATE_MOST * int(requests), f"{name}: {late} of {requests} requests were late")
  done = subprocess.run([GILK, "report", "--json", "--spectrum", "--hook", NEXT_TO_TAP, session],
                        stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)["spectra"][0]


def find_lines(lab):
  with tempfile.TemporaryDirectory() as folder:
    return [peak["hz"] for peak in spectrum(lab, folder)["peaks"]]


def elsewhere(lines):
  return [hz for hz in lines if all(abs(hz - pace * round(hz / pace)) > STEP for pace in PACES)]


def lines_are_where_the_clients_are_paced(lab):
  """One spectrum in a hundred may have a line of noise (GILK_PEAKS_FALSE), which is not in the next one."""
  lines = find_lines(lab)
  if elsewhere(lines):
    again = elsewhere(find_lines(lab))
    others = [hz for hz in elsewhere(lines) if any(abs(hz - other) <= STEP for other in again)]
    expect(not others, f"lines at {lines} Hz, and once more at {others}")
    lines = [hz for hz in lines if hz not in elsewhere(lines)]
  expect(lines, "no lines")
  expect(any(abs(hz - TICK * round(hz / TICK)) > STEP for hz in lines), f"the tick's alone: {lines} Hz")
  return f"lines at {', '.join(f'{hz:.0f}' for hz in lines)} Hz"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: network-paced.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("network-paced", sys.argv[1], [lines_are_where_the_clients_are_paced], "--icount"))
