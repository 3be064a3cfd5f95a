# SPDX-License-Identifier: GPL-2.0-or-later
"""
results.py - what the workbench shows of a session, gone through as a user would
"""
import re
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

import fixtures  # noqa: E402
import suite  # noqa: E402
from workbench import checked, has, looks, wait, walk  # noqa: E402


def rows(table):
  return table.get_child_count() - 1


def row(table, number):
  return table.get_child_at_index(number + 1)


def session(bench):
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.shot("results-all")
  bench.click(row(hooks, 1))
  bench.label_with("gilk plot")
  bench.find("figures", lambda n: n.get_name() in ("Median", "Hits"))
  bench.shot("results-hook")
  bench.click(bench.named("x: log", "toggle button"))
  bench.shot("results-linear")


def view(bench, name):
  """The button of a kind of plot."""
  button = bench.named(name, "radio button")
  button.grab_focus()                               # brings it into sight
  bench.click(button)
  wait(f'"{name}" pressed', lambda: checked(button))


def choose(bench, combo, item):
  """As a user would: opens the list and takes the item. GTK complains of one that is taken from a closed list."""
  box = bench.named(combo, "combo box")
  wait(f'"{combo}" to be had', lambda: has(box, "SENSITIVE"))
  bench.click(box)
  found = bench.find(f'"{item}" in "{combo}"', lambda n: re.fullmatch(re.escape(item) + "(: .*)?", n.get_name() or "") and n.get_role_name() == "menu item" and
                     has(n, "SHOWING"))
  found.do_action(0)
  wait(f'"{combo}" to close', lambda: not has(found, "SHOWING"))


def plot_named(bench, title):
  return bench.find(f'plot "{title}"', lambda n: n.get_name() == title and n.get_role_name() == "drawing area")


def has_cell(bench, pattern):
  """A label of the panel, seen."""
  bench.find(f'"{pattern}"', lambda n: n.get_role_name() == "label" and re.search(pattern, n.get_name() or "") and
             has(n, "SHOWING"))


def samples(bench):
  """Samples one by one: a table, sorted by a click, by a condition, one that makes no sense, and the command."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  view(bench, "Samples")
  bench.label_with("The first 5,000 samples")
  # A column is called what a condition takes.
  table = bench.named("Samples", "table")
  heads = heads_of(table)
  assert "asleep (ns)" in heads and not any(" " in head and "(" not in head for head in heads), heads
  bench.shot("samples")
  entry = bench.named("Sample condition", "text")
  bench.enter(entry, "comm == sort")
  bench.key("Return")
  bench.label_with("--if 'comm == sort'")
  bench.enter(entry, "colour == 1")
  bench.key("Return")
  bench.label_with("colour")
  bench.shot("samples-bad")
  bench.enter(entry, "asleep > 1000000000")
  bench.key("Return")
  bench.label_with("No samples match")


def damaged(bench):
  """What cannot be read is said in place of the plot; counts, which can, are shown."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  wait("what is wrong", lambda: "damaged" in (plot_described(bench) or ""))
  bench.shot("damaged-session")
  bench.click(row(hooks, 0))
  bench.label_with("gilk report")


def plot_described(bench):
  plot = bench.find("the plot", lambda n: n.get_role_name() == "drawing area" and has(n, "SHOWING") and has(n, "FOCUSABLE"))
  return plot.get_description()


