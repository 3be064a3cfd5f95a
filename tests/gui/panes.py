# SPDX-License-Identifier: GPL-2.0-or-later
"""
panes.py - a window of 800 by 600: all that is to be used is in it; panels come and go; F6 goes round
"""
import sys

import fixtures
import suite
from results import row, rows, view
from workbench import Missing, box_of, has, tool, wait, walk

USED = {"push button", "toggle button", "text", "combo box", "check box", "radio button", "spin button"}


def cut_off(bench):
  """What is shown and cannot be reached with the pointer, without what scrolls."""
  content = bench.frame.get_child_at_index(1)       # under the header
  box = box_of(content)
  width, height = box[0] + box[2], box[1] + box[3]

  def look(node, scrolls):
    scrolls = scrolls or node.get_role_name() in ("scroll pane", "table", "viewport", "tree table")
    if not has(node, "SHOWING"):
      return
    box = box_of(node)
    if not scrolls and node.get_role_name() in USED and box[0] + box[2] > width:
      yield f"{node.get_role_name()} {node.get_name()!r} ends at {box[0] + box[2]}"
    if node.get_parent() == content and box[1] + box[3] > height:
      yield f"a part of the window ends at {box[1] + box[3]} of {height}"
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


def shown(bench, name):
  return any(n.get_name() == name and has(n, "SHOWING") for n in walk(bench.app))


def resize(bench, width, height):
  """Asked again until it is so: the first time only lets the panel go, for which there is no room."""
  def there():
    tool("xdotool", "windowsize", bench.window, str(width), str(height))
    return box_of(bench.frame)[2:] == (width, height)

  wait("the size", there)


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


def register(case, lab):
  if lab is None:
    case("a narrow window, and round its panes", narrow, fixtures.studies)


if __name__ == "__main__":
  sys.exit(suite.run(register))
