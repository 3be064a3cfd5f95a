#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: graphs of a live kernel agree with a second derivation from objdump
"""
graph-truth - the graphs of a live kernel against a second derivation from objdump's text

For every function: each instruction start of ours must be one of objdump's, and
the block starts must be those that the rules below derive from objdump's text
and the side tables. The rules are written down here a second time on purpose;
they share no code with core/cfg.
"""
import array
import bisect
import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import graphdump

PREFIXES = re.compile(r"^(?:(?:bnd|notrack|cs|ds|es|ss|gs|fs|data16|addr32|rep|repz|repnz|lock|"
                      r"rex(?:\.\w+)?)\s+)+")
TARGET = re.compile(r"^([0-9a-f]{1,16})\b")

UDS = ("ud0", "ud1", "ud2")

# Where the driver has its code (ilk/ilk-arena.h).
ARENA = "ilk_arena_section"

# Refusals that say "this could not be told for sure": blocks are not compared.
UNSURE = {"undecodable", "asm", "indirect-jump", "breakpoint", "kprobe", "overlap"}

Part = collections.namedtuple("Part", "start end starts lengths")
Function = collections.namedtuple("Function", "name parts refusal insns blocks")


# What the kernel puts where nothing may run, besides int3; objdump has no name for it.
UDB = "d6"
# eretu and erets, which it takes for clac with a prefix.
ERETS = ("f3 0f 01 ca", "f2 0f 01 ca")
# A WARN with text goes through a static call, in place of which the kernel writes this (7.1).
WARN_TRAP = "67 48 0f b9 3a"


def classify(text, code):
  """Kind and target of an instruction that ends or may end a block, else None."""
  text = PREFIXES.sub("", text)
  name, _, operands = text.partition(" ")
  operands = operands.strip()
  if name.startswith("nop") or name in ("xchg",) and operands == "%ax,%ax":
    return ("nop", 0)
  if name[0] == "j" or name.startswith(("ljmp", "loop")) or name == "xbegin":
    if operands.startswith("*"):
      return ("ijump", 0)
    match = TARGET.match(operands)
    if not match:
      return ("bad", 0)
    return ("jump" if name == "jmp" else "jcc", int(match.group(1), 16))
  if name.startswith("call") or name.startswith("lcall"):
    match = TARGET.match(operands)
    return ("call", int(match.group(1), 16) if match else 0)
  if name in ("ret", "retq", "iret", "iretq", "iretl", "lret", "lretq", "sysret", "sysretq",
              "sysretl", "sysexit", "rsm"):
    return ("ret", 0)
  if name in ("ud0", "ud1", "ud2"):
    return (name, 0)
  if code == UDB:
    return ("ud0", 0)
  if code in ERETS:
    return ("ret", 0)
  if name == "int3":
    return ("int3", 0)
  if name == "(bad)" or name.startswith(".byte"):
    return ("bad", 0)
  return None


class Text:
  """objdump's view of all parts."""

  def __init__(self, parts, path):
    self.control = {}
    self.parts = []
    ends = {start: start + len(text) for start, text in parts}
    current = None
    plain = set()       # names that never matter
    process = subprocess.Popen(["objdump", "-d", "-w", "--insn-width=15", path],
                                   stdout=subprocess.PIPE, text=True, errors="replace")
    for line in process.stdout:
      fields = line.split("\t")
      if len(fields) < 2 or not fields[0].strip():
        continue
      addr = int(fields[0].rstrip(" :"), 16)
      if addr in ends:
        current = Part(addr, ends[addr], array.array("Q"), array.array("B"))
        self.parts.append(current)
      if current is None or addr >= current.end:
        continue
      current.starts.append(addr)
      current.lengths.append(len(fields[1].split()))
      words = fields[2].split(None, 1) if len(fields) > 2 else ["(bad)"]
      if words[0] in plain:
        continue
      kind = classify(fields[2].strip(), fields[1].strip()) if len(fields) > 2 else ("bad", 0)
      if fields[1].strip() == WARN_TRAP:
        kind = ("trap", 0)
      if kind:
        self.control[addr] = kind
      elif not PREFIXES.match(words[0] + " ") and words[0] != "xchg":
        plain.add(words[0])
    process.wait()
    self.by_start = {part.start: part for part in self.parts}
    # where a part's tail of zero bytes begins
    self.zeros = {start: start + len(text.rstrip(b"\0")) for start, text in parts}

  def part(self, start):
    return self.by_start.get(start)


