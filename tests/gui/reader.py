# SPDX-License-Identifier: GPL-2.0-or-later
"""
reader.py [LAB] - each page as a screen reader goes through it: every object, and all that can be asked of it

What takes the keyboard has a name, and GTK complains of nothing that is asked.
"""
import os
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

import fixtures  # noqa: E402
import suite  # noqa: E402
from page import open_first  # noqa: E402
from results import row, rows, view  # noqa: E402
from schedule import PLAN, lanes_of  # noqa: E402
from workbench import has, pipe_write, wait, work  # noqa: E402

MOST = 120                   # children of one object, of tables of 50,000 rows
ROWS = 30                    # of a table, which are about those in view
STATES = ("ACTIVE", "CHECKED", "EDITABLE", "ENABLED", "EXPANDED", "FOCUSABLE", "FOCUSED", "SELECTED", "SENSITIVE", "SHOWING", "VISIBLE")


class Walk:
  """One way through the whole tree."""

  def __init__(self):
    self.seen = 0
    self.nameless = []

  def node(self, node, path):
    """Whether something in it takes the keyboard."""
    self.seen += 1
    try:
      takes, said = self.ask(node)
      n = node.get_child_count()
    except GLib.Error:
      return False                                      # it went meanwhile
    within = False
    for i in range(min(n, MOST)):
      child = node.get_child_at_index(i)
      if child is not None:
        child.get_index_in_parent()
        within |= self.node(child, path + "/" + (child.get_name() or child.get_role_name()))
    # What only scrolls, or parts, is gone to if nothing in it can be; a cell may be empty, and is told by its column.
    if takes and not said and node.get_role_name() not in (("scroll pane", "split pane", "table cell") if within else ("table cell",)):
      self.nameless.append(f"{node.get_role_name()} at {path}")
    return takes or within

  def ask(self, node):
    """Whether it takes the keyboard, and whether something is said of it then."""
    name = node.get_name()
    states = {state for state in STATES if has(node, state)}
    node.get_description()
    node.get_attributes()
    can = set(node.get_interfaces())
    relations = node.get_relation_set() or []
    labels = [r.get_target(i).get_name() for r in relations for i in range(r.get_n_targets())
              if r.get_relation_type() == Atspi.RelationType.LABELLED_BY]
    if "Component" in can:
      node.get_extents(Atspi.CoordType.SCREEN)
      Atspi.Component.get_layer(node)
    text = self.text(node, "SHOWING" in states) if "Text" in can else ""
    if "Action" in can:
      self.actions(node)
    if "Value" in can:
      Atspi.Value.get_minimum_value(node)
      Atspi.Value.get_maximum_value(node)
      Atspi.Value.get_current_value(node)
    if "Image" in can:
      Atspi.Image.get_image_description(node)
    if "Selection" in can:
      for i in range(min(Atspi.Selection.get_n_selected_children(node), ROWS)):
        Atspi.Selection.get_selected_child(node, i)
    if "Table" in can:
      self.table(node)
    # A screen reader says what an entry holds, but not for what it is; a label is its text.
    return {"FOCUSABLE", "SHOWING", "SENSITIVE"} <= states, bool(name or any(labels) or (text and "EDITABLE" not in states))

  def text(self, node, shown):
    Atspi.Text.get_caret_offset(node)
    for i in range(min(Atspi.Text.get_n_selections(node), 3)):
      Atspi.Text.get_selection(node, i)
    n = Atspi.Text.get_character_count(node)
    if n > 0:
      Atspi.Text.get_string_at_offset(node, 0, Atspi.TextGranularity.LINE)
      Atspi.Text.get_attribute_run(node, 0, True)
      if shown:                                         # GTK has no place of one that is not
        Atspi.Text.get_character_extents(node, 0, Atspi.CoordType.SCREEN)
    return Atspi.Text.get_text(node, 0, min(n, 2000))

  def actions(self, node):
    for i in range(node.get_n_actions()):
      Atspi.Action.get_localized_name(node, i)
      if "LSAN_OPTIONS" not in os.environ:           # GTK leaves the name of the key behind
        Atspi.Action.get_key_binding(node, i)

  def table(self, node):
    n_rows, n_columns = Atspi.Table.get_n_rows(node), Atspi.Table.get_n_columns(node)
    Atspi.Table.get_caption(node)
    for column in range(n_columns):
      Atspi.Table.get_column_header(node, column)
      Atspi.Table.get_column_description(node, column)
    for at in range(min(n_rows, ROWS)):
      Atspi.Table.get_row_header(node, at)
      for column in range(n_columns):
        cell = node.get_accessible_at(at, column)
        if cell is not None:
          cell.get_name()
          cell.get_state_set()
          assert Atspi.Table.get_row_at_index(node, Atspi.Table.get_index_at(node, at, column)) == at, f"row {at} of {node.get_name()}"


