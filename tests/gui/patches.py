# SPDX-License-Identifier: GPL-2.0-or-later
"""
patches.py LAB - under the listing: the code of the hook that is planned where one is; whose the bytes are
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import suite  # noqa: E402
from hooking import connect_find, first_free  # noqa: E402
from workbench import checked, has, in_lab, looks, pipe_write, wait, walk  # noqa: E402

PROBES = "/sys/kernel/tracing/kprobe_events"


@looks
def shown(bench, name):
  return next((n for n in walk(bench.app) if n.get_name() == name and has(n, "SHOWING")), None)


def patch(bench, lab):
  connect_find(bench)
  graph = bench.graph(60)
  point = first_free(graph)
  bench.click(point)
  wait("the planned mark", lambda: checked(point))
  bench.key("space")
  code = wait("the machine code", lambda: shown(bench, "Machine code"), 30)
  assert "jmp" in code.get_description(), code.get_description()
  bench.look("patch-pane")
  bench.key("ctrl+z")
  wait("no hook, no code", lambda: shown(bench, "Machine code") is None, 20)
  bench.key("ctrl+shift+z")
  wait("the machine code again", lambda: shown(bench, "Machine code"), 20)
  in_lab(lab, f"mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; echo p:gui {pipe_write()} >>{PROBES} && "
              "echo 1 >/sys/kernel/tracing/events/kprobes/gui/enable")
  try:
    bench.key("space", "space")
    bench.look("patch-kprobe")
  finally:
    in_lab(lab, f"echo 0 >/sys/kernel/tracing/events/kprobes/gui/enable; echo -:gui >>{PROBES}")


def register(case, lab):
  if lab is not None:
    case("the patch is under the listing", lambda bench: patch(bench, lab), "--target", "lab:" + lab)


if __name__ == "__main__":
  sys.exit(suite.run(register))
