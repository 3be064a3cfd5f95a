# SPDX-License-Identifier: GPL-2.0-or-later
"""
stops - conditions that end a run: chosen, undone, refused, and kept in the plan
"""
import sys

import fixtures
import suite
from workbench import has, wait, walk

PLAN = """[gilk-plan]
version=2
until=lost > 1%; hits third >= 10

[hook first]
function=pipe_write
block=+0x5
where=pre
instrument=stamp

[hook second]
function=pipe_write
block=+0x3f
where=pre
instrument=count
"""


def button(bench, name):
  return bench.find(f'"{name}"', lambda n: n.get_name() == name and n.get_role_name() == "toggle button" and has(n, "SHOWING"))


def conditions(bench):
  """Those in the list, as it shows them."""
  shown = next((n for n in walk(bench.app) if n.get_name() == "Conditions that end the run" and has(n, "SHOWING")), None)
  return [] if shown is None else [n.get_name() for n in walk(shown) if n.get_role_name() == "label"]


def choose(bench, name, row):
  """The @row-th of a combo box."""
  box = bench.find(name, lambda n: n.get_name() == name and n.get_role_name() == "combo box" and has(n, "SHOWING"))
  box.select_child(row)


def conditions_of_a_plan(bench):
  bench.key("ctrl+2")
  button(bench, "Stop when · 2")
  bench.key("ctrl+shift+e")
  wait("both conditions", lambda: conditions(bench) == ["lost > 1%", "hits third >= 10"])
  bench.label_with("names hook third, which the plan does not have")
  bench.shot("stop-when")
  bench.named("Remove the condition hits third >= 10", "push button").do_action(0)
  wait("one condition", lambda: conditions(bench) == ["lost > 1%"])

  number = bench.named("Number that ends the run", "text")
  bench.enter(number, "3ms")
  bench.key("Return")
  bench.label_with("“3ms” is no number that this condition can compare with")
  bench.shot("stop-when-refused")
  bench.enter(number, "1M")
  bench.key("Return")
  wait("a condition more", lambda: conditions(bench) == ["lost > 1%", "samples >= 1M"])
  choose(bench, "What", 4)
  bench.enter(bench.find("a field", lambda n: n.get_role_name() == "text" and has(n, "SHOWING") and n.get_parent() is not None and
                         n.get_parent().get_name() == "Which of its values"), "elapsed")
  bench.enter(number, "2ms")
  bench.key("Return")
  wait("a quantile", lambda: conditions(bench)[-1] == "p99 first.elapsed >= 2ms")
  bench.shot("stop-when-quantile")
  bench.key("Escape")
  button(bench, "Stop when · 3")
  for n in (2, 1, 2):
    bench.key("ctrl+z")
    button(bench, f"Stop when · {n}")


def register(case, lab):
  if lab is None:
    case("conditions end a run", conditions_of_a_plan, fixtures.written("stops.plan", PLAN))


if __name__ == "__main__":
  sys.exit(suite.run(register))
