# SPDX-License-Identifier: GPL-2.0-or-later
"""hooking.py LAB - a function is found, a block clicked, and its hook runs"""
import re
import sys

import suite
from results import row, rows
from workbench import checked, has, wait, work


def connect_find(bench):
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  bench.shot("connected")
  search = wait("focus in the search entry", lambda: bench.focused_entry())
  bench.type("pipewrit")
  wait("the pattern", lambda: search.get_text(0, -1) == "pipewrit")
  wait("few functions", lambda: 0 < functions.get_child_count() < 200)
  bench.shot("found")
  bench.key("Return")


def set_length(bench, text):
  bench.enter(bench.named("Run for", "text"), text)


def first_free(graph):
  points = (graph.get_child_at_index(i).get_child_at_index(0) for i in range(1, graph.get_child_count()))
  return next(point for point in points if point.get_name().endswith("free"))


def plan_with(bench, instrument):
  """Plans a hook at the first free point of the graph, with INSTRUMENT; returns the point."""
  point = first_free(bench.graph(60))
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.find("the instrument", lambda n: n.get_name() == instrument and n.get_role_name() == "menu item").do_action(0)
  return point


def hook_and_run(bench, lab):
  connect_find(bench)
  set_length(bench, "10m")
  graph = bench.graph(60)
  blocks = graph.get_child_count()
  assert blocks > 20, f"pipe_write has {blocks} blocks only"
  assert graph.get_child_at_index(0).get_name().startswith("block +0x"), graph.get_child_at_index(0).get_name()
  bench.shot("graph")

  # The block that takes the pipe's mutex runs at each write: a real click on it.
  point = first_free(graph)
  bench.click(point)
  wait("the planned mark", lambda: checked(point) and point.get_name().endswith("planned"))
  bench.label_with("Plan · 1 hook")
  bench.shot("planned")

  # Undo takes it out, redo brings it back.
  bench.key("ctrl+z")
  wait("the mark to go", lambda: not checked(point))
  bench.key("ctrl+shift+z")
  wait("the mark to return", lambda: checked(point))

  # The keyboard alone plans a second one: down, then Shift+B.
  bench.key("Down")
  bench.key("shift+b")
  bench.label_with("Plan · 2 hooks")

  run(bench, point, lab)


def points_of(graph, state):
  """Names of the points of @graph in that state."""
  blocks = (graph.get_child_at_index(i) for i in range(graph.get_child_count()))
  return [name for block in blocks for name in (block.get_child_at_index(0).get_name(),
                                                block.get_child_at_index(1).get_name())
          if name.endswith(state)]


def change_run(bench, graph):
  """A hook planned during the run is live once the plan is applied, and the others stay."""
  before = len(points_of(graph, "live"))
  bench.key("Down")
  bench.key("b")
  bench.label_with("The plan was edited; the run continues with the old plan.")
  bench.shot("running-edited")
  bench.key("ctrl+shift+r")
  bench.label_with("The plan was applied to the run: 1 hook added, 0 removed.", 40)
  wait("one more live mark", lambda: len(points_of(graph, "live")) == before + 1, 20)
  bench.shot("running-changed")


def run(bench, point, lab):
  work(lab)
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  block = point.get_parent()

  def hits():
    match = re.search(r"(\d+) hits", block.get_name())
    return match is not None and int(match.group(1)) > 0

  wait("a count", hits, 20)
  bench.shot("running")
  change_run(bench, block.get_parent())
  if bench.alive():
    bench.key("F5")
  bench.label_with("The kernel is restored", 60)
  wait("the mark to be planned again", lambda: point.get_name().endswith("planned"))
  bench.shot("stopped")
  bench.key("ctrl+3")
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hooks", lambda: rows(hooks) == 4)
  bench.shot("run-results")
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.find("the recorded graph", lambda n: re.search(r"^block .* [1-9]\d* hits$", n.get_name() or "") and
             has(n, "VISIBLE"))
  bench.shot("run-graph")


def register(case, lab):
  if lab is not None:
    case("connect, find, click, run, see a count", lambda bench: hook_and_run(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
