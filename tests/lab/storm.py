#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
storm - half a minute of tests/soak/storm.py, on a lab of its own

usage: storm.py FLAVOUR
"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkstorm import on_own_lab, storm

SECONDS = 30


def half_a_minute(lab):
  return storm(lab, SECONDS, int(time.time()), hooks=1000)


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: storm.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("storm", sys.argv[1], [half_a_minute]))
