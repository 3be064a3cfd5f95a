# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkchanges - experiments in a storm: harmless ones, on functions of the test modules alone

Processes call the functions of tests/kmod/subject.c all the time, and now and then sleep in what takes their place
(tests/kmod/stand-in.c). What is returned is nobody's: that no report is made and text is as before is.
"""
import os

from gilklab import BUILD

SUBJECT = "gilk_subject:gilk_subject_"
PLACES = {
  "add": ("anchor=entry", "where=pre"),
  "level": ("anchor=entry", "where=pre"),
  "twice": ("anchor=call:gilk_subject_add", "where=pre"),
  "sign": ("anchor=entry", "where=post"),
}
PROGRAMS = {
  "add": ["count(); if (every(3)) nullify((int) 7)", "if (chance(50)) replace(gilk_stand_in_add)",
          "replace(gilk_stand_in_add)", "%rdi = 1; %rsi += 2; count()", "if (pid & 1) nullify((int) *(s32 *) %rsp)"],
  "level": ["*(s32 *) (%rdi + 4) += 1; count()", "if (every(2)) *(u32 *) variable(gilk_subject_constant) = 1",
            "*(u64 *) %rsp = *(u64 *) %rsp"],
  "twice": ["replace(gilk_stand_in_add)", "if (every(2)) nullify((int) 5); else if (every(2)) replace(gilk_stand_in_add)"],
  "sign": ["take", "if (every(2)) pass; count()", "if (chance(30)) take; else if (chance(30)) pass"],
}
# On these tactics of each the planner is forced; a conditional branch of a few bytes has no room for a splice.
TACTICS = ["auto", "auto", "trap", "clone"]

LOOP = """
i=0
while [ ! -e /tmp/calm ]; do
  i=$((i + 1))
  echo $((i % 4 == 0)) > /sys/module/gilk_stand_in/parameters/closed
  for kind in 0 1 2 3; do timeout 5 /tmp/control-change $kind $i 40 200 > /dev/null 2>&1 & done
  sleep 1
done
echo 0 > /sys/module/gilk_stand_in/parameters/closed
wait
"""


def begin(lab):
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "control-change"), "/tmp/control-change")
  lab.run("rm -f /tmp/calm; for module in subject stand_in; do "
          "test -d /sys/module/gilk_$module || insmod /lib/modules/$(uname -r)/extra/gilk_$module.ko; done")
  lab.background(f"sh -c '{LOOP}'")


def end(lab):
  lab.run("touch /tmp/calm; echo 0 > /sys/module/gilk_stand_in/parameters/closed")


def plan_lines(chance):
  """Lines of a plan: hooks of one kind each, at functions of the subject; and how many hooks there are."""
  lines, count = [], 0
  for name in sorted(PLACES):
    # A clone is of a whole function: its hooks are one tactic's.
    if chance.randrange(4) == 0:
      continue
    code = chance.choice(PROGRAMS[name])
    lines += [f"[program change-{name}]", f"code={code}", f"[hook change-{name}]", f"function={SUBJECT}{name}",
              *PLACES[name], f"program=change-{name}", f"tactic={chance.choice(TACTICS)}"]
    count += 1
  return lines, count
