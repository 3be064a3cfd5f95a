# SPDX-License-Identifier: GPL-2.0-or-later
"""
targets.py - targets that die, hang, or have hooks of others
"""
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from workbench import has, in_lab, looks, wait, walk  # noqa: E402


@looks
def target_says(bench):
  return bench.named("Target", None).get_description()


def button(bench, name):
  """The one in view: notices that wait behind others have such buttons, too."""
  return bench.find(f'button "{name}"', lambda n: n.get_role_name() == "push button" and n.get_name() == name and has(n, "SHOWING"))


def offer(bench, name):
  """A button of the notice in view: other rows may have one of that name."""
  return bench.find(f'"{name}" of the notice', lambda n: n.get_role_name() == "push button" and n.get_name() == name and has(n, "SHOWING") and
                    is_of_notice(n))


def is_of_notice(node):
  while node is not None and node.get_role_name() not in ("info bar", "frame"):
    node = node.get_parent()
  return node is not None and node.get_role_name() == "info bar"


def enabled(node):
  return has(node, "SENSITIVE") and has(node, "ENABLED")


def connected(bench):
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  graph = bench.graph(60)
  return graph


def kill_agents(lab):
  in_lab(lab, "for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = /bin/gilkd ] && kill -9 ${p#/proc/}; done; true")


def agent_dies(bench, lab):
  """Known at once, said as what it is; the way back keeps graph and place."""
  graph = connected(bench)
  blocks = graph.get_child_count()
  graph.get_child_at_index(3).get_child_at_index(0).do_action(0)
  bench.label_with("Plan · 1 hook")
  wait("Run to be possible", lambda: enabled(button(bench, "Run")))
  kill_agents(lab)
  bench.label_with("exited and was restarted", 10)
  wait("the target to be lost", lambda: "lost" in target_says(bench))
  assert not enabled(button(bench, "Run")), "Run can be pressed"
  assert not enabled(button(bench, "Disarm all")), "Disarm all can be pressed"
  bench.label_with("connection lost")
  assert bench.graph().get_child_count() == blocks, "the graph is gone"
  bench.shot("lost-agent")
  bench.click(button(bench, "Connect again"))
  wait("the target", lambda: "lost" not in target_says(bench) and " · " in target_says(bench), 30)
  wait("Run to be possible", lambda: enabled(button(bench, "Run")), 20)
  wait("the message to go", lambda: not any("was restarted" in (n.get_name() or "") for n in walk(bench.app)))
  assert bench.graph().get_child_count() == blocks, "the graph is another one"
  bench.shot("connected-again")


def qemu_of(lab):
  with open(os.path.join(os.environ["GILK_LAB_DIR"], lab, "pid"), encoding="ascii") as file:
    return int(file.read().split()[0])


def machine_dies(bench, lab):
  """What it said last is there, and its hooks are not told to be restored."""
  graph = connected(bench)
  blocks = graph.get_child_count()
  in_lab(lab, "echo '<1>gilk test: the last words of this machine' >/dev/kmsg")
  os.kill(qemu_of(lab), signal.SIGKILL)
  bench.label_with("its memory is lost", 10)
  bench.label_with("Last console line:", 10)
  assert not enabled(button(bench, "Run")), "Run can be pressed"
  assert bench.graph().get_child_count() == blocks, "the graph is gone"
  bench.shot("lost-machine")
  bench.click(button(bench, "Console output…"))
  bench.find("its log", lambda n: n.get_role_name() == "text" and "last words of this machine" in n.get_text(0, -1))
  bench.shot("last-words")
  bench.focus_window("Last console output of .*")
  bench.key("Escape")


