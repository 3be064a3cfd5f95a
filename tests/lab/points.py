#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
points - hooks on blocks that run, counted by Gilk and by the emulator

  points.py FLAVOUR [--hooks N] [--seed N]

A lab of its own runs under a plugin that counts every instruction the emulator runs
(tests/witness/witness.c), apart for the original bytes of a place and for whatever
stood there later. A workload of system calls tells by a hash what the kernel
answered. It runs bare, which shows the blocks it reaches; then again with a counter
at N points in them, chosen by the seed, all at once. The answers must be the same,
each counter must equal the number of times the emulator ran Gilk's bytes at the
hook's site, and all text must be what it was.
"""
import argparse
import collections
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Failure, Lab, Run, expect, wait_for
from witness import Witness

HOOKS = 600         # the part that ./check does
ROUNDS = 3          # of the workload
SHORT = 0.5         # share of the hooks that is given to what no splice reaches

Point = collections.namedtuple("Point", "function block where start end tactic")


class Points:
  """One lab with its witness; every step of the test on it."""

  def __init__(self, flavour, folder, seed):
    self.lab = Lab(f"points-{flavour}")
    self.witness = Witness(os.path.join(folder, "forms"))
    self.folder = folder
    self.random = random.Random(seed)
    os.environ["GILK_LAB_PLUGIN"] = (
      f"{os.path.join(BUILD, 'tests', 'witness', 'libwitness.so')},forms={self.witness.path}")
    self.lab.boot(flavour, "--smp", "1", "--accel", "tcg", "--append", "nokaslr")
    self.lab.push(os.path.join(BUILD, "tests", "witness", "deeds"), "/tmp/deeds")
    self.lab.gilk("doctor", "--load")

  def work(self):
    """Runs the workload; returns the hash over all the kernel answered."""
    out = self.lab.run(f"/tmp/deeds {ROUNDS}", timeout=1200).strip()
    expect(re.fullmatch("hash [0-9a-f]{16}", out), f"the workload said: {out}")
    return out

  # ---- what may be hooked ----

  def addresses(self):
    """{function: address} of the kernel proper, names that are unique."""
    found = collections.defaultdict(list)
    for line in self.lab.run("cat /proc/kallsyms").splitlines():
      addr, kind, *name = line.split()
      if kind in "tTwW" and len(name) == 1:
        found[name[0]].append(int(addr, 16))
    return {name: addrs[0] for name, addrs in found.items() if len(addrs) == 1}

  def points(self):
    """Every point of the kernel that is not refused."""
    known = self.addresses()
    text = subprocess.run([GILK, "coverage", "--kernel", "--blocks", "--target", self.lab.target],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    for row in csv.DictReader(text.splitlines()):
      part, _, offset = row["block"].partition("+")
      start = known.get(row["function"] + part)
      if start is None or row["function"] not in known:
        continue
      start += int(offset, 16)
      for where in ("pre", "post"):
        if row[where] != "refused":
          yield Point(row["function"], row["block"], where, start, start + int(row["bytes"]),
                      row[where])

  def reached(self, before, after):
    """Points in blocks that ran between two readings of the witness."""
    ran = {addr for addr, forms in after.items()
           if sum(forms.values()) > sum(before.get(addr, {}).values())}
    return [point for point in self.points() if point.start in ran]

  def choose(self, points, wanted):
    """At random, but so that the rarer tactics have their share."""
    self.random.shuffle(points)
    short = [p for p in points if p.tactic != "splice"][:int(wanted * SHORT)]
    chosen = set(short)
    for point in points:
      if len(chosen) >= wanted:
        break
      chosen.add(point)
    return sorted(chosen, key=lambda p: (p.function, p.start, p.where))

  # ---- a plan of them ----

  def write_plan(self, points):
    path = os.path.join(self.folder, "points.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=1\ntitle=Points that run\n")
      for number, point in enumerate(points):
        file.write(f"\n[hook h{number}]\nfunction={point.function}\nblock={point.block}\n"
                   f"where={point.where}\ninstrument=count\n")
    return path

  def plan(self, points):
    """Leaves out what is refused beside the others, until nothing is."""
    causes = collections.Counter()
    while True:
      plan = self.write_plan(points)
      answer = self.lab.gilk("plan", "check", plan, check=False, timeout=600)
      refused = {number: hook["refusal"] for number, hook in enumerate(answer["hooks"])
                 if "error" in hook}
      if not refused:
        print(f"  refused beside others: {dict(causes)}", flush=True)
        return points, plan
      causes.update(refused.values())
      points = [point for number, point in enumerate(points) if number not in refused]

  # ---- the run ----

  def record(self, plan):
    """The workload with all hooks armed. Returns: hash, patches, report."""
    run = Run(self.lab, os.path.join(self.folder, "points.gilk"), plan, "--for", "60m")
    try:
      patches = wait_for("all hooks armed", lambda: self.armed(run), 900)
      answers = self.work()
    except BaseException:
      run.kill()
      raise
    expect(run.stop(600) == 0, f"gilk run failed: {run.output}")
    self.lab.wait_clean(300)
    return answers, patches, run.report()

  def armed(self, run):
    if run.process.poll() is not None:
      raise Failure(f"gilk run ended: {run.process.stdout.read()}")
    patches = self.lab.hooks()
    return patches if patches and all(p["state"] == "armed" for p in patches) else None

  @staticmethod
  def site_of(point, sites):
    """Footprints never leave their block: its first serves pre, its last post."""
    inside = [site for site in sites if point.start <= site < point.end]
    expect(inside, f"{point.function}{point.block} has no site")
    return min(inside) if point.where == "pre" else max(inside)

  def compare(self, points, patches, report, before, after):
    """Counts that differ from the witness's."""
    sites = sorted(int(patch["site"], 16) for patch in patches)
    by_function = collections.defaultdict(list)
    for patch in patches:
      by_function[patch["place"].partition("+")[0]].append(int(patch["site"], 16))
    expect(len(report["hooks"]) == len(points), f"{len(report['hooks'])} of {len(points)} hooks")
    strange, total, silent, tactics = [], 0, 0, collections.Counter()
    for point, hook in zip(points, report["hooks"]):
      site = self.site_of(point, by_function.get(point.function, sites))
      old = set(before[site])
      seen = sum(count for text, count in after[site].items() if text not in old)
      tactics[hook["tactic"], point.where] += 1
      total += seen
      silent += seen == 0
      if seen != hook["hits"]:
        strange.append(f"{point.function}{point.block}:{point.where} ({hook['tactic']}): "
                       f"{hook['hits']} counted, {seen} seen")
    return strange, total, silent, tactics


