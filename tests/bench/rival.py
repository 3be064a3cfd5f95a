#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
rival - how many blocks the kernel's own kprobes reach, beside Gilk, on one boot

  rival.py LAB [--blocks N] [--seed N]

A sample of the kernel's block starts, drawn evenly by the seed. The kernel says of
each whether a kprobe may be registered there (disabled, so that no text changes),
and whether it would be optimised to a jump; Gilk's planner says by which tactic it
would hook the same place. --blocks 0 takes every block of the kernel.
"""
import argparse
import collections
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import gilkblocks
from gilklab import Failure, Lab, expect

SAMPLE = 1000       # the part that ./check does


def share(part, whole):
  return f"{100 * part / whole:6.1f} %" if whole else "     - "


def row(name, tactics, said):
  jumps = sum(t not in ("trap", "refused") for t in tactics)
  hooked = sum(t != "refused" for t in tactics)
  print(f"  {name:<14} {len(said):>8} {share(sum(v != '0' for v in said), len(said))}"
        f" {share(said.count('2'), len(said))}   {share(hooked, len(said))}"
        f" {share(jumps, len(said))}", flush=True)
  return jumps


def compare(lab, count, seed):
  every = list(gilkblocks.blocks(lab))
  sample = random.Random(seed).sample(every, count) if 0 < count < len(every) else every
  with tempfile.TemporaryDirectory() as folder:
    said = gilkblocks.verdicts(lab, os.path.join(folder, "points"), sample)
  print(f"  {len(sample)} of {len(every)} block starts, seed {seed}")
  print("                   blocks   kprobe  by jump     Gilk     by jump")
  sizes = collections.OrderedDict([("< 2 bytes", (0, 2)), ("2 to 4 bytes", (2, 5)),
                                   (">= 5 bytes", (5, 1 << 30)), ("all", (0, 1 << 30))])
  for name, (low, high) in sizes.items():
    chosen = [i for i, block in enumerate(sample) if low <= block.bytes < high]
    jumps = row(name, [sample[i].pre for i in chosen], "".join(said[i] for i in chosen))
  missed = sum(v == "2" and b.pre in ("trap", "refused") for b, v in zip(sample, said))
  print(f"  by a kprobe's jump, but not by one of Gilk's: {share(missed, len(sample))}")
  expect(jumps > said.count("2"), "kprobes' jumps reach more blocks")
  return jumps / len(sample), said.count("2") / len(sample)


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--blocks", type=int, default=SAMPLE)
  parser.add_argument("--seed", type=int, default=1)
  options = parser.parse_args()
  lab = Lab(options.lab)
  try:
    lab.run("lsmod | grep -q gilk_rival || insmod /lib/modules/$(uname -r)/extra/gilk_rival.ko")
    ours, theirs = compare(lab, options.blocks, options.seed)
  except Failure as problem:
    print(f"not ok - {options.lab}: {problem}")
    return 1
  finally:
    lab.run("rmmod gilk_rival 2>/dev/null", check=False)
  print(f"ok - {options.lab}: jumps reach {ours:.1%} of blocks, those of kprobes {theirs:.1%}")
  return 0


if __name__ == "__main__":
  sys.exit(main())