def kinds(bench):
  """Every kind of plot, by its name; zoom and back; overlay, split, a refusal, and the same as a command."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  runs = bench.named("Runs", "list box")
  bench.click(runs.get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  plot_named(bench, "Distribution: time between hits")
  choose(bench, "Quantity", "asleep")
  plot_named(bench, "Distribution: asleep")
  for kind, title in (("ECDF", "Cumulative distribution: asleep"), ("Heat map", "Over time: asleep"),
                      ("Spectrum", "Power spectrum: asleep"), ("Autocorrelation", "Autocorrelation: asleep"),
                      ("Hits over time", "Hits over time"), ("Time series", "Over time: time between hits")):
    view(bench, kind)
    plot_named(bench, title)
    bench.shot("plot-" + kind.replace(" ", "-").lower())

  view(bench, "Heat map")
  choose(bench, "Quantity", "asleep")
  plot = plot_named(bench, "Over time: asleep")
  whole = bench.named("Show all", "push button")
  bench.click(plot)
  bench.key("plus")
  wait("a zoom", lambda: has(whole, "SENSITIVE"))
  bench.label_with("--from")
  bench.key("ctrl+Right")
  bench.shot("plot-zoomed")
  bench.key("Right")
  wait("a read-out", lambda: "samples" in (plot.get_description() or ""))
  bench.click(whole)
  wait("all of it", lambda: not has(whole, "SENSITIVE"))

  view(bench, "ECDF")
  choose(bench, "Overlay", "Run 2")
  bench.label_with("--hook asleep@2")
  plot = plot_named(bench, "Cumulative distribution: asleep")
  wait("how far the two are apart", lambda: "Kolmogorov" in (plot.get_description() or ""))
  for name in ("run 1", "run 2"):                       # heads of two columns: the hook is the same in both
    has_cell(bench, f"^{name}$")
  told = plot.get_description() or ""
  assert "asleep, run 1" in told and "asleep, run 2" in told, f"two curves of one name: {told}"
  has_cell(bench, r"[+−]\d.* %")
  bench.shot("plot-overlay")
  choose(bench, "Overlay", "no other run")
  choose(bench, "Split by", "comm")
  bench.label_with("--by comm")
  bench.shot("plot-split")
  choose(bench, "Split by", "nothing")
  bench.click(row(hooks, 9))
  view(bench, "Spectrum")
  choose(bench, "Quantity", "Hits")
  plot_named(bench, "Power spectrum: hits")
  bench.shot("plot-refused")


def has_row(bench, name, value):
  """A row of the panel: a name, and a value that it is the label of."""
  def labelled(node):
    return any(relation.get_target(i).get_name() == name for relation in node.get_relation_set() or []
               for i in range(relation.get_n_targets()) if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY)

  bench.find(f'"{name}" with "{value}"', lambda n: n.get_role_name() == "label" and
             re.search(value, n.get_name() or "") and labelled(n))


def maps_of_programs(bench):
  """What programs kept, of each kind, and the same as a command; a hook without a program has none of it."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  view(bench, "Maps")
  choose(bench, "Quantity", "sizes")
  plot = plot_named(bench, "writes, sizes")
  bench.label_with("--map sizes")
  bench.shot("kept-histogram")
  whole = bench.named("Show all", "push button")
  bench.click(plot)
  bench.key("plus")
  wait("a zoom", lambda: has(whole, "SENSITIVE"))
  bench.click(whole)
  wait("all of it", lambda: not has(whole, "SENSITIVE"))
  bench.click(bench.named("x: log", "toggle button"))
  bench.label_with("--log none")
  choose(bench, "Quantity", "by_pid")
  plot_named(bench, "by_pid")
  bench.label_with("gilk report")
  bench.shot("kept-map")
  choose(bench, "Quantity", "calls")
  plot_named(bench, "calls")
  bench.shot("kept-counter")
  choose(bench, "Quantity", "greatest")
  bench.shot("kept-global")
  bench.click(row(hooks, 3))
  bench.label_with("--kind rate")