def others(bench, lab):
  """A run of the command line beside an idle workbench: it works, it is shown and marked, and it is gone when it is over."""
  graph = connected(bench)
  points = [graph.get_child_at_index(0).get_child_at_index(i) for i in (0, 1)]
  wait("a free point", lambda: points[0].get_name().endswith("free"))
  session = os.path.join(os.environ["XDG_RUNTIME_DIR"], "beside.gilk")
  run = subprocess.Popen([os.path.join(os.environ["GILK_BUILD"], "cli", "gilk"), "run", "--quiet", "--target", "lab:" + lab,
                          "--for", "10m", "-o", session, "--hook", "vfs_read:entry { count(); }"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
  try:
    bench.label_with("1 patch by others", 20)
    wait("its mark", lambda: points[0].get_name().endswith("another client's"))
    bench.label_with("Another client has a hook here")
    bench.label_with("armed: Today, ")
    bench.shot("others")
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=120)[0]
  finally:
    run.kill()
  assert run.returncode == 0, f"gilk run beside an idle workbench: {said}"
  wait("the mark to go", lambda: points[0].get_name().endswith("free"))
  wait("the count to go", lambda: not any("by others" in (n.get_name() or "") for n in walk(bench.app)))


def agents(lab, signal_name):
  in_lab(lab, "for p in /proc/[0-9]*; do [ \"$(readlink $p/exe)\" = /bin/gilkd ] && "
         f"[ -e /proc/${{p#/proc/}}/fd ] && ls -l $p/fd | grep -q /dev/ilk && kill -{signal_name} ${{p#/proc/}}; done; true")


def agent_hangs(bench, lab):
  """Disarm all works without the agent in use, says so, and what was armed is restored."""
  graph = connected(bench)
  point = graph.get_child_at_index(3).get_child_at_index(0)
  bench.enter(bench.named("Run for", "text"), "10m")
  point.do_action(0)
  bench.label_with("Plan · 1 hook")
  bench.key("F5")
  wait("the live mark", lambda: point.get_name().endswith("live"), 40)
  agents(lab, "STOP")
  try:
    bench.click(button(bench, "Disarm all"))
    bench.label_with("does not answer", 10)
    bench.shot("disarm-hangs")
    bench.label_with("The hooks were disarmed through another agent", 30)
    bench.label_with("1 location was restored")
    wait("the target to be lost", lambda: "lost" in target_says(bench))
    bench.shot("disarm-done")
  finally:
    agents(lab, "CONT")


def sessions(bench):
  """The user's sessions are listed, searched and opened by the keyboard."""
  folder = os.path.join(os.environ["XDG_DATA_HOME"], "gilk", "sessions")
  os.makedirs(folder, exist_ok=True)
  for name in ("first.gilk", "second.gilk"):
    shutil.copy(fixtures.session(), os.path.join(folder, name))
  bench.label_with("Choose a kernel to look into")
  bench.key("ctrl+shift+o")
  bench.focus_window("Sessions")
  table = bench.named("Sessions", "table")
  wait("two sessions", lambda: any("2 sessions" in (n.get_name() or "") for n in walk(bench.app)))
  bench.shot("sessions")
  bench.type("second")
  wait("one of them", lambda: any("1 of 2 sessions" in (n.get_name() or "") for n in walk(bench.app)))
  bench.key("Return")
  bench.named("Hooks in this run", "table", 30)
  assert table is not None


def preflight(bench):
  """What is missing, with commands to copy; preferences."""
  bench.label_with("Choose a kernel to look into")
  bench.click(bench.named("System check…", "push button"))
  bench.focus_window("System check")
  bench.label_with("Connections to a kernel from this machine", 30)
  bench.shot("preflight")
  bench.key("Escape")
  bench.focus_main()
  bench.key("ctrl+comma")
  bench.focus_window("Preferences")
  bench.named("Offer the last target and function", "menu item")
  bench.shot("preferences")
  bench.key("Escape")
  bench.focus_main()


def kernel_file(bench):
  """The file of a kernel is chosen in a dialog; its graphs are drawn, and that nothing can be hooked is said."""
  bench.label_with("Choose a kernel to look into")
  bench.click(bench.named("Target", None))
  bench.click(bench.find("its entry", lambda n: n.get_role_name() == "push button" and has(n, "SHOWING") and
                         n.get_name() == "The file of a kernel (vmlinux)…"))
  bench.focus_window(r"Open the file of a kernel \(vmlinux\)")
  bench.type(os.environ["GILK_VMLINUX"])
  wait("the path", lambda: bench.focused_entry() and bench.focused_entry().get_text(0, -1) == os.environ["GILK_VMLINUX"])
  bench.click(button(bench, "Open"))
  bench.focus_main()
  bench.label_with("This is the file of a kernel, so nothing can be hooked.", 30)
  functions = bench.named("Functions", "table")
  wait("its functions", lambda: 0 < functions.get_child_count() < 100)
  search = wait("focus in the search entry", lambda: bench.focused_entry())
  bench.type("copy_some")
  wait("the pattern", lambda: search.get_text(0, -1) == "copy_some")
  bench.key("Return")
  wait("its blocks", lambda: bench.graph().get_child_count() == 3)
  wait("its name", lambda: "6.99.0-made" in target_says(bench))
  bench.shot("kernel-file")


def resumed(bench, lab):
  """Where one was is offered by the next window: target, function and place."""
  graph = connected(bench)
  graph.get_child_at_index(3).get_child_at_index(1).do_action(0)
  place = bench.find("the place", lambda n: n.get_role_name() == "label" and re.match(r"\w+ › \+0x", n.get_name() or "")).get_name()
  bench.key("ctrl+n")
  wait("a second window", lambda: sum(n.get_role_name() == "frame" for n in
                                      (bench.app.get_child_at_index(i) for i in range(bench.app.get_child_count()))) == 2)
  go_on = bench.find("what is offered", lambda n: n.get_role_name() == "push button" and
                     (n.get_name() or "").startswith(f"Continue with lab:{lab}, ") and has(n, "SHOWING"))
  bench.shot("offered")
  go_on.do_action(0)
  wait("the place again", lambda: sum(n.get_name() == place for n in walk(bench.app)) == 2, 60)
  bench.shot("resumed")


def repeated(bench, lab):
  """Three runs, one after the other, into one session; the rate is drawn."""
  graph = connected(bench)
  graph.get_child_at_index(3).get_child_at_index(0).do_action(0)
  bench.label_with("Plan · 1 hook")
  bench.enter(bench.named("Run for", "text"), "2s")
  bench.enter(bench.named("Number of runs", "text"), "3")
  bench.key("Return")
  bench.key("F5")
  # The second is over in two seconds, in which a busy machine may have no time to look.
  bench.find("another run", lambda n: re.match("run [23] of 3", n.get_name() or ""), 60)
  bench.find("how the rate went", lambda n: (n.get_name() or "").startswith("Hit rate during the run"))
  bench.shot("run-again")
  bench.label_with("Run finished", 60)
  bench.key("ctrl+3")
  runs = bench.find("three runs", lambda n: n.get_name() == "Runs" and n.get_child_count() >= 3, 30)
  bench.shot("three-runs")
  assert runs is not None


def offered(bench, lab):
  """A lab that runs is among the targets; a press connects it."""
  target = bench.named("Target")
  bench.click(target)
  row = bench.find("the lab", lambda n: n.get_name() == f"lab:{lab}" and n.get_role_name() == "push button" and has(n, "SHOWING"))
  bench.shot("targets-offered")
  bench.click(row)
  wait("its functions", lambda: bench.named("Functions", "table").get_child_count() > 1000, 60)
  wait("its name", lambda: target.get_description().startswith(f"lab:{lab} "))


def register(case, lab):
  if lab is None:
    case("the user's sessions", sessions)
    case("what can be done here, and preferences", preflight)
    case("the file of a kernel", kernel_file)
    return
  words = "--target", "lab:" + lab, "--function"
  case("a lab that runs is offered", lambda b: offered(b, lab))
  case("hooks of others", lambda b: others(b, lab), *words, "vfs_read")
  case("where one was is offered", lambda b: resumed(b, lab), *words, fixtures.FUNCTION)
  case("one run after the other", lambda b: repeated(b, lab), *words, fixtures.FUNCTION)
  case("Disarm all where the agent hangs", lambda b: agent_hangs(b, lab), *words, fixtures.FUNCTION)
  case("an agent that dies", lambda b: agent_dies(b, lab), *words, fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
