# SPDX-License-Identifier: GPL-2.0-or-later
"""
find.py - functions are found by what one types, by chips, by module and by place; actions by ">"
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from workbench import box_of, has, in_lab, pipe_write, tool, wait, walk  # noqa: E402


def row(functions, index):
  """What the row's first cell says, in a line; the first children are the columns' heads."""
  return (functions.get_child_at_index((index + 1) * functions.get_n_columns()).get_name() or "").replace("\n", " ")


def typed(bench, search, text):
  bench.enter(search, text)


def search_of(bench):
  """The entry for functions; another one may have the focus until the key is taken."""
  def focused():
    entry = bench.focused_entry()
    return entry if entry is not None and entry.get_name() == "Find a function" else None

  bench.key("ctrl+k")
  return wait("focus in the search entry", focused)


def chip(bench, name):
  return bench.find(f"chip {name}", lambda n: n.get_role_name() == "radio button" and n.get_name().startswith(name))


def listed(bench):
  functions = bench.named("Functions", "table", 120)
  wait("all functions, not the best thousand", lambda: functions.get_n_rows() > 20000)
  return functions


def pressed_again(bench):
  """A press on the search while a graph is read keeps the focus there; without one the graph takes it."""
  listed(bench)
  search = search_of(bench)
  for press in (True, False):
    bench.enter(search, pipe_write() if press else "vfs_read")
    at = box_of(search)
    bench.key("Return")
    if press:
      tool("xdotool", "mousemove", str(at[0] + at[2] // 2), str(at[1] + at[3] // 2), "click", "1")
    bench.graph(60)
    wait("the graph to be drawn", bench.sync)
    if press:
      assert has(search, "FOCUSED"), "the graph took the focus from the search"
    else:
      bench.find("the focus in the graph", lambda n: n.get_name() == "Control-flow graph" and any(has(part, "FOCUSED") for part in walk(n)), 60)


def ranked(bench):
  functions = listed(bench)
  bench.shot("list")
  search = search_of(bench)
  name = pipe_write()
  backwards = " ".join(reversed(name.split("_")))
  for text, first in (("".join(w[0] + w[-2:] for w in name.split("_")), name), (name.upper(), name), (backwards, name), ("vfs_read", "vfs_read")):
    typed(bench, search, text)
    wait(f"{first} first for {text}", lambda first=first: row(functions, 0).startswith(first + " "))
  bench.shot("ranked")
  typed(bench, search, "zzyzx")
  bench.label_with("No match in")
  bench.shot("no-name")


def places(bench):
  functions = listed(bench)
  search = search_of(bench)
  typed(bench, search, pipe_write() + "+0x41/0x5d0")
  wait("the place", lambda: functions.get_n_rows() == 1 and "+0x41" in row(functions, 0))
  bench.shot("place")
  bench.key("Return")
  graph = bench.graph(60)
  wait("the block around it", lambda: any(has(n, "FOCUSED") or has(n, "SELECTED") for n in walk(graph)))
  bench.shot("place-opened")
  search = search_of(bench)
  typed(bench, search, "ffffffff00000000")
  bench.label_with("contains the address")


def chips(bench):
  functions = listed(bench)
  graph = bench.graph(60)
  graph.get_child_at_index(1).get_child_at_index(0).do_action(0)
  wait("the hooked function to be counted", lambda: chip(bench, "Hooked 1"))
  bench.click(chip(bench, "Hooked"))
  wait("the hooked function alone", lambda: functions.get_n_rows() == 1 and row(functions, 0).startswith(("pipe_write ", "anon_pipe_write ")))
  bench.shot("hooked")
  bench.click(chip(bench, "Recent"))
  wait("what was opened", lambda: functions.get_n_rows() >= 1 and row(functions, 0).startswith(("pipe_write ", "anon_pipe_write ")))
  bench.click(chip(bench, "All"))
  wait("all", lambda: functions.get_n_rows() > 20000)


def actions(bench):
  """What is typed behind ">" is an action: found, done, and first the next time."""
  bench.label_with("Choose a kernel to look into")
  bench.key("ctrl+shift+p")
  entry = wait("focus in the search entry", bench.focused_entry)
  found = bench.named("Actions", "list box")
  wait("all of them", lambda: found.get_child_count() > 30)
  bench.shot("actions")
  bench.type("results")
  wait("the one meant first", lambda: found.get_child_count() > 0 and found.get_child_at_index(0).get_name() == "Results")
  bench.shot("actions-found")
  bench.key("Return")
  bench.label_with("No session is open")
  wait("an empty entry", lambda: entry.get_text(0, -1) == "")
  bench.key("ctrl+shift+p")
  wait("it to be first", lambda: found.get_child_count() > 0 and found.get_child_at_index(0).get_name() == "Results")
  bench.key("Escape")
  wait("an empty entry", lambda: entry.get_text(0, -1) == "")


def calls(bench):
  """Who calls the function in view is opened where the call is; whom it calls, at its beginning."""
  bench.graph(60)
  bench.key("alt+Down")
  bench.label_with("No direct callers", 60)
  bench.shot("callers-none")
  bench.click(bench.find("the callees' page", lambda n: n.get_role_name() == "radio button" and n.get_name().startswith("Callees")))
  callees = bench.named("Callees", "table")
  wait("whom it calls", lambda: callees.get_n_rows() > 3)
  entry = bench.find("an entry to find one", lambda n: has(n, "EDITABLE") and has(n, "SHOWING") and
                     n.get_attributes().get("placeholder-text") == "Filter")
  bench.enter(entry, "mutex_lock")
  wait("the one that fits", lambda: callees.get_n_rows() >= 1 and row(callees, 0).startswith("mutex_lock"))
  bench.shot("callees")
  bench.key("Return")
  bench.label_with("mutex_lock ›")
  bench.key("alt+Down")
  bench.click(bench.find("the callers' page", lambda n: n.get_role_name() == "radio button" and n.get_name().startswith("Callers")))
  callers = bench.named("Callers", "table", 60)
  wait("who calls it", lambda: callers.get_n_rows() > 100)
  bench.shot("callers")
  bench.key("Escape")
  bench.key("alt+Left")
  bench.label_with(pipe_write() + " ›")


def target_with_debug_data(lab):
  """The next workbench finds the debug data of the lab's test modules, of which gilk_locals is loaded."""
  release = in_lab(lab, "test -d /sys/module/gilk_locals || insmod /lib/modules/$(uname -r)/extra/gilk_locals.ko; uname -r").strip()
  os.environ["GILK_DEBUG"] = os.path.join(os.environ["GILK_BUILD"], "lab", release, "modules")
  return "lab:" + lab


def inlined(bench):
  """A function without code of its own is found where it was inlined, and the graph opens there."""
  del os.environ["GILK_DEBUG"]
  functions = listed(bench)
  typed(bench, search_of(bench), "gilk_locals_inlined")
  wait("where it is", lambda: functions.get_n_rows() == 1 and row(functions, 0).startswith("gilk_locals_work"))
  bench.label_with("Inlined at 1 place")
  bench.shot("inlined")
  bench.key("Return")
  graph = bench.graph(60)
  wait("the block around it", lambda: any(has(n, "FOCUSED") or has(n, "SELECTED") for n in walk(graph)))


def register(case, lab):
  if lab is None:
    case("actions are found", actions)
    return
  case("functions are found", ranked, "--target", "lab:" + lab)
  case("a press keeps the focus where it is", pressed_again, "--target", "lab:" + lab)
  case("places are found", places, "--target", "lab:" + lab)
  case("where a function was inlined is found", inlined, "--target", lambda: target_with_debug_data(lab))
  case("chips of the list", chips, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)
  case("callers and callees", calls, "--target", "lab:" + lab, "--function", fixtures.FUNCTION)


if __name__ == "__main__":
  sys.exit(suite.run(register))
