# SPDX-License-Identifier: GPL-2.0-or-later
"""
schedule - bars of the schedule moved by a real pointer and by keys

Where a bar is follows from the view's geometry, which gui/plan/gilk-schedule-private.h has: an axis, rows, a column of
labels. What became of it is read in the plan's table.
"""
import os
import subprocess
import sys

import fixtures
import suite
from workbench import SCALE, Missing, box_of, has, tool, wait, walk

AXIS, ROW, RIGHT = 26 * SCALE, 26 * SCALE, 20 * SCALE
LABELS = 250 * SCALE                      # at most; 36 % of the width

PLAN = """[gilk-plan]
version=2

[hook first]
function=pipe_write
block=+0x5
where=pre
instrument=stamp
start=2s
stop=6s

[hook second]
function=pipe_write
block=+0x3f
where=pre
instrument=count
start=4s

[hook third]
function=vfs_read
block=+0x0
where=pre
instrument=count
"""


AFTER = PLAN.replace("start=2s\nstop=6s", "start=1s\nstop=3s").replace(
  "start=4s", "start=after first + 500ms\nstop=+2s") + "start=after second\n"


def press(at):
  tool("xdotool", "mousemove", *map(str, at))
  wait("the pointer to arrive", lambda: f"x:{at[0]} y:{at[1]} " in tool("xdotool", "getmouselocation"))
  tool("xdotool", "mousedown", "1")