class Tables:
  def __init__(self, directory):
    self.sites = collections.defaultdict(dict)
    with open(os.path.join(directory, "sites")) as file:
      for line in file:
        kind, addr, other = line.split()
        self.sites[int(addr, 16)][kind] = int(other, 16)
    self.meaning = {}
    with open(os.path.join(directory, "targets")) as file:
      for line in file:
        kind, addr = line.split()
        self.meaning[int(addr, 16)] = kind


def read_functions(directory):
  with open(os.path.join(directory, "graphs")) as file:
    while True:
      head = file.readline().split()
      if not head:
        return
      insns = [int(x, 16) for x in file.readline().split()[1:]]
      blocks = {int(x, 16) for x in file.readline().split()[1:]}
      hot, _, cold, _ = (int(x, 16) for x in head[2:6])
      yield Function(head[1], [hot] + ([cold] if cold else []), head[6], insns, blocks)


def find_inbound(functions, text, tables):
  """
  Places inside functions that code of other functions may go to. The driver's arena is no function: what it holds is
  written as it runs, and goes into the middle of functions, as the thunk to what lies behind an ftrace site does.
  """
  owner = {start: f.parts[0] for f in functions for start in f.parts}
  arenas = {start for f in functions for start in f.parts if f.name.split()[0].split("@")[0] == ARENA}
  starts = sorted(part.start for part in text.parts)

  def place(addr):
    at = bisect.bisect_right(starts, addr) - 1
    if at < 0 or addr >= text.part(starts[at]).end:
      return None
    return owner.get(starts[at])

  inbound = set()

  def add(source, target):
    entry = place(target)
    if entry is not None and entry != target and place(source) != entry and place(source) not in arenas:
      inbound.add(target)

  for addr, (_, target) in text.control.items():
    if target:
      add(addr, target)
  for addr, kinds in tables.sites.items():
    for kind in ("extable", "key"):
      if kind in kinds:
        add(addr, kinds[kind])
  return sorted(inbound)


class Derivation:
  """Block starts of one function, from objdump's instructions."""

  def __init__(self, function, text, tables, inbound):
    self.text, self.tables = text, tables
    self.parts = [p for p in (text.part(s) for s in function.parts) if p]
    self.length = {}
    for part in self.parts:
      self.length.update(zip(part.starts, part.lengths))
    self.leaders, self.reached, self.work = set(), set(), []
    self.lead(function.parts[0])
    self.run()
    for part in self.parts:
      at = bisect.bisect_left(inbound, part.start)
      while at < len(inbound) and inbound[at] < part.end:
        self.lead(inbound[at])
        self.run()
        at += 1
    for part in self.parts:
      for addr in part.starts:
        if addr not in self.reached and not self.filler(addr):
          if self.only_filler(addr):
            break
          self.lead(addr)
          self.run()

  def inside(self, addr):
    return any(part.start <= addr < part.end for part in self.parts)

  def lead(self, addr):
    self.leaders.add(addr)
    self.work.append(addr)

  def filler(self, addr):
    return self.text.control.get(addr, ("",))[0] in ("nop", "int3")

  def only_filler(self, addr):
    for part in self.parts:
      if part.start <= addr < part.end:
        for at in part.starts[bisect.bisect_left(part.starts, addr):]:
          if not self.filler(at) and at < self.text.zeros[part.start]:
            return False
        return True
    return True

  def run(self):
    while self.work:
      addr = self.work.pop()
      while addr in self.length and addr not in self.reached:
        self.reached.add(addr)
        if not self.step(addr):
          break
        addr += self.length[addr]

  def step(self, addr):
    """Notes where control may go from @addr. Returns whether it also goes on."""
    after = addr + self.length[addr]
    kind, target = self.text.control.get(addr, ("", 0))
    sites = self.tables.sites.get(addr, {})
    if "extable" in sites and self.inside(sites["extable"]):
      self.lead(sites["extable"])
    if kind == "jcc" or kind == "jump":
      if self.inside(target):
        self.lead(target)
      if kind == "jump" and not ("key" in sites and self.inside(target)):
        return False
      if self.inside(after):
        self.lead(after)
      return True
    if kind == "call":
      if target and self.inside(target):
        self.lead(target)
      return self.tables.meaning.get(target) != "noreturn" and not self.only_filler(after)
    if kind == "trap":
      return not self.only_filler(after)
    if kind in UDS:
      return "warn" in sites and not self.only_filler(after)
    if kind in ("ret", "ijump", "int3", "bad"):
      return False
    if "key" in sites and self.inside(sites["key"]):
      self.lead(sites["key"])
      self.lead(after)
    return True


