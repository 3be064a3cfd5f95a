# SPDX-License-Identifier: GPL-2.0-or-later
"""
panes.py - a window of 800 by 600: all that is to be used is in it; panels come and go; F6 goes round
"""
import os
import re
import sys

import fixtures
import suite
from hooking import connect_find
from results import row, rows, view
from workbench import Missing, Workbench, box_of, has, looks, pipe_write, tool, wait, walk, work

USED = {"push button", "toggle button", "text", "combo box", "check box", "radio button", "spin button"}


def cut_off(bench):
  """What is shown and cannot be reached with the pointer, without what scrolls."""
  content = bench.frame.get_child_at_index(1)       # under the header
  box = box_of(content)
  width, height = box[0] + box[2], box[1] + box[3]

  def overlaps(node):
    shown = [c for c in (node.get_child_at_index(i) for i in range(min(node.get_child_count(), 60)))
             if c is not None and has(c, "SHOWING") and c.get_role_name() in USED | {"label"}]
    boxes = sorted((box_of(c)[0], box_of(c)[0] + box_of(c)[2], c) for c in shown if box_of(c)[3] > 0)
    for before, after in zip(boxes, boxes[1:]):
      if before[1] > after[0] + 1 and abs(box_of(before[2])[1] - box_of(after[2])[1]) < 12:
        yield f"{before[2].get_name()!r} lies on {after[2].get_name()!r}"

  def look(node, scrolls):
    scrolls = scrolls or node.get_role_name() in ("scroll pane", "table", "viewport", "tree table", "list")
    if not scrolls and node.get_role_name() in ("filler", "panel"):
      yield from overlaps(node)
    if not has(node, "SHOWING"):
      return
    # Where a cell of a list is may not be asked: it goes when its row does.
    is_part = node.get_parent() == content
    box = box_of(node) if is_part or (not scrolls and node.get_role_name() in USED) else None
    if not scrolls and node.get_role_name() in USED and box[0] + box[2] > width:
      yield f"{node.get_role_name()} {node.get_name()!r} ends at {box[0] + box[2]}"
    if is_part and box[1] + box[3] > height:
      yield f"a part of the window ends at {box[1] + box[3]} of {height}"
    if scrolls:
      return
    for i in range(min(node.get_child_count(), 60)):
      child = node.get_child_at_index(i)
      if child is not None:
        yield from look(child, scrolls)

  return list(look(bench.frame, False))


def fits(bench, what, width=800, height=600):
  """Asked for again meanwhile, and seen to stay: the window takes the room back that a panel still needed while it went."""
  last, stays = [], 0

  def look():
    nonlocal stays
    there = box_of(bench.frame)[2:]
    last[:] = cut_off(bench)
    if there != (width, height):
      last.append("the window is {} by {}".format(*there))
      tool("xdotool", "windowsize", bench.window, str(width), str(height))
    stays = stays + 1 if not last else 0
    return stays == 4

  try:
    wait("room", look, 4)
  except Missing as missing:
    raise Missing(f"{what}: " + "; ".join(last)) from missing


@looks
def shown(bench, name):
  return any(n.get_name() == name and has(n, "SHOWING") for n in walk(bench.app))


def resize(bench, width, height):
  """Asked again until it is so: the first time only lets the panel go, for which there is no room."""
  def there():
    tool("xdotool", "windowsize", bench.window, str(width), str(height))
    return box_of(bench.frame)[2:] == (width, height)

  wait("the size", there)


@looks
def focus_box(bench):
  return next((box_of(n) for n in walk(bench.frame) if has(n, "FOCUSED")), None)


def all_views(bench):
  """Those that the row has no room for are in a menu; what is chosen there comes into sight in the row."""
  bench.click(bench.named("All views of this hook", "toggle button"))
  item = bench.find("the last view", lambda n: n.get_name() == "Samples" and n.get_role_name() == "radio menu item" and has(n, "SHOWING"))
  bench.shot("all-views")
  item.do_action(0)
  button = bench.named("Samples", "radio button")
  wait("it to be chosen", lambda: has(button, "CHECKED"))
  wait("it to be in sight", lambda: box_of(button)[0] + box_of(button)[2] <= box_of(bench.named("All views of this hook", "toggle button"))[0])


def instead(bench, left, right, what):
  """A narrow window has one of the two panels: that which was asked for last."""
  for asked, there, gone in (("i", right, left), ("l", left, right), ("i", right, left)):
    bench.key("ctrl+shift+" + asked)
    wait(f"{there} instead of {gone}", lambda t=there, g=gone: shown(bench, t) and not shown(bench, g))
    fits(bench, what)


def narrow(bench):
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  resize(bench, 800, 600)
  wait("the panel to go", lambda: not shown(bench, "Copy figures"))
  fits(bench, "Results")
  view(bench, "Heat map")
  fits(bench, "Results")
  bench.shot("narrow-results")
  all_views(bench)
  instead(bench, "Runs", "Copy figures", "Results with figures")
  bench.shot("narrow-figures")
  bench.key("ctrl+shift+i")
  wait("the lists again", lambda: shown(bench, "Runs"))
  bench.key("ctrl+2")
  fits(bench, "Schedule")
  bench.shot("narrow-schedule")
  bench.key("ctrl+1")
  bench.label_with("Choose a kernel to look into")
  fits(bench, "Explore")
  bench.shot("narrow-explore")
  bench.key("ctrl+3")
  resize(bench, 1280, 740)
  wait("the panel to return", lambda: shown(bench, "Copy figures"))
  bench.key("ctrl+shift+i")
  wait("the panel to go", lambda: not shown(bench, "Copy figures"))
  bench.key("ctrl+shift+i")
  wait("the panel to return", lambda: shown(bench, "Copy figures"))

  # Each press goes to another pane, and round. Not all that takes the keyboard tells so.
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  lefts = set()
  for _ in range(6):
    bench.key("F6")
    try:
      lefts.add(wait("focus", lambda: focus_box(bench), 0.2)[0])
    except Missing:
      pass
  assert len(lefts) >= 3, f"F6 goes to {lefts} only"


