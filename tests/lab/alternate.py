#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
alternate LAB - one plan is recorded in turn behind two commands, and compared

Each side's command starts work in the lab, one of them beside a busy loop. A command that fails, and Ctrl-C, end it with what
was recorded so far kept.
"""
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PATIENCE, PIPE_READ, PIPE_WRITE, ROOT, expect, lab_of_arguments, main, wait_for

LOAD = "while :; do dd if=/dev/zero bs=100 count=200 2>/dev/null | cat >/dev/null; done"
LOOP = "while :; do :; done"


def command_of(lab, *works):
  """Ends what the side before started, and starts @works."""
  script = "; ".join(f"( {work} ) & echo $! >>/tmp/alternate.pids" for work in works)
  text = f"kill $(cat /tmp/alternate.pids 2>/dev/null) 2>/dev/null; rm -f /tmp/alternate.pids; {script} true" if works else "true"
  text = text.replace("pids true", "pids; true")
  return f"{os.path.join(ROOT, 'lab', 'lab')} exec {lab.name} -- {shlex.quote(text)}"


def clean(lab):
  lab.run("kill $(cat /tmp/alternate.pids 2>/dev/null) 2>/dev/null; rm -f /tmp/alternate.pids; true")


def started(lab, session, a, b, *options):
  return subprocess.Popen([GILK, "run", "--target", lab.target, "--hook", f"{PIPE_WRITE}:entry:stamp", "--hook", f"{PIPE_READ}:entry:count",
                           "--for", "1s", "-o", session, "--alternate", a, "--alternate", b, *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def runs_of(session):
  """(title, how it ended) of each; none before the session has its tables."""
  if not os.path.exists(session):
    return []
  with sqlite3.connect(f"file:{session}?mode=ro", uri=True) as db:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'run'").fetchall():
      return []
    return db.execute("SELECT title, end_reason FROM run ORDER BY id").fetchall()


def sides_are_balanced(lab):
  """Runs are there, titled by side and command; the report compares them."""
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "sides.gilk")
    a, b = command_of(lab, LOAD), command_of(lab, LOAD, LOOP)
    try:
      done = started(lab, session, a, b, "--rounds", "2", "--json")
      out, err = done.communicate(timeout=200 * PATIENCE)
    finally:
      clean(lab)
    expect(done.returncode == 0, f"exit {done.returncode}: {err[-400:]}")
    document = json.loads(out)
    listed = lab.gilk("runs", session)["runs"]
  sides = [run["side"] for run in document["runs"]]
  expect(sorted(sides) == ["A", "A", "B", "B"], f"sides {sides}")
  expect(sides[0] != sides[1] and sides[2] != sides[3], f"a round has not one run of each side: {sides}")
  titles = [run["title"] for run in sorted(listed, key=lambda run: run["number"])]
  expect(titles == [f"{side}: {a if side == 'A' else b}" for side in sides], f"titles {titles}")
  compared = document["compared"]
  expect(len(compared) == 1, f"{len(compared)} hooks compared, of one that takes samples")
  expect("not_compared" not in compared[0], f"{compared[0]}")
  return f"runs of {''.join(sides)}, {len(compared)} hook compared"


def empty_side_is_reported(lab):
  """What is compared of other hooks is not lost with it, and the runs of each side are named."""
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "quiet.gilk")
    done = subprocess.run([GILK, "run", "--target", lab.target, "--hook", "__x64_sys_swapoff:entry:stamp", "--for", "1s", "-o", session,
                           "--rounds", "1", "--alternate", "true", "--alternate", "true"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=200 * PATIENCE, check=False)
  expect(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-400:]}")
  expect(re.search(r"__x64_sys_swapoff-entry-pre is not compared\. ", done.stdout), f"not said: {done.stdout[-400:]}")
  expect(re.search(r"Runs [12] are of side A, runs [12] of side B", done.stderr), f"sides not named: {done.stderr[-400:]}")
  return "said, with the runs of each side"


def failing_command_ends_it(lab):
  """The first round's runs are there, at most; what the failing command would have measured is not."""
  with tempfile.TemporaryDirectory() as folder:
    session, count = os.path.join(folder, "fails.gilk"), os.path.join(folder, "count")
    b = f"echo >>{count}; test $(wc -l <{count}) -lt 2"
    done = started(lab, session, "true", b, "--rounds", "3")
    err = done.communicate(timeout=200 * PATIENCE)[1]
    runs = runs_of(session)
  titles = [run[0] for run in runs]
  expect(done.returncode == 1, f"exit {done.returncode}: {err[-400:]}")
  expect("The command of side B failed" in err, f"it does not say which: {err[-400:]}")
  expect(titles.count(f"B: {b}") == 1 and 1 <= titles.count("A: true") <= 2, f"kept {titles}")
  expect(re.search(r"Runs [\d,]+ are of side A, runs [\d,]+ of side B", err), f"sides not named: {err[-400:]}")
  return f"{len(runs)} runs kept"


def interrupt_ends_it(lab):
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "ended.gilk")
    done = started(lab, session, "true", "true", "--rounds", "50")
    wait_for("a second run", lambda: len(runs_of(session)) >= 2, 60)
    done.send_signal(signal.SIGINT)
    err = done.communicate(timeout=100 * PATIENCE)[1]
    runs = runs_of(session)
  expect(done.returncode == 130, f"exit {done.returncode}: {err[-400:]}")
  expect(2 <= len(runs) < 100 and all(run[1] for run in runs), f"runs {runs}")
  lab.wait_clean()
  return f"{len(runs)} runs kept, no hook left"


if __name__ == "__main__":
  sys.exit(main([sides_are_balanced, empty_side_is_reported, failing_command_ends_it, interrupt_ends_it], lab_of_arguments()))
