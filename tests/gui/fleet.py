# SPDX-License-Identifier: GPL-2.0-or-later
"""fleet.py - one plan on several targets: the window's table, by the keyboard; with a lab one that can be had and one that cannot"""
import sys

import fixtures
import suite
from workbench import has, wait, walk

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


def none_can_be_had(bench):
  """Nothing begins, and why is said of each."""
  open_fleet(bench, [NOWHERE, NOWHERE + "/2"])
  bench.click(run_button(bench))
  bench.label_with(f"{NOWHERE}/2: ")
  wait("both to have failed", lambda: sum(n.get_role_name() == "table cell" and n.get_name() == "failed" for n in walk(bench.app)) == 2)
  bench.shot("fleet-none")
  bench.key("Escape")
  bench.focus_window("Gilk Workbench.*")


def run_button(bench):
  return bench.find("the window's Run", lambda n: n.get_role_name() == "push button" and n.get_name() == "Run" and
                    has(n, "SENSITIVE") and has(n, "SHOWING"))


def one_of_two(bench, lab):
  """The lab records without the hook that it has not; the other is told."""
  open_fleet(bench, ["lab:" + lab, NOWHERE])
  bench.click(bench.find("partial", lambda n: (n.get_name() or "").startswith("Begin on those") and n.get_role_name() == "check box"))
  bench.click(run_button(bench))
  cell(bench, "recording", 60)
  bench.shot("fleet-recording")
  bench.click(bench.find("Stop", lambda n: n.get_role_name() == "push button" and n.get_name() == "Stop" and has(n, "SHOWING")))
  cell(bench, "done", 60)
  bench.label_with(f"lab:{lab} refuses no_such_function@entry:pre")
  cell(bench, "refused")
  bench.shot("fleet-done")
  bench.click(bench.find("Open Results", lambda n: n.get_name() == "Open Results" and has(n, "SENSITIVE")))
  bench.named("Hooks in this run", "table")
  bench.focus_window("Gilk Workbench.*")


def register(case, lab):
  if lab is None:
    case("several targets, none to be had", none_can_be_had, plan)
  else:
    case("several targets, one of two", lambda bench: one_of_two(bench, lab), plan)


if __name__ == "__main__":
  sys.exit(suite.run(register))
