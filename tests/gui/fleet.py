# SPDX-License-Identifier: GPL-2.0-or-later
"""fleet.py - one plan on several targets: the window's table, by the keyboard; with a lab one that can be had and one that cannot"""
import os
import shlex
import sys

import fixtures
import suite
from workbench import Atspi, has, wait, walk

PLAN = """[gilk-plan]
version=2
[hook reads]
function=vfs_read
anchor=entry
where=pre
instrument=count
[hook nowhere]
function=no_such_function
anchor=entry
where=pre
instrument=count
"""
NOWHERE = "unix:/nowhere/at/all"


def plan():
  return fixtures.written("fleet.plan", PLAN)


def open_fleet(bench, targets):
  """By the menu; the entry has the focus then. Returns the window's number."""
  bench.click(bench.named("Menu"))
  bench.click(bench.find("the item", lambda n: (n.get_name() or "").startswith("Run on Several Targets") and has(n, "SHOWING")))
  bench.focus_window("Run on Several Targets")
  wait("focus in the entry", bench.focused_entry)
  for target in targets:
    bench.type(target)
    bench.key("Return")
  bench.label_with("The plan has 2 hooks")
  for target in targets:
    cell(bench, target)


def cell(bench, text, seconds=15):
  return bench.find(f'"{text}" in a table', lambda n: n.get_role_name() == "table cell" and (n.get_name() or "") == text, seconds)


def no_agent_available(bench):
  """Nothing begins, and why is said of each."""
  open_fleet(bench, [NOWHERE, NOWHERE + "/2"])
  bench.click(button(bench, "Copy as Command"))
  command = bench.find("the command", lambda n: n.get_name() == "Copied command" and has(n, "SHOWING"))
  words = shlex.split(Atspi.Text.get_text(command, 0, -1).replace("\\\n", " "))
  assert words[:6] == ["gilk", "run", "--target", NOWHERE, "--target", NOWHERE + "/2"] and os.path.exists(words[-1]), words
  bench.click(run_button(bench))
  bench.label_with(f"{NOWHERE}/2: ")
  wait("both to have failed", lambda: sum(n.get_role_name() == "table cell" and n.get_name() == "failed" for n in walk(bench.app)) == 2)
  bench.shot("fleet-none")
  bench.key("Escape")
  bench.focus_window("Gilk Workbench.*")


def button(bench, name):
  return bench.find(f"the window's {name}", lambda n: n.get_role_name() == "push button" and n.get_name() == name and
                    has(n, "SENSITIVE") and has(n, "SHOWING"))


def run_button(bench):
  return button(bench, "Run")


def one_of_two(bench, lab):
  """The lab records without the hook that it has not; the other's failure is shown, and its row can be removed."""
  open_fleet(bench, [NOWHERE, "lab:" + lab])
  bench.click(bench.find("partial", lambda n: (n.get_name() or "").startswith("Start on the available") and n.get_role_name() == "check box"))
  bench.click(run_button(bench))
  cell(bench, "recording", 60)
  bench.shot("fleet-recording")
  bench.click(bench.find("Stop", lambda n: n.get_role_name() == "push button" and n.get_name() == "Stop" and has(n, "SHOWING")))
  cell(bench, "done", 60)
  bench.label_with(f"lab:{lab} refuses no_such_function@entry:pre")
  cell(bench, "refused")
  assert not has(bench.find("Side by Side", lambda n: n.get_name() == "Side by Side"), "SENSITIVE"), "one session beside itself"
  bench.shot("fleet-done")
  bench.click(cell(bench, NOWHERE))
  bench.key("Delete")
  wait("the row to go", lambda: not any(n.get_role_name() == "table cell" and n.get_name() == NOWHERE for n in walk(bench.app)))
  bench.click(bench.find("Open Results", lambda n: n.get_name() == "Open Results" and has(n, "SENSITIVE")))
  bench.named("Hooks in this run", "table")
  bench.focus_window("Gilk Workbench.*")


def ends_by_itself(bench, lab):
  """A condition of the plan ends the run of each target for itself, and its row says which it was."""
  open_fleet(bench, ["lab:" + lab, NOWHERE])
  bench.click(bench.find("partial", lambda n: (n.get_name() or "").startswith("Start on the available") and n.get_role_name() == "check box"))
  bench.click(run_button(bench))
  bench.find("why it ended", lambda n: n.get_role_name() == "table cell" and
             (n.get_name() or "").startswith("done: condition met: hits reads >= 1"), 60)
  bench.shot("fleet-until")
  bench.key("Escape")
  bench.focus_window("Gilk Workbench.*")


def register(case, lab):
  if lab is None:
    case("several targets, none to be had", no_agent_available, plan)
  else:
    case("several targets, one of two", lambda bench: one_of_two(bench, lab), plan)
    case("several targets, each to its own end", lambda bench: ends_by_itself(bench, lab),
         fixtures.written("fleet-until.plan", PLAN.replace("version=2", "version=2\nuntil=hits reads >= 1")))


if __name__ == "__main__":
  sys.exit(suite.run(register))
