# SPDX-License-Identifier: GPL-2.0-or-later
"""intervals.py - hooks switched off and on at random, and the control hook that stays on"""
import sys

import fixtures
import schedule
import suite
from workbench import box_of, wait

PLAN = """[gilk-plan]
version=2
title=Who pays for a pipe

[hook writes]
function=pipe_write|anon_pipe_write
block=+0x0
where=pre
instrument=stamp

[hook reads]
function=pipe_read|anon_pipe_read
block=+0x0
where=pre
instrument=stamp

[hook calls]
function=ksys_write
block=+0x0
where=pre
instrument=count
control=yes
"""


def plan():
  return fixtures.written("intervals.plan", PLAN)


def intervals(bench):
  """Hooks switched off and on: what is not possible is said, not taken, and can be undone."""
  entry = bench.named("A/B interval", "text")
  bench.enter(entry, "soon")
  bench.key("Return")
  bench.label_with("soon")
  wait("what is wrong", lambda: "soon" in entry.get_description())
  bench.shot("intervals-bad")
  bench.enter(entry, "250ms")
  bench.key("Return")
  wait("the help to return", lambda: "in a random half" in entry.get_description())
  wait("the seed", lambda: entry.get_text(0, -1) == "250ms,1")
  bench.shot("intervals")
  place = box_of(entry)
  bench.click(schedule.lanes_of(bench))
  bench.key("Home", "Right")
  bench.label_with("cannot have a start, stop or trigger of its own")
  wait("what does not go with it", lambda: "of its own" in entry.get_description())
  bench.shot("intervals-conflict")
  bench.key("ctrl+z")
  wait("the conflict to go", lambda: "in a random half" in entry.get_description())
  wait("its message to go", lambda: box_of(entry) == place)
  bench.key("ctrl+z")
  wait("no intervals", lambda: entry.get_text(0, -1) == "")


def register(case, lab):
  if lab is None:
    case("hooks switched off and on", intervals, plan)


if __name__ == "__main__":
  sys.exit(suite.run(register))
