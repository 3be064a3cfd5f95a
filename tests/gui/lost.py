# SPDX-License-Identifier: GPL-2.0-or-later
"""
lost.py LAB - what a run leaves when its target is lost: the agent, the machine; functions whose module goes and comes,
hooks that are refused

The machine that dies is booted again, by "Connect again".
"""
import os
import re
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from results import rows  # noqa: E402
from targets import button, connected, enabled, kill_agents, offer, qemu_of, target_says  # noqa: E402
from workbench import has, in_lab, looks, pipe_write, wait, walk, work  # noqa: E402

SAMPLES = re.compile(r"(\d+) samples")
STAMPED = re.compile(r"stamp · (\d+) hits")


@looks
def texts(node):
  return [n.get_name() or "" for n in walk(node)]


@looks
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
  bench.label_with("data recorded until then is kept", 30)
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
  if says(bench, "Newly loaded modules: "):                  # a machine that was booted anew has other modules: the run's notice waits
    bench.click(button(bench, "1 more"))
  bench.click(button(bench, "Show results"))
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hook", lambda: rows(hooks) == 2)
  bench.label_with("Ended by")
  kept = wait("its samples", lambda: next((m.group(1) for m in map(STAMPED.search, texts(hooks)) if m), None))
  assert int(kept) >= samples, f"{kept} hits kept, {samples} were told of"
  bench.shot("lost-in-run-results")


def insmod(lab, *names):
  in_lab(lab, " && ".join(f"{{ test -d /sys/module/{name} || insmod /lib/modules/$(uname -r)/extra/{name}.ko; }}" for name in names))


def load_elsewhere(lab):
  """gilk_subject comes back to another place, for a module that fits there takes its own. Returns the modules that were loaded for that."""
  return in_lab(lab, """
    cd /lib/modules/$(uname -r)/extra; place () { awk '$1 == "gilk_subject" { print $6 }' /proc/modules; }
    before=$(place); rmmod gilk_subject
    for filler in gilk_locals gilk_recurse gilk_clone gilk_watched gilk_rival gilk_bench; do
      ! test -d /sys/module/$filler && insmod $filler.ko && echo $filler
      insmod gilk_subject.ko
      [ "$(place)" = "$before" ] || exit 0
      rmmod gilk_subject
    done
    exit 1""").split()


def point_is(bench, state):
  wait(f"the point to be {state}", lambda: bench.graph().get_child_at_index(0).get_child_at_index(0).get_name().endswith(state), 30)


def refused(bench):
  check = bench.named("Check the plan", "toggle button")
  wait("the plan to be refused", lambda: check.get_description() == "1 refused")


def read_again(bench):
  bench.click(button(bench, "Read again"))
  wait("the target", lambda: " · " in target_says(bench) and not says(bench, "Read again"), 60)


def says(bench, text):
  return any(text in said for said in labels(bench))


def module_goes(bench, lab):
  """It is seen that a module goes; its hooks are refused everywhere, and can be taken out; it is read again when it is back."""
  connected(bench).get_child_at_index(0).get_child_at_index(0).do_action(0)
  bench.label_with("Plan · 1 hook")
  point_is(bench, "planned")
  in_lab(lab, "rmmod gilk_subject")
  bench.label_with("Unloaded modules: gilk_subject.", 20)
  point_is(bench, "refused")
  refused(bench)
  bench.label_with("was unloaded, or was reloaded")
  bench.shot("module-gone")
  bench.click(offer(bench, "Remove its hooks"))
  bench.label_with("1 hook was removed")
  bench.click(offer(bench, "Undo"))
  bench.label_with("Plan · 1 hook")
  read_again(bench)
  bench.label_with("is no longer in the kernel")
  refused(bench)
  bench.shot("module-vanished")
  insmod(lab, "gilk_subject")
  bench.label_with("Newly loaded modules: gilk_subject.", 20)
  read_again(bench)
  point_is(bench, "planned")
  assert not says(bench, "is no longer in the kernel"), "it is there again"
  fillers = load_elsewhere(lab)
  bench.label_with("Reloaded modules: gilk_subject.", 20)
  point_is(bench, "refused")
  bench.shot("module-anew")
  read_again(bench)
  point_is(bench, "planned")
  in_lab(lab, f"rmmod {' '.join(fillers)}")


KPROBES = "/sys/kernel/debug/tracing/kprobe_events"


def refused_when_armed(bench, lab):
  """A kprobe that is there by then: the hook is marked and says why, and can be taken out; without the kprobe the run begins."""
  graph = connected(bench)
  block = graph.get_child_at_index(3)
  point = block.get_child_at_index(0)
  point.do_action(0)
  bench.label_with("Plan · 1 hook")
  at = re.search(r"\+0x[0-9a-f]+", block.get_name()).group()
  in_lab(lab, f"test -d /sys/kernel/debug/tracing || mount -t debugfs none /sys/kernel/debug; echo 'p:gui/there {pipe_write()}{at}' >>{KPROBES}; "
         "echo 1 >/sys/kernel/debug/tracing/events/gui/there/enable")
  try:
    bench.key("F5")
    bench.label_with("Nothing was armed: 1 hook is refused.", 30)
    wait("the point to be refused", lambda: point.get_name().endswith("refused"))
    refused(bench)
    bench.find("why, beside the point", lambda n: has(n, "SHOWING") and (n.get_name() or "").startswith("A kprobe of another tool"))
    bench.shot("refused-when-armed")
    bench.click(button(bench, "Remove refused"))
    bench.label_with("1 hook was removed")
    bench.key("ctrl+z")
    bench.label_with("Plan · 1 hook")
  finally:
    in_lab(lab, f"echo 0 >/sys/kernel/debug/tracing/events/gui/there/enable; echo '-:gui/there' >>{KPROBES}")
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)


def register(case, lab):
  if lab is None:
    return
  words = "--target", "lab:" + lab, "--function"
  insmod(lab, "gilk_subject")
  case("a module that goes and comes", lambda b: module_goes(b, lab), *words, "gilk_subject_level")
  case("a hook that is refused when it is to be armed", lambda b: refused_when_armed(b, lab), *words, fixtures.FUNCTION)
  case("an agent that dies in a run", lambda b: lost_in_run(b, lab, kill_agents, "everything that was armed"), *words, fixtures.FUNCTION)
  case("a machine that dies in a run", lambda b: lost_in_run(b, lab, kill_machine, "including all hooks"), *words, fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
