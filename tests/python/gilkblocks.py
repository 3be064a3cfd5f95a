# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkblocks - the blocks of a lab's kernel with their addresses, and plans of them

gilk survey names a block by function and offset; the kernel's own means want
addresses. Functions whose name is not unique are left out: a name would not do.
"""
import collections
import csv
import random
import struct
import subprocess

from gilklab import GILK, expect

Block = collections.namedtuple("Block", "function block start bytes pre post")

RIVAL = "/sys/module/gilk_rival/parameters"


def addresses(lab):
  """{name: address} of the kernel proper."""
  found = collections.defaultdict(list)
  for address, kind, name, module in lab.kallsyms():
    if kind in "tTwW" and not module:
      found[name].append(address)
  return {name: addrs[0] for name, addrs in found.items() if len(addrs) == 1}


def blocks(lab):
  """Every block of the kernel proper, with what Gilk's planner says of its points, the driver's denials among it."""
  lab.gilk("doctor", "--load")
  known = addresses(lab)
  text = subprocess.run([GILK, "survey", "--kernel", "--blocks", "--target", lab.target],
                        stdout=subprocess.PIPE, check=True, text=True).stdout
  for row in csv.DictReader(text.splitlines()):
    part, _, offset = row["block"].partition("+")
    start = known.get(row["function"] + part)
    if start is not None and row["function"] in known:
      yield Block(row["function"], row["block"], start + int(offset, 16), int(row["bytes"]),
                  row["pre"], row["post"])


def write_plan(path, chosen):
  """A plan with a counter before each of the blocks."""
  with open(path, "w", encoding="utf-8") as file:
    file.write("[gilk-plan]\nversion=1\ntitle=Many counters\n")
    for number, block in enumerate(chosen):
      file.write(f"\n[hook h{number}]\nfunction={block.function}\nblock={block.block}\n"
                 "where=pre\ninstrument=count\n")
  return path


def plannable(lab, path, chosen, write=write_plan):
  """Those of them that can be live together; the plan of these, as WRITE makes it, is left in PATH."""
  while True:
    write(path, chosen)
    answer = lab.gilk("plan", "check", path, check=False, timeout=600)
    expect("hooks" in answer, f"gilk plan check: {answer}")
    good = [b for b, hook in zip(chosen, answer["hooks"]) if "error" not in hook]
    if len(good) == len(chosen):
      return chosen
    chosen = good


def draw(lab, path, count, seed):
  """COUNT blocks that can be live together, drawn by SEED; the plan of them is left in PATH."""
  pool = [b for b in blocks(lab) if b.pre not in ("trap", "refused", "clone")]
  random.Random(seed).shuffle(pool)
  chosen = plannable(lab, path, pool[:count + count // 20])[:count]
  write_plan(path, chosen)
  return chosen


def tell_rival(lab, path, chosen):
  """Gives the kernel's kprobes, by way of gilk_rival.ko, the addresses of the blocks."""
  with open(path, "wb") as file:
    file.write(b"".join(struct.pack("<Q", b.start) for b in chosen))
  lab.push(path, "/tmp/rival.points")
  lab.run("dd if=/tmp/rival.points of=/dev/gilk_rival bs=64k 2>/dev/null")


def verdicts(lab, path, chosen):
  """'0' not registrable, '1' registrable, '2' optimised to a jump: one for each block."""
  tell_rival(lab, path, chosen)
  lab.run(f"echo judge >{RIVAL}/act", timeout=3600)
  said = lab.run("cat /dev/gilk_rival").strip()
  expect(len(said) == len(chosen), f"{len(said)} verdicts for {len(chosen)} blocks")
  return said
