#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
preempt - a reschedule that becomes due during a hit is acted on at its end

An instrument of the tests makes one due at each hit, and records whether one was due before.
Two hooks are at both edges of one block, so that the kernel itself looks nowhere in between.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, lab_of_arguments, main

LOAD = "i=0; while [ $i -lt 300 ]; do read x </proc/uptime; i=$((i+1)); done"


def samples(lab, first, second):
  """How often the hook behind found a reschedule due, and how often not, where no interrupt came between the hooks; and the same where
  one did, which may have made it due within the hook behind."""
  session = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"preempt-{os.getpid()}.gilk")
  run = Run(lab, session, "--hook", f"vfs_read@entry:pre:{first}", "--hook", f"vfs_read@entry:post:{second}")
  lab.wait_armed(1)
  lab.run(LOAD)
  expect(run.stop() == 0, f"the run: {run.output}")
  rows = run.sql("select alone, due, count(*) as n from samples_due where hook = 'vfs_read-entry-post' group by 1, 2")
  os.remove(session)
  return ({int(row["due"]): int(row["n"]) for row in rows if int(row["alone"]) == alone} for alone in (1, 0))


def a_due_reschedule_is_acted_on(lab):
  """By whoever hits, where the kernel is preemptible"""
  lab.gilk("doctor", "--load")
  found, interrupted = samples(lab, "due", "due")
  expect(sum(found.values()) > 300, f"the hook behind was hit {found}, and after interrupts {interrupted}")
  if lab.is_preemptible():
    expect(found.get(1, 0) == 0, f"left to others: {found.get(1, 0)} of {sum(found.values())}")
    return f"{found[0]} of {found[0]}, and after interrupts {interrupted.get(0, 0)} of {sum(interrupted.values())}"
  expect(found.get(1, 0) > 0, f"the kernel is not preemptible, and none was ever due: {found}")
  return f"not preemptible: {found.get(1, 0)} of {sum(found.values())} are left to the kernel"


if __name__ == "__main__":
  sys.exit(main([a_due_reschedule_is_acted_on], lab_of_arguments()))
