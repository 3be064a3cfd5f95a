#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Consent: changes of the kernel's behaviour need the user's word, hit whom they name, and end
"""
change - experiments change what they say, for whom they say, and until they end

Functions of tests/kmod/subject.c are called from processes whose results are known. Nullified, replaced by a function
of another module (tests/kmod/stand-in.c), at one call of it, taken another way at a branch, with other values in
registers and variables: each time what was returned and how often functions were entered is exact, for the process
that is meant and for one that is not; and behind the end the kernel's text is what it was.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Lab, Run, expect, lab_of_arguments, main, wait_for

ADD, TWICE, SIGN, LEVEL = range(4)
CALLS = 2000
ENTRY = "gilk_subject_add:entry"


class Witness:
  """What tests/lab/programs/control-change.c said."""

  def __init__(self, said):
    lines = [line.split() for line in said.splitlines()]
    self.values = {int(a): int(b) for a, b in lines if re.fullmatch(r"-?\d+", a)}
    self.pid = next(int(b) for a, b in lines if a == "pid")
    self.entered = next(int(b) for a, b in lines if a == "entered")


def call(lab, kind, value, count=CALLS):
  return Witness(lab.run(f"/tmp/control-change {kind} {value} {count}"))


def prepare(lab):
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "control-change"), "/tmp/control-change")
  lab.run("test -c /dev/gilk_subject || insmod /lib/modules/$(uname -r)/extra/gilk_subject.ko; "
          "test -d /sys/module/gilk_stand_in || insmod /lib/modules/$(uname -r)/extra/gilk_stand_in.ko")


class Experiment:
  """Hooks of an experiment, armed; the kernel's text is compared at its end."""

  def __init__(self, lab, *hooks, time="10m", armed=1):
    self.lab = lab
    self.before = lab.text_sum()
    self.folder = tempfile.TemporaryDirectory()
    words = [word for hook in hooks for word in ("--hook", hook)]
    self.run = Run(lab, os.path.join(self.folder.name, "change.gilk"), "--allow-changes", *words, "--for", time)
    try:
      wait_for(f"{armed} hooks armed", lambda: self.is_armed(armed))
    except BaseException:
      self.run.kill()
      raise

  def is_armed(self, count):
    expect(self.run.process.poll() is None, f"gilk run ended: {Run.last_words()}")
    states = [patch["state"] for patch in self.lab.hooks()]
    return states.count("armed") >= count and "trapped" not in states

  def __enter__(self):
    return self

  def end(self):
    expect(self.run.stop() == 0, f"gilk run failed: {self.run.output}")
    self.lab.wait_clean()
    expect(self.lab.text_sum() == self.before, "the kernel's text is not what it was")

  def __exit__(self, kind, *_):
    if kind is not None:
      self.run.kill()
    else:
      self.end()

  def hooks(self):
    return self.run.report()["hooks"]


