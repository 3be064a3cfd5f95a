# SPDX-License-Identifier: GPL-2.0-or-later
"""programs.py LAB - an instrument's parameters, and a program written at a point"""
import re
import sys

import suite
from hooking import connect_find, first_free, plan_with, set_length
from workbench import SCALE, block_of, box_of, checked, has, looks, wait, walk, work


def parameters(bench):
  """The instrument's own entries: out of range is said and not taken, the rest can be undone."""
  connect_find(bench)
  plan_with(bench, "template")
  entry = bench.find("its parameter", lambda n: n.get_name() == "every" and n.get_role_name() == "text", 30)

  def text():
    return entry.get_text(0, -1)

  bench.enter(entry, "0")
  bench.key("Return")
  bench.label_with("Invalid value: enter a whole number from 1 to")
  bench.shot("parameter-bad")
  bench.enter(entry, "8")
  bench.key("Return")
  wait("the help to return", lambda: "keep every Nth" in entry.get_description())
  bench.shot("parameter")
  bench.key("ctrl+z")
  wait("the preset", lambda: text() == "")
  bench.key("ctrl+shift+z")
  wait("the value", lambda: text() == "8")
  witness(bench)


def witness(bench):
  """The only hook of a plan whose hooks are switched cannot be one that stays on."""
  bench.key("ctrl+2")
  bench.enter(bench.named("A/B interval", "text"), "100ms")
  bench.key("Return")
  bench.key("ctrl+1")
  box = bench.named("Control hook: stays on", "check box")
  bench.click(box)
  bench.label_with("All hooks are control hooks")
  bench.shot("witness")
  bench.key("space")
  wait("no witness", lambda: not checked(box))


@looks
def told(bench, text):
  return any(text in (n.get_name() or "") and has(n, "SHOWING") for n in walk(bench.app) if n.get_role_name() == "label")


def program_before_it_is_planned(bench):
  """At a point that no hook is planned at: what is wrong is told while one types, and Ctrl+Enter plans the hook."""
  connect_find(bench)
  point = first_free(bench.graph(60))
  name = point.get_name()
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.key("b")
  wait("no planned mark", lambda: not checked(point))
  bench.find("the instrument", lambda n: n.get_name() == "Probe program" and n.get_role_name() == "menu item").do_action(0)
  code = bench.named("Probe program", "text", 30)
  bench.enter(code, "count(; ")
  bench.label_with("Line 1")
  bench.shot("program-wrong-while-typed")
  bench.enter(code, "sample(nowhere);")
  wait("the other fault", lambda: told(bench, "nowhere"))
  bench.enter(code, "sample(pid);")
  wait("no fault", lambda: not told(bench, "Line 1") and not told(bench, "nowhere"))
  assert not checked(point), f"{name} is planned by typing"
  bench.key("ctrl+Return")
  wait("the planned mark", lambda: checked(point))
  bench.label_with("Plan · 1 hook")
  wait("the text", lambda: code.get_text(0, -1) == "sample(pid);")
  bench.shot("program-planned-by-key")
  # In the plan: while one types the text is not taken yet, and what is wrong with it is told all the same.
  bench.enter(code, "sample(nobody);")
  wait("the fault of what is not taken yet", lambda: told(bench, "nobody"))
  bench.enter(code, "count();")
  wait("no fault", lambda: not told(bench, "nobody"))
  bench.key("ctrl+Return")
  bench.key("ctrl+z")
  wait("the text before", lambda: code.get_text(0, -1) == "sample(pid);")
  code.set_text_contents("\n".join(["count();"] * 8))
  wait("room for eight lines", lambda: box_of(code)[3] > 8 * 14 * SCALE and box_of(code.get_parent())[3] >= box_of(code)[3])
  bench.key("ctrl+Return")
  start = bench.named("Start", "text")
  bench.enter(start, "5 parsecs")
  wait("what is wrong, while one is at it", lambda: "parsecs" in (start.get_description() or "") and has(start, "FOCUSED"))
  bench.enter(start, "0s")
  wait("nothing wrong", lambda: "parsecs" not in (start.get_description() or ""))


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
  bench.label_with("Not applied. The program is empty")
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
  bench.focus_main()
  bench.key("ctrl+z")
  wait("the text before", lambda: code.get_text(0, -1) == "if (cpu < ) count();")
  bench.key("ctrl+shift+z")
  wait("the text", lambda: code.get_text(0, -1) == "count(); sample(pid, cpu);")
  work(lab, 200)
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  wait("a count", lambda: re.search(r"[1-9]\d* hits", block_of(point).get_name()), 20)
  bench.shot("program-running")
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)


def register(case, lab):
  if lab is None:
    return
  case("an instrument's parameters", parameters, "--target", "lab:" + lab)
  case("a probe program before its hook is planned", program_before_it_is_planned, "--target", "lab:" + lab)
  case("a probe program", lambda bench: program(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
