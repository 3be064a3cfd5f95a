#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
points - hooks on blocks that run, counted by Gilk and by the emulator

  points.py FLAVOUR [--hooks N] [--seed N] [--tactic NAME] [--at] [--order N]

A lab of its own runs under a plugin that counts every instruction the emulator runs
(tests/witness/witness.c), apart for the original bytes of a place and for whatever
stood there later. A workload of system calls tells by a hash what the kernel
answered. It runs bare, which shows the blocks it reaches; then again with a counter
at N points in them, chosen by the seed, all at once. The answers must be the same,
each counter must equal the number of times the emulator ran Gilk's bytes at the
hook's site, and all text must be what it was. Of a hook in a clone, which has no site
of its own, the count must be that of an instruction of its block in the clone, found
there by its bytes. With --at the points are not the edges of blocks but any
instructions between them.
"""
import argparse
import bisect
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

HOOKS = 400         # the part that ./check does
ROUNDS = 2          # of the workload
SHORT = 0.5         # share of the hooks that is given to what no splice reaches
SHARED = 0.5        # share of the points that are drawn with the edges of their block
TINY = 5            # bytes of a block that is a call, or less
JUMP = 0xe9
TRAP = b"\xcc"
TELLING = 4         # bytes of an instruction that is looked for in a clone
SLOT_MAX = 65536    # ILK_SLOT_MAX

# Of an edge, start is where the block begins; of a hook before an instruction, where that does.
Point = collections.namedtuple("Point", "function block where start end tactic whole")


def is_branch(text):
  """A relative jump or call: moved, its bytes are others, and maybe those of another one."""
  return text[0] in (0xe8, 0xe9, 0xeb) or text[0] & 0xf0 == 0x70 or \
         text[0] == 0x0f and text[1] & 0xf0 == 0x80


class Points:
  """One lab with its witness; every step of the test on it."""

  def __init__(self, flavour, folder, seed, tactic):
    self.lab = Lab(f"points-{flavour}")
    self.witness = Witness(os.path.join(folder, "forms"))
    self.folder = folder
    self.tactic = tactic
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
    known = self.starts = self.addresses()
    text = subprocess.run([GILK, "survey", "--kernel", "--blocks", "--target", self.lab.target],
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
                      row[where], row["block"])

  def reached(self, before, after):
    """Points in blocks that ran between two readings of the witness."""
    ran = {addr for addr, forms in after.items()
           if sum(forms.values()) > sum(before.get(addr, {}).values())}
    return [point for point in self.points() if point.start in ran]

  @staticmethod
  def instructions(points, ran):
    """Points before the instructions that ran, but for the first, of the blocks of @points."""
    addrs = sorted(ran)
    for point in points:
      base, _, offset = point.block.partition("+")
      for addr in addrs[bisect.bisect_right(addrs, point.start):bisect.bisect_left(addrs, point.end)]:
        place = f"{base}+0x{int(offset, 16) + addr - point.start:x}"
        yield Point(point.function, place, "at", addr, point.end, "at", point.block)

  def choose(self, points, edges, wanted):
    """
    At random, but so that the rarer tactics have their share. Blocks of about one instruction, whose hooks may share a
    site, are drawn with their @edges, and so is every second of the others.
    """
    self.random.shuffle(points)
    tiny = [p for p in points if p.end - p.start <= TINY]
    short = [p for p in points if p.tactic != "splice"]
    beside = collections.defaultdict(list)
    for edge in edges:
      beside[edge.function, edge.whole].append(edge)
    chosen = set()

    def draw(candidates, most, shared):
      for point in candidates:
        if len(chosen) >= most:
          break
        chosen.add(point)
        if self.random.random() < shared:
          chosen.update(beside[point.function, point.whole])

    draw(tiny, int(wanted * SHARED / 2), 1)
    draw(short, int(wanted * SHORT), SHARED)
    draw(points, wanted, SHARED)
    return sorted(chosen, key=lambda p: (p.function, p.start, p.where))

  # ---- a plan of them ----

  def write_plan(self, points):
    tactic = f"tactic={self.tactic}\n" if self.tactic else ""
    path = os.path.join(self.folder, "points.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=1\ntitle=Points that run\n")
      for number, point in enumerate(points):
        file.write(f"\n[hook h{number}]\nfunction={point.function}\nblock={point.block}\n"
                   f"where={point.where}\ninstrument=count\n{tactic}")
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
      raise Failure(f"gilk run ended: {run.read_output()}")
    patches = self.lab.hooks()
    return patches if patches and all(p["state"] == "armed" for p in patches) else None

  @staticmethod
  def site_of(point, sites):
    """
    Footprints begin in their block: its first serves pre, its last post. That of a hook before an instruction is the
    first from there: at the entry it stands behind the site of ftrace.
    """
    inside = sites[bisect.bisect_left(sites, point.start):bisect.bisect_left(sites, point.end)]
    if point.where == "at" and not inside:
      inside = [sites[bisect.bisect_right(sites, point.start) - 1]]
    expect(inside, f"{point.function}{point.block} has no site")
    return max(inside) if point.where == "post" else min(inside)

  def seen_at_site(self, point, before, after):
    """
    How often the emulator ran what is not the original at the hook's site: the least
    and the most that were hits. A splice whose tail houses the jump of a bounce keeps
    its int3 for a grace period behind the run's end, and is passed without being hit.
    """
    site = self.site_of(point, self.sites)
    ours = {text: count for text, count in after[site].items() if text not in before[site]}
    most = sum(ours.values())
    return most - ours.get(TRAP, 0) if site in self.hosts else most, most

  def seen_in_clone(self, point, before, after):
    """The same of a copied instruction of the block; None if none can be told by its bytes."""
    entry = self.entry_of(point)
    jumps = [text for text in after[entry] if text not in before[entry] and text[0] == JUMP]
    if len(jumps) != 1:
      return None
    slot = entry + 5 + int.from_bytes(jumps[0][1:5], "little", signed=True)
    copies = collections.defaultdict(list)
    for addr in self.ran[bisect.bisect_left(self.ran, slot):]:
      if addr >= self.slot_end(slot):
        break
      for text, count in after[addr].items():
        copies[text].append(count - before.get(addr, {}).get(text, 0))
    places = range(point.start, point.end)
    for addr in reversed(places) if point.where == "post" else places:
      for text in before.get(addr, ()):
        if len(text) >= TELLING and not is_branch(text) and len(copies.get(text, ())) == 1:
          return copies[text][0]
    return None

  def entry_of(self, point):
    """Where the jump into the clone stands: the only site near the function's begin."""
    begin = self.starts[point.function]
    return min(site for site in self.sites if site >= begin)

  def slot_end(self, slot):
    at = bisect.bisect_right(self.slots, slot)
    return self.slots[at] if at < len(self.slots) else slot + SLOT_MAX

  def lay_out(self, patches, before, after):
    """What finding clones in the arena takes: sites, slots, addresses that ran."""
    self.sites = sorted(int(patch["site"], 16) for patch in patches)
    jumps = sorted(int(patch["jump"], 16) for patch in patches if "jump" in patch)
    self.hosts = {site for site, bytes_ in ((int(p["site"], 16), p["bytes"]) for p in patches)
                  if bisect.bisect_left(jumps, site) < bisect.bisect_left(jumps, site + bytes_)}
    self.ran = sorted(after)
    self.slots = sorted({site + 5 + int.from_bytes(text[1:5], "little", signed=True)
                         for site in self.sites for text in after[site]
                         if text not in before[site] and text[0] == JUMP})

  def may_fault(self, point):
    """
    Is the hook behind an instruction whose fault leaves the block? The patch is then
    entered more often than the hook is reached, and its site cannot tell how often.
    """
    edges = self.lab.gilk("cfg", point.function)["edges"]
    return point.where != "pre" and {"from": point.whole, "kind": "fixup"} in [
      {"from": edge["from"], "kind": edge["kind"]} for edge in edges]

  def compare(self, points, patches, report, before, after):
    """Counts that differ from the witness's."""
    expect(len(report["hooks"]) == len(points), f"{len(report['hooks'])} of {len(points)} hooks")
    self.lay_out(patches, before, after)
    strange, figures, tactics = [], collections.Counter(), collections.Counter()
    for point, hook in zip(points, report["hooks"]):
      cloned = hook["tactic"] == "clone"
      least = most = self.seen_in_clone(point, before, after) if cloned else None
      if not cloned:
        least, most = self.seen_at_site(point, before, after)
      tactics[hook["tactic"], point.where] += 1
      if most is None or hook["hits"] < least and self.may_fault(point):
        figures["untold"] += 1
        continue
      figures["compared"] += 1
      figures["hits"] += hook["hits"]
      figures["silent"] += most == 0
      if not least <= hook["hits"] <= most:
        strange.append(f"{point.function}{point.block}:{point.where} ({hook['tactic']}): "
                       f"{hook['hits']} counted, {most} seen")
    return strange, figures, tactics


