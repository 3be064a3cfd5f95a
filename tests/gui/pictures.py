# SPDX-License-Identifier: GPL-2.0-or-later
"""
pictures.py LAB - the README's pictures of the workbench, as doc/pictures.sh has them made

Four cases, each of which leaves one: heat and edge counts of pipe_write, a probe program in the inspector, a schedule
while its run goes on, and two runs over each other.
"""
import os
import re
import subprocess
import sys

import fixtures
import suite
from panes import resize
from results import choose, plot_named, row, rows, view
from schedule import Lanes
from workbench import ROOT, Missing, box_of, checked, has, in_lab, looks, pipe_write, tool, wait, walk

GILK = os.path.join(os.environ["GILK_BUILD"], "cli", "gilk")
LAB_TOOL = os.path.join(ROOT, "lab", "lab")
LAB = sys.argv[1] if len(sys.argv) > 1 else None


def path_of(name):
  return os.path.join(fixtures.folder(), name)


def busy(size=700):
  """Until idle() something is written into a pipe and read there, by programs that live for longer than one write."""
  tool(LAB_TOOL, "exec", LAB, "--bg", f"touch /tmp/busy; while [ -e /tmp/busy ]; do dd if=/dev/zero bs={size} count=3000 2>/dev/null |"
       " cat >/dev/null; done")


def idle():
  tool(LAB_TOOL, "exec", LAB, "rm -f /tmp/busy; sleep 1")


def plan_new(*words):
  return subprocess.run([GILK, "plan", "new", "-q", "-t", "lab:" + LAB, *words], check=True, capture_output=True, text=True).stdout


@looks
def entries_of_length(bench):
  return [n for n in walk(bench.frame) if n.get_name() == "Run for" and n.get_role_name() == "text" and has(n, "SHOWING")]


@looks
def is_faulty(bench):
  return any(re.match("Line |Not applied", n.get_name() or "") and has(n, "SHOWING") for n in walk(bench.frame) if n.get_role_name() == "label")


def run_for(bench, text):
  for entry in entries_of_length(bench):
    bench.enter(entry, text)


def ready(bench):
  wait("the target", lambda: has(bench.named("Run", "push button"), "SENSITIVE"), 120)


def elapsed(bench, least):
  """The run has lasted so many seconds."""
  def there():
    labels = (re.match(r"([\d.]+) of [\d.]+ s", n.get_name() or "") for n in walk(bench.frame) if n.get_role_name() == "label")
    return any(found and float(found.group(1)) >= least for found in labels)

  wait(f"{least} s of the run", there, 60)


def picture(bench, name):
  """Of the window alone, without what the pointer would have told."""
  tool("xdotool", "mousemove", "2", "2")
  wait("no tip", lambda: not any(n.get_role_name() == "tool tip" and has(n, "SHOWING") for n in walk(bench.app, 8)))
  width, height = box_of(bench.frame)[2:]
  tool("import", "-window", "root", "-crop", f"{width}x{height}+0+0", "+repage", os.path.join(os.environ["OUT"], name + ".png"))


def stop(bench):
  idle()
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)


# ---- heat ----

def heat(bench):
  """All blocks are counted, at 64 % of their size."""
  graph = bench.graph(120)
  wait("its blocks", lambda: graph.get_child_count() > 20)
  graph.grab_focus()
  bench.key("Home", "ctrl+a", "ctrl+b", "Escape", "Escape")
  run_for(bench, "60s")
  busy()
  graph.grab_focus()
  bench.key("F5")
  elapsed(bench, 8)
  bench.key("ctrl+0", "ctrl+minus", "ctrl+minus", "Home", "Down", "Down")
  picture(bench, "workbench")
  stop(bench)


# ---- a program ----

PROGRAM = """histogram sizes(2);
map by_pid[256];
let n = from->count;
sizes(n);
by_pid[pid] += n;
if (n > 512) sample(pid, n)"""


def program(bench):
  resize(bench, 1280, 800)
  graph = bench.graph(120)
  wait("its blocks", lambda: graph.get_child_count() > 20)
  point = graph.get_child_at_index(0).get_child_at_index(0)
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.find("the instrument", lambda n: n.get_name() == "Probe program" and n.get_role_name() == "menu item").do_action(0)
  code = bench.named("Probe program", "text", 30)
  bench.click(code)
  code.set_text_contents(PROGRAM)
  bench.key("ctrl+Return")
  wait("it in the plan", lambda: code.get_text(0, -1) == PROGRAM)
  if is_faulty(bench):
    raise Missing("a program without a fault")
  bench.find("what it costs", lambda n: re.fullmatch(r"splice, \+\d\d+", n.get_name() or "") and has(n, "SHOWING"))
  picture(bench, "program")


# ---- a schedule ----

def staggered_plan():
  name = pipe_write()
  return fixtures.written("staggered.plan", STAGGERED.replace("WRITE", name).replace("READ", name.replace("write", "read")))


STAGGERED = """[gilk-plan]
version=2
title=Three instruments, one after the other

[hook arrivals]
function=WRITE
anchor=entry
where=pre
instrument=stamp
start=1s
stop=6s

[hook sizes]
function=WRITE
anchor=return
where=post
instrument=count
start=3s
stop=9s

[hook reads]
function=READ
anchor=entry
where=pre
instrument=task
start=after arrivals + 500ms
"""


def staggered(bench):
  ready(bench)
  bench.key("ctrl+2")
  Lanes(bench, 12)
  run_for(bench, "12s")
  resize(bench, 1280, 440)
  busy()
  Lanes(bench, 12).node.grab_focus()
  bench.key("F5")
  elapsed(bench, 7.2)
  picture(bench, "schedule")
  stop(bench)


# ---- two runs ----

def two_runs():
  """How long writes into a pipe took: small ones, and such as fill it."""
  path, plan = path_of("pipe.gilk"), fixtures.written("span.plan", plan_new("--span", pipe_write()))
  for size, title in ((512, "dd bs=512"), (4096, "dd bs=4k")):
    busy(size)
    tool(GILK, "run", "-q", "-t", "lab:" + LAB, plan, "--for", "4s", "--title", title, "-o", path)
    idle()
  return path


def overlaid(bench):
  resize(bench, 1280, 800)
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  view(bench, "ECDF")
  plot_named(bench, "Cumulative distribution: duration of calls")
  choose(bench, "Overlay", "Run 1")
  wait("the other run", lambda: "Kolmogorov" in (plot_named(bench, "Cumulative distribution: duration of calls").get_description() or ""))
  picture(bench, "compared")


def register(case, lab):
  if lab is None:
    return
  assert in_lab(lab, "uname -r")
  target = "--target", "lab:" + lab
  case("picture of heat and edges", heat, *target, "--function", fixtures.FUNCTION)
  case("picture of a program", program, *target, "--function", fixtures.FUNCTION)
  case("picture of a schedule", staggered, *target, staggered_plan)
  case("picture of two runs", overlaid, two_runs)


if __name__ == "__main__":
  sys.exit(suite.run(register))
