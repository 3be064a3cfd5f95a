# SPDX-License-Identifier: GPL-2.0-or-later
"""
lost.py LAB - what a run leaves when its target is lost: the agent, the machine

The machine's is booted again, by "Connect again".
"""
import os
import re
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from results import rows  # noqa: E402
from targets import button, connected, enabled, kill_agents, qemu_of, target_says  # noqa: E402
from workbench import has, wait, walk, work  # noqa: E402

SAMPLES = re.compile(r"(\d+) samples")
STAMPED = re.compile(r"stamp · (\d+) hits")


def texts(node):
  return [n.get_name() or "" for n in walk(node)]


def labels(bench):
  return [n.get_name() or "" for n in walk(bench.app) if n.get_role_name() == "label" and has(n, "SHOWING")]


def kill_machine(lab):
  os.kill(qemu_of(lab), signal.SIGKILL)


def run_with_samples(bench, lab):
  """A hook of the function in view records; returns its point and how many samples the window tells of."""
  point = connected(bench).get_child_at_index(3).get_child_at_index(0)
  bench.enter(bench.named("Run for", "text"), "10m")
  point.do_action(0)
  bench.label_with("Plan · 1 hook")
  bench.find("the instrument", lambda n: n.get_name() == "stamp" and n.get_role_name() == "menu item").do_action(0)
  work(lab)
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  return point, int(wait("samples", lambda: next((m.group(1) for m in map(SAMPLES.search, labels(bench)) if m), None), 40))


def lost_in_run(bench, lab, kill, restored):
  """What is said: what became of the hooks, and what is kept; graph, plan and run are there, and it goes on where one was."""
  point, samples = run_with_samples(bench, lab)
  blocks = bench.graph().get_child_count()
  kill(lab)
  bench.label_with("what it recorded until then is kept", 30)
  said = bench.label_with(restored).get_name()
  assert "kept" in said, f"two things said apart: {said}"
  assert "lost" in target_says(bench)
  wait("no mark to be live", lambda: point.get_name().endswith("planned"))
  assert not enabled(button(bench, "Run")), "Run can be pressed"
  bench.shot("lost-in-run-" + kill.__name__)
  bench.click(button(bench, "Connect again"))
  wait("the target", lambda: "lost" not in target_says(bench) and " · " in target_says(bench), 120)
  wait("Run to be possible", lambda: enabled(button(bench, "Run")), 20)
  assert bench.graph().get_child_count() == blocks, "the graph is another one"
  bench.label_with("Plan · 1 hook")
  bench.click(button(bench, "Show results"))
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hook", lambda: rows(hooks) == 2)
  bench.label_with("Ended by")
  kept = wait("its samples", lambda: next((m.group(1) for m in map(STAMPED.search, texts(hooks)) if m), None))
  assert int(kept) >= samples, f"{kept} hits kept, {samples} were told of"
  bench.shot("lost-in-run-results")


def register(case, lab):
  if lab is None:
    return
  words = "--target", "lab:" + lab, "--function"
  case("an agent that dies in a run", lambda b: lost_in_run(b, lab, kill_agents, "what was armed is restored there"), *words, fixtures.FUNCTION)
  case("a machine that dies in a run", lambda b: lost_in_run(b, lab, kill_machine, "hooks with it"), *words, fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
