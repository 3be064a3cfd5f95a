# SPDX-License-Identifier: GPL-2.0-or-later
"""spans.py [LAB] - how long calls took: planned at a function's entry and exits, and shown; from a bar to its hook"""
import os
import re
import sys

import gi

import suite
from results import plot_named, row, rows
from workbench import ROOT, box_of, checked, has, tool, wait, walk

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

EXAMPLE = os.path.join(ROOT, "data", "example", "pipe.gilk")


def shown(bench):
  """Of a hook that times calls that is what is plotted first, as a picture and as a command."""
  table = bench.named("Hooks in this run", "table")
  wait("rows", lambda: table.get_child_count() > 40)
  for name in ("pipe_read+0x0-pre", "pipe_read+0x1c2-post"):
    Atspi.Component.grab_focus(table)
    wait("the keyboard in the list", lambda: has(table, "FOCUSED") or any(has(n, "FOCUSED") for n in walk(table)))
    bench.type(name)
    plot_named(bench, "Distribution: duration of calls")
    bench.find(f"the command of {name}", lambda n, wanted=name: f"--hook {wanted}" in (n.get_name() or "") and
               "--field call-time" in n.get_name())
    bench.key("Escape")
  assert not has(bench.named("Split by", "combo box"), "SENSITIVE"), "calls can be split by what one sample has"
  bench.shot("calls-took")


def hits(table):
  texts = [row(table, i).get_name() for i in range(1, rows(table))]
  return [int(re.sub("[^0-9]", "", text.rsplit("·", 1)[1])) for text in texts]


def chosen(table):
  return [row(table, i) for i in range(rows(table)) if has(row(table, i), "SELECTED")]


def command_of(bench, label):
  bench.find(f"the command of {label}", lambda n: f"--hook {label}" in (n.get_name() or "") and has(n, "SHOWING"))


def drilled(bench):
  """A press on a bar of the overview chooses that hook; one beside them chooses nothing."""
  plot = plot_named(bench, "Hooks with most hits")
  left, top, width, height = box_of(plot)
  for y in (height - 3, height // 5):
    tool("xdotool", "mousemove", str(left + width // 2), str(top + y), "click", "1")
  plot_named(bench, "Hits over time")
  bench.find("a hook of many hits", lambda n: n.get_name() == "Hits" and n.get_role_name() == "label" and has(n, "SHOWING"))
  bench.shot("bar-pressed")


def ordered(bench):
  """With most hits first the hook chosen stays so, and what is drawn of it; a row chosen then is that of its own hook."""
  table = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(table) > 40)
  label = row(table, 5).get_name().split("\n")[0]
  bench.click(row(table, 5))
  command_of(bench, label)
  bench.click(bench.named("Most hits first", "toggle button"))
  wait("the order", lambda: hits(table) == sorted(hits(table), reverse=True) and hits(table)[0] > hits(table)[-1])
  command_of(bench, label)
  wait("the same one", lambda: [r.get_name().split("\n")[0] for r in chosen(table)] == [label])
  bench.shot("hooks-by-hits")
  first = row(table, 1).get_name().split("\n")[0]
  assert first != label, "the row chosen before is the first one"
  Atspi.Component.grab_focus(table)
  bench.key("Home")
  bench.key("Down")
  command_of(bench, first)


def planned(bench):
  """The entry is hooked before, blocks that return are hooked behind; one step of undo."""
  graph = bench.graph(120)
  bench.find("the instrument", lambda n: n.get_name() == "span" and n.get_role_name() == "menu item").do_action(0)
  bench.click(bench.named("Select blocks"))
  bench.click(bench.find("the rule", lambda n: n.get_name() == "Entry and Exits"))
  bench.label_with("blocks selected")
  bench.key("ctrl+b")
  blocks = [graph.get_child_at_index(i) for i in range(graph.get_child_count())]
  wait("the entry's hook", lambda: checked(blocks[0].get_child_at_index(0)))
  for block in blocks:
    if block.get_description().endswith("returns"):
      wait("a hook where it returns", lambda b=block: checked(b.get_child_at_index(1)))
      assert not checked(block.get_child_at_index(0)), f"{block.get_name()} is hooked before"
  bench.shot("calls-planned")
  bench.key("ctrl+z")
  wait("none", lambda: not any(checked(block.get_child_at_index(1)) for block in blocks))


def register(case, lab):
  if lab is None:
    case("how long calls took is shown", shown, EXAMPLE)
    case("a bar leads to its hook", drilled, EXAMPLE)
    case("hooks with most hits first", ordered, EXAMPLE)
  else:
    case("entry and exits are timed", planned, "--target", "lab:" + lab, "--function", "vfs_read")


if __name__ == "__main__":
  sys.exit(suite.run(register))
