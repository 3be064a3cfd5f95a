# SPDX-License-Identifier: GPL-2.0-or-later
"""
canvas.py [LAB] - the graph as it is touched: dragged, zoomed, followed, chosen from
"""
import os
import re
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from results import recorded_graph, row  # noqa: E402
from workbench import SCALE, Missing, Still, box_of, checked, has, move_to, pipe_write, tool, wait, walk  # noqa: E402


def place_of(graph, name):
  """Where the "drawing" or the "minimap" is on the screen; without width: nowhere."""
  left, top, _, _ = box_of(graph)
  x, y, width, height = (SCALE * int(n) for n in graph.get_attributes()[name].split(","))
  return left + x, top + y, width, height


def meet(a, b):
  return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def blocks_of(graph):
  return [box_of(graph.get_child_at_index(i)) for i in range(graph.get_child_count())]


def drag(start, by, button="1", keys=()):
  """A real drag with a button from @start, in steps as a hand makes them."""
  move_to(*start)
  for key in keys:
    tool("xdotool", "keydown", key)
  tool("xdotool", "mousedown", button)
  for step in range(1, 5):
    move_to(start[0] + by[0] * step // 4, start[1] + by[1] * step // 4)
  tool("xdotool", "mouseup", button)
  for key in keys:
    tool("xdotool", "keyup", key)


def free_place(graph):
  """A place of the canvas where no block is, in its upper left part."""
  left, top, width, height = box_of(graph)
  boxes = [box_of(graph.get_child_at_index(i)) for i in range(graph.get_child_count())]
  for y in range(top + 20, top + height - 90, 12):
    for x in range(left + 20, left + width - 200, 12):
      if not any(b[0] - 24 < x < b[0] + b[2] + 24 and b[1] - 24 < y < b[1] + b[3] + 24 for b in boxes):
        return x, y
  raise Missing("a free place in the graph")


def moved(block, before, by, what):
  def there():
    now = box_of(block)
    return abs(now[0] - before[0] - by[0]) <= 2 and abs(now[1] - before[1] - by[1]) <= 2
  try:
    wait(what, there, 3)
  except Missing as error:
    raise Missing(f"{error}: from {before} by {by}, is {box_of(block)}") from error


def dragged(bench, graph):
  """First and middle button move the drawing, the map moves what is seen."""
  block = graph.get_child_at_index(0)
  for button, by in (("1", (40, 60)), ("2", (-30, -44))):
    before = box_of(block)
    drag(free_place(graph), by, button)
    moved(block, before, by, f"the drawing to follow button {button}")
  bench.key("ctrl+plus", "ctrl+plus", "ctrl+plus", "ctrl+plus")
  wait("a map", lambda: place_of(graph, "minimap")[2] > 0)
  still = Still(lambda: place_of(graph, "minimap"))
  left, top, width, height = wait("the map to rest", lambda: bench.sync() and still.settled())
  middle = left + width // 2, top + height // 2
  drag((middle[0], middle[1] - 20), (0, 40))
  still = Still(lambda: (box_of(block), place_of(graph, "minimap")))
  below, (left, top, width, height) = wait("the drawing to rest", lambda: bench.sync() and still.settled())
  if width > 0:
    middle = left + width // 2, top + height // 2
    drag((middle[0], middle[1] + 20), (0, -40))
    wait("the map to move the drawing", lambda: box_of(block)[1] > below[1] + 20)
  bench.key("ctrl+0", "Home")


def nothing_lies_on_blocks(bench, graph):
  """Map, legend and buttons leave all blocks free, at each zoom and place; all of a graph fits into what is free of them."""
  buttons = [bench.named(name, "push button") for name in ("Zoom in", "Zoom out", "Whole graph", "Actual size")]
  maps = 0
  for keys in (["ctrl+0", "Home"], ["Down"], ["Down", "Down"], ["ctrl+minus"], ["ctrl+minus", "ctrl+minus"], ["ctrl+plus"] * 4,
               ["Down"], ["ctrl+9"]):
    bench.key(*keys)
    still = Still(lambda: (blocks_of(graph), place_of(graph, "minimap")))
    blocks, small = wait("the drawing to rest", lambda s=still: bench.sync() and s.settled())
    drawing = place_of(graph, "drawing")
    maps += small[2] > 0
    for block in blocks:
      if meet(block, small):
        raise Missing(f"a free block: the map at {small} lies on the one at {block} after {keys}")
    for button in buttons:
      if meet(drawing, box_of(button)):
        raise Missing(f"a free drawing: {button.get_name()} lies on it")
  bench.shot("whole-graph")
  assert maps > 0, "the map was never there"
  for left, top, width, height in blocks:
    if left < drawing[0] or top < drawing[1] or left + width > drawing[0] + drawing[2] or top + height > drawing[1] + drawing[3]:
      raise Missing(f"all of the graph in {drawing}: a block is at {(left, top, width, height)}")


def empty_plan_takes_a_line(bench, graph):
  """As long as nothing is planned the graph has the room of the plan."""
  frame, drawing = box_of(bench.frame), place_of(graph, "drawing")
  share = drawing[3] / frame[3]
  if share < 0.7:
    raise Missing(f"room for the graph: it has {drawing[3]} of {frame[3]} pixels")


def wheel(graph):
  """The wheel scrolls; with Ctrl it zooms, and what is under the pointer stays there."""
  block = graph.get_child_at_index(0)
  before = box_of(block)
  at = before[0] + before[2] // 2, before[1] + 6
  move_to(*at)
  tool("xdotool", "click", "5")
  wait("the drawing to scroll", lambda: box_of(block)[1] < before[1] - 20)
  tool("xdotool", "click", "4")
  wait("the drawing to scroll back", lambda: abs(box_of(block)[1] - before[1]) <= 2)
  for button, larger in (("4", True), ("5", False)):
    width = box_of(block)[2]
    tool("xdotool", "keydown", "ctrl", "click", button, "keyup", "ctrl")
    wait("another scale", lambda: box_of(block)[2] != width)
    now = box_of(block)
    assert (now[2] > width) == larger, f"{now[2]} after {width}"
    assert abs(now[0] + now[2] // 2 - at[0]) <= 3, f"zoomed away from the pointer: {now} at {at}"


def recorded(bench):
  recorded_graph(bench)
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  graph = bench.graph()
  dragged(bench, graph)
  wheel(graph)
  bench.key("ctrl+9")


# ---- with a kernel ----

def selected(graph):
  """Number of the block that is current."""
  return next((i for i in range(graph.get_child_count()) if has(graph.get_child_at_index(i), "SELECTED")), -1)


def checked_points(graph):
  return sum(checked(graph.get_child_at_index(i).get_child_at_index(p))
             for i in range(graph.get_child_count()) for p in (0, 1))


def open_graph(bench):
  name = pipe_write()
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  search = wait("focus in the search entry", bench.focused_entry)
  bench.type(name)
  wait("the pattern", lambda: search.get_text(0, -1) == name)
  wait("few functions", lambda: 0 < functions.get_child_count() < 200)
  bench.key("Return")
  graph = bench.graph(60)
  wait("the entry", lambda: selected(graph) >= 0)
  return graph


def edges(bench, graph):
  """An edge that is clicked leads to its far end, and Back to where one was."""
  entry = selected(graph)
  left, top, width, height = box_of(graph.get_child_at_index(entry))
  for x in range(left + width // 2 - 40, left + width // 2 + 60, 4):
    move_to(x, top + height + 9)
    tool("xdotool", "click", "1")
    bench.settle()                                      # else the next one follows another edge
    if selected(graph) != entry:
      break
  wait("another block", lambda: selected(graph) not in (-1, entry), 3)
  bench.shot("edge-followed")
  bench.key("alt+Left")
  wait("the block before", lambda: selected(graph) == entry)
  bench.key("ctrl+Down")
  bench.shot("ways-out")
  bench.key("Return")
  wait("one of the ways out", lambda: selected(graph) != entry)
  bench.key("alt+Left")
  wait("the block before that", lambda: selected(graph) == entry)


def several(bench, graph):
  """Blocks chosen by Shift-click, a band and a rule are planned at once, and undone at once."""
  blocks = [graph.get_child_at_index(i) for i in range(graph.get_child_count())]
  seen = []
  while len(seen) < 4:
    width = box_of(blocks[0])[2]
    bench.key("ctrl+minus")
    wait("a smaller graph", lambda: box_of(blocks[0])[2] < width)      # pylint: disable=cell-var-from-loop
    seen = [b for b in blocks if on_canvas(graph, b)]
  tool("xdotool", "keydown", "shift")
  for block in seen[1:3]:
    left, top, width, _ = box_of(block)
    move_to(left + width // 4, top + 8)
    tool("xdotool", "click", "1")
  tool("xdotool", "keyup", "shift")
  bench.label_with("2 blocks selected")
  bench.shot("chosen")
  bench.key("ctrl+b")
  wait("two hooks", lambda: checked_points(graph) == 2)
  bench.key("ctrl+z")
  wait("none", lambda: checked_points(graph) == 0)
  bench.key("Escape")
  wait("nothing selected", lambda: not any("blocks selected" in (n.get_name() or "") and has(n, "SHOWING")
                                           for n in walk(bench.app) if n.get_role_name() == "label"))
  left, top, width, height = box_of(graph)
  drag(free_place(graph), (width // 2, height * 3 // 4), keys=("shift",))
  bench.label_with("blocks selected")
  bench.shot("band")
  bench.key("ctrl+a")
  bench.label_with(f"{len(blocks)} blocks selected")
  bench.key("ctrl+b")
  wait("all that can be", lambda: checked_points(graph) > len(blocks) * 3 // 4)
  bench.shot("all-planned")
  bench.key("ctrl+shift+b")
  wait("none again", lambda: checked_points(graph) == 0)


def on_canvas(graph, block):
  left, top, width, height = place_of(graph, "drawing")
  x, y, w, h = box_of(block)
  return x > left and y > top and x + w < left + width and y + h < top + height


def searched(bench, graph):
  """What is typed is found in instructions and callees, and gone through."""
  entry = selected(graph)
  bench.key("ctrl+f")
  field = bench.named("Find in this function", "text")
  wait("focus in the entry", lambda: has(field, "FOCUSED"))
  bench.type("call mutex")
  bench.label_with("1 of ")
  bench.shot("search")
  at = selected(graph)
  bench.key("Return")
  bench.label_with("2 of ")
  wait("another block", lambda: selected(graph) != at)
  for key in ("ctrl+a", "BackSpace", "Return", "Down"):
    bench.key(key)
  bench.type("call mutex")
  bench.label_with(" of ")
  bench.type(" zzz")
  bench.label_with("no match")
  bench.shot("search-nothing")
  bench.key("Escape")
  wait("the search to end", lambda: has(graph, "FOCUSED"))
  bench.key("Home")
  wait("the entry", lambda: selected(graph) == entry)


def listing(bench, graph):
  """Space shows the same as a listing, which follows a jump and returns."""
  entry = selected(graph)
  bench.key("space")
  table = bench.named("Listing", "table")
  wait("the keyboard in the listing", lambda: has(table, "FOCUSED") or any(has(n, "FOCUSED") for n in walk(table, 200)))
  bench.shot("listing")
  for _ in range(40):
    if selected(graph) != entry:
      break
    bench.key("j")
  wait("the next block", lambda: selected(graph) != entry)
  bench.key("k")
  wait("the block before", lambda: selected(graph) == entry)
  block = graph.get_child_at_index(entry)
  wait("the caret at its last instruction", lambda: Atspi.Text.get_text(block, Atspi.Text.get_caret_offset(block), -1).startswith("j"))
  bench.key("Return")                                   # its last instruction is a branch
  wait("where it leads", lambda: selected(graph) != entry)
  bench.shot("listing-followed")
  bench.key("alt+Left")
  wait("where one was", lambda: selected(graph) == entry)
  bench.key("b")
  wait("a hook", lambda: checked_points(graph) == 1)
  bench.shot("listing-planned")
  bench.key("ctrl+z")
  bench.key("space")
  wait("the graph", lambda: has(graph, "FOCUSED"))


def told(graph):
  """What a screen reader is told of a block: where it stands and leads, its neighbours, its instructions."""
  block = graph.get_child_at_index(selected(graph))
  said = block.get_description()
  assert re.fullmatch(r"block \d+ of \d+, entry; branch (not )?taken to \+0x\w+; branch (not )?taken to \+0x\w+", said), said
  relations = {r.get_relation_type(): r.get_n_targets() for r in block.get_relation_set()}
  assert relations.get(Atspi.RelationType.FLOWS_TO, 0) == 2, relations
  lines = Atspi.Text.get_text(block, 0, -1).split("\n")
  assert len(lines) > 5 and any(line.startswith("push %r") for line in lines), lines


def owned(bench, graph):
  """While a hook is live the listing tells what the bytes are now, and whose."""
  bench.enter(bench.named("Run for", "text"), "10m")
  Atspi.Component.grab_focus(graph.get_child_at_index(0))
  wait("the graph to have the keyboard", lambda: has(graph, "FOCUSED"))
  bench.key("Home", "Down", "b")
  wait("a hook", lambda: checked_points(graph) == 1)
  bench.key("F5")
  wait("it to be live", lambda: any(graph.get_child_at_index(i).get_child_at_index(0).get_name().endswith("live")
                                    for i in range(graph.get_child_count())), 40)
  bench.key("space")
  table = bench.named("Listing", "table")

  def cells():
    return [table.get_child_at_index(i).get_name() or "" for i in range(min(table.get_child_count(), 240))]

  wait("whose the bytes are", lambda: any(cell.startswith("ilk, ") for cell in cells()))
  assert any(cell.startswith("jmp 0x") for cell in cells()), "no jump is told"
  assert "ftrace" in cells(), "the site of ftrace is nobody's"
  bench.shot("listing-now")
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)
  wait("nothing of ours", lambda: not any(cell.startswith("ilk, ") for cell in cells()))
  bench.key("space")


def live(bench):
  graph = open_graph(bench)
  entry = selected(graph)
  told(graph)
  empty_plan_takes_a_line(bench, graph)
  nothing_lies_on_blocks(bench, graph)
  bench.key("ctrl+0", "Home")
  wait("the entry again", lambda: selected(graph) == entry)
  searched(bench, graph)
  listing(bench, graph)
  edges(bench, graph)
  several(bench, graph)
  owned(bench, graph)


def register(case, lab):
  if lab is not None:
    case("a graph is gone through and chosen from", live, "--target", "lab:" + lab)
    return
  case("a graph is dragged and zoomed", recorded, fixtures.graphed)


if __name__ == "__main__":
  sys.exit(suite.run(register))
