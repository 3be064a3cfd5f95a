# SPDX-License-Identifier: GPL-2.0-or-later
"""
keys.py [LAB] - keys that no other module presses, each in the states it has; check-keys.py holds all of them against the table
"""
import os
import re
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

import fixtures  # noqa: E402
import suite  # noqa: E402
from canvas import place_of, selected  # noqa: E402
from page import open_first  # noqa: E402
from results import plot_named, row, rows, view  # noqa: E402
from schedule import PLAN, Lanes  # noqa: E402
from workbench import block_of, box_of, checked, has, looks, pipe_write, wait, walk, work  # noqa: E402
from accesses import names as writers_of  # noqa: E402


def showing(bench, name, *roles):
  return bench.find(f'"{name}"', lambda n: n.get_name() == name and (not roles or n.get_role_name() in roles) and has(n, "SHOWING"))


@looks
def is_showing(bench, name):
  return any(n.get_name() == name and has(n, "SHOWING") for n in walk(bench.frame))


# ---- the window ----

def of_the_window(bench):
  """The search from each page; the window of keys; panels that go and come."""
  for page in ("1", "2", "3"):
    bench.key("ctrl+" + page, "ctrl+g")
    entry = wait("focus in the search", bench.focused_entry)
    assert entry.get_name() == "Find a function", entry.get_name()
  bench.key("ctrl+F1")
  bench.named("Keys", "table")
  bench.focus_window("Keyboard shortcuts")
  bench.key("Escape")
  bench.focus_main()
  bench.key("ctrl+1")


def comes_and_goes(bench, key, name):
  """What a key puts away, and takes out again."""
  wait(f"{name}", lambda: is_showing(bench, name))
  bench.key(key)
  wait(f"no {name}", lambda: not is_showing(bench, name))
  bench.key(key)
  wait(f"{name} again", lambda: is_showing(bench, name))


# ---- a plot ----

def range_of(bench):
  """What the command takes of the run's time."""
  label = bench.label_with("gilk plot")
  return re.findall(r"--(?:from|to|low|high) (\S+)", label.get_description() or label.get_name())


def read_out(bench, plot, key):
  """What is told after @key, which was not before."""
  before = plot.get_description()
  bench.key(key)
  return wait(f"another read-out by {key}", lambda: plot.get_description() != before and re.match(r"\d", plot.get_description() or "") and
              plot.get_description())


def in_a_plot(bench):
  """Read off and moved to either side, closer, further away and all of it."""
  hooks = bench.named("Hooks in this run", "table")
  open_first(bench)
  assert rows(hooks) == 10
  view(bench, "Hits over time")
  plot = plot_named(bench, "Hits over time")
  bench.click(plot)
  wait("the keyboard in the plot", lambda: has(plot, "FOCUSED"))
  first = read_out(bench, plot, "Right")
  read_out(bench, plot, "Right")
  assert read_out(bench, plot, "Left") == first, "it leads elsewhere"
  whole = bench.named("Show all", "push button")
  bench.key("plus", "plus")
  wait("a zoom", lambda: has(whole, "SENSITIVE"))
  near = wait("what is in view", lambda: range_of(bench))
  bench.key("ctrl+Right")
  right = wait("what is to the right", lambda: range_of(bench) not in ([], near) and range_of(bench))
  bench.key("ctrl+Left")
  wait("what is to the left", lambda: range_of(bench) not in ([], right))
  bench.key("minus", "minus", "minus")
  wait("all of it by going away", lambda: not has(whole, "SENSITIVE"))
  bench.key("plus")
  wait("a zoom", lambda: has(whole, "SENSITIVE"))
  bench.key("0")
  wait("all of it", lambda: not has(whole, "SENSITIVE"))


# ---- a graph, as it was recorded ----

def zooms(bench, graph):
  """Each of the keys that make the drawing larger or smaller."""
  block = graph.get_child_at_index(0)

  def width():
    return box_of(block)[2]

  bench.key("ctrl+0")
  one = wait("its size", width)
  for key, larger in (("ctrl+plus", True), ("ctrl+equal", True), ("ctrl+KP_Add", True), ("ctrl+minus", False), ("ctrl+KP_Subtract", False)):
    before = width()
    bench.key(key)
    wait(f"{key} to zoom", lambda b=before, l=larger: width() != b and (width() > b) == l)
  bench.key("ctrl+0")
  wait("its actual size", lambda: width() == one)


