# SPDX-License-Identifier: GPL-2.0-or-later
"""
callees.py LAB - everything that a function reaches is planned in one step, and what it will cost is told as it was measured
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import suite  # noqa: E402
from hooking import connect_find, set_length  # noqa: E402
from workbench import has, wait, work  # noqa: E402


def figures(bench):
  """Functions and counters, once they are found."""
  found = re.compile(r"(\d+) functions?, (\d+) counters?$")
  label = bench.find("what is reached", lambda n: has(n, "SHOWING") and found.match(n.get_name() or ""), 60)
  return tuple(map(int, found.match(label.get_name()).groups()))


def reached(bench, lab):
  connect_find(bench)
  bench.graph(60)
  bench.key("ctrl+alt+b")
  depth = bench.named("Call depth", "spin button", 30)
  deep = figures(bench)
  bench.label_with("A counter costs", 60)
  bench.label_with("nothing was measured on this kernel yet")
  bench.look("reach")
  wait("the keyboard in it", lambda: has(depth, "ACTIVE") or has(depth, "FOCUSED") or depth.grab_focus())
  bench.key("Down", "Down", "Down")
  alone = wait("fewer", lambda: (lambda now: now if now[0] == 1 else None)(figures(bench)), 30)
  assert alone[1] < deep[1], f"{alone} of it alone, {deep} in all"
  assert wait("the word for a screen reader", lambda: f"{alone[1]} counter" in depth.get_description())
  bench.key("Return")
  bench.label_with(f"Plan · {alone[1]} hooks")
  bench.focus_main()
  bench.key("ctrl+z")
  bench.named("Plan", "label")
  bench.key("ctrl+shift+z")
  bench.label_with(f"Plan · {alone[1]} hooks")
  measured(bench, lab)


def measured(bench, lab):
  """A run measures what the hooks cost, and the check tells so from then on."""
  set_length(bench, "2s")
  work(lab)
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)
  check = bench.named("Check the plan", "toggle button")
  wait("the forecast on the button", lambda: "of one CPU" in check.get_description(), 30)
  check.do_action(0)
  bench.label_with("The cost of a hit was measured on this kernel just now.")
  bench.look("plan-check-measured")


def register(case, lab):
  if lab is not None:
    case("everything reached is planned", lambda bench: reached(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
