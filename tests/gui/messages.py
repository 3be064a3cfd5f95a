# SPDX-License-Identifier: GPL-2.0-or-later
"""
messages.py - of several things that are to be said none is lost: the last first, then what matters most
"""
import os
import sys

import fixtures
import suite
from exports import write
from panes import fits, resize
from results import row, rows
from workbench import box_of, has, looks, tool, wait, walk

NOWHERE = "unix:/run/a-folder-of-nobody/with-a-rather-long-name/and-one-more-of-them/that-is-not-there/gilkd.socket"


@looks
def shown(bench, text):
  return any(text in (n.get_name() or "") and n.get_role_name() == "info bar" and has(n, "SHOWING") for n in walk(bench.app))


@looks
def button(bench, name):
  return next((n for n in walk(bench.app) if n.get_name() == name and n.get_role_name() == "push button" and has(n, "SHOWING")), None)


def remark(bench):
  """Without a kernel nothing can be found."""
  bench.click(bench.named("Find a function", "text"))
  bench.key("Return")
  wait("the remark", lambda: shown(bench, "No kernel is connected"))


def several(bench):
  wait("that it cannot be reached", lambda: shown(bench, "a-folder-of-nobody"))
  wait("its remedy", lambda: button(bench, "Try again"))
  bench.key("ctrl+shift+i")
  resize(bench, 800, 600)
  fits(bench, "Explore with a message")
  assert not button(bench, "1 more"), "one message is two"
  remark(bench)
  assert not button(bench, "Try again"), "a remark has another one's remedy"
  bench.shot("messages-remark")
  bench.click(wait("the way to the others", lambda: button(bench, "1 more")))
  wait("the one with the remedy", lambda: shown(bench, "a-folder-of-nobody") and button(bench, "Try again"))
  bench.shot("messages-next")
  assert box_of(bench.frame)[2:] == (800, 600), f"the window grew: {box_of(bench.frame)}"

  # The remark has been read then, and goes by itself; the other one stays.
  remark(bench)
  tool("xdotool", "mousemove", "400", "500")
  wait("what matters", lambda: shown(bench, "a-folder-of-nobody") and button(bench, "Try again"))
  assert not button(bench, "1 more"), "what was only told is kept"
  bench.click(button(bench, "Close the message"))
  wait("nothing to be said", lambda: not shown(bench, "a-folder-of-nobody"))


@looks
def bars(bench):
  return [n for n in walk(bench.app) if n.get_role_name() == "info bar" and has(n, "SHOWING") and n.get_name()]


def one_place(bench):
  """Six exports are one notice, in the place of all others, under which nothing moves, and goes by itself."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  plot = bench.find("the plot", lambda n: n.get_role_name() == "drawing area" and has(n, "SHOWING") and has(n, "FOCUSABLE"))
  wait("a plot", lambda: "samples" in (plot.get_description() or "") or box_of(plot)[3] > 0)
  before = box_of(plot)
  for i in range(6):
    write(bench, ["ctrl+e"], os.path.join(fixtures.folder(), f"picture-{i}.svg"))
    assert len(bars(bench)) == 1, [n.get_name() for n in bars(bench)]
    assert box_of(plot)[:2] == before[:2], f"the plot moved from {before} to {box_of(plot)}"
  bench.shot("notice-of-six-exports")
  wait("the notice to go", lambda: not bars(bench), 30)

  # An error goes with what mends it.
  choose_file(bench, fixtures.newer())
  wait("the error", lambda: bars(bench))
  assert box_of(plot)[:2] == before[:2], f"the plot moved from {before} to {box_of(plot)}"
  bench.shot("notice-error")
  choose_file(bench, fixtures.studies())
  wait("the error to go", lambda: not bars(bench))


def choose_file(bench, path):
  bench.key("ctrl+o")
  bench.focus_window("Open a session or a plan")
  bench.type(path)
  wait("the path", lambda: bench.focused_entry() and bench.focused_entry().get_text(0, -1) == path)
  bench.click(bench.find("Open", lambda n: n.get_name() == "Open" and n.get_role_name() == "push button" and has(n, "SHOWING")))
  bench.focus_main()


def register(case, lab):
  if lab is None:
    case("notices have one place", one_place, fixtures.studies)
    case("several messages", several, "--target", NOWHERE)


if __name__ == "__main__":
  sys.exit(suite.run(register))