def to_block(bench, graph, key, number):
  bench.key(key)
  wait(f"{key} to lead to block {number}, not {selected(graph)}", lambda: selected(graph) == number)


def open_recorded(bench):
  runs = bench.named("Runs", "list box")
  bench.click(runs.get_child_at_index(runs.get_child_count() - 1))
  graphs = bench.named("Graphs of this run", "table")
  wait("graphs", lambda: rows(graphs) == 1)
  bench.click(row(graphs, 0))
  return bench.graph()


def in_a_recorded_graph(bench):
  """Its three blocks: the entry, which a branch leaves for the last, and which the middle one leads back to."""
  graph = open_recorded(bench)
  wait("a count", lambda: re.search(r"[1-9]\d* hits", graph.get_child_at_index(0).get_name()))
  graph.grab_focus()
  wait("the keyboard in the graph", lambda: has(graph, "FOCUSED"))
  bench.key("Home")
  wait("the entry", lambda: selected(graph) == 0)
  to_block(bench, graph, "t", 2)
  to_block(bench, graph, "Home", 0)
  to_block(bench, graph, "f", 1)
  to_block(bench, graph, "t", 0)                       # its one way out
  to_block(bench, graph, "Down", 1)
  to_block(bench, graph, "Up", 0)
  to_block(bench, graph, "t", 2)
  to_block(bench, graph, "h", 0)
  bench.key("bracketright")
  assert selected(graph) == 0, "it is the only one that was counted"
  bench.key("bracketleft")
  assert selected(graph) == 0, "it is the hottest"
  to_block(bench, graph, "t", 2)
  to_block(bench, graph, "ctrl+Up", 0)                 # its one way in
  sideways(bench, graph)
  zooms(bench, graph)
  faint(bench, graph)


