# SPDX-License-Identifier: GPL-2.0-or-later
"""opening.py - the first page, the guide, and what cannot be opened"""
import os
import subprocess
import sys
from xml.etree import ElementTree

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import GLib  # noqa: E402

import fixtures  # noqa: E402
import suite  # noqa: E402
from results import row, rows  # noqa: E402
from workbench import Missing, box_of, has, looks, wait, walk  # noqa: E402

MALLARD = {"m": "http://projectmallard.org/1.0/"}


@looks
def cells(table):
  return [n for n in walk(table, 400) if n.get_role_name() == "table cell"]


def keys_of_guide(bench):
  """What the guide's page of keys has, the window of keys has as well; what is typed there leaves what fits."""
  page = ElementTree.parse(os.path.join(os.environ["GILK_BUILD"], "data/help/keys.page"))
  told = {cell.findtext("m:p", None, MALLARD) for cell in page.iterfind(".//m:td", MALLARD)} - {"", None}
  table = bench.named("Keys", "table")
  shown = {n.get_name() for n in cells(table)}
  if len(told) < 50 or told - shown:
    raise Missing(f"keys in the window: {sorted(told - shown)} of {len(told)}")
  bench.type("minimap")
  wait("its row below its group's", lambda: [n.get_name() for n in cells(table) if n.get_name()] ==
       ["View of the graph", "Minimap", "Ctrl+M"])
  bench.shot("keys-found")
  bench.type("xyz")
  bench.label_with("No action or key matches")


def starts(bench):
  bench.label_with("Choose a kernel to look into")
  bench.shot("empty")
  bench.key("ctrl+3")
  bench.label_with("No session is open")
  bench.key("ctrl+2")
  bench.key("ctrl+question")
  bench.named("Keys", "table")
  bench.shot("keys")
  keys_of_guide(bench)
  bench.key("Escape")
  bench.focus_main()
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
  """What ./run builds has it."""
  built = subprocess.run(["ninja", "-C", os.environ["GILK_BUILD"], "-t", "query", "programs"], check=True, capture_output=True,
                         text=True).stdout.split()
  if "data/help/html" not in built:
    raise Missing("the guide among the programs that ./run builds")
  uri = shown_by_f1(bench, kept)
  if not uri.endswith("/data/help/html/workbench.html"):
    raise Missing(f"HTML: {uri} was shown")


def guide_in_viewer(bench, kept):
  uri = shown_by_f1(bench, kept)
  if uri != "help:gilk/workbench":
    raise Missing(f"the pages: {uri} was shown")


def guide_cases(case):
  """As the build has it, and as it is installed."""
  kept = make_viewer()
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
  bench.label_with("Cannot read not-one.gilk")
  bench.click(bench.named("Try Again", "push button"))
  bench.label_with("Cannot read not-one.gilk")
  bench.shot("not-a-session")


def newer_session(bench):
  bench.label_with("Cannot read newer.gilk")
  bench.find("what to do", lambda n: n.get_role_name() == "label" and "Update Gilk" in (n.get_name() or "") and has(n, "SHOWING"))
  bench.shot("newer-session")


FAKE_LAB = """#!/bin/sh
# A lab whose machine never gets up; of its own is what a boot leaves behind: a process that has left its group.
mkdir -p "$GILK_LAB_DIR/fake"
cd "$GILK_LAB_DIR/fake"
case $1 in
  boot)
    setsid sleep 600 &
    echo "$! $(sed 's/.*) //' /proc/$!/stat | cut -d' ' -f20)" >pid
    while :; do echo "lab: fake is booting" >&2; sleep 0.2; done ;;
  stop) kill "$(cut -d' ' -f1 pid)" ;;
esac
"""


ENVIRONMENT = {}                # what fake_lab() replaced


def is_alive(pid):
  try:
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
      return ") Z " not in stat.read()
  except FileNotFoundError:
    return False


def fake_lab():
  folder = os.path.join(fixtures.folder(), "fake-lab")
  os.mkdir(folder)
  ENVIRONMENT.update(GILK_LAB_DIR=os.environ["GILK_LAB_DIR"])
  os.environ["GILK_LAB_DIR"] = folder
  os.environ["GILK_LAB"] = fixtures.written("fake-lab/lab", FAKE_LAB)
  os.chmod(os.environ["GILK_LAB"], 0o755)
  return "lab:fake"


def boot_cancelled(bench):
  """Who cancels the boot of a lab is told that its machine was stopped, and it was."""
  del os.environ["GILK_LAB"]
  os.environ.update(ENVIRONMENT)
  bench.label_with("fake is booting", 30)
  with open(os.path.join(fixtures.folder(), "fake-lab/fake/pid"), encoding="ascii") as file:
    machine = file.read().split()[0]
  bench.shot("booting")
  bench.key("Escape")
  bench.label_with("the virtual machine that was started for lab fake was stopped")
  bench.shot("boot-cancelled")
  wait("an end of the machine", lambda: not is_alive(machine))
  bench.named("Connect", "push button")


def frames(bench):
  return [n for n in (bench.app.get_child_at_index(i) for i in range(bench.app.get_child_count())) if n.get_role_name() == "frame"]


def two_windows(bench):
  """A second window opens beside the first, and stays when that is closed."""
  bench.named("Hooks in this run", "table")
  bench.key("ctrl+n")
  wait("a second window", lambda: len(frames(bench)) == 2)
  bench.label_with("Choose a kernel to look into")
  bench.key("ctrl+w")
  wait("the first to go", lambda: len(frames(bench)) == 1)
  bench.find("the second", lambda n: n.get_role_name() == "frame" and has(n, "SHOWING"))
  assert bench.named("Run for", "text").get_text(0, -1) == "10s", "the window that went emptied what a run lasts"


def held_nodes(bench):
  """A screen reader asks for the blocks of a graph whose window has gone: they are defunct, and the program lives on."""
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  graphs = bench.named("Graphs of this run", "table")
  wait("the graph's row", lambda: rows(graphs) == 1)
  bench.click(row(graphs, 0))
  graph = wait("its blocks", lambda: bench.graph().get_child_count() > 0 and bench.graph())
  blocks = [graph.get_child_at_index(i) for i in range(graph.get_child_count())]
  held = blocks + [block.get_child_at_index(i) for block in blocks for i in range(block.get_child_count())]
  assert all(node.get_name() for node in held)
  bench.key("ctrl+n")
  wait("a second window", lambda: len(frames(bench)) == 2)
  bench.label_with("Choose a kernel to look into")
  bench.key("ctrl+w")
  wait("the first to go", lambda: len(frames(bench)) == 1)
  for node in held:
    for question in (node.get_name, node.get_description, node.get_state_set, node.get_child_count, lambda node=node: box_of(node)):
      try:
        question()
      except GLib.Error:
        pass                                              # an answer, too
  assert bench.alive()


def register(case, lab):
  if lab is not None:
    return
  case("starts, modes, shortcuts", starts)
  guide_cases(case)
  case("a target that is not there", bad_target, "--target", "unix:/nonexistent/gilk.sock")
  case("a file that is no session", not_a_session, fixtures.no_session)
  case("the boot of a lab is cancelled", boot_cancelled, "--target", fake_lab)
  case("two windows", two_windows, fixtures.studies)
  case("blocks of a graph whose window has gone", held_nodes, fixtures.graphed)
  case("a session of a newer version", newer_session, fixtures.newer)


if __name__ == "__main__":
  sys.exit(suite.run(register))
