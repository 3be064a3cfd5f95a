#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
held - how long 1,000 hooks that come and go hold a CPU

  held.py FLAVOUR [--hooks N] [--seed N]

Random blocks of a lab of its own, which is under -icount: a nanosecond is an
executed instruction and the load of the machine does not count. (It has one CPU: code with
lock prefixes, which is patched there, is refused and not drawn.) A thread of the highest
priority tells how late it got the CPU, and who had it: with nothing going on, while a run
with one hook begins, and, which is judged, while that run takes on all the hooks in one
batch, ends, and the text is restored. The page allocator's lists are kept short there: a
long one is emptied with interrupts off when any task frees a page, up to 1.4 ms at once,
with or without Gilk.
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import gilkblocks
from gilklab import Failure, Lab, Run, expect

HELD_MS = 1.0
LATENCY = "/sys/module/gilk_latency/parameters"


def worst_hold(lab):
  """In ms, since the last look; and by whom, the longest first."""
  worst, *holds = lab.run(f"cat {LATENCY}/worst_ns {LATENCY}/holds").splitlines()
  holds.sort(key=lambda line: -int(line.split()[0]))
  return int(worst) / 1e6, holds


def arm_and_disarm(lab, folder, chosen):
  """Arms and disarms them; how long the CPU was held meanwhile."""
  count = len(chosen)
  plan = gilkblocks.write_plan(os.path.join(folder, "all.plan"), chosen)
  path = gilkblocks.write_plan(os.path.join(folder, "held.plan"), chosen[:1])
  lab.run("insmod /lib/modules/$(uname -r)/extra/gilk_latency.ko")
  lab.run("sysctl -qw vm.percpu_pagelist_high_fraction=1000")
  worst_hold(lab)
  lab.run("sleep 1")
  quiet, _ = worst_hold(lab)
  run = Run(lab, os.path.join(folder, "held.gilk"), path, "--follow", "--for", "1h")
  try:
    lab.wait_armed()
    begin, _ = worst_hold(lab)
    os.rename(plan, path)
    lab.wait_armed(count, 600)
    armed, holds = worst_hold(lab)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  lab.wait_clean(600)
  ended, more = worst_hold(lab)
  print(f"  the CPU was held for {quiet:.3f} ms with nothing going on, {begin:.3f} while the run "
        f"began, {armed:.3f} while {count} hooks were armed, {ended:.3f} until all were gone")
  worst = max(armed, ended)
  for line in holds + more if worst > HELD_MS else []:
    print(f"  {line}")
  expect(worst <= HELD_MS, f"the CPU was held for {worst:.3f} ms, not <= {HELD_MS}, while {count} "
         "hooks were armed and disarmed")
  return f"{count} hooks armed and disarmed hold the CPU for {worst:.3f} <= {HELD_MS} ms"


def held(lab, folder, count, seed):
  lab.gilk("doctor", "--load")
  return arm_and_disarm(lab, folder, gilkblocks.draw(lab, os.path.join(folder, "drawn.plan"), count, seed))


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--hooks", type=int, default=1000)
  parser.add_argument("--seed", type=int, default=1)
  options = parser.parse_args()
  lab = Lab(f"held-{options.flavour}")
  lab.boot(options.flavour, "--icount")
  with tempfile.TemporaryDirectory() as folder:
    try:
      figure = held(lab, folder, options.hooks, options.seed)
    except Failure as problem:
      print(f"not ok - {options.flavour}: {problem}")
      return 1
    finally:
      lab.stop()
  print(f"ok - {options.flavour}: {figure}")
  return 0


if __name__ == "__main__":
  sys.exit(main())
