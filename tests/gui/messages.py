# SPDX-License-Identifier: GPL-2.0-or-later
"""
messages.py - of several things that are to be said none is lost: the last first, then what matters most
"""
import sys

import suite
from panes import fits, resize
from workbench import box_of, has, tool, wait, walk

NOWHERE = "unix:/run/a-folder-of-nobody/with-a-rather-long-name/and-one-more-of-them/that-is-not-there/gilkd.socket"


def shown(bench, text):
  return any(text in (n.get_name() or "") and n.get_role_name() == "info bar" and has(n, "SHOWING") for n in walk(bench.app))


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


def register(case, lab):
  if lab is None:
    case("several messages", several, "--target", NOWHERE)


if __name__ == "__main__":
  sys.exit(suite.run(register))
