# SPDX-License-Identifier: GPL-2.0-or-later
"""
drive.py [LAB] - the workbench driven through AT-SPI; run by run.sh

Prints "ok - ..." and "not ok - ..." lines. A case that fails leaves a
screenshot with its name in $OUT.
"""
import os
import re
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from results import add_graph, damaged, kinds, one_range, recorded_graph, row, rows, samples, session, times, what_programs_kept  # noqa: E402
import canvas  # noqa: E402
import find  # noqa: E402
import cases  # noqa: E402
import schedule  # noqa: E402
import targets  # noqa: E402
import drawing  # noqa: E402
import exports  # noqa: E402
import panes  # noqa: E402
import writers  # noqa: E402
from workbench import Missing, Workbench, box_of, checked, has, tool, wait, walk  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
failed = 0


def case(name, func, *words):
  """Runs @func on a fresh workbench; it must not die and must end when told to."""
  global failed
  bench = None
  try:
    bench = Workbench(*words)
    func(bench)
    if not bench.alive():
      raise Missing("the program is gone")
    code = bench.close()
    if code != 0:
      raise Missing(f"it ended with code {code}")
    print(f"ok - {name}", flush=True)
  except (Missing, AssertionError, subprocess.CalledProcessError) as error:
    failed += 1
    print(f"not ok - {name}: {error}", flush=True)
    if bench is not None and bench.alive():
      bench.shot("failed-" + re.sub(r"\W+", "-", name))
      bench.process.kill()
      bench.process.wait()


# ---- without a kernel ----

def starts(bench):
  bench.label_with("Choose a kernel to look into")
  bench.shot("empty")
  bench.key("ctrl+3")
  bench.label_with("No session is open")
  bench.key("ctrl+2")
  bench.key("ctrl+question")
  bench.label_with("Plan the block's pre-hook")
  bench.shot("shortcuts")
  bench.key("Escape")
  bench.key("ctrl+1")
  bench.label_with("Choose a kernel to look into")


def make_viewer():
  """A program that keeps what it is to show, for HTML and for help; returns the file."""
  kept = os.path.join(os.environ["XDG_RUNTIME_DIR"], "shown")
  folder = os.path.join(os.environ["XDG_DATA_HOME"], "applications")
  os.makedirs(folder, exist_ok=True)
  program = os.path.join(os.environ["XDG_RUNTIME_DIR"], "viewer")
  with open(program, "w", encoding="utf-8") as out:
    out.write(f'#!/bin/sh\nprintf "%s\\n" "$1" >"{kept}"\n')
  os.chmod(program, 0o755)
  with open(os.path.join(folder, "viewer.desktop"), "w", encoding="utf-8") as out:
    out.write(f"[Desktop Entry]\nType=Application\nName=Viewer\nExec={program} %u\n"
              "MimeType=text/html;x-scheme-handler/help;\n")
  with open(os.path.join(os.environ["XDG_CONFIG_HOME"], "mimeapps.list"), "w", encoding="utf-8") as out:
    out.write("[Default Applications]\ntext/html=viewer.desktop\nx-scheme-handler/help=viewer.desktop\n")
  return kept


def shown_by_f1(bench, kept):
  bench.label_with("Choose a kernel to look into")
  bench.key("F1")
  wait("the guide to be shown", lambda: os.path.exists(kept) and os.path.getsize(kept) > 0)
  with open(kept, encoding="utf-8") as shown:
    uri = shown.read().strip()
  os.unlink(kept)
  return uri


def guide_as_html(bench, kept):
  uri = shown_by_f1(bench, kept)
  if not uri.endswith("/data/help/html/workbench.html"):
    raise Missing(f"HTML: {uri} was shown")


def guide_in_viewer(bench, kept):
  uri = shown_by_f1(bench, kept)
  if uri != "help:gilk/workbench":
    raise Missing(f"the pages: {uri} was shown")


