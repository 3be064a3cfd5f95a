# SPDX-License-Identifier: GPL-2.0-or-later
"""odd_names.py - names of 4,096 characters, from right to left and with control characters; runs that took nothing"""
import os
import shutil
import sqlite3
import sys

import fixtures
import panes
import suite
from results import row, rows
from workbench import has, wait, walk

# Hebrew, and the characters that turn a line round; a bell; what ends a line in the middle of a name.
STRANGE = "\u05e9\u05dc\u05d5\u05dd\u202eevil\u202c\u0007\u200b"
LONG = ("long_" + STRANGE + "_").ljust(4096, "x")
LETTERS = LONG.replace("\u0007", "")

PLAN = f"""[gilk-plan]
version=2
title={LETTERS}

[hook {"l" * 128}]
function={LETTERS}
block=+0x0
where=pre
instrument=count

[hook short]
function=vfs_read
block=+0x0
where=pre
instrument=i{"n" * 30}
"""


def plan():
  return fixtures.written("strange.plan", PLAN)


def no_plan():
  return fixtures.written("no.plan", f"[gilk-plan]\nversion=2\n\n[hook {LONG}]\nfunction=vfs_read\n")


def fits(bench, what):
  """The window is no larger than the screen, and the long name pushed nothing out of it."""
  panes.fits(bench, what, 1024, 700)
  bench.shot("strange-" + what.replace(" ", "-"))


def names_in_a_plan(bench):
  """They are drawn in one line, cut, and whole for who points at them."""
  bench.named("Find a hook", "text")
  fits(bench, "schedule")
  bench.key("ctrl+1")
  bench.label_with("Plan · 2 hooks")
  fits(bench, "plan")


def refused_name(bench):
  bench.label_with("Invalid group name")
  bench.label_with("Correct that line")
  fits(bench, "refused plan")


def session_of_long_names():
  path = os.path.join(fixtures.folder(), "\u202e\u05e9\u05dc\u05d5\u05dd\u0007".ljust(100, "n") + ".gilk")
  shutil.copy(fixtures.graphed(), path)
  with sqlite3.connect(path) as db:
    db.execute("UPDATE run SET title = ?1, target = ?1, hostname = ?1, release = ?1", (LONG,))
    db.execute("UPDATE hook SET label = ?1 || id, function = ?1, module = ?1, block = ?1", (LONG,))
    db.execute("UPDATE function SET name = ?1, module = ?1", (LONG,))
    db.execute("UPDATE field SET name = ?1, unit = ?1 WHERE position = 0", (LONG,))
  db.close()
  return path


def names_in_a_session(bench):
  hooks = bench.named("Hooks in this run", "table")
  runs = bench.named("Runs", "list box")
  bench.click(runs.get_child_at_index(runs.get_child_count() - 1))
  wait("hooks", lambda: rows(hooks) >= 1)
  fits(bench, "session")
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("hooks", lambda: rows(hooks) >= 3)
  bench.click(row(hooks, 1))
  bench.label_with("gilk plot")
  fits(bench, "session plot")
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.graph()
  fits(bench, "session graph")


def name_of_a_target(bench):
  """It cannot be reached; that is said, and the way back is in reach."""
  bench.label_with("longer than the limit of 107 bytes", 20)
  fits(bench, "target")
  bench.label_with("Choose a kernel to look into")


def without_samples():
  """A run whose hooks were never hit."""
  path = shutil.copy(fixtures.session(), os.path.join(fixtures.folder(), "silent.gilk"))
  with sqlite3.connect(path) as db:
    for table in ("chunk_tiles", "chunk_groups", "chunk_column", "chunk", "loss", "gap", "count_point"):
      db.execute(f"DELETE FROM {table}")
    db.execute("UPDATE counts SET hits = 0, stored = 0, lost = 0, missed = 0")
  db.close()
  return path


def no_samples(bench):
  hooks = bench.named("Hooks in this run", "table")
  wait("hooks", lambda: rows(hooks) >= 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("hooks", lambda: rows(hooks) >= 3)
  bench.shot("silent-all")
  bench.click(row(hooks, 1))
  bench.shot("silent")
  wait("why there is no plot", lambda: any("No samples: " in (n.get_description() or "") for n in walk(bench.app)
                                           if n.get_role_name() == "drawing area" and has(n, "SHOWING")))


def register(case, lab):
  if lab is not None:
    return
  case("long names in a plan", names_in_a_plan, plan)
  case("a long name that no plan may have", refused_name, no_plan)
  case("long names in a session", names_in_a_session, session_of_long_names)
  case("a long name of a target", name_of_a_target, "--target", "unix:/" + "t" * 4080)
  case("a run that took no sample", no_samples, without_samples)


if __name__ == "__main__":
  sys.exit(suite.run(register))
