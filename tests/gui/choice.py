#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
choice.py - the way to hook a kernel is chosen by the palette and in the target's popover, and everything shows it
"""
import re
import sys

import suite
from find import search_of
from hooking import connect_find, first_free, set_length
from workbench import block_of, checked, has, wait, walk, work


def choose(bench, text):
  """By the palette."""
  search = search_of(bench)
  bench.enter(search, ">" + text)
  bench.key("Return")


def popover(bench):
  bench.click(bench.named("Target", None))
  return [bench.find(name, lambda n, name=name: is_choice(n, name)) for name in ("Driver ilk", "BPF programs")]


def is_choice(node, name):
  """The button, not the label in it."""
  return node.get_name() == name and "button" in node.get_role_name() and has(node, "SHOWING")


def sensitive(node):
  return has(node, "SENSITIVE") and has(node, "ENABLED")


def by_bpf(bench, lab):
  connect_find(bench)
  set_length(bench, "10m")
  bench.graph(60)
  bench.label_with(" splice", 60)
  point = first_free(bench.graph(60))
  bench.click(point)
  bench.label_with("Plan · 1 hook")
  driver, bpf = popover(bench)
  assert sensitive(driver) and sensitive(bpf), "a way cannot be chosen"
  assert driver.get_description().startswith("In use") and not bpf.get_description().startswith("In use"), "the driver is not in use"
  bench.label_with("Loads no module")
  bench.shot("choice-driver")
  bench.key("Escape")

  choose(bench, "kernel by BPF")
  bench.label_with("BPF programs · no hooks live", 60)
  bench.find("the tactics of BPF", lambda n: re.search(r"blocks · \d+ points: .*kprobe", n.get_name() or ""), 60)
  assert checked(point) and block_of(point).get_name(), "the objects of the graph went away, though its code is the same"
  bench.shot("choice-bpf")
  work(lab)
  bench.key("F5")
  bench.await_live()
  wait("a count", lambda: " hits" in block_of(point).get_name() and " 0 hits" not in block_of(point).get_name(), 60)
  driver, bpf = popover(bench)
  assert not sensitive(driver) and not sensitive(bpf), "the way can be changed while hooks are live"
  bench.label_with("Hooks are live: stop the run")
  bench.shot("choice-live")
  bench.key("Escape")
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)

  wait("the way to be open to change", lambda: sensitive(popover_again(bench)))
  bench.click(popover_again(bench))
  bench.label_with("ilk ", 60)
  bench.label_with(" splice", 60)
  bench.shot("choice-back")


def popover_again(bench):
  """The driver's button; opens the popover unless it is open."""
  found = [n for n in walk(bench.app) if is_choice(n, "Driver ilk")]
  return found[0] if found else popover(bench)[0]


def register(case, lab):
  if lab is not None:
    case("the way to hook a kernel is chosen", lambda bench: by_bpf(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
