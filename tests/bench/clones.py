#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
clones - every function of a live kernel cloned, and how much can be live at once

Boots the given flavour. Each clone is decoded again and all it leads to is checked;
so is it of clones whose blocks stand in a random order; the instructions that a counter
adds to a block are averaged over 500 random functions; and all points of each function are planned to be live together.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Lab

MOST_PER_BLOCK = 2.0
LEAST_WHOLE = 95.0
ORDER = 1990                    # seed
LEAST_WITHOUT_TRAP = 97.0       # each point alone, by splice or bounce
LEAST_WITH_CLONES = 99.0


def judge(good, text):
  print(f"{'ok' if good else 'not ok'} - {text}", flush=True)
  return good


def figures_of(lab, order=None):
  environment = dict(os.environ) if order is None else dict(os.environ, GILK_CLONE_ORDER=str(order))
  done = subprocess.run([os.path.join(BUILD, "tests", "bench", "clones"), lab.target], text=True,
                        stdout=subprocess.PIPE, check=False, env=environment)
  lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
  for name, value in lines:
    print(f"  {name:<32} {value}")
  return dict(lines)


def coverage_of(lab, *options):
  done = subprocess.run([GILK, "survey", "--kernel", "--json", *options, "--target", lab.target],
                        text=True, stdout=subprocess.PIPE, check=True)
  return json.loads(done.stdout)


def measure(lab, flavour):
  figures = figures_of(lab)
  cost = float(figures["near-per-block"])
  good = judge(int(figures["wrong"]) == 0, f"{flavour}: {figures['cloned']} of "
               f"{figures['functions']} functions cloned, {figures['wrong']} wrong")
  mixed = figures_of(lab, ORDER)
  good &= judge(int(mixed["wrong"]) == 0, f"{flavour}: {mixed['cloned']} cloned in random orders, {mixed['wrong']} wrong")
  good &= judge(cost <= MOST_PER_BLOCK,
                f"{flavour}: {cost:.2f} instructions a block counted <= {MOST_PER_BLOCK}")

  reached = coverage_of(lab)["without_trap_percent_outside_refused_areas"]
  good &= judge(reached >= LEAST_WITHOUT_TRAP, f"{flavour}: {reached:.2f} % of points by splice "
                f"or bounce >= {LEAST_WITHOUT_TRAP}")

  coverage = coverage_of(lab, "--all-at-once")
  whole = coverage["functions_complete_percent"]
  reached = coverage["without_trap_percent_outside_refused_areas"]
  good &= judge(whole >= LEAST_WHOLE, f"{flavour}: {whole:.2f} % of functions with every point "
                f"live without a trap >= {LEAST_WHOLE}")
  good &= judge(reached >= LEAST_WITH_CLONES,
                f"{flavour}: {reached:.2f} % of points without a trap >= {LEAST_WITH_CLONES}")
  return good


def main():
  if len(sys.argv) != 2:
    sys.exit("usage: clones.py FLAVOUR   (6.1, 6.12, ...)")
  flavour = sys.argv[1]
  lab = Lab(f"clones-{flavour}")
  lab.boot(flavour)
  try:
    return 0 if measure(lab, flavour) else 1
  finally:
    lab.stop()


if __name__ == "__main__":
  sys.exit(main())
