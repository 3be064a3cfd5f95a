# SPDX-License-Identifier: GPL-2.0-or-later
"""drawing.py - what a drawn graph tells: counts that follow, and what colours blocks"""
import os
import re
import subprocess
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

import fixtures  # noqa: E402
import suite  # noqa: E402
from results import row  # noqa: E402
from workbench import has, itself, tool, wait, walk, work  # noqa: E402

GILK = os.path.join(os.environ["GILK_BUILD"], "cli", "gilk")


def layers(bench):
  """Blocks are coloured by heat, tactic and cost before anything is armed."""
  bench.find("the graph", lambda n: re.search(r"^block ", n.get_name() or "") and has(n, "VISIBLE"))
  for key, name in (("alt+2", "tactic"), ("alt+3", "cost"), ("alt+1", "heat")):
    bench.key(key)
    bench.shot("layer-" + name)


def counted(lab):
  """A session in which the fewest blocks of pipe_write are counted from which all counts follow."""
  path = os.path.join(fixtures.folder(), "edges.gilk")
  plan = path + ".plan"
  with open(plan, "wb") as out:
    out.write(subprocess.run([GILK, "plan", "new", "--edges", "-q", "-t", "lab:" + lab, fixtures.FUNCTION],
                             check=True, capture_output=True).stdout)
  work(lab, 600)
  tool(GILK, "run", "-q", "-t", "lab:" + lab, plan, "--for", "4s", "-o", path)
  return path


def inferred(bench):
  """Blocks that no hook counted have the count that follows, said as such."""
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.find("a count that follows", lambda n: re.search(r"^block .* [1-9]\d* hits, derived", n.get_name() or "") and
             has(n, "VISIBLE"), 30)
  bench.shot("inferred")


def is_light(cell):
  """Whether light text is drawn in that cell."""
  colour = Atspi.Text.get_attribute_run(cell, 0, True)[0]["fg-color"]
  return sum(map(int, colour.split(","))) > 3 * 32768


def dark(lab):
  os.environ["GTK_THEME"] = "Adwaita:dark"
  return "lab:" + lab


def on_heat(bench, lab):
  """In a dark theme little heat is dark: the hits of a listing are light on it."""
  os.environ["GTK_THEME"] = "Adwaita"
  graph = bench.graph(120)
  wait("its blocks", lambda: graph.get_child_count() > 20)
  graph.grab_focus()
  wait("the keyboard in the graph", lambda: has(graph, "FOCUSED"))
  bench.key("Home", "ctrl+a", "ctrl+b", "Escape")
  bench.enter(bench.named("Run for", "text"), "2s")
  work(lab, 200)
  bench.key("F5")
  bench.label_with("The kernel is restored", 90)
  graph.grab_focus()
  bench.key("space")
  table = bench.named("Listing", "table")
  cells = wait("hits", lambda: {n.get_name(): itself(n) for n in walk(table, 900) if n.get_role_name() == "table cell" and
                                re.fullmatch(r"[\d,]+", n.get_name() or "")})
  bench.shot("listing-dark")
  assert "0" in cells, f"hits of blocks that never ran: {list(cells)}"
  wait("light text", lambda: is_light(cells["0"]))


def register(case, lab):
  if lab is None:
    return
  case("what colours blocks", layers, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
  case("hits on heat in a dark theme", lambda bench: on_heat(bench, lab), "--target", lambda: dark(lab), "--function", fixtures.FUNCTION)
  case("counts that follow", inferred, lambda: counted(lab))


if __name__ == "__main__":
  sys.exit(suite.run(register))
