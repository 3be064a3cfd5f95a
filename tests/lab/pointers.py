#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Owned addresses: programs that read forbidden addresses get a bad value, and each is counted
"""
pointers - probe programs look at addresses that nobody may look at, and each is told, wherever the kernel stands

usage: pointers.py FLAVOUR [--addresses N] [--seed N]

Processes tell the kernel addresses of all kinds by a system call; a program there follows each, by a jump, a trap and
a clone in turn. Other programs make addresses of their own at every point of the kernel's copies to users and of what
a page fault calls, and where a non-maskable interrupt comes, while memory faults in and is compared byte by byte.
Each address that cannot be read must be told as bad, each that can must be read, and the kernel may not say a word.
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkblocks import plannable
from gilklab import Run, expect, wait_for
from gilknmi import FUNCTION, Nmis
from gilkstorm import on_own_lab
from gilkweather import complaints, log_end

ADDRESSES = 30_000              # what tests/soak/run matrix does
TACTICS = ("splice", "trap", "clone")
ROUND = 15_000                  # addresses that the other programs make in a round of their workload, or so
NMIS = 300                      # a second asked for, to each processor
# Kinds of lab/workloads/pointers.c whose addresses may be read: one always is, of the other nobody knows.
KNOWN, UPPER = "known", "upper"

SYSTEM_CALL = "__x64_sys_lseek"
FOLLOW = ("let p = regs->si; let kind = regs->dx; map asked[16]; map read[16]; "
          "asked[kind]++; let v = *(u64 *) p; read[kind]++")
# In the hole of 2^41 bytes that x86-64 has with four and with five levels of page tables: each address is looked up,
# and is a page fault; of those from anywhere most are not canonical, which is another fault, or are the user's.
HOLE = "let p = now * 0x9e3779b97f4a7c15; counter asked; counter read; asked++; let v = *(u64 *) (0xfffffc0000000000 | (p >> 23)); read++"
ANYWHERE = ("let p = now * 0x9e3779b97f4a7c15; counter asked; counter read; asked++; "
            "let v = *(u32 *) (p & 0xbfffffffffffffff | 0x8000000000000000); read++")
PROGRAMS = {"follow": FOLLOW, "hole": HOLE, "anywhere": ANYWHERE}
# Where the kernel copies to users, and what a page fault calls; a kernel has some of each.
COPIES = ("_copy_to_user", "_copy_from_user", "_copy_to_iter", "_copy_from_iter", "copy_user_generic_string",
          "rep_movs_alternative")
FAULTS = ("handle_mm_fault", "__handle_mm_fault", "do_anonymous_page", "do_wp_page", "wp_page_copy",
          "lock_vma_under_rcu", "find_vma", "do_user_addr_fault")
# What a fault of a program's own goes through.
FIXUPS = ("fixup_exception", "search_exception_tables", "search_module_extables", "search_extable")


class Asked:
  """What programs kept, by hook: sums over processors."""

  def __init__(self, run):
    self.sums = {}
    for row in run.sql("SELECT hook, name, kind, key, value FROM maps"):
      if row["value"] is None:
        continue
      key = None if row["key"] is None else int(row["key"])
      place = (row["hook"], row["kind"], "" if row["kind"] == "failed_reads" else row["name"], key)
      self.sums[place] = self.sums.get(place, 0) + int(row["value"])

  def of(self, hook, kind, name="", key=None):
    return self.sums.get((hook, kind, name, key), 0)

  def bad(self, hook):
    return self.of(hook, "failed_reads")


def write_plan(path, hooks):
  """HOOKS: (label, function, block, tactic, program)."""
  lines = ["[gilk-plan]", "version=2"]
  for name in sorted({program for _, _, _, _, program in hooks}):
    lines += [f"[program {name}]", f"code={PROGRAMS[name]}"]
  for label, function, block, tactic, program in hooks:
    lines += [f"[hook {label}]", f"function={function}", f"block={block}", "where=pre", f"program={program}"]
    lines += [f"tactic={tactic}"] if tactic else []
  with open(path, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")


def record(lab, folder, hooks, work):
  """WORK is done while all HOOKS are live. Returns its result, what was kept, and the hooks' reports by their labels;
  text is as before."""
  functions = {function for _, function, _, _, _ in hooks}      # what is in a clone is one patch
  path = os.path.join(folder, "pointers.plan")
  write_plan(path, hooks)
  log, before = log_end(lab), lab.text_sum()
  run = Run(lab, os.path.join(folder, "pointers.gilk"), path, "--for", "1h")
  try:
    lab.wait_armed(len(functions), 120)
    result = work()
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  lab.wait_clean()
  wait_for("text is as before", lambda: lab.text_sum() == before, 30)
  said = complaints(lab, log)
  expect(not said, f"the kernel said: {said[:3]}")
  return result, Asked(run), {hook["hook"]: hook for hook in run.report()["hooks"]}


def pass_addresses(lab, count, seed):
  """{kind: (its number, how many)}"""
  readable = f"{lab.symbol('linux_banner'):x}"
  said = lab.run(f"pointers -n {count} -t 2 -s {seed} -k {readable}", timeout=3600)
  expect("\nwrong 0\n" in said, said)
  return {name: (int(number), int(n)) for word, number, name, n in
          (line.split() for line in said.splitlines() if line.startswith("kind "))}


def follow_by(lab, tactic, count, seed):
  with tempfile.TemporaryDirectory() as folder:
    hooks = [("told", SYSTEM_CALL, "+0x0", tactic, "follow")]
    kinds, asked, _ = record(lab, folder, hooks, lambda: pass_addresses(lab, count, seed))
  read = 0
  for name, (number, told) in kinds.items():
    expect(asked.of("told", "map", "asked", number) == told, f"{tactic}: of {name} {told} were told, "
           f"{asked.of('told', 'map', 'asked', number)} followed")
    good = asked.of("told", "map", "read", number)
    expect(name == UPPER or good == (told if name == KNOWN else 0), f"{tactic}: of {told} {name} {good} were read")
    read += good
  expect(asked.bad("told") == count - read, f"{tactic}: {count} told, {read} read, {asked.bad('told')} bad")
  return count - read, asked.of("told", "map", "read", kinds[UPPER][0])


def points_of(lab, functions):
  """Of each that the kernel has all blocks before which a hook may be."""
  points = []
  for function in functions:
    answer = lab.gilk("survey", "--function", function, check=False)
    points += [(function, block["block"]) for block in answer.get("points", []) if block["pre"] != "refused"]
  return points


class Pointers:
  """What the command line asked for."""
  addresses, seed = ADDRESSES, 1


def addresses_passed_by_a_process(lab):
  lab.gilk("doctor", "--load")
  bad = upper = 0
  for number, tactic in enumerate(TACTICS):
    told, somewhere = follow_by(lab, tactic, Pointers.addresses // len(TACTICS), Pointers.seed + number)
    bad, upper = bad + told, upper + somewhere
  return f"{bad} bad ones, all told; in the kernel's half {upper} had something"


def fault_and_copy(lab, nmis, rounds, seed):
  """Returns how often the handler of NMIs ran the hooked function."""
  nmis.open()
  said = lab.run(f"pages -t 2 -s {seed} {rounds}", timeout=3600)
  calls = nmis.shut()
  expect("\nwrong 0\n" in said, said)
  return calls


def addresses_where_the_kernel_copies_and_faults(lab):
  points = points_of(lab, COPIES + FAULTS + FIXUPS) + [(FUNCTION, "+0x0")]
  hooks = [(f"h{number}", function, block, "", ("hole", "anywhere")[number % 2])
           for number, (function, block) in enumerate(points)]
  with tempfile.TemporaryDirectory() as folder, Nmis(lab, NMIS) as nmis:
    hooks = plannable(lab, os.path.join(folder, "pointers.plan"), hooks, write_plan)
    expect(hooks[-1][1] == FUNCTION, f"no hook is in {FUNCTION}")
    calls, asked, report = record(lab, folder, hooks,
                                  lambda: fault_and_copy(lab, nmis, max(Pointers.addresses // ROUND, 2), Pointers.seed))
    figure = nmis.figure()
  total = missed = 0
  for label, function, block, _, program in hooks:
    made, read, bad = asked.of(label, "counter", "asked"), asked.of(label, "counter", "read"), asked.bad(label)
    # A fault of a program's own may lead past its hook, or another one: that hit ends before it looks.
    expect(read == 0 and bad + report[label]["missed"] == made,
           f"{function}{block}, {program}: {made} made, {read} read, {bad} bad, {report[label]['missed']} missed")
    total, missed = total + bad, missed + report[label]["missed"]
  of_nmis = asked.bad(hooks[-1][0])
  expect(0 < of_nmis <= calls, f"{calls} calls in NMIs, {of_nmis} addresses looked at")
  return f"{total} bad ones at {len(hooks)} points, {of_nmis} of them in {calls} NMIs; {missed} hits within a look; {figure}"


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--addresses", type=int, default=ADDRESSES)
  parser.add_argument("--seed", type=int, default=1)
  words = parser.parse_args()
  Pointers.addresses, Pointers.seed = words.addresses, words.seed
  sys.exit(on_own_lab("pointers", words.flavour, [addresses_passed_by_a_process, addresses_where_the_kernel_copies_and_faults],
                      "--append", "apic_extnmi=all"))