def judge(name, good):
  print(f"{'ok' if good else 'not ok'} - {name}", flush=True)
  return 0 if good else 1


def test(bench, flavour, wanted):
  bench.work()
  before = bench.witness.forms()
  bare = bench.work()
  ran = bench.witness.forms()
  points = bench.reached(before, ran)
  print(f"  {len(points)} points in {len({p.start for p in points})} blocks that the workload "
        f"reaches, {len({p.function for p in points})} functions", flush=True)
  text = bench.lab.text_sum()
  chosen, plan = bench.plan(bench.choose(points, wanted))
  before = bench.witness.forms()
  answers, patches, report = bench.record(plan)
  strange, total, silent, tactics = bench.compare(chosen, patches, report, before,
                                                  bench.witness.forms())
  print(f"  {len(chosen)} hooks in {len({p.start for p in chosen})} blocks: "
        + ", ".join(f"{n} {tactic} {where}" for (tactic, where), n in sorted(tactics.items())))
  for line in strange[:20]:
    print(f"  {line}")
  failed = judge(f"{flavour}: {len(chosen)} hooks, {total} hits, {len(strange)} counts differ "
                 f"from the witness's ({silent} silent)",
                 not strange and len(chosen) >= 0.9 * wanted and silent < 0.1 * len(chosen))
  failed += judge(f"{flavour}: system calls answer as without hooks ({bare}, {answers})",
                  bare == answers)
  return failed + judge(f"{flavour}: text is what it was", bench.lab.text_sum() == text)


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--hooks", type=int, default=HOOKS)
  parser.add_argument("--seed", type=int, default=2002)
  options = parser.parse_args()
  print(f"  seed {options.seed}", flush=True)
  with tempfile.TemporaryDirectory() as folder:
    bench = None
    try:
      bench = Points(options.flavour, folder, options.seed)
      return 1 if test(bench, options.flavour, options.hooks) else 0
    except Failure as problem:
      return judge(f"{options.flavour}: {problem}", False)
    finally:
      Lab(f"points-{options.flavour}").stop()


if __name__ == "__main__":
  sys.exit(main())
