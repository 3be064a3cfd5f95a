# SPDX-License-Identifier: GPL-2.0-or-later
"""
page.py - several plots on one page: what is marked in one is looked at by all
"""
import functools
import json
import os
import re
import shutil
import sys

import fixtures
import suite
from results import choose, plot_named, row, rows, view
from workbench import box_of, has, looks, tool, wait, walk


def open_first(bench):
  """The hook "asleep" of the first run, and its values."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  choose(bench, "Quantity", "asleep")
  return plot_named(bench, "Distribution: asleep")


def drag(plot, begin, end):
  """Across a plot, from and to shares of its width."""
  x, y, width, height = box_of(plot)
  places = [str(int(x + width * (begin + (end - begin) * i / 4))) for i in range(5)]
  tool("xdotool", "mousemove", places[0], str(y + height // 2), "mousedown", "1")
  for place in places[1:]:
    tool("xdotool", "mousemove", place, str(y + height // 2))
  tool("xdotool", "mouseup", "1")


def chip(bench, what):
  return bench.find(f"what is looked at of {what}", lambda n: re.search(f"are limited to {what} from .* to ", n.get_name() or "")
                    and has(n, "SHOWING"))


def shared(bench):
  """Three plots of one hook; a mark in one narrows the others, zooms and is let go; one alone; another one chosen."""
  plot = open_first(bench)
  series, spectrum = plot_named(bench, "Over time: asleep"), plot_named(bench, "Power spectrum: hits")
  bench.shot("page")
  drag(plot, 0.4, 0.6)
  wait("how much is marked", lambda: re.match("selected .* samples, [0-9.]+ %", plot.get_description() or ""))
  chip(bench, "asleep")
  bench.shot("page-marked")
  drag(series, 0.4, 0.6)
  chip(bench, "times")
  bench.label_with("--from")
  bench.shot("page-both-marked")
  bench.key("Return")
  bench.key("Right")
  wait("a read-out", lambda: re.match(r"\d", series.get_description() or ""))
  bench.key("f")
  wait("one plot alone", lambda: not has(plot, "SHOWING") and not has(spectrum, "SHOWING"))
  bench.key("f")
  wait("all plots", lambda: has(plot, "SHOWING") and has(spectrum, "SHOWING"))
  bench.click(plot)
  bench.key("Escape")
  wait("no values marked", lambda: not re.match("selected", plot.get_description() or ""))
  bench.key("shift+Right", "shift+Right")
  wait("marked by keys", lambda: re.match("selected", plot.get_description() or ""))
  bench.click(bench.named("First plot below"))
  bench.find('"ECDF"', lambda n: n.get_name() == "ECDF" and has(n, "SHOWING")
             and n.get_parent().get_name() != "Kind of plot").do_action(0)
  plot_named(bench, "Cumulative distribution: asleep")
  view(bench, "ECDF")
  plot_named(bench, "Over time: asleep")
  bench.shot("page-chosen")


def of_menu(bench, plot, *items):
  """The way through a small plot's menu."""
  bench.click(bench.named(plot))
  for item in items:
    bench.find(f'"{item}"', lambda n, item=item: n.get_name() == item and has(n, "SHOWING") and "menu" in n.get_role_name()
               or n.get_name() == item and has(n, "SHOWING") and n.get_role_name() in ("push button", "radio button", "check box")
               and n.get_parent().get_name() != "Kind of plot").do_action(0)
  bench.key("Escape")


def asked(bench):
  """A small plot has a field and axes of its own, changes places with the large one, and is the same after the next start."""
  plot = open_first(bench)
  of_menu(bench, "First plot below", "Histogram")
  plot_named(bench, "Distribution: time between hits")
  assert has(plot, "SHOWING"), "the first plot has changed with it"
  of_menu(bench, "Second plot below", "Field", "asleep")
  plot_named(bench, "Power spectrum: asleep")
  of_menu(bench, "Second plot below", "Logarithmic Horizontal Axis")
  bench.shot("page-asked")
  of_menu(bench, "First plot below", "Show Large")
  bench.label_with("--field interval")
  bench.shot("page-large")
  of_menu(bench, "First plot below", "Show Large")
  bench.label_with("--field asleep")


