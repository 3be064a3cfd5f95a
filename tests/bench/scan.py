#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
scan - CPU time of graphs of a whole live kernel, beside objdump -d on the same bytes

Both are single-threaded. Ours: functions and graphs of the kernel and all modules
from text already read, the median of five. objdump's: one pass over an ELF
file with the same function bytes, output thrown away.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import graphdump

MOST_RATIO = 0.5
MOST_MIB = 512


def judge(good, text):
  print(f"{'ok' if good else 'not ok'} - {text}", flush=True)
  return good


def main():
  if len(sys.argv) != 2:
    sys.exit("usage: scan.py FLAVOUR   (6.1, 6.12, ...)")
  flavour = sys.argv[1]
  with tempfile.TemporaryDirectory() as directory:
    figures = graphdump.dump(flavour, directory)
    path = os.path.join(directory, "elf")
    graphdump.write_elf(graphdump.read_parts(directory), path)
    rival = graphdump.objdump(path)
  for name, value in figures.items():
    print(f"  {name:<24} {value:>12}")
  print(f"  {'objdump cpu-seconds':<24} {rival:>12.4f}")
  ours, mib = float(figures["cpu-seconds"]), int(figures["peak-kib"]) / 1024
  good = judge(ours <= MOST_RATIO * rival,
               f"{flavour}: graphs in {ours / rival:.3f} x objdump's CPU time <= {MOST_RATIO}")
  good &= judge(mib <= MOST_MIB, f"{flavour}: peak memory {mib:.0f} MiB <= {MOST_MIB}")
  return 0 if good else 1


if __name__ == "__main__":
  sys.exit(main())