def complaints():
  """Of GTK and GLib until now."""
  with open(os.environ["GILK_HEALTH"], encoding="utf-8", errors="replace") as file:
    return [line.split(" ", 2)[2].strip() for line in file if line.startswith("complaint ")]


def read(bench, page):
  """All that is there, on a page that stands still."""
  before = len(complaints())
  walk = Walk()
  walk.node(bench.app, page)
  assert bench.alive(), page
  assert walk.seen > 30, f"{page}: {walk.seen} objects"
  new = complaints()[before:]
  assert not new, f"{page}: {new[:3]}"
  assert not walk.nameless, f"{page}: nothing is said of " + "; ".join(walk.nameless[:12])
  print(f"# {page}: {walk.seen} objects", flush=True)


def in_window(bench, key, title, page):
  bench.key(key)
  bench.focus_window(title)
  read(bench, page)
  bench.key("Escape")
  bench.focus_main()


def first_pages(bench):
  bench.label_with("Choose a kernel to look into")
  read(bench, "the start page")
  bench.key("ctrl+2")
  read(bench, "an empty schedule")
  bench.key("ctrl+3")
  bench.label_with("No session is open")
  read(bench, "no results")
  bench.key("ctrl+1")
  bench.key("ctrl+shift+p")
  wait("all actions", lambda: bench.named("Actions", "list box").get_child_count() > 30)
  read(bench, "the search of actions")
  bench.key("Escape")
  bench.click(bench.named("Target", "toggle button"))
  read(bench, "the choice of a target")
  bench.key("Escape")
  in_window(bench, "ctrl+question", "Keyboard shortcuts", "the window of keys")
  in_window(bench, "ctrl+comma", "Preferences", "the preferences")
  in_window(bench, "ctrl+shift+w", "Watch a variable", "the watch dialog")
  in_window(bench, "ctrl+shift+o", "Sessions", "the sessions")


def every_view(bench):
  """Every view of a hook, and the page of all hooks."""
  open_first(bench)
  hooks = bench.named("Hooks in this run", "table")
  buttons = [n.get_name() for n in views_of(bench)]
  assert len(buttons) > 6, buttons
  for name in buttons:
    view(bench, name)
    wait("the picture", lambda: not any(n.get_role_name() == "spinner" and has(n, "SHOWING") for n in views_of(bench)))
    read(bench, name)
  bench.click(row(hooks, 0))
  bench.label_with("gilk report")
  read(bench, "all hooks")


def views_of(bench):
  first = bench.named("Histogram", "radio button")
  parent = first.get_parent()
  return [parent.get_child_at_index(i) for i in range(parent.get_child_count()) if has(parent.get_child_at_index(i), "VISIBLE")]


def planned(bench):
  lanes_of(bench)
  read(bench, "a schedule")
  bench.key("ctrl+1")
  bench.label_with("Plan · 3 hooks")
  read(bench, "a plan")


def recorded(bench):
  runs = bench.named("Runs", "list box")
  bench.click(runs.get_child_at_index(runs.get_child_count() - 1))
  graphs = bench.named("Graphs of this run", "table")
  wait("graphs", lambda: rows(graphs) == 1)
  bench.click(row(graphs, 0))
  bench.graph()
  read(bench, "a recorded graph")


def writers(bench):
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  bench.label_with("6 locations")
  read(bench, "accesses")


def with_kernel(bench, lab):
  wait("its blocks", lambda: bench.graph(120).get_child_count() > 20, 120)
  graph = bench.graph()
  read(bench, pipe_write())
  graph.grab_focus()
  bench.key("Home", "b")
  bench.label_with("Plan · 1 hook")
  read(bench, "a planned hook")
  bench.key("space")
  bench.named("Listing", "table")
  read(bench, "a listing")
  bench.key("ctrl+shift+g")
  bench.find("call graph", lambda n: n.get_name() == "Call graph" and n.get_child_count() > 0)
  read(bench, "a call graph")
  bench.key("space", "ctrl+1")
  bench.enter(bench.named("Run for", "text"), "10m")
  work(lab, 2000)
  bench.key("F5")
  bench.await_live()
  bench.key("ctrl+3")
  bench.named("Pause", "toggle button")
  read(bench, "a run that goes on")
  bench.key("F5")
  bench.find("the run's hooks", lambda n: n.get_name() == "Hooks in this run" and has(n, "SHOWING"), 60)
  read(bench, "its results")


def register(case, lab):
  if lab is not None:
    case("a screen reader's way, with a kernel", lambda bench: with_kernel(bench, lab), "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
    return
  case("a screen reader's way through first pages and dialogs", first_pages)
  case("a screen reader's way through all views", every_view, fixtures.studies)
  case("a screen reader's way through a plan", planned, lambda: fixtures.written("read.plan", PLAN))
  case("a screen reader's way through a recorded graph", recorded, fixtures.graphed)
  case("a screen reader's way through writers", writers, fixtures.watched)


if __name__ == "__main__":
  sys.exit(suite.run(register))