def times(bench):
  """What a run's times are worth, what a hit takes and what hooks did: in rows, by keyboard, as text; cost taken off."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.label_with("No control hook: every hook")
  bench.shot("times-refused")
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 3)
  bench.find("the interval", lambda n: re.match("Difference −[0-9.]+ %, 95 % confidence interval −", n.get_name() or "") and has(n, "SHOWING"))
  has_row(bench, "Difference", r"^−(8|9|10|11)[.\d]* %$")
  has_row(bench, "Left out", "^1 pair$")
  has_row(bench, "Error at end", "^± .* ns$")
  has_row(bench, "stamp, splice", r"^8.25 ns \(8.11 to 8.4\)$")
  bench.label_with("--perturbation")
  bench.shot("times")
  cpus = bench.find("the CPUs", lambda n: n.get_name() == "TSCs of 3 CPUs" and n.get_role_name() == "toggle button")
  cpus.grab_focus()
  wait("focus on the CPUs", lambda: has(cpus, "FOCUSED"))
  bench.key("space")
  has_row(bench, "CPU 1, corrected", r"^\+740 ± .* ns$")
  has_row(bench, "Not compared", "^1 CPU$")
  bench.shot("times-cpus")
  copy = bench.named("Copy figures", "push button")
  copy.grab_focus()                        # scrolls the panel back to its top
  bench.click(copy)
  bench.key("ctrl+k")
  search = wait("focus in the search entry", bench.focused_entry)
  bench.key("ctrl+v")
  wait("the figures as text", lambda: "Difference\t−" in search.get_text(0, -1) and "CPU 2\t" in search.get_text(0, -1))
  bench.key("ctrl+a", "BackSpace")
  bench.key("ctrl+3")

  bench.click(row(hooks, 1))
  plot_named(bench, "Distribution: time between hits")
  has_row(bench, "Cost per hit", "^8.25 ns")
  has_row(bench, "Measured by", "^witness$")
  has_row(bench, "Compared", "^time between hits$")
  has_row(bench, "Difference", r"^\+")
  subtract = bench.named("Subtract measured cost", "check box")
  bench.click(subtract)
  bench.label_with("--subtract-cost")
  wait("the check", lambda: checked(subtract))
  bench.shot("times-subtracted")
  view(bench, "Hits over time")
  wait("no cost of a rate", lambda: not has(subtract, "SENSITIVE"))
  bench.shot("times-rate")


def fold_recorded(bench, graph):
  """By the menu that the keyboard opens on its canvas; what cannot be folded is told."""
  def fold(item):
    bench.key("shift+F10")
    bench.find(f'"{item}"', lambda n: n.get_name() == item and n.get_role_name() == "menu item" and has(n, "SHOWING"))
    bench.look("results-graph-menu")
    bench.named(item, "menu item").do_action(0)

  fold("Fold Loop")
  bench.label_with("This block is not in an unfolded loop.")
  bench.key("Home")
  fold("Fold Loop")
  wait("a fold", lambda: graph.get_child_at_index(0).get_name().startswith("region +0x0, 2 blocks folded"))
  bench.shot("results-graph-folded")
  fold("Unfold All")
  wait("none", lambda: graph.get_child_at_index(0).get_name().startswith("block +0x0"))


def recorded_graph(bench):
  """Three blocks drawn without a kernel; the one that was counted says so."""
  runs = bench.named("Runs", "list box")
  graphs = bench.find("graphs", lambda n: n.get_name() == "Graphs of this run" and n.get_role_name() == "table" and
                      rows(n) == 1) if runs.get_child_count() == 1 else None
  if graphs is None:
    bench.click(runs.get_child_at_index(runs.get_child_count() - 1))
    graphs = bench.named("Graphs of this run", "table")
    wait("graphs", lambda: rows(graphs) == 1)
  bench.click(row(graphs, 0))
  graph = bench.graph()
  assert graph.get_child_count() == 3, f"{graph.get_child_count()} blocks"
  wait("a count", lambda: re.search(r"[1-9]\d* hits", graph.get_child_at_index(0).get_name()))
  bench.click(graph.get_child_at_index(2))
  bench.label_with("Block +0x40 was not measured")
  bench.shot("results-graph")
  fold_recorded(bench, graph)
  bench.click(row(bench.named("Hooks in this run", "table"), 0))
  bench.label_with("gilk report")


def one_range(bench):
  """A zoom of time and one of values stay in all views, are told, undone and dropped."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  view(bench, "Hits over time")
  bench.click(plot_named(bench, "Hits over time"))
  bench.key("plus", "plus")
  bench.label_with("--from")
  view(bench, "Histogram")
  choose(bench, "Quantity", "asleep")
  bench.click(plot_named(bench, "Distribution: asleep"))
  bench.label_with("--from")
  bench.key("plus", "plus")
  bench.label_with("--low")
  bench.shot("range-both")
  chips = bench.find("what is looked at", lambda n: re.search("are limited to asleep from .* to ", n.get_name() or "") and
                     has(n, "SHOWING"))
  view(bench, "Heat map")
  bench.label_with("--low")
  bench.shot("range-heat")
  view(bench, "Histogram")
  bench.click(plot_named(bench, "Distribution: asleep"))
  bench.key("shift+z")
  wait("no selection of values", lambda: not has(chips, "SHOWING"))
  bench.click(bench.find("the time", lambda n: (n.get_name() or "").startswith("All views are limited to times from ") and has(n, "SHOWING")))
  wait("all of it", lambda: not has(bench.named("Show all", "push button"), "SENSITIVE"))


@looks
def heads_of(table):
  return [n.get_name() for n in walk(table, 12) if n.get_role_name() == "table column header"]


@looks
def views_in_sight(bench):
  """{name: pressed} of the buttons of views."""
  return {n.get_name(): checked(n) for n in walk(bench.frame) if n.get_role_name() == "radio button" and has(n, "SHOWING") and
          n.get_parent().get_name() == "Kind of plot"}


def views_of_what_is_chosen(bench):
  """Views are those of the hook: none of values where its instrument has none, and none at all of a function."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  runs = bench.named("Runs", "list box")
  bench.click(runs.get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  view(bench, "Hits by value")
  plot_named(bench, "Hits by asleep")
  bench.click(row(hooks, 2))                            # a stamp
  bench.label_with("--hook arrivals")
  wait("its views", lambda: "Hits by value" not in views_in_sight(bench))
  wait("one of them pressed", lambda: list(views_in_sight(bench).values()).count(True) == 1)
  plot_named(bench, "Distribution: time between hits")
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.graph()
  wait("no views of a function", lambda: not views_in_sight(bench))
  bench.click(row(hooks, 1))
  wait("those of the hook again", lambda: "Hits by value" in views_in_sight(bench))
  wait("one of them pressed", lambda: list(views_in_sight(bench).values()).count(True) == 1)


def register(case, lab):
  if lab is not None:
    return
  case("a session from before", session, fixtures.session)
  case("kinds of plots", kinds, fixtures.studies)
  case("views of what is chosen", views_of_what_is_chosen, fixtures.studies_graphed)
  case("samples one by one", samples, fixtures.studies)
  case("one range for all views", one_range, fixtures.studies)
  case("a session whose samples are damaged", damaged, fixtures.spoilt)
  case("what programs kept", maps_of_programs, fixtures.programs)
  case("what times are worth, and what hooks did", times, fixtures.switched)
  case("a graph without its kernel", recorded_graph, fixtures.graphed)


if __name__ == "__main__":
  sys.exit(suite.run(register))
