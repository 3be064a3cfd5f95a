# SPDX-License-Identifier: GPL-2.0-or-later
"""
suite.py - cases are run one after the other, each on a fresh workbench

A module of cases has register(case, lab), which hands its cases to CASE in the order in which they are to run: those
for the kernel of LAB, or, where that is None, those that need no kernel. By itself (GILK_DRIVE=canvas.py) it runs no
others. GILK_CASES chooses by a regular expression, which a part of a case's name has to match.
"""
import os
import re
import subprocess
import sys

from gi.repository import GLib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from workbench import Missing, Workbench  # noqa: E402

HEALTH = os.environ.get("GILK_HEALTH")
CHOSEN = re.compile(os.environ.get("GILK_CASES", ""))
failed = 0
chosen = 0


def print_health(name):
  """Who reads what the watchdog kept learns in which case it was."""
  if HEALTH:
    with open(HEALTH, "a", encoding="utf-8") as out:
      out.write(f"case {name}\n")


def case(name, func, *words):
  """Runs @func on a workbench started with @words, of which a function is called for its word; it must not die and must end when told to."""
  global failed, chosen
  if not CHOSEN.search(name):
    return
  chosen += 1
  bench = None
  print_health(name)
  try:
    bench = Workbench(*(word() if callable(word) else word for word in words))
    func(bench)
    if not bench.alive():
      raise Missing("the program is gone")
    code = bench.close()
    if code != 0:
      raise Missing(f"it ended with code {code}")
    print(f"ok - {name}", flush=True)
  except Exception as error:  # pylint: disable=broad-except
    failed += 1
    known = isinstance(error, (Missing, AssertionError, GLib.Error, subprocess.CalledProcessError))
    alive = bench is not None and bench.alive()
    # In the same line, as a check may print the lines of failures alone.
    seen = f"; on the screen: {bench.describe_screen()}" if alive else ""
    print(f"not ok - {name}: {error if known else repr(error)}{seen}", flush=True)
    if alive:
      bench.shot("failed-" + re.sub(r"\W+", "-", name))
      bench.process.kill()
      bench.process.wait()


def run(*registers):
  """The cases of all of @registers; returns the exit code."""
  lab = sys.argv[1] if len(sys.argv) > 1 else None
  for register in registers:
    register(case, lab)
  if not chosen:
    print(f"not ok - no case's name has {CHOSEN.pattern!r}", flush=True)
  return 1 if failed or not chosen else 0
