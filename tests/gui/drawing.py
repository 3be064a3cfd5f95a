# SPDX-License-Identifier: GPL-2.0-or-later
"""drawing.py - what a drawn graph tells: counts that follow, and what colours blocks"""
import os
import re
import subprocess
import sys

import fixtures
import suite
from results import row
from workbench import has, tool, work

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
  bench.find("a count that follows", lambda n: re.search(r"^block .* [1-9]\d* hits as follows", n.get_name() or "") and
             has(n, "VISIBLE"), 30)
  bench.shot("inferred")


def register(case, lab):
  if lab is None:
    return
  case("what colours blocks", layers, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
  case("counts that follow", inferred, lambda: counted(lab))


if __name__ == "__main__":
  sys.exit(suite.run(register))