def judge(name, good):
  print(f"{'ok' if good else 'not ok'} - {name}", flush=True)
  return 0 if good else 1


def test(bench, flavour, options):
  wanted = options.hooks
  bench.work()
  before = bench.witness.forms()
  bare = bench.work()
  ran = bench.witness.forms()
  points = bench.reached(before, ran)
  print(f"  {len(points)} points in {len({p.start for p in points})} blocks that the workload "
        f"reaches, {len({p.function for p in points})} functions", flush=True)
  text = bench.lab.text_sum()
  edges = list(points)
  if options.at:
    points = list(bench.instructions((p for p in points if p.where == "pre"), ran))
    print(f"  {len(points)} instructions between their edges", flush=True)
  chosen, plan = bench.plan(bench.choose(points, edges, wanted))
  before = bench.witness.forms()
  answers, patches, report = bench.record(plan)
  strange, figures, tactics = bench.compare(chosen, patches, report, before,
                                            bench.witness.forms())
  print(f"  {len(chosen)} hooks in {len({p.start for p in chosen})} blocks: "
        + ", ".join(f"{n} {tactic} {where}" for (tactic, where), n in sorted(tactics.items())))
  for line in strange[:20]:
    print(f"  {line}")
  failed = judge(f"{flavour}: {figures['compared']} hooks, {figures['hits']} hits, "
                 f"{len(strange)} counts differ from the witness's ({figures['silent']} silent, "
                 f"{figures['untold']} without a witness)",
                 not strange and
                 figures["compared"] >= 0.9 * (len(chosen) if bench.tactic else wanted) and
                 figures["silent"] < 0.1 * figures["compared"])
  failed += judge(f"{flavour}: system calls answer as without hooks ({bare}, {answers})",
                  bare == answers)
  return failed + judge(f"{flavour}: text is what it was", bench.lab.text_sum() == text)


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--hooks", type=int, default=HOOKS)
  parser.add_argument("--seed", type=int, default=2002)
  parser.add_argument("--tactic", help="force one: splice, bounce, clone, trap")
  parser.add_argument("--at", action="store_true", help="before instructions instead of at edges of blocks")
  parser.add_argument("--order", type=int, help="clones have their blocks in a random order, of this seed")
  options = parser.parse_args()
  if options.order is not None:
    os.environ["GILK_CLONE_ORDER"] = str(options.order)
  print(f"  seed {options.seed}", flush=True)
  with tempfile.TemporaryDirectory() as folder:
    bench = None
    try:
      bench = Points(options.flavour, folder, options.seed, options.tactic)
      return 1 if test(bench, options.flavour, options) else 0
    except Failure as problem:
      return judge(f"{options.flavour}: {problem}", False)
    finally:
      Lab(f"points-{options.flavour}").stop()


if __name__ == "__main__":
  sys.exit(main())
