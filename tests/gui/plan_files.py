# SPDX-License-Identifier: GPL-2.0-or-later
"""
plan_files.py - a plan and the file of its name: what was changed is told, saved, taken back, and not lost unasked
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from schedule import PLAN, Lanes  # noqa: E402
from workbench import Missing, has, wait  # noqa: E402

COMMENT = "# Written by hand.\n\n"
CHANGED, SAVED = ": changed since it was saved", ": no unsaved changes"


def name_says(bench, path, state):
  return bench.named(path + state, "toggle button")


def files(bench):
  path = os.path.join(fixtures.folder(), "named.plan")
  name_says(bench, path, SAVED)
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  wait("the keyboard in the schedule", lambda: has(lanes.node, "FOCUSED"))
  bench.key("Home", "Down", "Delete")
  wait("one hook less", lambda: lanes.table.get_n_rows() == 2)
  name_says(bench, path, CHANGED)
  bench.shot("plan-changed")
  bench.key("ctrl+1")
  bench.label_with("Plan · 2 hooks")
  name_says(bench, path, CHANGED)
  bench.look("plan-changed-explore")
  bench.key("ctrl+z")                                  # it is as the file has it
  name_says(bench, path, SAVED)
  bench.key("ctrl+shift+z")
  name_says(bench, path, CHANGED)
  bench.key("ctrl+s")
  name_says(bench, path, SAVED)
  with open(path, encoding="utf-8") as file:
    saved = file.read()
  if "[hook first]" in saved or not saved.startswith(COMMENT):
    raise Missing(f"the plan in its file as it was saved, with its comment, not:\n{saved}")


def asked(bench):
  """Another plan takes the place of one that was changed only if one says so; Undo brings that back."""
  other = fixtures.written("other.plan", PLAN.split("[hook second]")[0])
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  bench.key("Home", "Down", "Delete")
  wait("one hook less", lambda: lanes.table.get_n_rows() == 2)
  open_by_dialog(bench, other)
  bench.label_with("The plan has changed since it was saved as asked.plan.")
  bench.shot("plan-asked")
  answer(bench, "Cancel")
  wait("the plan as it was", lambda: lanes.table.get_n_rows() == 2)
  open_by_dialog(bench, other)
  answer(bench, "Open Without Saving")
  wait("the other plan", lambda: lanes.table.get_n_rows() == 1)
  bench.focus_main()
  bench.key("ctrl+z")
  wait("the plan of before", lambda: lanes.table.get_n_rows() == 2)


def answer(bench, word):
  """Of the question in view: the dialog of files, which is hidden by then, has such buttons, too."""
  bench.find(f'"{word}"', lambda n: n.get_name() == word and n.get_role_name() == "push button" and
             has(n, "SHOWING")).do_action(0)


def open_by_dialog(bench, path):
  bench.focus_main()
  bench.key("ctrl+o")
  bench.focus_window("Open a session or a plan")
  bench.type(path)
  wait("the path", lambda: bench.focused_entry() and bench.focused_entry().get_text(0, -1) == path)
  bench.click(bench.find("Open", lambda n: n.get_name() == "Open" and n.get_role_name() == "push button" and has(n, "SHOWING")))


def register(case, lab):
  if lab is not None:
    return
  case("a plan and its file", files, lambda: fixtures.written("named.plan", COMMENT + PLAN))
  case("another plan is opened", asked, lambda: fixtures.written("asked.plan", PLAN))


if __name__ == "__main__":
  sys.exit(suite.run(register))
