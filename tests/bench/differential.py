#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
differential - instructions of a live kernel do the same where a patch runs them

  differential.py FLAVOUR [--instances N] [--seed N]

Runs tests/bench/differential.c on the kernel's live text and shows its figures.
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD

INSTANCES = 50_000      # the part that ./check does


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--instances", type=int, default=INSTANCES)
  parser.add_argument("--seed", type=int, default=2002)
  options = parser.parse_args()
  done = subprocess.run([os.path.join(BUILD, "tests", "bench", "differential"),
                         f"lab:{options.flavour}", str(options.instances), str(options.seed)],
                        stdout=subprocess.PIPE, text=True, check=False)
  figures = {}
  for line in done.stdout.splitlines():
    name, _, value = line.partition(" ")
    if value.isdecimal():
      figures[name] = int(value)
    else:
      print(f"  {line}")
  print("  " + ", ".join(f"{name} {value}" for name, value in figures.items()))
  good = done.returncode == 0 and figures.get("instances", 0) >= options.instances
  print(f"{'ok' if good else 'not ok'} - {options.flavour}: {figures.get('instances', 0)} "
        f"instructions moved, {figures.get('differ', 'an unknown number')} do otherwise "
        f"(seed {options.seed})", flush=True)
  return 0 if good else 1


if __name__ == "__main__":
  sys.exit(main())