def guide_cases():
  """As the build has it, and as it is installed."""
  html = os.path.join(os.path.dirname(os.path.dirname(os.environ["GILK_WORKBENCH"])), "data/help/html/index.html")
  kept = make_viewer()
  if os.path.exists(html):
    case("the guide of the build", lambda bench: guide_as_html(bench, kept))
  folder = os.path.join(os.environ["XDG_DATA_HOME"], "help/C/gilk")
  os.makedirs(folder)
  with open(os.path.join(folder, "index.page"), "w", encoding="utf-8"):
    pass
  case("the guide in the help viewer", lambda bench: guide_in_viewer(bench, kept))


def bad_target(bench):
  bench.label_with("/nonexistent/gilk.sock", 20)
  bench.shot("bad-target")
  bench.label_with("Choose a kernel to look into")


def not_a_session(bench):
  bench.label_with("not-one.gilk cannot be read")
  bench.click(bench.named("Try Again", "push button"))
  bench.label_with("not-one.gilk cannot be read")
  bench.shot("not-a-session")


def newer_session(bench):
  bench.label_with("newer.gilk cannot be read")
  bench.find("what to do", lambda n: n.get_role_name() == "label" and "Update Gilk" in (n.get_name() or "") and has(n, "SHOWING"))
  bench.shot("newer-session")


# A table's first child is its header, also where none is to be seen.

PLAN = """[gilk-plan]
version=2
title=Who pays for a pipe

[hook writes]
function=pipe_write|anon_pipe_write
block=+0x0
where=pre
instrument=stamp

[hook reads]
function=pipe_read|anon_pipe_read
block=+0x0
where=pre
instrument=stamp

[hook calls]
function=ksys_write
block=+0x0
where=pre
instrument=count
witness=yes
"""


def blocks(bench):
  """Hooks switched off and on: what is not possible is said, not taken, and can be undone."""
  entry = bench.named("Switch off and on each", "text")
  bench.enter(entry, "soon")
  bench.key("Return")
  bench.label_with("soon")
  wait("what is wrong", lambda: "soon" in entry.get_description())
  bench.shot("blocks-bad")
  bench.enter(entry, "250ms")
  bench.key("Return")
  wait("the help to return", lambda: "at random" in entry.get_description())
  wait("the seed", lambda: entry.get_text(0, -1) == "250ms,1")
  bench.shot("blocks")
  place = box_of(entry)
  bench.click(schedule.lanes_of(bench))
  bench.key("Home", "Right")
  bench.label_with("cannot have a start, stop or trigger of its own")
  wait("what does not go with it", lambda: "of its own" in entry.get_description())
  bench.shot("blocks-conflict")
  bench.key("ctrl+z")
  wait("the conflict to go", lambda: "at random" in entry.get_description())
  wait("its message to go", lambda: box_of(entry) == place)
  bench.key("ctrl+z")
  wait("no blocks", lambda: entry.get_text(0, -1) == "")


# ---- with one ----

def connect_find(bench):
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  bench.shot("connected")
  search = wait("focus in the search entry", lambda: bench.focused_entry())
  bench.type("pipewrit")
  wait("the pattern", lambda: search.get_text(0, -1) == "pipewrit")
  wait("few functions", lambda: 0 < functions.get_child_count() < 200)
  bench.shot("found")
  bench.key("Return")


def set_length(bench, text):
  bench.enter(bench.named("Run for", "text"), text)


def hook_and_run(bench, lab):
  connect_find(bench)
  set_length(bench, "10m")
  graph = bench.graph(60)
  blocks = graph.get_child_count()
  assert blocks > 20, f"pipe_write has {blocks} blocks only"
  assert graph.get_child_at_index(0).get_name().startswith("block +0x"), graph.get_child_at_index(0).get_name()
  bench.shot("graph")

  # The block that takes the pipe's mutex runs at each write: a real click on it.
  point = first_free(graph)
  bench.click(point)
  wait("the planned mark", lambda: checked(point) and point.get_name().endswith("planned"))
  bench.label_with("Plan · 1 hook")
  bench.shot("planned")

  # Undo takes it out, redo brings it back.
  bench.key("ctrl+z")
  wait("the mark to go", lambda: not checked(point))
  bench.key("ctrl+shift+z")
  wait("the mark to return", lambda: checked(point))

  # The keyboard alone plans a second one: down, then Shift+B.
  bench.key("Down")
  bench.key("shift+b")
  bench.label_with("Plan · 2 hooks")

  run(bench, point, lab)


