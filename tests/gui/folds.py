# SPDX-License-Identifier: GPL-2.0-or-later
"""
folds.py LAB - regions of a graph folded and opened, and blocks that are of no concern made faint
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from workbench import box_of, has, wait  # noqa: E402


def names(graph):
  return [graph.get_child_at_index(i).get_name() for i in range(graph.get_child_count())]


def matching(graph, pattern):
  return [n for n in names(graph) if re.search(pattern, n)]


def first(graph, pattern):
  """The first block of which that is said."""
  children = [graph.get_child_at_index(i) for i in range(graph.get_child_count())]
  return next(n for n in children if re.search(pattern, n.get_name() + " " + (n.get_description() or "")))


def folded(bench):
  wait("its blocks", lambda: bench.graph().get_child_count() > 20)
  graph = bench.graph()
  head = first(graph, "loop header")
  head.do_action(0)
  title = re.search(r"block (\S+),", head.get_name()).group(1)
  wait("the head", lambda: has(head, "SELECTED"))
  graph.grab_focus()
  bench.key("z")
  wait("a fold", lambda: matching(graph, rf"region {re.escape(title)}, \d+ blocks folded"))
  assert matching(graph, "folded into " + re.escape(title)), names(graph)
  inside = first(graph, "folded into " + re.escape(title))
  assert not has(inside, "SHOWING")
  where = box_of(first(graph, "^region"))
  bench.shot("fold-one")
  bench.key("b")                                       # hooks are counted
  wait("a hook in it", lambda: matching(graph, "^region.*1 hook"))
  inside.do_action(0)                                  # whoever asks for a block inside sees it
  wait("opened", lambda: not matching(graph, "^region"))
  bench.key("shift+z")
  wait("all loops", lambda: matching(graph, "^region"))
  bench.shot("fold-loops")
  bench.key("shift+z")
  wait("none", lambda: not matching(graph, "^region"))
  assert where


def faint(bench):
  wait("its blocks", lambda: bench.graph().get_child_count() > 20)
  graph = bench.graph()
  last = graph.get_child_at_index(graph.get_child_count() // 2)
  last.do_action(0)
  wait("another block", lambda: has(last, "SELECTED"))
  bench.key("alt+4")
  wait("faint ones", lambda: matching(graph, "dimmed: not reachable from"))
  bench.shot("faint-from")
  bench.key("alt+5")
  wait("others", lambda: matching(graph, "dimmed: does not lead to") and not matching(graph, "not reachable from"))
  bench.key("ctrl+9")
  bench.shot("faint-to")
  bench.key("alt+0")
  wait("none", lambda: not matching(graph, "dimmed"))


def register(case, lab):
  if lab is None:
    return
  case("regions of a graph are folded", folded, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
  case("what cannot be reached is faint", faint, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