def refused(lab, hook, words, *more):
  """gilk run of HOOK ends at once, and says WORDS."""
  with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([GILK, "run", "--target", lab.target, *more, "-o", os.path.join(folder, "no.gilk"), "--hook",
                           hook], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
  expect(done.returncode != 0, f"{hook} was not refused")
  expect(words in done.stderr, f"{hook}: {done.stderr.strip()} does not say \"{words}\"")
  expect(not lab.hooks(), f"{hook} left something armed")


def same(got, wanted, what):
  expect(got == wanted, f"{what}: {got}, not {wanted}")


# ---- functions ----

def skipped_for_one_value(lab):
  for tactic in ("splice", "trap", "clone"):
    with Experiment(lab, f"{ENTRY}:{tactic} {{ count(); if ((int) %rdi == 6) nullify((int) -7) }}") as experiment:
      meant, other = call(lab, ADD, 6), call(lab, ADD, 5)
      same(meant.values, {-7: CALLS}, f"nullified by {tactic}")
      same(meant.entered, 0, f"entered while nullified by {tactic}")
      same(other.values, {8: CALLS}, f"another value by {tactic}")
      same(other.entered, CALLS - 1, f"entered with another value by {tactic}")
    hook = experiment.hooks()[0]
    same((hook["tactic"], hook["hits"]), (tactic, 2 * CALLS), "tactic and hits")
  same(call(lab, ADD, 6).values, {9: CALLS}, "behind the end")
  return f"{CALLS} of {2 * CALLS} by splice, trap and clone"


def skipped_for_one_process(lab):
  """The first half of its calls is made before its PID is known to the experiment."""
  lab.run("mkfifo /tmp/go 2>/dev/null || true")
  pid = lab.background(f"read line < /tmp/go; exec /tmp/control-change {ADD} 1 {CALLS} > /tmp/meant")
  with Experiment(lab, f"{ENTRY} {{ if (pid == {pid}) nullify((int) 77) }}"):
    other = call(lab, ADD, 1)
    lab.run("echo > /tmp/go")
    wait_for("the process that is meant", lambda: "entered" in lab.said("/tmp/meant"))
    meant = Witness(lab.said("/tmp/meant"))
  same(meant.pid, pid, "process")
  same(meant.values, {77: CALLS}, "of the process that is meant")
  same(other.values, {4: CALLS}, "of another process")
  return f"process {pid} alone"


def shares(lab):
  with Experiment(lab, f"{ENTRY} {{ if (every(4)) nullify((int) 0) }}"):
    values = call(lab, ADD, 5, 4000).values
  expect(values.get(0, 0) in (999, 1000) and sum(values.values()) == 4000, f"every(4): {values}")
  with Experiment(lab, f"{ENTRY} {{ if (once) nullify((int) 0) }}"):
    same(call(lab, ADD, 5).values, {0: 1, 8: CALLS - 1}, "once")
  with Experiment(lab, f"{ENTRY} {{ if (chance(25)) nullify((int) 0) }}"):
    few = call(lab, ADD, 5, 20000).values.get(0, 0)
  expect(4600 < few < 5400, f"a chance of 25 %: {few} of 20000")
  return f"every, once; {few} of 20000 by a chance of 25 %"


def replaced(lab):
  told = []
  for tactic in ("splice", "trap", "clone"):
    with Experiment(lab, f"{ENTRY}:{tactic} {{ if ((int) %rdi == 6) replace(gilk_stand_in_add) }}"):
      meant, other = call(lab, ADD, 6), call(lab, ADD, 5)
      same(meant.values, {1063: CALLS}, f"replaced by {tactic}")
      same(meant.entered, 0, f"entered while replaced by {tactic}")
      same(other.values, {8: CALLS}, f"another value by {tactic}")
    told.append(tactic)
  same(call(lab, ADD, 6).values, {9: CALLS}, "behind the end")
  return ", ".join(told)


def replaced_with_sleepers_at_its_end(lab):
  """Who is inside when it ends returns as if it had not; its module stays until they have, and no longer."""
  stand_in = "/sys/module/gilk_stand_in/parameters/"
  experiment = Experiment(lab, f"{ENTRY} {{ replace(gilk_stand_in_add) }}")
  lab.run(f"echo 1 > {stand_in}closed")
  for number in range(3):
    lab.background(f"/tmp/control-change {ADD} {number} 1 > /tmp/asleep{number}")
  wait_for("three sleepers", lambda: lab.run(f"cat {stand_in}waiting").strip() == "3")
  expect(experiment.run.stop() == 0, f"gilk run failed: {experiment.run.output}")
  same(call(lab, ADD, 6).values, {9: CALLS}, "behind the end, with sleepers")
  said = lab.run("rmmod gilk_stand_in 2>&1 || true")
  expect("gilk_stand_in" in lab.run("lsmod"), f"the module went with tasks in it: {said}")
  lab.run(f"echo 0 > {stand_in}closed")
  for number in range(3):
    wait_for("a sleeper's end", lambda n=number: "entered" in lab.said(f"/tmp/asleep{n}"))
    same(Witness(lab.run(f"cat /tmp/asleep{number}")).values, {1003 + 10 * number: 1}, "of a sleeper")
  lab.wait_clean()
  wait_for("no pin", lambda: lab.run("rmmod gilk_stand_in 2>&1 && echo gone || true").strip().endswith("gone"))
  prepare(lab)
  return "three drained, then its module could go"


# ---- places within functions ----

def one_call_site(lab):
  here = "gilk_subject_twice@call:gilk_subject_add:pre"
  with Experiment(lab, f"{here} {{ replace(gilk_stand_in_add) }}"):
    same(call(lab, TWICE, 5).values, {1056: CALLS}, "replaced at one call")
    same(call(lab, ADD, 5).values, {8: CALLS}, "another call of it")
  with Experiment(lab, f"{here} {{ if (every(2)) nullify((int) 100) }}"):
    site = call(lab, TWICE, 5)
    expect(abs(site.values.get(101, 0) - CALLS / 2) <= 1 and site.values.get(11, 0) == CALLS - site.values[101],
           f"nullified at one call: {site.values}")
  with Experiment(lab, "gilk_subject_twice@call:gilk_subject_add:pre:clone { replace(gilk_stand_in_add) }"):
    same(call(lab, TWICE, 5).values, {1056: CALLS}, "replaced at one call, by clone")
  return "replaced and nullified; other calls went on"


def forced_branch(lab):
  for tactic in ("trap", "clone"):
    with Experiment(lab, f"gilk_subject_sign+0x0:post:{tactic} {{ take }}"):
      same(call(lab, SIGN, 5).values, {-1: CALLS}, f"taken by {tactic}")
    with Experiment(lab, f"gilk_subject_sign+0x0:post:{tactic} {{ if ((int) %rdi == -5) pass }}"):
      same(call(lab, SIGN, -5).values, {1: CALLS}, f"passed by {tactic}")
      same(call(lab, SIGN, -6).values, {-1: CALLS}, f"another value by {tactic}")
  return "taken and passed"


def registers(lab):
  with Experiment(lab, f"{ENTRY} {{ %rdi = 40; %rsi += 1 }}"):
    same(call(lab, ADD, 5).values, {44: CALLS}, "arguments")
  with Experiment(lab, "gilk_subject_add:return { if (%rax == 8) %rax = 123 }"):
    same(call(lab, ADD, 5).values, {123: CALLS}, "the value returned")
    same(call(lab, ADD, 6).values, {9: CALLS}, "another value returned")
  return "arguments and the value returned"


def variables(lab):
  with Experiment(lab, "gilk_subject_level:entry { *(s32 *) (variable(gilk_subject_state) + 4) = 22 }"):
    same(call(lab, LEVEL, 0).values, {22: CALLS}, "a variable by its name")
  with Experiment(lab, "gilk_subject_level:entry { *(s32 *) (%rdi + 4) += 1 }"):
    same(call(lab, LEVEL, 0, 40).values, {22 + n: 1 for n in range(1, 41)}, "a member that goes up")
  same(call(lab, LEVEL, 0).values, {62: CALLS}, "behind the end: what was written stays")
  return "by address and by name"


def what_cannot_be_written(lab):
  for what in ("variable(gilk_subject_constant)", "0", "0x1000", "0xffffffff00000000", "variable(vfs_write_none)"):
    if "none" in what:
      continue
    with Experiment(lab, f"{ENTRY} {{ *(u32 *) {what} = 7 }}") as experiment:
      same(call(lab, ADD, 5).values, {8: CALLS}, f"a store to {what}")
    rows = experiment.run.sql("select value from maps where name = 'bad'")
    same(sum(int(row["value"]) for row in rows if row["value"] is not None), CALLS, f"bad stores to {what}")
  expect("Oops" not in lab.run("dmesg"), "an oops")
  return "each is bad, and none an oops"


# ---- one after the other ----

CAMPAIGN = """
[gilk-plan]
version=2
changes=yes
[program other]
code=count(); nullify((int) 77)
[program same]
code=count(); nullify((int) 8)
[hook other]
function=gilk_subject_add
anchor=entry
where=pre
program=other
[hook same]
function=gilk_subject_add
anchor=entry
where=pre
program=same
"""


def inject(lab):
  """The command succeeds where all calls return 8: with one of the two hooks alone it does not."""
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "faults.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(CAMPAIGN)
    done = subprocess.run([GILK, "inject", "--allow-changes", plan, "--json", "--target", lab.target, "-o", os.path.join(folder, "c.gilk"),
                           "--", Lab.PROGRAM, "exec", lab.name, "-t", "60", "--",
                           f"/tmp/control-change {ADD} 5 {CALLS} | grep -q '^8 {CALLS}'"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
  expect(done.returncode == 0, f"gilk inject failed: {done.stderr}")
  same([(row["hook"], row.get("exit"), row.get("hits"), row["kernel_log"]) for row in json.loads(done.stdout)["outcomes"]],
       [(None, 0, None, ""), ("other", 1, CALLS, ""), ("same", 0, CALLS, "")], "the outcomes")
  lab.wait_clean()
  expect(lab.text_sum() == before, "the kernel's text is not what it was")
  return "of two experiments the one that is seen"


# ---- what is refused ----

def refused_by_name(lab):
  nullify = f"{ENTRY} {{ nullify((int) 0) }}"
  ends = ("--for", "5s")
  refused(lab, nullify, "--allow-changes", *ends)
  refused(lab, nullify, "has no end", "--allow-changes")
  refused(lab, f"{ENTRY} {{ nullify(0) }}", "by a cast", "--allow-changes", *ends)
  refused(lab, f"{ENTRY} {{ replace(gilk_stand_in_other) }}", "ILK_STANDS_IN", "--allow-changes", *ends)
  refused(lab, f"{ENTRY} {{ replace(gilk_stand_in_round) }}", "without end", "--allow-changes", *ends)
  refused(lab, f"{ENTRY} {{ replace(gilk_no_such_function) }}", "gilk_no_such_function", "--allow-changes", *ends)
  refused(lab, "vfs_write:entry { replace(vfs_llseek) }", "has 3 arguments, not 4", "--allow-changes", *ends)
  refused(lab, "vfs_fsync:entry { replace(vfs_truncate) }", "argument 1 of the replacement is", "--allow-changes", *ends)
  refused(lab, "vfs_fsync:entry { nullify(0x100000000) }", "out of range for int", "--allow-changes", *ends)
  refused(lab, "vfs_fsync:entry { nullify() }", "Write nullify(VALUE)", "--allow-changes", *ends)
  refused(lab, f"{ENTRY} {{ take }}", "No conditional branch", "--allow-changes", *ends)
  refused(lab, f"{ENTRY} {{ %rsp = 0 }}", "cannot be set", "--allow-changes", *ends)
  return "12 experiments"


if __name__ == "__main__":
  the_lab = lab_of_arguments()
  prepare(the_lab)
  chosen = os.environ.get("GILK_ONLY", "").split()
  tests = [skipped_for_one_value, skipped_for_one_process, shares, replaced, replaced_with_sleepers_at_its_end,
                 one_call_site, forced_branch, registers, variables, what_cannot_be_written, inject, refused_by_name]
  sys.exit(main([test for test in tests if not chosen or test.__name__ in chosen], the_lab))
