# SPDX-License-Identifier: GPL-2.0-or-later
"""
cases.py LAB - the three acts of the workbench, by one hand at a time: browse and hook, schedule and run, read results

By the pointer only, by the keyboard only, and as a screen reader does it: by actions, texts and selections of the
accessible tree, without a key or a click.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gi  # noqa: E402
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402
import suite  # noqa: E402
from find import search_of  # noqa: E402
from schedule import Lanes, drag, lanes_of  # noqa: E402
from workbench import Missing, block_of, box_of, checked, has, itself, looks, pipe_write, tool, wait, walk, work  # noqa: E402

INSTRUMENT, KIND = "Instrument", "Hits over time"
KINDS = "radio button", "toggle button"


def showing(bench, name, *roles):
  return bench.find(f'"{name}"', lambda n: n.get_name() == name and (not roles or n.get_role_name() in roles) and
                    has(n, "SHOWING"))


def usable(bench, combo):
  box = showing(bench, combo, "combo box")
  wait(f"{combo!r} to be had", lambda: has(box, "SENSITIVE"))
  return box


@looks
def items_of(box):
  return [n for n in walk(box) if n.get_role_name() == "menu item"]


@looks
def focused(bench):
  return next((n for n in walk(bench.frame) if has(n, "FOCUSED")), None)


@looks
def keyboard_at(bench):
  """Words for a failure."""
  at = next((n for n in walk(bench.frame) if has(n, "FOCUSED")), None)
  return f"{at.get_role_name()} {at.get_name()!r}" if at is not None else "nothing"


def act(node, *names):
  """The action of @node with one of @names, or its first."""
  actions = [Atspi.Action.get_localized_name(itself(node), i) for i in range(node.get_n_actions())]
  if not actions:
    raise Missing(f"an action of {node.get_name()!r}")
  node.do_action(next((actions.index(n) for n in names if n in actions), 0))


class Pointer:
  """All that needs a hand on the mouse only."""
  name = "pointer"

  def browse(self, bench):
    bench.click(showing(bench, "pipe_write", "push button"))    # of the first page

  def hook(self, bench, graph):
    point = graph.get_child_at_index(1).get_child_at_index(0)
    bench.click(point)
    return point

  def pick(self, bench, combo, item):
    bench.click(usable(bench, combo))
    bench.click(showing(bench, item, "menu item"))

  def schedule(self, bench):
    bench.click(showing(bench, "Schedule", "radio button"))
    lanes = Lanes(bench, 10)
    wait("the bar", lambda: lanes.times(0)[0] == "0s")
    drag(lanes.at(0, 0.02), lanes.at(0, 1))

  def run(self, bench):
    bench.click(showing(bench, "Run", "push button"))

  def stop(self, bench):
    bench.click(showing(bench, "Stop", "push button"))

  def results(self, bench):
    bench.click(showing(bench, "Results", "radio button"))

  def choose(self, bench, hooks):
    bench.click(hooks.get_child_at_index(2))

  def kind(self, bench, button):
    bench.click(button)

  def explore(self, bench):
    bench.click(showing(bench, "Explore", "radio button"))

  def read(self, bench, plot):
    x, y, width, height = box_of(plot)
    tool("xdotool", "mousemove", str(x + width // 2), str(y + height // 2))


class Keyboard:
  """All that needs keys only."""
  name = "keyboard"

  def browse(self, bench):
    search = search_of(bench)
    bench.type(pipe_write())
    wait("the pattern", lambda: search.get_text(0, -1) == pipe_write())
    functions = bench.named("Functions", "table")
    wait("few functions", lambda: 0 < functions.get_child_count() < 2000)
    bench.key("Return")

  def hook(self, bench, graph):
    wait("the graph to have the keyboard", lambda: has(graph, "FOCUSED") or
         any(has(graph.get_child_at_index(i), "FOCUSED") for i in range(graph.get_child_count())))
    bench.key("Home", "Down", "b")
    return wait("a planned point", lambda: next((p for p in points(graph) if checked(p)), None))

  def pick(self, bench, combo, item):
    box = usable(bench, combo)
    # It is the first in the next pane. GTK does not tell that a combo box has the keyboard, for its button has it, and
    # tells that the link of a label has it which was under the pointer last.
    bench.key("F6")
    wait("the keyboard to leave the graph", lambda: focused(bench) is None or focused(bench).get_role_name() == "link")
    bench.key("space")
    items = items_of(box)
    # They come into sight one after the other.
    wait(f"what {combo!r} has", lambda: all(has(n, "SHOWING") for n in items))

    def at():
      return next((n.get_name() for n in items if has(n, "SELECTED")), None)

    for name in [n.get_name() for n in items]:
      wait(f"the keyboard to be at {name!r}, not at {at()!r}", lambda name=name: at() == name)
      if name == item:
        break
      bench.key("Down")
    bench.key("Return")
    wait(f"{item!r} to be taken", lambda: box.get_selected_child(0).get_name() == item)

  def schedule(self, bench):
    bench.key("ctrl+2")
    lanes = lanes_of(bench)
    for _ in range(4):
      if has(lanes, "FOCUSED"):
        break
      bench.key("F6")
      try:
        wait("the schedule to have the keyboard", lambda: has(lanes, "FOCUSED"), 0.3)
      except Missing:
        pass
    bench.key("Home", "Right")

  def run(self, bench):
    bench.key("F5")

  def stop(self, bench):
    bench.key("F5")

  def results(self, bench):
    bench.key("ctrl+3")

  def reach(self, bench, node, by):
    """Presses @by until @node has the keyboard."""
    seen = []
    for _ in range(24):
      try:
        return wait("the keyboard", lambda: focused(bench) == node, 0.1)
      except Missing:                                           # a combo box does not tell that it has it
        seen.append(keyboard_at(bench))
        bench.key(by)
    raise Missing(f"{node.get_name()!r} by {by}: " + ", ".join(seen))

  def choose(self, bench, hooks):
    self.reach(bench, hooks, "Tab")
    bench.key("End")

  def kind(self, bench, button):
    first = showing(bench, "Histogram", *KINDS)
    self.reach(bench, first, "Tab")
    for _ in range(8):
      if has(button, "FOCUSED"):
        break
      before = focused(bench)
      bench.key("Right")
      wait("the next kind", lambda before=before: focused(bench) not in (None, before))
    if not checked(button):
      bench.key("space")
    wait("the kind", lambda: checked(button))

  def explore(self, bench):
    bench.key("ctrl+1")

  def read(self, bench, plot):
    self.reach(bench, plot, "Tab")
    bench.key("Right")


class Reader:
  """What a screen reader can do: no key, no click."""
  name = "screen reader"

  def browse(self, bench):
    search = showing(bench, "Find a function", "text")
    search.set_text_contents(pipe_write())
    functions = bench.named("Functions", "table")
    wait("few functions", lambda: 0 < functions.get_child_count() < 2000)
    act(search, "activate")

  def hook(self, bench, graph):
    assert re.match(r"block \+0x", graph.get_child_at_index(1).get_name()), graph.get_child_at_index(1).get_name()
    point = graph.get_child_at_index(1).get_child_at_index(0)
    assert point.get_name().endswith("free"), point.get_name()
    act(point)
    return point

  def pick(self, bench, combo, item):
    box = usable(bench, combo)
    box.select_child([n.get_name() for n in items_of(box)].index(item))

  def schedule(self, bench):
    act(showing(bench, "Schedule", "radio button"))
    lanes = Lanes(bench, 10)
    cell = wait("its start in the table", lambda: lanes.table.get_accessible_at(0, 0))
    assert pipe_write() in cell.get_name(), cell.get_name()
    act(showing(bench, "Explore", "radio button"))
    start = showing(bench, "Start", "text")
    start.set_text_contents("1s")
    act(start, "activate")
    act(showing(bench, "Schedule", "radio button"))

  def run(self, bench):
    act(showing(bench, "Run", "push button"))

  def stop(self, bench):
    act(showing(bench, "Stop", "push button"))

  def results(self, bench):
    act(showing(bench, "Results", "radio button"))

  def choose(self, bench, hooks):
    hooks.add_row_selection(1)

  def kind(self, bench, button):
    act(button)

  def explore(self, bench):
    act(showing(bench, "Explore", "radio button"))

  def read(self, bench, plot):
    assert plot.get_description() or plot.get_name(), "the plot says nothing"


def points(graph):
  for i in range(graph.get_child_count()):
    block = graph.get_child_at_index(i)
    for j in range(block.get_child_count()):
      yield block.get_child_at_index(j)


def browse_and_hook(bench, hand):
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  hand.browse(bench)
  graph = bench.graph(60)
  wait("its blocks", lambda: graph.get_child_count() > 20)
  point = hand.hook(bench, graph)
  wait("the planned mark", lambda: checked(point) and point.get_name().endswith("planned"))
  bench.label_with("Plan · 1 hook")
  hand.pick(bench, INSTRUMENT, "stamp")
  return point


def schedule_and_run(bench, hand, point, lab):
  hand.schedule(bench)
  lanes = Lanes(bench, 10)
  wait("a later start", lambda: lanes.times(0)[0] not in ("0", "0s", ""))
  # None of the acts: a busy machine may not be seen running for ten seconds.
  bench.enter(bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and has(n, "SHOWING")), "10m")
  work(lab)
  hand.run(bench)
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  wait("a count", lambda: re.search(r"[1-9]\d* hits", block_of(point).get_name()), 20)
  hand.stop(bench)
  bench.label_with("The kernel is restored", 60)
  hand.explore(bench)
  wait("the mark to be planned again", lambda: point.get_name().endswith("planned"))


def read_results(bench, hand):
  hand.results(bench)
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hook", lambda: hooks.get_child_count() >= 3)
  hand.choose(bench, hooks)
  hand.kind(bench, showing(bench, KIND, *KINDS))
  plot = bench.find("the plot", lambda n: n.get_role_name() == "drawing area" and n.get_name() == KIND and has(n, "SHOWING"))
  hand.read(bench, plot)
  bench.label_with("gilk plot")
  bench.shot("case-" + hand.name.replace(" ", "-"))


def three(bench, hand, lab):
  """All acts in one window, as they are done."""
  point = browse_and_hook(bench, hand)
  schedule_and_run(bench, hand, point, lab)
  read_results(bench, hand)


def register(case, lab):
  if lab is None:
    return
  for hand in (Pointer(), Keyboard(), Reader()):
    case(f"browse, hook, schedule, run, read by {hand.name} only", lambda b, hand=hand: three(b, hand, lab),
         "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