def first_free(graph):
  points = (graph.get_child_at_index(i).get_child_at_index(0) for i in range(1, graph.get_child_count()))
  return next(point for point in points if point.get_name().endswith("free"))


def plan_with(bench, instrument):
  """Plans a hook at the first free point of the graph, with INSTRUMENT; returns the point."""
  point = first_free(bench.graph(60))
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.find("the instrument", lambda n: n.get_name() == instrument and n.get_role_name() == "menu item").do_action(0)
  return point


def parameters(bench):
  """The instrument's own entries: out of range is said and not taken, the rest can be undone."""
  connect_find(bench)
  plan_with(bench, "template")
  entry = bench.find("its parameter", lambda n: n.get_name() == "every" and n.get_role_name() == "text", 30)

  def text():
    return entry.get_text(0, -1)

  bench.enter(entry, "0")
  bench.key("Return")
  bench.label_with("Not possible: write a whole number from 1 to")
  bench.shot("parameter-bad")
  bench.enter(entry, "8")
  bench.key("Return")
  wait("the help to return", lambda: "keep each Nth" in entry.get_description())
  bench.shot("parameter")
  bench.key("ctrl+z")
  wait("the preset", lambda: text() == "")
  bench.key("ctrl+shift+z")
  wait("the value", lambda: text() == "8")
  witness(bench)


def program(bench, lab):
  """A program written at a point: what is wrong is said and marked, what is right runs and keeps."""
  connect_find(bench)
  set_length(bench, "10m")
  point = plan_with(bench, "Probe program")
  code = bench.named("Probe program", "text", 30)
  wait("a first text", lambda: code.get_text(0, -1) == "count();")
  bench.enter(code, "if (cpu < ) count();")
  bench.key("ctrl+Return")
  bench.label_with("Line 1")
  bench.shot("program-bad")
  bench.enter(code, "")
  bench.key("ctrl+Return")
  bench.label_with("Not taken. The program is empty")
  bench.shot("program-empty")
  bench.enter(code, "sample(task->real_par")
  bench.find("a member", lambda n: n.get_role_name() == "table cell" and (n.get_name() or "").startswith("real_parent"))
  bench.shot("program-completion")
  bench.key("Tab")
  wait("its name", lambda: code.get_text(0, -1) == "sample(task->real_parent")
  bench.enter(code, "count(); sample(pid, cpu);")
  bench.key("ctrl+Return")
  wait("no refusal", lambda: not any("Line 1" in (n.get_name() or "") and has(n, "SHOWING")
                                     for n in walk(bench.app) if n.get_role_name() == "label"))
  bench.shot("program")
  bench.named("Machine code…", "push button").do_action(0)
  code_shown = bench.find("its machine code", lambda n: n.get_name() == "Machine code")
  wait("the patch", lambda: "xadd" in code_shown.get_description())
  bench.shot("machine-code")
  bench.focus_window(".*hook at.*")
  bench.key("Escape")
  wait("the window to go", lambda: not any(n.get_name() == "Machine code" for n in walk(bench.app)))
  tool("xdotool", "windowfocus", bench.window)
  bench.key("ctrl+z")
  wait("the text before", lambda: code.get_text(0, -1) == "if (cpu < ) count();")
  bench.key("ctrl+shift+z")
  wait("the text", lambda: code.get_text(0, -1) == "count(); sample(pid, cpu);")
  script = os.path.join(ROOT, "lab", "lab")
  subprocess.run([script, "exec", lab, "--bg",
                  "i=0; while [ $i -lt 200 ]; do echo x | cat >/dev/null; i=$((i+1)); done"],
                 check=True, capture_output=True)
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  wait("a count", lambda: re.search(r"[1-9]\d* hits", point.get_parent().get_name()), 20)
  bench.shot("program-running")
  bench.key("F5")
  bench.label_with("The kernel is as it was", 60)


