# SPDX-License-Identifier: GPL-2.0-or-later
"""
two_labs.py LAB LAB2 - two kernels: one window goes from one to the other, and two windows have one each

Where LAB2 is not given there are no cases. The plan stays when a window goes to another kernel; what is armed in one
kernel, and Disarm all in the window of the other, know nothing of each other.
"""
import re
import sys

import suite
from targets import button, enabled
from workbench import has, looks, tool, wait, walk

LENGTH = "10m"


def in_frame(frame, name, role):
  """The first in one window."""
  return wait(f'"{name}" there', lambda: next((n for n in walk(frame) if n.get_name() == name and n.get_role_name() == role), None))


@looks
def names_in(frame):
  return [n.get_name() or "" for n in walk(frame)]


@looks
def says(frame):
  return in_frame(frame, "Target", "toggle button").get_description()


def connected(frame, lab):
  wait(f"lab:{lab}", lambda: (says(frame) or "").startswith(f"lab:{lab} · "), 120)
  functions = in_frame(frame, "Functions", "table")
  wait("its functions", lambda: functions.get_child_count() > 0, 60)        # of those that are sought


def go_to(bench, frame, lab):
  bench.click(in_frame(frame, "Target", "toggle button"))
  host = bench.find("the entry", lambda n: n.get_name() == "Host" and n.get_role_name() == "text" and has(n, "SHOWING"))
  bench.enter(host, "lab:" + lab)
  bench.key("Return")
  connected(frame, lab)


def open_function(bench, frame):
  bench.click(in_frame(frame, "Find a function", "text"))
  bench.type("vfs_read")
  bench.key("Return")
  return wait("its graph", lambda: next((n for n in walk(frame) if n.get_name() == "Control-flow graph" and n.get_child_count() > 0),
                                        None), 60)


def runs(bench):
  bench.key("F5")
  bench.label_with("1 hook live", 60)


def stops(bench):
  bench.key("F5")
  bench.label_with("The kernel is restored.", 60)


def there_and_back(bench, labs):
  """The plan goes with the window, and runs in each."""
  connected(bench.frame, labs[0])
  open_function(bench, bench.frame).get_child_at_index(0).get_child_at_index(0).do_action(0)
  bench.label_with("Plan · 1 hook")
  bench.enter(bench.named("Run for", "text"), LENGTH)
  for lab in (labs[1], labs[0]):
    go_to(bench, bench.frame, lab)
    bench.label_with("Plan · 1 hook")
    wait("Run to be possible", lambda: enabled(button(bench, "Run")), 60)
    runs(bench)
    bench.shot("two-labs-" + lab)
    stops(bench)


def windows():
  return tool("xdotool", "search", "--onlyvisible", "--name", "^Gilk Workbench").split()


def focus(window, frame):
  wait("the keyboard in it", lambda: tool("xdotool", "windowfocus", window) is not None and has(frame, "ACTIVE"))


def window_each(bench, labs):
  """Both are looked into at once, and Disarm all means the one kernel."""
  first = bench.frame
  connected(first, labs[0])
  open_function(bench, first).get_child_at_index(0).get_child_at_index(0).do_action(0)
  bench.label_with("Plan · 1 hook")
  bench.enter(bench.named("Run for", "text"), LENGTH)
  runs(bench)
  bench.key("ctrl+n")
  second = wait("the second window", lambda: next((f for f in map(bench.app.get_child_at_index, range(bench.app.get_child_count()))
                                                   if f != first and f.get_role_name() == "frame"), None))
  wait("it to be shown", lambda: len(windows()) == 2)
  focus(next(w for w in windows() if w != bench.window), second)
  go_to(bench, second, labs[1])
  open_function(bench, second)
  wait("no hooks there", lambda: any(re.search("no hooks live$", n.get_name() or "") for n in walk(second)))
  bench.shot("two-windows")
  bench.key("ctrl+shift+d")
  wait("what was put back there", lambda: any("restored" in (n.get_name() or "") or "Nothing" in (n.get_name() or "")
                                              for n in walk(second) if n.get_role_name() == "info bar"))
  assert any("1 hook live" in name for name in names_in(first)), "the other window's hook is gone"
  bench.key("ctrl+w")
  wait("one window", lambda: bench.app.get_child_count() == 1)
  focus(bench.window, first)
  stops(bench)


def register(case, lab):
  labs = sys.argv[1:3]
  if lab is None or len(labs) < 2:
    return
  case("two labs: there and back", lambda bench: there_and_back(bench, labs), "--target", "lab:" + labs[0])
  case("two labs: a window each", lambda bench: window_each(bench, labs), "--target", "lab:" + labs[0])


if __name__ == "__main__":
  sys.exit(suite.run(register))