def beside(bench):
  """Another session in a column beside: the same plots on the same axes, compared, marked in both, as a command, and closed."""
  open_first(bench)
  other = shutil.copy(fixtures.studies(), os.path.join(fixtures.folder(), "other.gilk"))
  bench.key("ctrl+d")
  bench.focus_window("Choose a Session to Compare")
  bench.type(other)
  bench.key("Return")
  twin = bench.find("the plot beside", lambda n: n.get_name() == "Distribution: asleep, other.gilk" and has(n, "SHOWING"))
  bench.find("what it is", lambda n: n.get_name() == "other.gilk, run 2" and has(n, "SHOWING"))
  bench.find("what differs", lambda n: n.get_name() == "difference" and has(n, "SHOWING"))
  bench.label_with("--compare asleep")
  bench.shot("beside")
  drag(twin, 0.4, 0.6)
  wait("marked in both", lambda: re.match("selected", plot_named(bench, "Distribution: asleep").get_description() or ""))
  choose(bench, "Run of the other session", "Run 1")
  bench.find("the other run", lambda n: n.get_name() == "other.gilk, run 1" and has(n, "SHOWING"))
  bench.shot("beside-run")
  view(bench, "Heat map")
  bench.find("the heat map beside", lambda n: n.get_name() == "Over time: asleep, other.gilk" and has(n, "SHOWING"))
  bench.shot("beside-heat")
  view(bench, "Hits by value")
  choose(bench, "Quantity", "comm")
  bench.find("the bars beside", lambda n: n.get_name() == "Hits by comm, other.gilk" and has(n, "SHOWING"))
  bench.label_with("--out beside.svg")
  # On one scale: a bar beside is as long as its number says, not as its own plot has room.
  bench.shot("beside-bars")
  bench.click(bench.named("Close the comparison"))
  wait("one column", lambda: not has(twin, "SHOWING"))


def listed(path):
  out = tool(os.path.join(os.environ["GILK_BUILD"], "cli", "gilk"), "note", path, "--run", "1", "--json")
  return [note["text"] for note in json.loads(out)["notes"]]


def picture(path, name):
  out = os.path.join(fixtures.folder(), name)
  tool(os.path.join(os.environ["GILK_BUILD"], "cli", "gilk"), "plot", path, "--run", "1", "--hook", "asleep", "--kind", "series", "--out", out)
  with open(out, encoding="utf-8") as file:
    return file.read()


def shown(bench, text):
  bench.find(f'the note "{text}"', lambda n: re.match(f"Note 1, .*: {text}$", n.get_name() or "") and has(n, "SHOWING"))


@looks
def notes_in_sight(bench):
  return [n for n in walk(bench.frame) if re.match(r"Note \d+, ", n.get_name() or "") and has(n, "SHOWING")]


def noted(bench):
  """A note on what is marked: in the list, in the session, in pictures; changed, removed and taken back."""
  before = picture(noted_path(), "without.svg")
  open_first(bench)
  series = plot_named(bench, "Over time: asleep")
  drag(series, 0.4, 0.6)
  chip(bench, "times")
  bench.key("n")
  entry = bench.find("where a note is written", lambda n: (n.get_name() or "").startswith("Note on") and has(n, "FOCUSED"))
  bench.type("rings were full")
  wait("the words", lambda: entry.get_text(0, -1) == "rings were full")
  bench.key("Return")
  shown(bench, "rings were full")
  assert listed(noted_path()) == ["rings were full"]
  assert picture(noted_path(), "with.svg") != before
  bench.shot("note")
  bench.click(bench.named("Edit note 1"))
  entry = bench.find("where a note is written", lambda n: (n.get_name() or "").startswith("Note on") and has(n, "FOCUSED"))
  bench.key("ctrl+a")
  bench.type("cron ran")
  wait("the words", lambda: entry.get_text(0, -1) == "cron ran")
  bench.key("Return")
  shown(bench, "cron ran")
  bench.click(bench.named("Remove note 1"))
  wait("no note", lambda: listed(noted_path()) == [])
  for key, texts in (("z", ["cron ran"]), ("z", ["rings were full"]), ("z", []), ("shift+z", ["rings were full"]), ("shift+z", ["cron ran"])):
    bench.key("ctrl+" + key)
    wait(f"notes {texts}", lambda: listed(noted_path()) == texts)
    wait("the list", lambda: len(notes_in_sight(bench)) == len(texts))


@functools.lru_cache
def noted_path():
  return shutil.copy(fixtures.studies(), os.path.join(fixtures.folder(), "noted.gilk"))


def register(case, lab):
  if lab is None:
    case("notes on a moment", noted, noted_path)
    case("several plots on one page", shared, fixtures.studies)
    case("each plot has its question", asked, fixtures.studies)
    case("a session beside another", beside, fixtures.studies)


if __name__ == "__main__":
  sys.exit(suite.run(register))
