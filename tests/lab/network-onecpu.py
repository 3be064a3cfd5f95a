#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
network-onecpu - GILK's second case study as it was made, on one processor: no time between packets is zero

usage: network-onecpu.py FLAVOUR

Two processors may read the same from one clock, which network.py allows them; one may not.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkstorm import on_own_lab
from network import Study, no_time_between_packets_is_zero

if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: network-onecpu.py FLAVOUR   (e.g. 6.1)")
  Study.seconds = 3
  sys.exit(on_own_lab("network-onecpu", sys.argv[1], [no_time_between_packets_is_zero], "--smp", "1"))
