# SPDX-License-Identifier: GPL-2.0-or-later
"""drawing.py - what a drawn graph tells: counts that follow, and what colours blocks"""
import os
import re
import subprocess
import sys

from results import row
from workbench import has, tool

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GILK = os.path.join(os.environ["GILK_BUILD"], "cli", "gilk")


def layers(bench):
  """Blocks are coloured by heat, tactic and cost before anything is armed."""
  bench.find("the graph", lambda n: re.search(r"^block ", n.get_name() or "") and has(n, "VISIBLE"))
  for key, name in (("alt+2", "tactic"), ("alt+3", "cost"), ("alt+1", "heat")):
    bench.key(key)
    bench.shot("layer-" + name)


def counted(path, lab):
  """A session in which the fewest blocks of pipe_write are counted from which all counts follow."""
  plan = path + ".plan"
  with open(plan, "wb") as out:
    out.write(subprocess.run([GILK, "plan", "new", "--edges", "-q", "-t", "lab:" + lab, "pipe_write|anon_pipe_write"],
                             check=True, capture_output=True).stdout)
  script = os.path.join(ROOT, "lab", "lab")
  subprocess.run([script, "exec", lab, "--bg", "i=0; while [ $i -lt 600 ]; do echo x | cat >/dev/null; i=$((i+1)); done"],
                 check=True, capture_output=True)
  tool(GILK, "run", "-q", "-t", "lab:" + lab, plan, "--for", "4s", "-o", path)


def inferred(bench):
  """Blocks that no hook counted have the count that follows, said as such."""
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.find("a count that follows", lambda n: re.search(r"^block .* [1-9]\d* hits as follows", n.get_name() or "") and
             has(n, "VISIBLE"), 30)
  bench.shot("inferred")


def main():
  from drive import case                                        # pylint: disable=import-outside-toplevel,cyclic-import
  lab = sys.argv[1]
  case("what colours blocks", layers, "--target", "lab:" + lab, "--function", "pipe_write|anon_pipe_write")
  path = os.path.join(os.environ["XDG_RUNTIME_DIR"], "edges.gilk")
  counted(path, lab)
  case("counts that follow", inferred, path)


if __name__ == "__main__":
  main()
