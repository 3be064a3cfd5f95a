# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkbench - what the benches share that count instructions in a lab of their own, under -icount
"""
import os
import sys

from gilklab import BUILD, Failure, Lab

PARAMETERS = "/sys/module/gilk_bench/parameters"    # of tests/kmod/bench.c
CALLS = 2000                                        # of one reading there
READINGS = f"for i in 1 2 3 4 5; do cat {PARAMETERS}/cost; sleep 0.1; done"


def judge(name, good):
  """Returns: how many failed, 0 or 1."""
  print(f"{'ok' if good else 'not ok'} - {name}", flush=True)
  return 0 if good else 1


def cost_of(said):
  """Instructions of a call: the least of the lines "TICKS CALLS" in what READINGS @said."""
  lines = [line.split() for line in said.split("\n")]
  told = [(int(line[0]), int(line[1])) for line in lines if len(line) == 2 and line[0].isdigit() and line[1].isdigit()]
  ticks, calls = min(told)
  return ticks / calls


def main(name, programs, measure):
  """
  Boots the flavour that the command line names, takes @programs there, paths within the build, and calls
  @measure(lab, flavour), which returns how many failed.
  """
  if len(sys.argv) != 2:
    sys.exit(f"usage: {name}.py FLAVOUR   (6.1, 6.12, ...)")
  flavour = sys.argv[1]
  lab = Lab(f"{name}-{flavour}")
  # Instructions are counted while the machine runs: it need not hurry from timer to timer while it waits for a client.
  os.environ["GILK_ICOUNT_SLEEP"] = "on"
  lab.boot(flavour, "--icount")
  try:
    for program in programs:
      lab.push(os.path.join(BUILD, program), f"/tmp/{os.path.basename(program)}")
    return 1 if measure(lab, flavour) else 0
  except Failure as problem:
    return judge(f"{flavour}: {problem}", False)
  finally:
    lab.stop()
