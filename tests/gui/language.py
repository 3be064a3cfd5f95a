# SPDX-License-Identifier: GPL-2.0-or-later
"""
language.py [LAB] - the workbench in another language, $GILK_LANGUAGE; run by run.sh

Goes through all that can be seen, by the names that things have in that language, and takes
pictures of it. A text of the catalogue that is cut off, larger than its place or wrapped in
a button is a failure; fit-module.c finds it. Texts that are data may be cut.
"""
import gettext
import os
import re
import shutil
import sys

import gi
gi.require_version("Atspi", "2.0")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import intervals  # noqa: E402
import panes  # noqa: E402
import suite  # noqa: E402
from page import drag  # noqa: E402
from results import choose, plot_named, row, rows, view  # noqa: E402
from workbench import checked, has, wait  # noqa: E402
from accesses import back_to_window, entry_of, focus_dialog  # noqa: E402

LANGUAGE = os.environ["GILK_LANGUAGE"]
CATALOGUE = gettext.translation("gilk", os.path.join(os.environ["GILK_BUILD"], "po"), [LANGUAGE], fallback=LANGUAGE == "en")
FIT = os.path.join(os.environ["XDG_RUNTIME_DIR"], "fit")


def say(text):
  return CATALOGUE.gettext(text)


def plain(text):
  return say(text).replace("_", "")


def empty(bench):
  bench.label_with(say("Choose a kernel to look into"))
  bench.shot("empty")
  bench.click(bench.named(say("Target"), "toggle button"))
  bench.label_with(say("Target kernel"))
  bench.shot("target")
  bench.key("Escape")
  bench.click(bench.named(say("Menu")))
  bench.shot("menu")
  bench.key("Escape")
  bench.key("ctrl+2")
  bench.shot("schedule-empty")
  bench.key("ctrl+3")
  bench.label_with(say("No session is open"))
  bench.shot("results-empty")
  bench.key("ctrl+2")
  bench.key("ctrl+question")
  bench.named(say("Keys"), "table")
  bench.shot("keys")
  bench.key("Escape")


