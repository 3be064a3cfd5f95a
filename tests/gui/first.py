# SPDX-License-Identifier: GPL-2.0-or-later
"""first.py - the first start: the example session, the tour by keys, and recent files"""
import os
import shutil
import sys
import tempfile
import time

import fixtures
import suite
from workbench import has, looks, wait, walk

STEPS = 7
REST_S, WAKES = 2, 60                  # the screen's rate would wake it up 120 times
SHOWN = {4: "Control-flow graph", 7: "Histogram"}


def count_wakes(bench):
  """How often the main thread went to sleep within REST_S seconds."""
  def sleeps():
    with open(f"/proc/{bench.process.pid}/status", encoding="ascii") as file:
      return next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches:"))

  before = sleeps()
  time.sleep(REST_S)
  return sleeps() - before


def with_animations():
  """Has the next program animate, which the others here do not. Returns a word for it, of no effect."""
  folder = tempfile.mkdtemp(dir=fixtures.folder())
  os.makedirs(os.path.join(folder, "gtk-3.0"))
  with open(os.path.join(folder, "gtk-3.0", "settings.ini"), "w", encoding="ascii") as file:
    file.write("[Settings]\ngtk-enable-animations=1\ngtk-cursor-blink=0\n")
  os.environ["GILK_STILL_CONFIG"] = os.environ["XDG_CONFIG_HOME"]
  os.environ["XDG_CONFIG_HOME"] = folder
  return "--"


def rests(bench):
  """Nothing of a window that waits for its user is drawn anew, nor asked for its style, again and again."""
  bench.named("Take the tour", "push button")
  wait("the first page to rest", lambda: count_wakes(bench) < WAKES)
  bench.click(bench.named("Open the example session", "push button"))
  bench.label_with("the same writer on a busy machine")
  for key in ("ctrl+3", "ctrl+2", "ctrl+1"):
    bench.key(key)
    wait(f"the page of {key} to rest", lambda: count_wakes(bench) < WAKES)


def example(bench):
  bench.shot("first-page")
  bench.click(bench.named("Open the example session", "push button"))
  bench.label_with("the same writer on a busy machine")
  bench.shot("example")


def tour_name(bench, step):
  return bench.find(f"step {step} of the tour",
                    lambda n: n.get_name().startswith(f"Tour, {step} of {STEPS}") and has(n, "SHOWING"))


def tour_by_keys(bench):
  bench.click(bench.named("Take the tour", "push button"))
  for step in range(1, STEPS + 1):
    tour_name(bench, step)
    if step in SHOWN:
      bench.find(SHOWN[step], lambda n, what=SHOWN[step]: (n.get_name() or "").startswith(what) and has(n, "SHOWING"))
    bench.shot(f"tour-{step}")
    if step == 3:
      bench.key("Left")
      tour_name(bench, 2)
      bench.key("Right")
      tour_name(bench, 3)
    bench.key("Right" if step % 2 else "Return")
  wait("the tour to end", lambda: not any((n.get_name() or "").startswith("Tour,") and has(n, "SHOWING") for n in walk(bench.app)))


@looks
def rows(bench, text):
  return [n for n in walk(bench.app) if (n.get_name() or "").startswith(text) and has(n, "SHOWING")]


def recent(bench, path):
  """A session that was opened is in the menu and on the first page; once it is gone that is told, and it can be taken out."""
  name = os.path.basename(path)
  bench.named("Hooks in this run", "table")
  bench.key("ctrl+1")
  bench.named(f"{name} – {os.path.dirname(path)}", "push button")
  os.unlink(path)
  bench.click(bench.named("Menu"))
  bench.click(bench.find("Open Recent", lambda n: n.get_name() == "Open Recent" and has(n, "SHOWING")))
  wait("it in the menu and on the page", lambda: len(rows(bench, f"{name} – missing")) == 2)
  bench.shot("recent")
  bench.key("Escape")
  wait("the menu to go", lambda: len(rows(bench, f"{name} – missing")) == 1)
  bench.click(bench.named(f"{name} – missing, remove from list", "push button"))
  bench.label_with(f"{name} no longer exists")
  wait("it to be out of the list", lambda: not rows(bench, f"{name} –"))


def copied():
  return shutil.copy(fixtures.session(), os.path.join(fixtures.folder(), "kept.gilk"))


def register(case, lab):
  if lab is not None:
    return
  case("the example session", example)
  case("a window that waits rests", rests, with_animations)
  os.environ["XDG_CONFIG_HOME"] = os.environ.pop("GILK_STILL_CONFIG", os.environ["XDG_CONFIG_HOME"])
  case("the tour, by keys", tour_by_keys)
  path = os.path.join(fixtures.folder(), "kept.gilk")
  case("recent files", lambda bench: recent(bench, path), copied)


if __name__ == "__main__":
  sys.exit(suite.run(register))