def witness(bench):
  """The only hook of a plan whose hooks are switched cannot be one that stays on."""
  bench.key("ctrl+2")
  bench.enter(bench.named("Switch off and on each", "text"), "100ms")
  bench.key("Return")
  bench.key("ctrl+1")
  box = bench.named("Witness: stays on", "check box")
  bench.click(box)
  bench.label_with("All hooks are witnesses")
  bench.shot("witness")
  bench.key("space")
  wait("no witness", lambda: not checked(box))


def points_of(graph, state):
  """Names of the points of @graph in that state."""
  blocks = (graph.get_child_at_index(i) for i in range(graph.get_child_count()))
  return [name for block in blocks for name in (block.get_child_at_index(0).get_name(),
                                                block.get_child_at_index(1).get_name())
          if name.endswith(state)]


def change_run(bench, graph):
  """A hook planned during the run is live once the plan is applied, and the others stay."""
  before = len(points_of(graph, "live"))
  bench.key("Down")
  bench.key("b")
  bench.label_with("The plan was edited; the run goes on as it began.")
  bench.shot("running-edited")
  bench.key("ctrl+shift+r")
  bench.label_with("The run goes by the edited plan: 1 hook added, 0 taken out.", 40)
  wait("one more live mark", lambda: len(points_of(graph, "live")) == before + 1, 20)
  bench.shot("running-changed")


def run(bench, point, lab):
  script = os.path.join(ROOT, "lab", "lab")
  subprocess.run([script, "exec", lab, "--bg",
                  "i=0; while [ $i -lt 400 ]; do echo x | cat >/dev/null; i=$((i+1)); done"],
                 check=True, capture_output=True)
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  block = point.get_parent()

  def hits():
    match = re.search(r"(\d+) hits", block.get_name())
    return match is not None and int(match.group(1)) > 0

  wait("a count", hits, 20)
  bench.shot("running")
  change_run(bench, block.get_parent())
  if bench.alive():
    bench.key("F5")
  bench.label_with("The kernel is as it was", 60)
  wait("the mark to be planned again", lambda: point.get_name().endswith("planned"))
  bench.shot("stopped")
  bench.key("ctrl+3")
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hooks", lambda: rows(hooks) == 4)
  bench.shot("run-results")
  bench.click(row(bench.named("Graphs of this run", "table"), 0))
  bench.find("the recorded graph", lambda n: re.search(r"^block .* [1-9]\d* hits$", n.get_name() or "") and
             has(n, "VISIBLE"))
  bench.shot("run-graph")


def watch_cases():
  folder = os.environ["XDG_RUNTIME_DIR"]
  watched, plan = os.path.join(folder, "watched.gilk"), os.path.join(folder, "watch.plan")
  tool(os.environ["GILK_WATCH_SESSION"], watched)
  case("watches without a kernel", writers.watch_without_kernel)
  with open(plan, "w", encoding="utf-8") as out:
    out.write(writers.PLAN)
  case("a plan with a watch", writers.watch_of_a_plan, plan)
  case("who wrote a variable", writers.writers, watched)
  writers.spoil(watched)
  case("who wrote, in a damaged session", writers.damaged, watched)


