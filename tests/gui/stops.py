# SPDX-License-Identifier: GPL-2.0-or-later
"""
stops - conditions that end a run: chosen, undone, refused, and kept in the plan
"""
import os
import subprocess
import sys

import fixtures
import suite
from workbench import Lab, box_of, has, looks, move_to, wait, walk

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


@looks
def conditions(bench):
  """Those in the list, as it shows them."""
  shown = next((n for n in walk(bench.app) if n.get_name() == "Stop conditions" and has(n, "SHOWING")), None)
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
  bench.named("Remove condition hits third >= 10", "push button").do_action(0)
  wait("one condition", lambda: conditions(bench) == ["lost > 1%"])

  number = bench.named("Limit", "text")
  bench.enter(number, "3ms")
  bench.key("Return")
  bench.label_with("“3ms” is not a number that this condition can compare with")
  bench.shot("stop-when-refused")
  bench.enter(number, "1M")
  bench.key("Return")
  wait("a condition more", lambda: conditions(bench) == ["lost > 1%", "samples >= 1M"])
  choose(bench, "Measured quantity", 4)
  bench.enter(bench.find("a field", lambda n: n.get_role_name() == "text" and has(n, "SHOWING") and n.get_parent() is not None and
                         n.get_parent().get_name() == "Measured field"), "elapsed")
  bench.enter(number, "2ms")
  bench.key("Return")
  wait("a quantile", lambda: conditions(bench)[-1] == "p99 first.elapsed >= 2ms")
  bench.shot("stop-when-quantile")
  bench.key("Escape")
  button(bench, "Stop when · 3")
  for n in (2, 1, 2):
    bench.key("ctrl+z")
    button(bench, f"Stop when · {n}")


LIVE = """[gilk-plan]
version=2
until=samples >= 20000

[program sizes]
code=sample(pid, count)

[hook writes]
function=vfs_write
anchor=entry
where=pre
program=sizes

[hook reads]
function=vfs_read
anchor=entry
where=pre
instrument=count
"""


def work_there(lab, script):
  Lab(lab).background(script)


def busy(lab, times):
  """Pipes are written and read there for a while."""
  work_there(lab, f"i=0; while [ $i -lt {times} ]; do echo x | cat >/dev/null; i=$((i+1)); done")


def ready(bench):
  run = bench.named("Run", "push button")
  wait("the target", lambda: has(run, "SENSITIVE"), 60)


def plot(bench, name, seconds=30):
  """The plot whose name begins so, once it tells something."""
  return bench.find(f"plot {name}", lambda n: (n.get_name() or "").startswith(name) and has(n, "SHOWING") and
                    n.get_description() != "", seconds)


def choose_hook(bench, name):
  """In the list of the run's hooks, which is sorted by figures that change, but not while the pointer is there."""
  hooks = bench.named("Hooks of the current run", "table")
  left, top, width, height = box_of(hooks)
  move_to(left + width // 2, top + height // 2)
  bench.settle()
  bench.click(bench.find(f"{name} in the list", lambda n: n.get_role_name() == "table cell" and n.get_name() == name and
                         has(n, "SHOWING") and n.get_parent() == hooks))


def watched(bench, lab):
  """What goes on is shown while it does, stands still when asked to, and a condition ends it."""
  ready(bench)
  bench.enter(bench.named("Run for", "text"), "120s")
  busy(lab, 1200)
  bench.key("F5")
  bench.key("ctrl+l")
  wait("rates of hooks", lambda: "vfs_write" in plot(bench, "Hits per second").get_description())
  wait("rates of processors", lambda: "CPU 1" in plot(bench, "Hits by CPU").get_description())
  values = bench.find("what a hook measures", lambda n: (n.get_name() or "").startswith("count of vfs_write") and has(n, "SHOWING"), 30)
  bench.label_with("samples >= 20000: ")
  bench.shot("live")
  plot(bench, "count over time")
  choose(bench, "Displayed value", 1)               # a pid is no amount, and is not among them
  wait("times between samples", lambda: values.get_name().startswith("time between samples of vfs_write"))
  bench.find("losses by processor", lambda n: (n.get_name() or "").startswith("Lost by CPU"))
  choose_hook(bench, "vfs_read entry pre")
  wait("one curve", lambda: "vfs_write" not in plot(bench, "Hits per second").get_description())
  bench.shot("live-chosen")
  bench.key("Escape")
  wait("all curves", lambda: "vfs_write" in plot(bench, "Hits per second").get_description())
  bench.enter(bench.named("Find a hook in the run", "text"), "write")
  bench.label_with("1 of 2 hooks")
  bench.named("Pause", "toggle button").do_action(0)
  bench.named("Resume", "toggle button")
  still = plot(bench, "Hits per second").get_description()
  wait("the run to go on", lambda: plot(bench, "Hits per second").get_description() == still)
  bench.named("Resume", "toggle button").do_action(0)
  work_there(lab, "dd if=/dev/zero of=/dev/null bs=1 count=30000")
  bench.label_with("condition met: samples >= 20000", 60)
  bench.find("the run's hooks", lambda n: n.get_name() == "Hooks in this run" and has(n, "SHOWING"), 30)
  bench.shot("live-ended")


def beside(bench, lab):
  """After a run of the workbench, which stays connected and idle, the command line can run, and the workbench again."""
  ready(bench)
  bench.enter(bench.named("Run for", "text"), "1s")
  bench.key("F5")
  bench.label_with("Run finished", 60)
  gilk = subprocess.run([os.path.join(os.environ["GILK_BUILD"], "cli", "gilk"), "run", "--quiet", "--target", "lab:" + lab, "--for", "1s",
                         "-o", os.path.join(fixtures.folder(), "beside-idle.gilk"), "--hook", "vfs_read:entry:stamp"],
                        check=False, capture_output=True, text=True, timeout=120)
  assert gilk.returncode == 0, f"gilk run beside a workbench that is idle after a run: {gilk.stderr}"
  bench.key("F5")
  bench.label_with("of 1.0 s", 60)
  bench.label_with("Run finished", 60)


def register(case, lab):
  if lab is None:
    case("conditions end a run", conditions_of_a_plan, fixtures.written("stops.plan", PLAN))
    return
  plan = fixtures.written("live.plan", LIVE)
  case("a run is watched while it goes on", lambda b: watched(b, lab), "--target", "lab:" + lab, plan)
  case("gilk run beside a workbench that is idle after a run", lambda b: beside(b, lab), "--target", "lab:" + lab, plan)


if __name__ == "__main__":
  sys.exit(suite.run(register))
