#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
events.py - a tracepoint is added by its dialog; the run goes by BPF, and all of the window says so
"""
import sys

import suite
from choice import choose
from hooking import connect_find, set_length
from workbench import work


def tracepoint(bench, lab):
  connect_find(bench)
  set_length(bench, "10m")
  bench.label_with("ilk ", 60)
  bench.graph(60)                                       # which takes the focus once it is drawn
  choose(bench, "tracepoint or timer")
  bench.label_with("Program (without one", 60)
  bench.type("tracepoint:")
  bench.key("Return")
  bench.label_with("is not a tracepoint", 60)
  bench.shot("events-wrong")
  bench.key("ctrl+a")
  bench.type("tracepoint:raw_syscalls:sys_enter")
  bench.key("Return")
  bench.label_with("Plan · 1 hook", 60)
  work(lab)
  bench.key("F5")
  bench.await_live()
  bench.label_with("BPF programs · 1 hook live", 60)
  bench.label_with("All hooks of the plan are BPF programs", 60)
  bench.label_with(" kprobe", 60)
  bench.shot("events-live")
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)
  bench.shot("events-ended")


def register(case, lab):
  if lab is not None:
    case("a tracepoint is hooked", lambda bench: tracepoint(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