def compare_reports(functions, text, tables):
  """
  Each entry of the kernel's table of warnings that core has read is of a ud, and each ud2 has one:
  shown by the text alone, so that a table read by the wrong format is seen. The compiler puts some
  of its own where a pointer is NULL or a divisor zero, and assembly behind a jump: by those 20 of
  10,000 are excused, and no flow goes on behind them.
  """
  names = {start: f.name for f in functions for start in f.parts}
  holds = [(part.start, addr) for part in text.parts for addr in part.starts
           if text.control.get(addr, ("",))[0] in UDS + ("trap",)]
  uds = {addr for _, addr in holds}
  sites = {addr for addr, kinds in tables.sites.items() if "bug" in kinds or "warn" in kinds}
  starts = sorted(part.start for part in text.parts)
  bad = 0
  for addr in sorted(sites - uds):
    at = bisect.bisect_right(starts, addr) - 1
    if at < 0 or addr >= text.part(starts[at]).end:
      continue                      # of text without a name, which nobody has read
    bad += 1
    print("%s: an entry for %x, where no ud is: %s" % (names[starts[at]], addr, text.control.get(addr)))
  all_ud2 = [(start, addr) for start, addr in holds if text.control[addr][0] == "ud2"]
  alone = [(start, addr) for start, addr in all_ud2 if addr not in sites]
  if len(alone) * 500 > len(all_ud2):
    bad += len(alone)
    for start, addr in alone:
      print("%s: no entry for the ud2 at %x" % (names[start], addr))
  return bad, {"entries of warnings": len(sites), "of them with a ud in the text": len(sites & uds),
               "ud2 of text with names": len(all_ud2), "of them without an entry": len(alone)}


def compare(functions, text, tables):
  """Prints what differs. Returns: number of unexplained differences, and counts."""
  inbound = find_inbound(functions, text, tables)
  known = set()
  for part in text.parts:
    known.update(part.starts)
  counts = collections.Counter()
  bad = 0
  for f in functions:
    counts["functions"] += 1
    counts["instruction starts"] += len(f.insns)
    strange = [a for a in f.insns if a not in known]
    if strange and f.refusal in UNSURE:
      counts["starts of refused functions that objdump has not"] += len(strange)
    elif strange:
      bad += len(strange)
      print("%s: no instruction of objdump at %x" % (f.name, strange[0]))
    if f.refusal in UNSURE or not f.insns:
      counts["functions refused, blocks not compared"] += 1
      continue
    derived = Derivation(f, text, tables, inbound)
    counts["block starts"] += len(f.blocks)
    ours, theirs = f.blocks - derived.leaders, derived.leaders - f.blocks
    missing = derived.reached.symmetric_difference(f.insns)
    if ours or theirs or missing:
      bad += len(ours) + len(theirs) + len(missing)
      print("%s: blocks only here %s, only there %s, reached by one %s" % (
        f.name, *(" ".join("%x" % a for a in sorted(s)[:4]) or "-"
                          for s in (ours, theirs, missing))))
  return bad, counts


def main():
  if len(sys.argv) != 2:
    sys.exit("usage: graph-truth.py FLAVOUR   (6.1, 6.12, ...)")
  flavour = sys.argv[1]
  with tempfile.TemporaryDirectory() as directory:
    graphdump.dump(flavour, directory)
    parts = graphdump.read_parts(directory)
    path = os.path.join(directory, "elf")
    graphdump.write_elf(parts, path)
    text = Text(parts, path)
    functions, tables = list(read_functions(directory)), Tables(directory)
    bad, counts = compare(functions, text, tables)
    more, entries = compare_reports(functions, text, tables)
  bad += more
  counts.update(entries)
  for name, count in counts.items():
    print(f"  {name:<56} {count:>9}")
  good = bad == 0 and counts["block starts"] > 0
  print(f"{'ok' if good else 'not ok'} - {flavour}: {bad} unexplained of "
        f"{counts['instruction starts']} instructions, {counts['block starts']} block starts")
  return 0 if good else 1


if __name__ == "__main__":
  sys.exit(main())
