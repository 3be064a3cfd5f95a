#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
storm - twenty seconds of tests/soak/storm.py, on a lab of its own

usage: storm.py FLAVOUR [SEED]
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkstorm import on_own_lab, storm

SECONDS = 20


# These have their storms by tests/soak/run.
WITHOUT = ("events", "kprobe-events", "perf")


def a_short_storm(lab):
  return storm(lab, SECONDS, seed, hooks=600, without=WITHOUT)


if __name__ == "__main__":
  if len(sys.argv) not in (2, 3):
    sys.exit("usage: storm.py FLAVOUR [SEED]   (e.g. 6.1)")
  seed = int(sys.argv[2]) if len(sys.argv) == 3 else 1
  sys.exit(on_own_lab("storm", sys.argv[1], [a_short_storm]))
