# SPDX-License-Identifier: GPL-2.0-or-later
"""
keyboard.py [LAB] - what is reached by keys alone, and how many it takes; a walk as a screen reader makes it
"""
import sys

import fixtures
import stops
import suite
from results import row, rows
from workbench import Missing, box_of, has, looks, pipe_write, wait, walk, work

AWAY = 5                     # keys that what a newcomer needs is away at most


@looks
def focused(bench):
  return next((n for n in walk(bench.frame, 200) if has(n, "FOCUSED")), None)


def reach(bench, what, is_there, keys, most=AWAY):
  """Presses one of @keys after the other, again and again, until @is_there has the keyboard."""
  for i in range(most + 1):
    try:
      wait(what, lambda: is_there(focused(bench)), 0.5)
      return i
    except Missing:
      if i < most:
        bench.key(keys[i % len(keys)])
  raise Missing(f"{what} within {most} keys: at {focused(bench) and focused(bench).get_name()!r}")


def is_named(*names):
  return lambda node: node is not None and node.get_name() in names


def start_page(bench):
  """The first page's buttons are at hand, and the search once there is something to find."""
  bench.label_with("Choose a kernel to look into")
  reach(bench, "the lab's button", is_named("Start the lab, Linux 6.1"), ["Tab"], 1)
  reach(bench, "the example", is_named("Open the example session"), ["Tab"])


def is_plot(node):
  return node is not None and node.get_role_name() == "drawing area"


def plot_by_f6(bench):
  """From the list of hooks the plot is a key away, and round all panes it comes again."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  bench.label_with("gilk plot")
  reach(bench, "the plot", is_plot, ["F6"])
  bench.key("F6")
  reach(bench, "the plot again", is_plot, ["F6"], 6)


def folds_are_found(bench):
  """The search of actions finds what folds."""
  bench.key("ctrl+shift+p")
  wait("focus in the search entry", bench.focused_entry)
  bench.type("fold")
  for title in ("Fold all loops", "Unfold all", "Fold or unfold here"):
    bench.find(title, lambda n, t=title: (n.get_name() or "") == t and has(n, "SHOWING"))
  bench.shot("palette-fold")
  bench.key("Escape")


def in_sight(outer, inner):
  a, b = box_of(outer), box_of(inner)
  return b[1] >= a[1] and b[1] + b[3] <= a[1] + a[3] + 1


def listing_opens_on_row(bench, graph):
  """Its first opening has the row in sight that is current in the graph."""
  bench.key("End", "space")
  table = bench.named("Listing", "table")
  wait("the keyboard in the listing", lambda: any(has(n, "FOCUSED") for n in walk(table, 600)))
  current = wait("a current row", lambda: next((n for n in walk(table, 4000) if n.get_role_name() == "table cell" and
                                                 has(n, "SELECTED")), None))
  wait("it in sight", lambda: in_sight(table.get_parent(), current))
  bench.shot("listing-opened")
  bench.key("space")
  wait("the graph", lambda: has(graph, "FOCUSED"))


def focus_after_live(bench, lab):
  """When the live page ends, what takes its place has the keyboard."""
  bench.key("Home", "b")
  bench.label_with("Plan · 1 hook")
  bench.enter(bench.named("Run for", "text"), "10m")     # a busy machine may not be seen running for ten seconds
  work(lab)
  bench.key("F5")
  bench.await_live()
  bench.key("ctrl+3")
  pause = bench.named("Pause", "toggle button")
  pause.grab_focus()
  wait("the keyboard on the live page", lambda: has(pause, "FOCUSED"))
  reach(bench, "a live plot", is_plot, ["F6"])
  bench.key("F5")
  wait("the end of the run", lambda: not has(pause, "SHOWING"), 60)
  wait("the keyboard somewhere in the results", lambda: focused(bench) is not None)


def with_kernel(bench, lab):
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 200)
  first = [functions.get_child_at_index(i).get_name() or "" for i in range(40)]
  if not any("vfs_read" in name for name in first):
    raise Missing(f"a list that opens on something known: {first[:8]}")
  bench.shot("functions-first")
  bench.type(pipe_write())
  bench.key("Return")
  graph = bench.graph(60)
  wait("the graph's keyboard", lambda: has(graph, "FOCUSED"))
  listing_opens_on_row(bench, graph)
  focus_after_live(bench, lab)


def menu_item(bench, name):
  return bench.find(f'"{name}"', lambda n: n.get_name() == name and n.get_role_name() == "menu item" and has(n, "SHOWING"))


def menus_and_selection(bench):
  """Bars and rows of the plan have a menu, and what is chosen in the one is selected in the other."""
  bench.key("ctrl+2")
  bars = bench.find("bars", lambda n: n.get_name() == "Schedule of the planned hooks" and has(n, "SHOWING"))
  table = bench.find("the plan", lambda n: n.get_role_name() == "table" and has(n, "SHOWING") and n.get_n_rows() == 2)
  bars.grab_focus()
  wait("the keyboard on the bars", lambda: has(bars, "FOCUSED"))
  bench.key("End")
  wait("the row of the bar", lambda: any(has(n, "SELECTED") for n in walk(table) if (n.get_name() or "").startswith("pipe_write +0x3f")))
  bench.key("shift+F10")
  menu_item(bench, "Show in Graph")
  bench.shot("bar-menu")
  menu_item(bench, "Remove from Plan").do_action(0)
  wait("one hook", lambda: table.get_n_rows() == 1)
  bench.key("Escape", "ctrl+z")
  wait("two hooks", lambda: table.get_n_rows() == 2)
  bench.click(wait("its row", lambda: next((n for n in walk(table) if (n.get_name() or "").startswith("pipe_write +0x5")), None)))
  wait("the bar of the row", lambda: "+0x5" in (bars.get_description() or ""))
  bench.key("shift+F10")
  menu_item(bench, "Remove from Plan")
  bench.shot("row-menu")
  bench.key("Escape")


def register(case, lab):
  if lab is not None:
    case("keys alone, with a kernel", lambda bench: with_kernel(bench, lab), "--target", "lab:" + lab)
    return
  case("keys alone on the start page", start_page)
  case("the plot is one of the panes", plot_by_f6, fixtures.studies)
  case("folds are found by their name", folds_are_found)
  case("menus of bars and rows, and one selection", menus_and_selection, lambda: fixtures.written("two.plan", stops.PLAN))


if __name__ == "__main__":
  sys.exit(suite.run(register))