def graph_page(bench, say):
  functions = bench.named(say("Functions"), "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  wait("focus in the search entry", bench.focused_entry)
  bench.type(pipe_write())
  bench.key("Return")
  return bench.find("graph", lambda n: n.get_name() == say("Control-flow graph") and n.get_child_count() > 20, 60)


def narrow_run(bench, lab, say=str):
  """800 by 600, from the graph to the results of a run: nothing that is to be used is outside of the window."""
  graph = graph_page(bench, say)
  wrong = []

  def look(what):
    try:
      fits(bench, what)
    except Missing as missing:
      wrong.append(str(missing))
    bench.shot("narrow-" + re.sub(r"\W+", "-", what.lower()))

  look("a graph")
  entry = bench.find(say("Run for"), lambda n: n.get_name() == say("Run for") and n.get_role_name() == "text" and has(n, "SHOWING"))
  bench.enter(entry, "10m")
  bench.click(graph)
  bench.key("Home", "b", "Down", "shift+b", "Down", "b")
  bench.find("the plan", lambda n: "3" in (n.get_name() or "") and n.get_role_name() == "label" and has(n, "SHOWING") and
             n.get_name().startswith(say("Plan")))
  look("a plan")
  bench.key("ctrl+shift+i")
  bench.find("stamp", lambda n: n.get_name() == "stamp" and n.get_role_name() == "menu item").do_action(0)
  look("an inspector")
  bench.key("ctrl+shift+i", "ctrl+2")
  look("a schedule")
  work(lab, 4000)
  bench.key("F5")
  bench.find("a run", lambda n: n.get_name() == say("Stop") and n.get_role_name() == "push button", 60)
  rate = re.compile(r"[1-9]\d* ")
  bench.find("hits", lambda n: n.get_role_name() == "label" and has(n, "SHOWING") and rate.match(n.get_name() or "") and
             say("%s hits").replace("%s", "").strip() in n.get_name(), 60)
  look("a running schedule")
  bench.key("ctrl+1")
  look("a running graph")
  bench.key("ctrl+3")
  look("a live page")
  bench.key("ctrl+1", "F5")
  bench.label_with(say("The kernel is restored."), 60)
  look("a graph after a run")
  bench.key("ctrl+2")
  look("a schedule after a run")
  bench.key("ctrl+3")
  hooks = bench.named(say("Hooks in this run"), "table", 30)
  wait("the run's hooks", lambda: rows(hooks) == 4)
  look("results of a run")
  bench.click(row(bench.named(say("Graphs of this run"), "table"), 0))
  look("a recorded graph")
  if wrong:
    raise Missing("; ".join(wrong))


def folded_is_no_setting(bench):
  """What a small window folds is there again in a large one: here, and where the small one was killed."""
  bench.close()
  os.environ["GSETTINGS_BACKEND"] = "keyfile"
  try:
    small = Workbench(fixtures.studies())
    wait("the figures", lambda: shown(small, "Copy figures"))
    resize(small, 800, 600)
    wait("the panel to go", lambda: not shown(small, "Copy figures"))
    small.process.kill()
    small.process.wait()
    large = Workbench(fixtures.studies())
    bench.__dict__.update(large.__dict__)           # which is closed in its place
    resize(large, 1280, 740)
    wait("the figures in a large window", lambda: shown(large, "Copy figures"))
    # A narrow window's inspector is of that window: it is folded again, and the list is as it was.
    resize(large, 800, 600)
    wait("the panel to go", lambda: not shown(large, "Copy figures"))
    large.key("ctrl+shift+i")
    wait("the figures instead of the list", lambda: shown(large, "Copy figures") and not shown(large, "Runs"))
    resize(large, 1280, 740)
    wait("both", lambda: shown(large, "Copy figures") and shown(large, "Runs"))
    # What the user turns off is a setting.
    large.key("ctrl+shift+i")
    wait("the panel to go", lambda: not shown(large, "Copy figures"))
    resize(large, 800, 600)
    resize(large, 1280, 740)
    wait("the list", lambda: shown(large, "Runs"))
    assert not shown(large, "Copy figures"), "the layout turned on what the user turned off"
  finally:
    os.environ["GSETTINGS_BACKEND"] = "memory"


def list_width(bench):
  """The width of the list is what the user gave it, whatever a small window made of it."""
  def width():
    return box_of(bench.named("Functions", "table"))[2]

  connect_find(bench)
  graph = bench.graph(60)
  bench.click(graph.get_child_at_index(0))
  resize(bench, 1280, 740)
  wait("the inspector", lambda: shown(bench, "Instrument"))
  before = width()
  tool("xdotool", "windowsize", bench.window, "860", "600")
  wait("no inspector", lambda: not shown(bench, "Instrument"))
  wait("the width before in a narrow window", lambda: width() == before)
  resize(bench, 1280, 740)
  wait("the inspector", lambda: shown(bench, "Instrument"))
  wait("the width before", lambda: width() == before)


def register(case, lab):
  if lab is not None:
    case("a narrow window, from a graph to the results of a run", lambda bench: narrow_run(bench, lab), "--target", "lab:" + lab)
    case("the list's width is the user's", list_width, "--target", "lab:" + lab)
  else:
    case("what a layout folds is no setting", folded_is_no_setting)
    case("a narrow window, and round its panes", narrow, fixtures.studies)


if __name__ == "__main__":
  sys.exit(suite.run(register))