def drag(start, end):
  """In steps, as a hand does."""
  press(start)
  for step in (3, 10, 18, 20):
    tool("xdotool", "mousemove", *(str(a + (b - a) * step // 20) for a, b in zip(start, end)))
  tool("xdotool", "mouseup", "1")


def lanes_of(bench):
  """The schedule that is in view."""
  return wait("the schedule", lambda: next((n for n in walk(bench.app) if n.get_name() == "Schedule of the planned hooks" and
                                            has(n, "SHOWING")), None))


class Lanes:
  """The large schedule, with a run of @seconds."""

  def __init__(self, bench, seconds):
    self.bench = bench
    self.seconds = seconds
    self.node = lanes_of(bench)
    self.table = wait("the table", lambda: next((n for n in walk(bench.app) if n.get_name() == "Plan" and
                                                 n.get_role_name() == "table" and has(n, "SHOWING")), None))

  def at(self, row, second):
    x, y, width, _height = box_of(self.node)
    left = min(max(width * 36 // 100, 60 * SCALE), LABELS)
    return (round(x + left + (width - RIGHT - left) * second / self.seconds), y + AXIS + row * ROW + ROW // 2)

  def times(self, row):
    """Start and stop of the row of the table, as it shows them."""
    columns = self.table.get_n_columns()
    cells = [self.table.get_accessible_at(row, column).get_name() for column in range(columns)]
    return tuple(cells[3:5])

  def expect(self, row, *times):
    try:
      wait("times", lambda: self.times(row) == times, 3)
    except Missing:
      raise Missing(f"times {times} of hook {row}: they are {self.times(row)}") from None


def schedule(bench):
  """Both ends, whole bars, snap, a function's hooks together; each one step of undo."""
  bench.key("ctrl+2")
  length = bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and has(n, "SHOWING"))
  bench.enter(length, "10s")
  lanes = Lanes(bench, 10)
  lanes.expect(0, "2s", "6s")
  bench.shot("schedule")

  drag(lanes.at(1, 4), lanes.at(1, 5.02))              # the middle: both move, to the grid
  lanes.expect(0, "3s", "7s")
  bench.key("ctrl+z")
  lanes.expect(0, "2s", "6s")
  drag(lanes.at(1, 2), lanes.at(1, 1))
  lanes.expect(0, "1s", "6s")
  drag(lanes.at(1, 6), lanes.at(1, 7.97))
  lanes.expect(0, "1s", "8s")
  drag(lanes.at(1, 8), lanes.at(1, 14))                # beyond the end: until the end
  lanes.expect(0, "1s", "end")
  for times in (("1s", "8s"), ("1s", "6s"), ("2s", "6s")):
    bench.key("ctrl+z")
    lanes.expect(0, *times)
  drag(lanes.at(0, 5), lanes.at(0, 6))                 # pipe_write's own row: its two hooks
  lanes.expect(0, "3s", "7s")
  lanes.expect(1, "5s", "end")
  bench.key("ctrl+z")
  lanes.expect(1, "4s", "end")
  held(bench, lanes)


def held(bench, lanes):
  """What a drag will do is shown before the button is let go."""
  start, end = lanes.at(1, 4), lanes.at(1, 5)
  press(start)
  tool("xdotool", "mousemove", str(start[0] + 20), str(start[1]))
  tool("xdotool", "mousemove", *map(str, end))
  bench.look("schedule-dragging")
  lanes.expect(0, "2s", "6s")
  tool("xdotool", "mousemove", *map(str, start))
  tool("xdotool", "mouseup", "1")
  lanes.expect(0, "2s", "6s")


def schedule_keys(bench):
  """The same by keys, told to assistive tools."""
  bench.key("ctrl+2")
  bench.enter(bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and
                         has(n, "SHOWING")), "10s")
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  wait("the keyboard in the schedule", lambda: has(lanes.node, "FOCUSED"))
  bench.key("Home")
  wait("the first row", lambda: lanes.node.get_description().startswith("pipe_write, 2 hooks: 2s to"))
  bench.key("Down")
  wait("the first hook", lambda: lanes.node.get_description().startswith("pipe_write +0x5 pre, stamp: 2s to 6s"))
  bench.key("Right")
  lanes.expect(0, "2.2s", "6.2s")
  bench.key("shift+Left")
  lanes.expect(0, "2.2s", "6s")
  bench.key("ctrl+Left")
  lanes.expect(0, "2s", "6s")
  wait("what is told", lambda: "2s to 6s" in lanes.node.get_description())
  for key in ("plus", "plus", "plus", "minus", "plus"):
    bench.key(key)
  bench.shot("schedule-zoomed")
  bench.key("Right")                                   # the grid is finer now
  lanes.expect(0, "2.05s", "6.05s")
  bench.key("ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z")
  lanes.expect(0, "2s", "6s")
  bench.key("0", "Up", "space")
  bench.shot("schedule-folded")
  bench.key("Down")
  wait("the next function", lambda: lanes.node.get_description().startswith("vfs_read"))


def colour(at):
  return subprocess.run(["import", "-window", "root", "-crop", "1x1+{}+{}".format(*at), "-depth", "8", "rgb:-"], check=True,
                        capture_output=True).stdout


def follows_at_once(bench, lanes):
  """While the bar of another is dragged that of a hook that follows it is where it would be, and goes back with it."""
  start, end, later = lanes.at(1, 3), lanes.at(1, 4), lanes.at(2, 6)
  free = colour(later)
  press(start)
  for x in (start[0] + 20, end[0]):
    tool("xdotool", "mousemove", str(x), str(start[1]))
  wait("the bar behind it", lambda: colour(later) != free)
  bench.look("schedule-follows")
  tool("xdotool", "mousemove", *map(str, start))
  wait("its old place", lambda: colour(later) == free)
  tool("xdotool", "mouseup", "1")
  lanes.expect(1, "after first + 500ms", "+2s")


def schedule_after(bench):
  """A hook that starts when another stops: typed, drawn, told, moved by the other's bar and by its own."""
  bench.key("ctrl+2")
  bench.enter(bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and
                         has(n, "SHOWING")), "10s")
  lanes = Lanes(bench, 10)
  lanes.expect(1, "after first + 500ms", "+2s")
  lanes.expect(2, "after second", "end")
  bench.shot("schedule-after")
  follows_at_once(bench, lanes)
  drag(lanes.at(1, 3), lanes.at(1, 4))                 # its stop takes those along that follow
  lanes.expect(0, "1s", "4s")
  bench.click(lanes.node)
  bench.key("Home", "Down", "Down")
  wait("what is told", lambda: lanes.node.get_description().endswith(": 4.5s to 6.5s; starts when first stops, delayed by 500ms"))
  bench.key("ctrl+z", "Up", "Down")
  wait("one step of undo", lambda: ": 3.5s to 5.5s; " in lanes.node.get_description())
  lanes.expect(0, "1s", "3s")
  drag(lanes.at(2, 4.5), lanes.at(2, 5))               # its own bar: so much later
  lanes.expect(1, "after first + 1s", "+2s")
  drag(lanes.at(2, 5), lanes.at(2, 2.6))               # before the other's stop: at a time
  lanes.expect(1, "1.6s", "3.6s")
  bench.shot("schedule-loose")
  bench.key("ctrl+z", "ctrl+z")
  lanes.expect(1, "after first + 500ms", "+2s")
  tied(bench, lanes)


def tied(bench, lanes):
  """With Shift the pointer leads from one hook's bar to that which is to start when it stops; one that never stops is refused."""
  tool("xdotool", "keydown", "shift")
  try:
    start, end = lanes.at(1, 2), lanes.at(3, 5)
    press(start)
    for x, y in ((start[0] + 20, start[1] + 10), end):
      tool("xdotool", "mousemove", str(x), str(y))
    bench.look("schedule-tying")
    tool("xdotool", "mouseup", "1")
    lanes.expect(2, "after first", "end")
    drag(lanes.at(3, 8), lanes.at(1, 2))
    bench.label_with("stays armed until the run ends")
    lanes.expect(0, "1s", "3s")
  finally:
    tool("xdotool", "keyup", "shift")
  bench.shot("schedule-tied")
  bench.key("ctrl+z")
  lanes.expect(2, "after second", "end")


def schedule_refusals(bench):
  """What makes no sense is said where it is typed, and not taken."""
  bench.key("ctrl+2")
  lanes = Lanes(bench, 10)
  length = bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and has(n, "SHOWING"))
  bench.enter(length, "3s")
  wait("what is wrong", lambda: "the run ends after 3s" in length.get_description())
  bench.shot("schedule-refused")
  bench.enter(length, "10s")
  wait("the help to return", lambda: "How long the run lasts" in length.get_description())
  bench.named("Arrange", "toggle button").do_action(0)
  step = bench.named("Step length", "text")
  bench.enter(step, "5s")
  preset(bench, "One after the other").do_action(0)
  bench.label_with("after the run of 10s has ended")
  bench.shot("schedule-arrange")
  bench.enter(step, "")
  preset(bench, "One after the other").do_action(0)
  lanes.expect(1, "after first", "+3.333333333s")
  bench.key("ctrl+z")
  lanes.expect(1, "4s", "end")
  search = bench.named("Find a hook", "text")
  bench.enter(search, "vfs")
  wait("one hook", lambda: lanes.table.get_n_rows() == 1)
  bench.shot("schedule-searched")


def kept(bench):
  """The plan is there again after the program was closed right after an edit, and after it was killed."""
  bench.key("ctrl+2")
  bench.enter(bench.find("Run for", lambda n: n.get_name() == "Run for" and n.get_role_name() == "text" and
                         has(n, "SHOWING")), "10s")
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  wait("the keyboard in the schedule", lambda: has(lanes.node, "FOCUSED"))
  bench.key("Home", "Down", "Right")
  lanes.expect(0, "2.2s", "6.2s")
  if bench.close() != 0:
    raise Missing("a good end")

  again = type(bench)(keep=True)
  try:
    again.label_with("Plan · 3 hooks")
    again.key("ctrl+2")
    lanes = Lanes(again, 10)
    lanes.expect(0, "2.2s", "6.2s")
    again.key("ctrl+z")                                # what was done before it was closed
    lanes.expect(0, "2s", "6s")
    again.key("ctrl+shift+z")
    lanes.expect(0, "2.2s", "6.2s")
    again.click(lanes.node)
    again.key("Home", "Down", "shift+Right")
    path = os.path.join(os.environ["XDG_STATE_HOME"], "gilk", "kept.plan")
    wait("the change in the file", lambda: "stop=6.2s" not in open(path, encoding="utf-8").read())
  finally:
    again.process.kill()
    again.process.wait()

  last = type(bench)(keep=True)
  bench.process = last.process                         # what runs at the end is looked at
  last.label_with("Plan · 3 hooks")
  last.key("ctrl+2")
  wait("the change", lambda: Lanes(last, 10).times(0)[1] != "6.2s")


def checked_plan(bench):
  """What can be told of a plan without a target."""
  bench.named("Find a hook", "text")
  bench.key("ctrl+1")
  bench.named("Check the plan", "toggle button").do_action(0)
  bench.label_with("Not checked yet")
  bench.label_with("Cost unknown: run the plan once")
  bench.look("plan-check")


MANY, EACH = 50_000, 5


def many_hooks():
  path = os.path.join(fixtures.folder(), "many.plan")
  with open(path, "w", encoding="utf-8") as out:
    out.write("[gilk-plan]\nversion=2\n")
    for i in range(MANY):
      name, block = f"function_{i // EACH}", f"+0x{i % EACH * 16:x}"
      out.write(f"\n[hook {name}{block}]\nfunction={name}\nblock={block}\nwhere=pre\ninstrument=count\n")
  return path


def many(bench):
  """Fifty thousand hooks are opened, scrolled, moved and searched; who watches the main thread says how that was."""
  search = bench.named("Find a hook", "text")
  lanes = Lanes(bench, 10)
  bench.click(lanes.node)
  bench.key("Home")
  wait("the first function", lambda: lanes.node.get_description().startswith(f"function_0, {EACH} hooks: 0s"))
  bench.key("End")
  wait("the last", lambda: lanes.node.get_description().startswith(f"function_{MANY // EACH - 1}, "))
  bench.shot("schedule-many")
  bench.key("Page_Up", "Page_Up", "space", "Right")
  bench.key("ctrl+z")
  bench.key("Home", "Right")
  wait("it moved", lambda: ": 200ms" in lanes.node.get_description())
  bench.key("ctrl+z")
  bench.key("Delete")
  wait("the next", lambda: lanes.node.get_description().startswith("function_1, "))
  bench.key("ctrl+z")
  bench.enter(search, "function_77 +0x10")
  wait("those that were found", lambda: lanes.table.get_n_rows() == 111)
  bench.shot("schedule-many-found")


def preset(bench, name):
  return bench.find(f'"{name}"', lambda n: n.get_role_name() == "push button" and name in [c.get_name() for c in walk(n)])


def register(case, lab):
  if lab is not None:
    return
  path = fixtures.written("schedule.plan", PLAN)
  case("bars are dragged", schedule, path)
  case("bars are moved by keys", schedule_keys, path)
  case("hooks start when others stop", schedule_after, fixtures.written("schedule-after.plan", AFTER))
  case("times without sense", schedule_refusals, path)
  case("the plan is kept", kept, path)
  case("a plan is checked", checked_plan, path)
  case("fifty thousand hooks", many, many_hooks)


if __name__ == "__main__":
  sys.exit(suite.run(register))
