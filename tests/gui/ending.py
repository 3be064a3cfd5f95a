# SPDX-License-Identifier: GPL-2.0-or-later
"""
ending.py [LAB] - a button that is disabled says why; what a run has recorded is asked about and offered; dialogs of files
"""
import os
import shutil
import sqlite3
import sys

import fixtures
import suite
from hooking import connect_find, plan_with, set_length
from workbench import Missing, box_of, has, looks, wait, walk, work


@looks
def showing(bench, text, role="label"):
  return next((n for n in walk(bench.app) if n.get_role_name() == role and text in (n.get_name() or "") and has(n, "SHOWING")),
              None)


def shows_reason(bench):
  """The reason why Run is disabled is on the line of the button, or in a narrow window in the status bar."""
  button = bench.named("Run", "push button")
  assert not has(button, "SENSITIVE"), "Run can be pressed without a target"
  why = wait("the reason", lambda: showing(bench, "Choose a target first."))
  there, run = box_of(why), box_of(button)
  if there[0] + there[2] > run[0] or abs(there[1] + there[3] // 2 - run[1] - run[3] // 2) > run[3]:
    raise Missing(f"a reason beside the button: it is at {there}, the button at {run}")
  bench.shot("run-says-why")


def cut_off_session():
  folder = os.path.join(os.environ["XDG_DATA_HOME"], "gilk", "sessions")
  os.makedirs(folder, exist_ok=True)
  path = shutil.copy(fixtures.session(), os.path.join(folder, "2026-01-02-030405.gilk"))
  db = sqlite3.connect(path)
  db.execute("UPDATE run SET end_reason = NULL, duration_ns = NULL WHERE id = (SELECT max(id) FROM run)")
  db.commit()
  db.close()
  return path


def offered(bench):
  """A session whose recording was cut off is offered at the next start, and opens."""
  bench.label_with("The recording of 2026-01-02-030405.gilk")
  bench.shot("cut-off")
  bench.click(bench.named("Show results", "push button"))
  hooks = bench.named("Hooks in this run", "table")
  wait("its hooks", lambda: hooks.get_child_count() > 1)


@looks
def dialog_folder(bench, name):
  """The folder of the dialog of files that is open, as its row of folders has it."""
  return next((n for n in walk(bench.app, 200) if n.get_name() == name and n.get_role_name() == "toggle button" and
               has(n, "SHOWING") and has(n, "CHECKED")), None)


def open_where_sessions_are(bench):
  bench.key("ctrl+o")
  wait("the folder of sessions", lambda: dialog_folder(bench, "sessions"))
  bench.find("a session in it", lambda n: n.get_role_name() == "table cell" and n.get_name() == "2026-01-02-030405.gilk")
  bench.shot("open-dialog")
  bench.focus_window("Open a session or a plan")
  bench.key("Escape")
  wait("the dialog to go", lambda: dialog_folder(bench, "sessions") is None)


def asked_in_mid_run(bench, lab):
  """Closing while a run is recorded asks; the run goes on unless it is to be stopped."""
  connect_find(bench)
  set_length(bench, "10m")
  plan_with(bench, "count")
  work(lab)
  bench.key("F5")
  bench.find("a run", lambda n: n.get_name() == "Stop" and n.get_role_name() == "push button", 60)
  bench.key("ctrl+w")
  bench.label_with("A run is being recorded.")
  bench.shot("close-asks")
  bench.named("Keep Running", "push button").do_action(0)
  wait("the question to go", lambda: showing(bench, "A run is being recorded.") is None)
  bench.named("Stop", "push button")
  bench.key("ctrl+w")
  bench.named("Stop and Close", "push button").do_action(0)
  wait("the window to go", lambda: not bench.alive(), 60)
  raise_unless_clean(bench)
  again = type(bench)(keep=True)
  bench.process = again.process


def raise_unless_clean(bench):
  if bench.process.returncode != 0:
    raise Missing(f"a good end: code {bench.process.returncode}")


def register(case, lab):
  if lab is not None:
    case("closing in mid-run asks", lambda bench: asked_in_mid_run(bench, lab), "--target", "lab:" + lab)
    return
  case("a disabled Run says why", shows_reason)
  cut_off_session()
  case("a recording that was cut off is offered", offered)
  case("files are opened where sessions are", open_where_sessions_are)
  shutil.rmtree(os.path.join(os.environ["XDG_DATA_HOME"], "gilk", "sessions"))


if __name__ == "__main__":
  sys.exit(suite.run(register))
