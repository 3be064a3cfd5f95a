#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
counters - what it costs to watch the counters of many hooks

  counters.py LAB [--hooks N] [--seconds N] [--seed N]

Random blocks, drawn by the seed. Prints how often a second their counters were asked for, and the
share of a processor that gilk took for it, with all that it writes down of them.
"""
import argparse
import contextlib
import os
import sqlite3
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import gilkblocks
from gilklab import Lab, Run, expect, main, wait_for

SHARE = 0.1           # of a processor
TIMES = 2             # a second
POINT_TICKS = 3       # so many looks for a point that is written down


def seconds_of(pid):
  """Of processor time."""
  with open(f"/proc/{pid}/stat", encoding="ascii") as file:
    words = file.read().rsplit(")", 1)[1].split()
  return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def is_counted(session):
  """Are there points behind time zero? Who asks the kernel would be in the way."""
  try:
    with contextlib.closing(sqlite3.connect(f"file:{session}?mode=ro", uri=True)) as db:
      return db.execute("SELECT 1 FROM count_point WHERE t_ns > 0 LIMIT 1").fetchone()
  except sqlite3.OperationalError:
    return False


def looks(session, since):
  """How often counters were asked for, a second."""
  with contextlib.closing(sqlite3.connect(session)) as db:
    times = [t for t, in db.execute("SELECT DISTINCT t_ns FROM count_point ORDER BY 1")]
  late = [t for t in times if t >= since * 1e9]
  return POINT_TICKS * len(times), POINT_TICKS * (len(late) - 1) / ((late[-1] - late[0]) / 1e9)


def watched(lab):
  """The counters of many hooks"""
  with tempfile.TemporaryDirectory() as folder:
    plan, session = os.path.join(folder, "many.plan"), os.path.join(folder, "many.gilk")
    chosen = gilkblocks.draw(lab, plan, options.hooks, options.seed)
    expect(len(chosen) == options.hooks, f"only {len(chosen)} blocks bear each other")
    run = Run(lab, session, "--json", plan, "--for", "1h")
    wait_for("counters in the session", lambda: is_counted(session), 600)
    time.sleep(5)
    before, begin = seconds_of(run.process.pid), time.monotonic()
    time.sleep(options.seconds)
    share = (seconds_of(run.process.pid) - before) / (time.monotonic() - begin)
    expect(run.stop(900) == 0, f"gilk run failed: {run.output[-2000:]}")
    times, rate = looks(session, 5)
    size = os.path.getsize(session)
  figure = (f"{options.hooks} hooks, {rate:.2f} times a second, {100 * share:.1f} % of a processor; "
            f"{times} times in all, {size >> 20} MiB")
  expect(share <= SHARE and rate >= TIMES * 0.95, figure)
  return figure


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--hooks", type=int, default=5000)
  parser.add_argument("--seconds", type=int, default=5)
  parser.add_argument("--seed", type=int, default=1)
  options = parser.parse_args()
  sys.exit(main([watched], Lab(options.lab)))