def main():
  lab = sys.argv[1] if len(sys.argv) > 1 else None
  if lab is not None:
    case("connect, find, click, run, see a count", lambda b: hook_and_run(b, lab), "--target", "lab:" + lab)
    case("a graph is gone through and chosen from", canvas.live, "--target", "lab:" + lab)
    case("what colours blocks", drawing.layers, "--target", "lab:" + lab, "--function", "pipe_write|anon_pipe_write")
    edges = os.path.join(os.environ["XDG_RUNTIME_DIR"], "edges.gilk")
    drawing.counted(edges, lab)
    case("counts that follow", drawing.inferred, edges)
    cases.run(case, lab)
    case("an instrument's parameters", parameters, "--target", "lab:" + lab)
    case("a probe program", lambda b: program(b, lab), "--target", "lab:" + lab)
    case("functions are found", find.ranked, "--target", "lab:" + lab)
    case("places are found", find.places, "--target", "lab:" + lab)
    case("chips of the list", find.chips, "--target", "lab:" + lab, "--function", "pipe_write|anon_pipe_write")
    case("callers and callees", find.calls, "--target", "lab:" + lab, "--function", "pipe_write|anon_pipe_write")
    case("watches, and who wrote", writers.watch_live, "--target", "lab:" + lab)
    case("hooks of others", lambda b: targets.others(b, lab), "--target", "lab:" + lab, "--function", "vfs_read")
    case("where one was is offered", lambda b: targets.resumed(b, lab), "--target", "lab:" + lab,
         "--function", "pipe_write|anon_pipe_write")
    case("one run after the other", lambda b: targets.repeated(b, lab), "--target", "lab:" + lab,
         "--function", "pipe_write|anon_pipe_write")
    case("Disarm all where the agent hangs", lambda b: targets.agent_hangs(b, lab), "--target", "lab:" + lab,
         "--function", "pipe_write|anon_pipe_write")
    case("an agent that dies", lambda b: targets.agent_dies(b, lab), "--target", "lab:" + lab, "--function", "pipe_write|anon_pipe_write")
    return failed

  case("starts, modes, shortcuts", starts)
  case("actions are found", find.actions)
  guide_cases()
  targets.without_kernel(case)
  case("a target that is not there", bad_target, "--target", "unix:/nonexistent/gilk.sock")
  wrong = os.path.join(os.environ["OUT"], "not-one.gilk")
  with open(wrong, "w", encoding="utf-8") as out:
    out.write("this is no session\n")
  case("a file that is no session", not_a_session, wrong)
  os.unlink(wrong)
  path = os.path.join(os.environ["XDG_RUNTIME_DIR"], "fixture.gilk")
  tool(os.environ["GILK_FIXTURE"], path)
  case("a session from before", session, path)
  studies = os.path.join(os.environ["XDG_RUNTIME_DIR"], "studies.gilk")
  tool(os.environ["GILK_STUDIES"], studies)
  case("kinds of plots", kinds, studies)
  case("a narrow window, and round its panes", panes.narrow, studies)
  case("samples one by one", samples, studies)
  case("one range for all views", one_range, studies)
  case("pictures that commands draw alike", exports.commands, studies)
  newer = os.path.join(os.environ["XDG_RUNTIME_DIR"], "newer.gilk")
  shutil.copy(studies, newer)
  with sqlite3.connect(newer) as db:
    db.execute("PRAGMA user_version = 999")
  db.close()
  case("a session of a newer version", newer_session, newer)
  spoilt = os.path.join(os.environ["XDG_RUNTIME_DIR"], "spoilt.gilk")
  shutil.copy(studies, spoilt)
  writers.spoil(spoilt)
  case("a session whose samples are damaged", damaged, spoilt)
  programs = os.path.join(os.environ["XDG_RUNTIME_DIR"], "programs.gilk")
  tool(os.environ["GILK_PROGRAMS"], programs)
  case("what programs kept", what_programs_kept, programs)
  switched = os.path.join(os.environ["XDG_RUNTIME_DIR"], "switched.gilk")
  tool(os.environ["GILK_AB_SESSION"], switched)
  case("what times are worth, and what hooks did", times, switched)
  plan = os.path.join(os.environ["XDG_RUNTIME_DIR"], "blocks.plan")
  with open(plan, "w", encoding="utf-8") as out:
    out.write(PLAN)
  case("hooks switched off and on", blocks, plan)
  schedule.schedule_cases(case, os.environ["XDG_RUNTIME_DIR"])
  watch_cases()
  add_graph(path)
  case("a graph without its kernel", recorded_graph, path)
  case("a graph is dragged and zoomed", canvas.recorded, path)
  return failed


if __name__ == "__main__":
  sys.exit(1 if main() else 0)
