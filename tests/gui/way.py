#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
way.py - on a kernel that takes no module, the workbench hooks by BPF: a click, a run, a count
"""
import sys

import suite
from choice import popover, sensitive
from hooking import connect_find, first_free, set_length
from workbench import block_of, checked, wait, work


def locked(bench, lab):
  connect_find(bench)
  bench.label_with("BPF programs · no hooks live", 60)
  driver, bpf = popover(bench)
  assert not sensitive(driver) and bpf.get_description().startswith("In use"), f"the driver can be chosen; BPF is {bpf.get_description()}"
  bench.label_with("not possible: ")
  bench.shot("way-connected")
  bench.key("Escape")
  point = first_free(bench.graph(60))
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  set_length(bench, "10m")
  work(lab)
  bench.key("F5")
  bench.await_live()
  wait("a count", lambda: " hits" in block_of(point).get_name() and " 0 hits" not in block_of(point).get_name(), 60)
  bench.shot("way-live")
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)
  bench.shot("way-ended")


def register(case, lab):
  if lab is not None:
    case("a kernel that takes no module", lambda bench: locked(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
