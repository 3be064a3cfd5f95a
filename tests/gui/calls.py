# SPDX-License-Identifier: GPL-2.0-or-later
"""
calls.py LAB - the call graph around a function, and how much of each function can be hooked, as a user sees them
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from workbench import has, pipe_write, wait, walk  # noqa: E402


def nodes(picture):
  """Names of all functions; between two pictures there may be none."""
  all_of = [picture.get_child_at_index(i) for i in range(picture.get_child_count())]
  return [n.get_name() if n is not None else "" for n in all_of] or [""]


def node_named(picture, name):
  return next(picture.get_child_at_index(i) for i, n in enumerate(nodes(picture)) if n.startswith(name))


def call_graph(bench):
  name = pipe_write()
  wait("its blocks", lambda: bench.graph().get_child_count() > 20)
  bench.key("ctrl+shift+g")
  picture = bench.find("call graph", lambda n: n.get_name() == "Call graph" and n.get_child_count() > 0)
  wait("callees of it", lambda: any(n.startswith("kill_fasync [") for n in nodes(picture)))
  assert nodes(picture)[0].startswith(name), nodes(picture)[0]
  bench.shot("call-graph")
  before = len(nodes(picture))
  more = next(picture.get_child_at_index(i) for i, n in enumerate(nodes(picture)) if "more callee" in n)
  more.do_action(0)                                 # it may be out of sight
  wait("more of them", lambda: len(nodes(picture)) > before)
  bench.key("bracketright")
  wait("a level more", lambda: any(n.startswith("send_sigio [") for n in nodes(picture)))
  bench.shot("call-graph-deep")
  bench.key("braceright")
  wait("that level gone", lambda: not any(n.startswith("send_sigio [") for n in nodes(picture)))
  bench.key("Home", "Right", "Return")
  wait("another function in the middle", lambda: not nodes(picture)[0].startswith(name))
  bench.shot("call-graph-other")
  bench.key("alt+Left")
  wait("back", lambda: nodes(picture)[0].startswith(name))
  bench.key("space")
  wait("its own graph", lambda: has(bench.graph(), "SHOWING"))


def shares(bench):
  table = bench.named("Functions", "table")
  wait("a share", lambda: any("%" in (n.get_name() or "") for n in walk(table, 60)))
  bench.shot("function-shares")


def register(case, lab):
  if lab is None:
    return
  case("the call graph around a function", call_graph, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
  case("how much of functions can be hooked", shares, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