def session(bench):
  hooks = bench.named(say("Hooks in this run"), "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.shot("results-all")
  bench.click(row(hooks, 1))
  bench.label_with("gilk plot")
  bench.find("figures", lambda n: n.get_name() in (say("Median"), say("Hits")))
  bench.shot("results-hook")
  bench.click(bench.named(say("Export ▾"), "toggle button"))
  bench.shot("results-export")
  bench.key("Escape")


def kinds(bench):
  hooks = bench.named(say("Hooks in this run"), "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named(say("Runs"), "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  plot_named(bench, say("Distribution: %s") % say("time between hits"))
  choose(bench, say("Quantity"), "asleep")
  for kind, title in (("ECDF", "Cumulative distribution: %s"), ("Heat map", "Over time: %s"),
                      ("Spectrum", "Power spectrum: %s"), ("Autocorrelation", "Autocorrelation: %s")):
    view(bench, say(kind))
    plot_named(bench, say(title) % "asleep")
    bench.shot("plot-" + kind.replace(" ", "-").lower())


def effect(bench):
  wait("rows", lambda: rows(bench.named(say("Hooks in this run"), "table")) > 1)
  bench.click(bench.named(say("Runs"), "list box").get_child_at_index(1))
  bench.label_with(say("Compared"))
  bench.shot("effect")


def schedule(bench):
  entry = bench.named(say("A/B interval"), "text")
  bench.enter(entry, "soon")
  bench.key("Return")
  bench.label_with("soon")
  bench.shot("intervals-bad")
  bench.enter(entry, "250ms")
  bench.key("Return")
  wait("the seed", lambda: entry.get_text(0, -1) == "250ms,1")
  bench.shot("intervals")


def watch(bench):
  bench.key("ctrl+shift+w")
  focus_dialog(bench, say("Watch a variable"))
  what = entry_of(bench, say("Variable or instruction"))
  bench.shot("watch-empty")
  bench.enter(what, "jiffies_64:w3")
  bench.label_with("w3")
  bench.shot("watch-bad")
  bench.enter(what, "jiffies_64")
  bench.label_with("gilk run --watchpoint jiffies_64:w")
  bench.shot("watch")
  bench.key("Return")
  back_to_window(bench)
  bench.key("ctrl+1")
  bench.shot("watch-plan")


def writers(bench):
  hooks = bench.named(say("Hooks in this run"), "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  bench.label_with("--accesses")
  bench.find("a block", lambda n: "400" in (n.get_name() or "") and "+0x40" in (n.get_name() or ""))
  bench.shot("accesses")
  bench.click(row(hooks, 2))
  bench.label_with("softnet_data.processed:w,cpu=each")
  bench.shot("writers-nobody")


def narrow(bench):
  """800 by 600: nothing that is to be used is outside."""
  bench.key("ctrl+shift+i")
  panes.resize(bench, 800, 600)
  hooks = bench.named(say("Hooks in this run"), "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named(say("Runs"), "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  plot_named(bench, say("Distribution: %s") % say("time between hits"))
  panes.fits(bench, "Results")
  bench.shot("narrow-results")
  drag(plot_named(bench, say("Distribution: %s") % say("time between hits")), 0.4, 0.6)
  bench.find("what is marked", lambda n: n.get_role_name() == "push button" and (n.get_name() or "").startswith(
      say("All views are limited to %s from %s to %s. Click to clear.").split("%")[0]) and has(n, "SHOWING"))
  panes.fits(bench, "Results, narrowed")
  bench.shot("narrow-marked")
  bench.key("ctrl+2")
  panes.fits(bench, "Schedule")
  bench.shot("narrow-schedule")
  bench.key("ctrl+1")
  bench.label_with(say("Choose a kernel to look into"))
  panes.fits(bench, "Explore")
  bench.shot("narrow-explore")


def beside(bench):
  hooks = bench.named(say("Hooks in this run"), "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  other = shutil.copy(fixtures.studies(), os.path.join(fixtures.folder(), "other.gilk"))
  bench.shot("before-beside")
  bench.key("ctrl+d")
  bench.focus_window(say("Choose a Session to Compare"))
  bench.type(other)
  bench.key("Return")
  bench.find("what it is", lambda n: (n.get_name() or "").startswith("other.gilk,") and has(n, "SHOWING"))
  back_to_window(bench)
  bench.key("ctrl+shift+i")
  panes.resize(bench, 800, 600)
  panes.fits(bench, "Results")
  bench.shot("narrow-beside")


def graph(bench):
  bench.click(bench.named(say("Runs"), "list box").get_child_at_index(1))
  graphs = bench.named(say("Graphs of this run"), "table")
  wait("a graph", lambda: rows(graphs) == 1)
  bench.click(row(graphs, 0))
  bench.shot("recorded-graph")


def live(bench, lab):
  functions = bench.named(say("Functions"), "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  bench.shot("connected")
  bench.type("pipewrit")
  wait("few functions", lambda: 0 < functions.get_child_count() < 200)
  bench.key("Return")
  found = bench.find("graph", lambda n: n.get_name() == say("Control-flow graph") and n.get_child_count() > 20, 60)
  bench.shot("graph")
  points = (found.get_child_at_index(i).get_child_at_index(0) for i in range(1, found.get_child_count()))
  point = next(p for p in points if p.get_name().endswith(say("free")))
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.shot("planned")
  item = bench.find("the instrument", lambda n: n.get_name() == "template" and n.get_role_name() == "menu item")
  item.do_action(0)
  bench.find("its parameter", lambda n: n.get_name() == "every" and n.get_role_name() == "text", 30)
  bench.shot("parameter")
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith(say("live")), 60)
  bench.shot("running")
  bench.key("F5")
  bench.label_with(say("The kernel is restored."), 60)
  bench.shot("stopped")
  bench.key("ctrl+2")
  bench.shot("schedule")
  bench.key("ctrl+3")
  wait("the run", lambda: rows(bench.named(say("Hooks in this run"), "table", 30)) > 1)
  bench.shot("run-results")


def texts():
  """Whole texts of the catalogue, without what is filled in; and those where something is."""
  known = CATALOGUE._catalog.values() if LANGUAGE != "en" else []
  known = {t.replace("_", "", 1) for t in known if t and not t.startswith("Project-Id")} | set(known)
  filled = [re.sub(r"%(?:\d+\\\$)?[-+ 0-9.*]*[a-z]+|%%", ".*", re.escape(t).replace("\\%", "%").replace("%%", "%"))
            for t in known if "%" in t and len(re.sub(r"%[^ ]*", "", t)) > 12]
  return {t for t in known if "%" not in t}, [re.compile(f + r"\Z", re.S) for f in filled]


def check_fit():
  whole, filled = texts()
  bad = 0
  for line in sorted(set(open(FIT, encoding="utf-8").read().splitlines())) if os.path.exists(FIT) else ():
    how, text = line.split("\t", 1)
    if how == "cut" and text not in whole and not any(f.match(text) for f in filled):
      print(f"# data, {how}: {text}", flush=True)
      continue
    bad += 1
    print(f"not ok - {LANGUAGE}: {how}: {text}", flush=True)
  if bad == 0:
    print(f"ok - {LANGUAGE}: all texts fit", flush=True)
  return bad


def register(case, lab):
  if lab is not None:
    case(f"{LANGUAGE}: from connecting to results", lambda b: live(b, lab), "--target", "lab:" + lab)
    case(f"{LANGUAGE}: a run in a narrow window", lambda b: panes.narrow_run(b, lab, say), "--target", "lab:" + lab)
    return
  case(f"{LANGUAGE}: nothing open", empty)
  case(f"{LANGUAGE}: a session", session, fixtures.session)
  case(f"{LANGUAGE}: kinds of plots", kinds, fixtures.studies)
  case(f"{LANGUAGE}: what hooks did", effect, fixtures.switched)
  case(f"{LANGUAGE}: a schedule", schedule, intervals.plan)
  case(f"{LANGUAGE}: a watch", watch)
  case(f"{LANGUAGE}: who wrote a variable", writers, fixtures.watched)
  case(f"{LANGUAGE}: a recorded graph", graph, fixtures.graphed)
  case(f"{LANGUAGE}: a narrow window", narrow, fixtures.studies)
  case(f"{LANGUAGE}: two columns in a narrow window", beside, fixtures.studies)


if __name__ == "__main__":
  os.environ["GILK_FIT"] = FIT
  sys.exit(max(suite.run(register), min(check_fit(), 1)))