def sideways(bench, graph):
  """Left and Right go to what is nearest in that direction, whichever that is, and to nothing where there is nothing."""
  middles = [box_of(graph.get_child_at_index(i))[0] + box_of(graph.get_child_at_index(i))[2] // 2 for i in range(3)]
  for key, way in (("Right", 1), ("Left", -1)):
    for start in range(3):
      graph.get_child_at_index(start).do_action(0)
      wait("the block", lambda s=start: selected(graph) == s)
      there = [i for i in range(3) if (middles[i] - middles[start]) * way > 8]
      bench.key(key)
      if there:
        wait(f"{key} to lead from {start} to one of {there}", lambda t=there: selected(graph) in t)
      assert there or selected(graph) == start, f"{key} leads from {start} to {selected(graph)}"


def faint(bench, graph):
  """What does not lead here is made faint in the graph that is in view."""
  def faint_ones():
    return [i for i in range(3) if "dimmed" in (graph.get_child_at_index(i).get_name() or "")]

  to_block(bench, graph, "Home", 0)
  to_block(bench, graph, "t", 2)
  bench.key("alt+4")
  wait("what the last does not reach", lambda: faint_ones() == [0, 1])
  bench.shot("recorded-faint")
  bench.key("alt+0")
  wait("nothing", lambda: not faint_ones())


# ---- a plan ----

def in_a_plan(bench):
  """Undone and done again, as a command, under another name; bars."""
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  wait("the keyboard in the schedule", lambda: has(lanes.node, "FOCUSED"))
  bench.key("Home", "Down")
  wait("the first hook", lambda: lanes.node.get_description().startswith("pipe_write +0x5 pre, stamp: 2s to 6s"))
  bench.key("Right", "Right")
  wait("a later one", lambda: lanes.times(0) == ("2.4s", "6.4s"))
  bench.key("Left")
  lanes.expect(0, "2.2s", "6.2s")
  bench.key("ctrl+Right")
  lanes.expect(0, "2.4s", "6.2s")
  bench.key("ctrl+z")
  lanes.expect(0, "2.2s", "6.2s")
  bench.key("ctrl+y")
  lanes.expect(0, "2.4s", "6.2s")
  bench.key("Up", "Return")                            # the function, which is folded
  bench.key("Down")
  wait("the next function", lambda: lanes.node.get_description().startswith("vfs_read"))
  bench.key("Up", "Return", "Down")
  wait("its first hook again", lambda: lanes.node.get_description().startswith("pipe_write +0x5"))
  bench.key("ctrl+shift+c")
  bench.label_with("Copied: gilk run ")
  saved_as(bench)
  bench.key("ctrl+1")
  comes_and_goes(bench, "F9", "Plan")


def saved_as(bench):
  path = os.path.join(fixtures.folder(), "another.plan")
  bench.key("ctrl+shift+s")
  bench.focus_window("Save the plan")
  entry = wait("the name's entry", bench.focused_entry)
  bench.key("ctrl+a")
  bench.type(path)
  wait("the name", lambda: entry.get_text(0, -1) == path)
  bench.key("Return")
  bench.label_with("Saved. The same run as a command:")
  bench.focus_main()
  with open(path, encoding="utf-8") as file:
    assert "start=2.4s" in file.read(), "the plan as it is"


# ---- writers ----

def in_accesses(bench):
  """Rows in view are copied by a key."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  wait("all writers", lambda: len(writers_of(bench)) == 6)
  table = bench.find("accesses", lambda n: n.get_name() == "Accesses" and n.get_role_name() == "table" and has(n, "SHOWING"))
  bench.click(table.get_child_at_index(7))
  wait("the keyboard in the list", lambda: has(table, "FOCUSED") or any(has(n, "FOCUSED") for n in walk(table)))
  bench.key("ctrl+c")
  bench.key("ctrl+g")
  search = wait("focus in the search entry", bench.focused_entry)
  bench.key("ctrl+v")
  wait("the rows as text", lambda: "tcp_write+0x40" in search.get_text(0, -1) and "\t" in search.get_text(0, -1))


# ---- with a kernel ----

@looks
def n_chosen(bench):
  labels = [n.get_name() or "" for n in walk(bench.frame) if n.get_role_name() == "label" and has(n, "SHOWING")]
  return next((int(found.group(1)) for found in (re.fullmatch(r"(\d+) blocks? selected", text) for text in labels) if found), 0)


def chosen(bench, number):
  wait(f"{number} chosen", lambda: n_chosen(bench) == number)


def choosing(bench, graph):
  """X, and Shift with each arrow, which has the block that is left and the one that is come to."""
  bench.key("Home", "x")
  chosen(bench, 1)
  bench.key("x")
  chosen(bench, 0)
  for key in ("shift+Down", "shift+Up", "shift+Left", "shift+Right"):
    bench.key("Escape")
    chosen(bench, 0)
    at = graph.get_child_count() // 2
    graph.get_child_at_index(at).do_action(0)
    wait("a block in the middle", lambda a=at: selected(graph) == a)
    graph.grab_focus()
    bench.key(key)
    wait(f"by {key} the block left and the one come to", lambda a=at: n_chosen(bench) == (1 if selected(graph) == a else 2))
  bench.key("Escape")
  chosen(bench, 0)


def following(bench, graph):
  """G goes where the instruction leads: to a block of the function, or to the function that is called; back and forward."""
  def caret():
    at = graph.get_child_at_index(selected(graph))
    return Atspi.Text.get_text(at, Atspi.Text.get_caret_offset(at), -1).split("\n")[0]

  def step_to(pattern):
    for _ in range(200):
      bench.key("j")
      if re.match(pattern, caret()):
        return caret()
    raise AssertionError(f"no {pattern}")

  bench.key("Home")
  wait("the entry", lambda: selected(graph) >= 0)
  step_to(r"j[a-z]+ ")
  at = selected(graph)
  bench.key("g")
  wait("where the branch leads", lambda: selected(graph) != at)
  bench.key("alt+Left")
  wait("the block before", lambda: selected(graph) == at)
  step_to(r"call +mutex_lock")
  bench.key("g")
  path = bench.find("the function called", lambda n: (n.get_name() or "").startswith("mutex_lock") and has(n, "SHOWING") and
                    n.get_role_name() == "label", 60)
  assert path
  bench.key("alt+Left")
  wait("the function before", lambda: bench.graph().get_child_count() > 20, 60)
  bench.key("alt+Right")
  wait("the function called, again", lambda: bench.graph().get_child_count() < 20, 60)
  bench.key("alt+Left")
  wait("the function before", lambda: bench.graph().get_child_count() > 20, 60)


def minimap(bench, graph):
  bench.key("ctrl+0", "ctrl+plus", "ctrl+plus")
  wait("a map", lambda: place_of(graph, "minimap")[2] > 0)
  bench.key("ctrl+m")
  wait("no map", lambda: place_of(graph, "minimap")[2] <= 0)
  bench.key("ctrl+m")
  wait("a map", lambda: place_of(graph, "minimap")[2] > 0)
  bench.key("ctrl+0")


def run_and_disarm(bench, graph, lab):
  """Ctrl+R starts and stops a run of all blocks; all is disarmed by a key."""
  bench.enter(bench.named("Run for", "text"), "10m")
  graph.grab_focus()
  bench.key("Home", "ctrl+a", "ctrl+b")
  bench.find("a plan", lambda n: re.match(r"Plan · \d\d+ hooks", n.get_name() or "") and has(n, "SHOWING"))
  bench.key("Escape")
  point = graph.get_child_at_index(selected(graph)).get_child_at_index(0)
  wait("the planned mark", lambda: checked(point))
  work(lab, 2000)
  bench.key("ctrl+r")
  wait("the live mark", lambda: point.get_name().endswith("live"), 60)
  wait("a count", lambda: re.search(r"[1-9]\d* hits", block_of(point).get_name()), 60)
  bench.key("ctrl+r")
  bench.label_with("The kernel is restored", 60)
  bench.key("ctrl+shift+d")
  bench.find("what was put back", lambda n: n.get_role_name() == "info bar" and re.search("(was|were) restored|Nothing", n.get_name() or ""), 60)


def code(bench, graph):
  """Names that fit are offered before one has typed anything of them."""
  graph.grab_focus()
  bench.find("the instrument", lambda n: n.get_name() == "Probe program" and n.get_role_name() == "menu item").do_action(0)
  text = bench.named("Probe program", "text", 30)
  bench.enter(text, "sample(task->real_p);")
  bench.key("Left", "Left", "ctrl+space")
  bench.find("a member", lambda n: n.get_role_name() == "table cell" and (n.get_name() or "").startswith("real_parent"))
  bench.key("Escape")


def with_kernel(bench, lab):
  wait("its blocks", lambda: bench.graph(120).get_child_count() > 20, 120)
  graph = bench.graph()
  graph.grab_focus()
  wait("the keyboard in the graph", lambda: has(graph, "FOCUSED"))
  comes_and_goes(bench, "ctrl+shift+l", "Functions")
  graph.grab_focus()
  choosing(bench, graph)
  minimap(bench, graph)
  zooms(bench, graph)
  following(bench, graph)
  run_and_disarm(bench, bench.graph(), lab)
  never_ran(bench, bench.graph())
  code(bench, bench.graph())
  from_the_schedule(bench)


def never_ran(bench, graph):
  """Of the run that is over: errors that did not happen."""
  def faint_ones():
    return sum("dimmed: never executed" in (graph.get_child_at_index(i).get_name() or "") for i in range(graph.get_child_count()))

  graph.grab_focus()
  bench.key("alt+6")
  wait("what never ran", lambda: 0 < faint_ones() < graph.get_child_count())
  bench.shot("never-ran")
  bench.key("alt+0")
  wait("nothing faint", lambda: faint_ones() == 0)


def from_the_schedule(bench):
  """Return on a bar shows its hook in the graph."""
  bench.key("ctrl+2")
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  wait("the keyboard in the schedule", lambda: has(lanes.node, "FOCUSED"))
  bench.key("Home", "Return", "Down")                  # so many of a function are folded at first
  wait("its first hook", lambda: " pre, " in (lanes.node.get_description() or ""))
  bench.key("Return")
  wait("the graph", lambda: has(bench.graph(), "SHOWING"))
  wait(f"the hook's block in {pipe_write()}", lambda: selected(bench.graph()) >= 0)


def register(case, lab):
  if lab is not None:
    case("keys of a graph with a kernel", lambda bench: with_kernel(bench, lab), "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
    return
  case("keys of the window", of_the_window)
  case("keys of a plot", in_a_plot, fixtures.studies)
  case("keys of a recorded graph", in_a_recorded_graph, fixtures.graphed)
  case("keys of a plan", in_a_plan, lambda: fixtures.written("keys.plan", PLAN))
  case("keys of writers", in_accesses, fixtures.watched)


if __name__ == "__main__":
  sys.exit(suite.run(register))
