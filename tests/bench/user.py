#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
user - instructions that a hook in a program adds to a call, beside perf and BPF on an uprobe of the same instruction

Boots the given flavour under -icount shift=0, where the TSC counts executed instructions, and measures in
that one boot: a function of a static program (tests/lab/programs/user-target.c), bare, counted by perf, by a BPF program, and by
Gilk; where it returns; and what Gilk's samples and programs add. All of them go through the kernel's uprobes, which take
nearly all of it.
"""
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "python"))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
# pylint: disable=wrong-import-position
from gilkbench import judge, main
from gilklab import Failure, Run, expect
from user import PLAIN, TARGET, offset_of, wait_armed

CALLS, ROUNDS = 100, 50    # a round is over before the client asks for anything, but for some

# name, where, what ours does, its rivals, how much of the cheapest rival's cost ours may have
CASES = [
  ("count, begin of a function", "entry", ":count", ("-p", "-b"), 1.0),
  ("count, return of a function", "return", ":count", ("-r -p", "-r -b"), 1.0),
  ("stamp", "entry", ":stamp", (), None),
  ("condition on a register, false", "entry", " { if (arg0 > 1000000) count() }", (), None),
  ("sample of three fields", "entry", " { sample(pid, arg0, frame) }", (), None),
  ("map by process", "entry", " { map m[64]; m[pid]++ }", (), None),
]


def reading(said):
  ticks, calls = re.findall(r"^(\d+) (\d+)$", said, re.M)[0]
  return int(ticks) / int(calls)


class Bench:
  def __init__(self, lab):
    self.lab = lab
    self.words = f"{TARGET} cost {CALLS}"
    self.base = reading(lab.run(self.words))

  def rival(self, options):
    said = self.lab.run(f"/tmp/user-rivals {options} {TARGET} {offset_of('gilk_user_plain')} {self.words}")
    counted, = re.findall(r"^(?:perf|bpf) (\d+)$", said, re.M)
    expect(int(counted) == ROUNDS * CALLS, f"{options}: {counted} hits of {ROUNDS * CALLS} calls")
    return reading(said) - self.base

  def ours(self, where, does):
    with tempfile.TemporaryDirectory() as folder:
      run = Run(self.lab, os.path.join(folder, "user.gilk"), "--hook", f"{PLAIN}:{where}{does}", "--for", "20m")
      try:
        wait_armed(self.lab, 1, run)
        cost = reading(self.lab.run(self.words)) - self.base
      except Failure:
        run.kill()
        print(run.read_output())
        raise
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook = run.report()["hooks"][0]
    expect(hook["hits"] in (ROUNDS * CALLS, 0, None), f"{hook['hits']} hits of {ROUNDS * CALLS} calls")
    return cost


def measure(bench, flavour):
  failed = 0
  print(f"  instructions added per call, stock {flavour} under -icount; a bare call takes {bench.base:.1f}", flush=True)
  rivals = {options: bench.rival(options) for case in CASES for options in case[3]}
  for name, where, does, beside, share in CASES:
    try:
      cost = bench.ours(where, does)
    except Failure as problem:
      failed += judge(f"{flavour}: {name}: {problem}", False)
      continue
    told = ", ".join(f"{'perf' if '-p' in o else 'BPF'} {rivals[o]:.0f}" for o in beside)
    if share is None:
      print(f"  {name:<36} {cost:>9.1f}", flush=True)
    else:
      failed += judge(f"{flavour}: {name} adds {cost:.0f}, {told}", cost <= share * min(rivals[o] for o in beside))
  return failed


if __name__ == "__main__":
  sys.exit(main("user", ["tests/lab/programs/user-target", "tests/lab/programs/user-rivals"], lambda lab, flavour: measure(Bench(lab), flavour)))
