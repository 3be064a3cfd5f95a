# SPDX-License-Identifier: GPL-2.0-or-later
"""
accesses.py - watches in the workbench: written into a plan, and who wrote, as a user would go through them
"""
import re
import sys

import fixtures
import suite
from results import choose, has_row, plot_named, row, rows, view
from workbench import Missing, has, looks, wait, walk


def focus_dialog(bench, title):
  bench.focus_window(title)
  wait("focus in a text", lambda: any(has(n, "FOCUSED") for n in walk(bench.app) if n.get_role_name() == "text"))


def back_to_window(bench):
  bench.focus_main()


def points(bench, name="Plan"):
  """The first cell of each row of the table in view."""
  table = bench.find("the plan", lambda n: n.get_name() == name and n.get_role_name() == "table" and has(n, "SHOWING"))
  columns = 8
  return [table.get_child_at_index(columns * (1 + i)).get_name() for i in range((table.get_child_count() - columns) // columns)]


def entry_of(bench, name):
  return bench.find(f'"{name}"', lambda n: n.get_name() == name and n.get_role_name() in ("text", "spin button") and has(n, "SHOWING"))


def add_button(bench, name="Add to plan"):
  return bench.named(name, "push button")


def watchpoint_without_kernel(bench):
  """What is no watch is said in place and not added; what is one is a row, changed by opening it, and undone."""
  bench.label_with("Choose a kernel to look into")
  bench.click(bench.find("the empty plan's button", lambda n: n.get_name() == "Add Watchpoint…" and has(n, "SHOWING")))
  focus_dialog(bench, "Watch a variable")
  what = entry_of(bench, "Variable or instruction")
  button = add_button(bench)
  wait("nothing to add", lambda: not has(button, "SENSITIVE"))
  bench.enter(what, "jiffies_64:w3")
  bench.label_with("is not a kind of access")
  wait("it told of the entry", lambda: "is not a kind of access" in what.get_description())
  wait("nothing to add", lambda: not has(button, "SENSITIVE"))
  bench.shot("watch-bad")
  bench.enter(what, "jiffies_64")
  bench.label_with("No kernel is connected")
  bench.label_with("gilk run --watchpoint jiffies_64:w")
  bench.enter(entry_of(bench, "Limit per second"), "5")
  bench.label_with("with N from 100 to 10000000")
  bench.enter(entry_of(bench, "Limit per second"), "5000")
  bench.click(bench.named("Reads and writes", "radio button"))
  bench.label_with("gilk run --watchpoint 'jiffies_64:rw,limit=5000'")
  bench.shot("watch")
  bench.click(button)
  back_to_window(bench)
  wait("the row", lambda: points(bench) == ["jiffies_64:rw,limit=5000"])
  bench.label_with("Plan · 1 hook")

  # The keyboard alone adds another one, with all of it in one text.
  bench.key("ctrl+shift+w")
  focus_dialog(bench, "Watch a variable")
  bench.type("vfs_write+0x10:x")
  bench.label_with("gilk run --watchpoint vfs_write+0x10:x")
  bench.key("Return")
  back_to_window(bench)
  wait("two rows", lambda: points(bench) == ["jiffies_64:rw,limit=5000", "vfs_write+0x10:x"])
  bench.shot("watch-plan")

  change_watchpoint(bench)
  bench.key("ctrl+z")
  wait("the watch as it was", lambda: points(bench)[0] == "jiffies_64:rw,limit=5000")
  bench.key("ctrl+z", "ctrl+z")
  wait("an empty plan", lambda: any(n.get_name() == "Add Watchpoint…" and has(n, "SHOWING") for n in walk(bench.app)))
  bench.key("ctrl+shift+z")
  wait("the first row", lambda: points(bench) == ["jiffies_64:rw,limit=5000"])
  bench.key("ctrl+2")
  wait("it in the schedule", lambda: points(bench) == ["jiffies_64:rw,limit=5000"])
  bench.shot("watch-schedule")


def change_watchpoint(bench):
  table = bench.find("the plan", lambda n: n.get_name() == "Plan" and n.get_role_name() == "table" and has(n, "SHOWING"))
  bench.click(table.get_child_at_index(8))
  wait("the row chosen", lambda: has(table.get_child_at_index(8), "SELECTED") or has(table.get_child_at_index(8), "FOCUSED"))
  bench.key("Return")
  focus_dialog(bench, "Edit watchpoint")
  what = entry_of(bench, "Variable or instruction")
  wait("what it was", lambda: what.get_text(0, -1) == "jiffies_64")
  wait("how it was", lambda: has(bench.named("Reads and writes", "radio button"), "CHECKED"))
  bench.click(bench.named("Writes", "radio button"))
  bench.label_with("gilk run --watchpoint 'jiffies_64:w,limit=5000'")
  bench.click(add_button(bench, "Change"))
  back_to_window(bench)
  wait("the row changed", lambda: points(bench)[0] == "jiffies_64:w,limit=5000")


PLAN = """[gilk-plan]
version=2

[watchpoint ticks]
what=jiffies_64:w,limit=1000
start=1s
"""


def watchpoint_of_a_plan(bench):
  """A plan file's watch is a row and a lane."""
  wait("the row", lambda: points(bench) == ["jiffies_64:w,limit=1000"])
  bench.key("ctrl+1")
  bench.label_with("Plan · 1 hook")


# ---- who wrote ----

def list_of(bench):
  return bench.find("accesses", lambda n: n.get_name() == "Accesses" and n.get_role_name() == "table" and has(n, "SHOWING"))


COLUMNS = 7


def names(bench):
  table = list_of(bench)
  return [table.get_child_at_index(COLUMNS * (1 + i)).get_name() for i in range(table.get_child_count() // COLUMNS - 1)]


def block_in_graph(bench, title, hits):
  return bench.find(f"block {title} with {hits}", lambda n: re.search(rf"^block {re.escape(title)}.* {hits} hits$", n.get_name() or "")
                    and has(n, "VISIBLE"))


def writers(bench):
  """The list, its order, its search; the block in the graph, there and back; copied; nobody; over time."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  wait("all writers", lambda: names(bench) == ["tcp_write+0x40", "sk_charge+0x40", "tcp_write+0x80", "sk_charge+0x60",
                                               "0xffffffffc0123456", "tcp_write+0xc0"])
  bench.label_with("6 locations · 1,000 accesses")
  bench.label_with("--accesses")
  bench.label_with("Missed: 3.")
  bench.label_with("7 samples were lost")
  has_row(bench, "Location", r"^tcp_write\+0x40$")
  has_row(bench, "sshd (812)", "^400$")
  block_in_graph(bench, "+0x40", 400)
  bench.shot("accesses")

  # The next row is in the same graph, the one behind it in another.
  bench.click(list_of(bench).get_child_at_index(COLUMNS * 3))
  has_row(bench, "Location", r"^tcp_write\+0x80$")
  bench.key("Down")
  has_row(bench, "Location", r"^sk_charge\+0x60$")
  block_in_graph(bench, "+0x60", 120)
  bench.key("Return")
  graph = bench.find("the graph", lambda n: n.get_name() == "Control-flow graph" and has(n, "SHOWING"))
  wait("the keyboard in the graph", lambda: has(graph, "FOCUSED"))
  bench.key("bracketleft")
  has_row(bench, "Location", r"^sk_charge\+0x40$")
  bench.key("Escape")
  wait("the keyboard in the list", lambda: not has(graph, "FOCUSED"))
  bench.click(list_of(bench).get_child_at_index(COLUMNS * 5))
  bench.label_with("The session has no graph of this location")
  bench.shot("writers-no-graph")

  bench.key("ctrl+f")
  wait("the keyboard in the search", bench.focused_entry)
  bench.type("SOFTIRQ")
  wait("those of softirqs", lambda: names(bench) == ["sk_charge+0x40", "tcp_write+0x80"])
  bench.label_with("2 of 6 locations")
  copied(bench)
  bench.click(bench.find("the search", lambda n: n.get_name() == "Find a location" and n.get_role_name() == "text"))
  bench.key("Escape")
  wait("all of them", lambda: len(names(bench)) == 6)
  bench.click(bench.find("the head of blocks", lambda n: n.get_name() == "Block" and n.get_role_name() in ("push button", "table column header")))
  wait("order by name", lambda: names(bench) == sorted(names(bench)))

  over_time(bench, hooks)


def copied(bench):
  """Rows in view, with tabs between: pasted where there is room."""
  bench.click(bench.named("Copy the accesses", "push button"))
  bench.key("ctrl+k")
  search = wait("focus in the search entry", bench.focused_entry)
  bench.key("ctrl+v")
  wait("the rows as text", lambda: re.match(r"accessor\tfunction\t.*sk_charge\+0x40\tsk_charge\t\+0x40\t.*tcp_write\+0x80\t",
                                            search.get_text(0, -1), re.S) and "insmod" not in search.get_text(0, -1))
  bench.key("ctrl+a", "BackSpace")
  bench.key("ctrl+3")


def over_time(bench, hooks):
  view(bench, "Time series")
  choose(bench, "Quantity", "value")
  plot_named(bench, "Over time: value")
  bench.shot("writers-over-time")
  view(bench, "Accesses")
  wait("the list again", lambda: len(names(bench)) == 6)
  bench.click(row(hooks, 2))
  bench.label_with("There was no access to softnet_data.processed:w,cpu=each during the run.")
  bench.shot("writers-nobody")
  graphs = bench.named("Graphs of this run", "table")
  bench.click(row(graphs, 1))
  block_in_graph(bench, "+0x40", 220)
  bench.shot("writers-graph")


@looks
def lists_accesses(bench):
  return any(n.get_name() == "Accesses" and n.get_role_name() == "table" and has(n, "SHOWING") for n in walk(bench.app))


def damaged(bench):
  """What cannot be read is said, in place of the list."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) == 4)
  bench.click(row(hooks, 1))
  bench.find("what is wrong", lambda n: n.get_role_name() == "label" and "damaged" in (n.get_name() or "") and has(n, "SHOWING"))
  bench.shot("writers-damaged")
  if lists_accesses(bench):
    raise Missing("an end to the list")
  bench.click(row(hooks, 0))
  bench.label_with("gilk report")


# ---- with a kernel ----

def choices_of(bench):
  table = bench.find("names that fit", lambda n: n.get_name() == "Matching names" and n.get_role_name() in ("table", "tree table"))
  return [table.get_child_at_index(i).get_name() for i in range(0, table.get_child_count())]


def await_closed(bench):
  wait("the dialog to close", lambda: not any(n.get_name() == "Watch a variable" and n.get_role_name() == "dialog"
                                              for n in walk(bench.app, 4)))


def add_watchpoint(bench, text):
  bench.key("ctrl+shift+w")
  focus_dialog(bench, "Watch a variable")
  bench.type(text)
  bench.key("Return")
  await_closed(bench)
  back_to_window(bench)


def watchpoint_live(bench):
  """Names and members are completed; what is there is told; a fifth watch is refused; who wrote is listed."""
  functions = bench.named("Functions", "table", 120)
  wait("functions", lambda: functions.get_child_count() > 1000)
  bench.key("ctrl+shift+w")
  focus_dialog(bench, "Watch a variable")
  bench.type("softnet_data.")
  wait("its members", lambda: "softnet_data.processed" in choices_of(bench))
  bench.shot("watch-members")
  bench.type("processe")
  bench.key("Down", "Return")
  what = entry_of(bench, "Variable or instruction")
  wait("the member", lambda: what.get_text(0, -1) == "softnet_data.processed")
  bench.label_with("4 bytes, one copy per CPU")
  bench.label_with("softnet_data.processed:w,cpu=each")
  bench.shot("watch-per-cpu")
  bench.enter(what, "nothing_of_that_name")
  bench.label_with("this kernel has no variable of that name")
  bench.shot("watch-unknown")
  bench.click(bench.named("Instruction execution", "radio button"))
  bench.enter(what, "vfs_writ")
  wait("functions", lambda: "vfs_write" in choices_of(bench))
  bench.enter(what, "vfs_write")
  bench.label_with("The instruction at 0x")
  bench.label_with("gilk run --watchpoint vfs_write:x")
  bench.click(bench.named("Writes", "radio button"))
  bench.label_with("The address is neither kernel data")
  bench.enter(what, "jiffies_64")
  bench.label_with("8 bytes at 0x")
  bench.label_with("1 of 4 debug registers")
  bench.key("Return")
  back_to_window(bench)
  wait("the row", lambda: points(bench) == ["jiffies_64:w"])

  for more in ("nr_threads", "total_forks", "vm_committed_as"):
    add_watchpoint(bench, more)
  wait("four rows", lambda: len(points(bench)) == 4)
  bench.key("ctrl+shift+w")
  focus_dialog(bench, "Watch a variable")
  bench.type("last_pid_nobody")
  bench.enter(entry_of(bench, "Variable or instruction"), "max_threads")
  bench.label_with("debug register")
  wait("nothing to add", lambda: not has(add_button(bench), "SENSITIVE"))
  bench.shot("watch-fifth")
  bench.key("Escape")
  await_closed(bench)
  back_to_window(bench)
  bench.enter(bench.named("Run for", "text"), "3s")
  bench.key("F5")
  bench.label_with("The kernel is restored", 90)
  table = bench.find("the plan", lambda n: n.get_name() == "Plan" and n.get_role_name() == "table" and has(n, "SHOWING"))
  wait("accesses of the first watch", lambda: re.match(r"[1-9]", table.get_child_at_index(8 + 6).get_name()))
  bench.key("ctrl+3")
  hooks = bench.named("Hooks in this run", "table", 30)
  wait("the run's hooks", lambda: rows(hooks) == 5)
  bench.click(row(hooks, 1))
  wait("who wrote it", lambda: any(name.startswith("tick_do_update_jiffies64+") for name in names(bench)), 30)
  bench.find("its block", lambda n: re.search(r"^block .* [1-9]\d* hits$", n.get_name() or "") and has(n, "VISIBLE"))
  bench.shot("writers-live")


def register(case, lab):
  if lab is not None:
    case("watches, and who wrote", watchpoint_live, "--target", "lab:" + lab)
    return
  case("watches without a kernel", watchpoint_without_kernel)
  case("a plan with a watch", watchpoint_of_a_plan, lambda: fixtures.written("watch.plan", PLAN))
  case("who wrote a variable", writers, fixtures.watched)
  case("who wrote, in a damaged session", damaged, fixtures.spoilt_watched)


if __name__ == "__main__":
  sys.exit(suite.run(register))
