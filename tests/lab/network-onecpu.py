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
from gilklab import expect
from gilkstorm import on_own_lab
from network import NEXT_TO_TAP, Study, both_saw_the_same_packets

# Of packets, in the least that a busy machine leaves of the traffic.
INTERVALS_LEAST = 1000


def no_time_between_packets_is_zero(lab):
  processors = lab.run("nproc").strip()
  expect(processors == "1", f"{processors} processors")
  hooks = Study.hooks(lab)
  for name, hook in hooks.items():
    zero, n = hook["intervals"]["zero"], hook["intervals"]["intervals"]
    expect(zero == 0, f"{name}: {zero} of {n}")
    expect(n >= INTERVALS_LEAST, f"{name}: {n} times between packets are no study")
  theirs = hooks[NEXT_TO_TAP]["capture"]["zero"]
  return f"{sum(hook['intervals']['intervals'] for hook in hooks.values())} at the hooks; tcpdump has {theirs}"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: network-onecpu.py FLAVOUR   (e.g. 6.1)")
  Study.seconds = 3
  sys.exit(on_own_lab("network-onecpu", sys.argv[1], [both_saw_the_same_packets, no_time_between_packets_is_zero],
                      "--smp", "1"))
