#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
power - processors go off and on, and the machine sleeps, while hooks are live

usage: power.py LAB [--rounds N]

Calls are counted exactly throughout, from before to after; the run ends well; text is as
before in the end. The machine is woken by its clock, as by "rtcwake".
"""
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, Run, expect, main, wait_for
from gilksystem import arguments

CALLS = 2000
COUNTED = "__x64_sys_getpgid@entry:pre:count"
HOOKS = [COUNTED, "do_getpgid@entry:post:count:bounce", "vfs_read@entry:pre:stamp",
         "vfs_write@entry:pre:count:trap", "pipe_write@entry:pre:count:clone"]
CPU = "/sys/devices/system/cpu/cpu1/online"


def call(system):
  system.run(f"calls -o getpgid -t 2 -n {CALLS}")


class Live:
  """A run that goes on while the block does something to the machine; counts are exact."""

  before = []

  def __init__(self, system):
    self.system = system
    self.batches = 0

  def __enter__(self):
    if not self.before:
      self.system.gilk("doctor", "--load")
      self.before.append(self.system.text_sum())
    self.folder = tempfile.TemporaryDirectory()
    words = [word for hook in HOOKS for word in ("--hook", hook)]
    self.run = Run(self.system, os.path.join(self.folder.name, "p.gilk"), *words, "--for", "60m")
    self.system.wait_armed(len(HOOKS), 120)
    return self

  def call(self):
    call(self.system)
    self.batches += 1

  def __exit__(self, kind, value, trace):
    try:
      if kind is not None:
        return
      expect(self.run.process.poll() is None, f"the run ended: {self.run.wait()} {self.run.output}")
      expect(self.run.stop() == 0, f"gilk run failed: {self.run.output}")
      hits = self.run.report()["hooks"][0]["hits"]
      made = self.batches * CALLS
      # Somebody else may call it, too; nobody here makes a hundred.
      expect(made <= hits < made + 100, f"{made} calls, {hits} hits")
      self.system.wait_clean()
      expect(self.system.text_sum() == self.before[0], "text differs")
    finally:
      self.folder.cleanup()


def processors_go_off_and_on(system):
  system.run(f"echo 1 >{CPU}")
  with Live(system) as live:
    for _ in range(rounds):
      live.call()
      system.run(f"echo 0 >{CPU}")
      live.call()
      system.run(f"echo 1 >{CPU}")
    live.call()
  return f"{rounds} rounds, {live.batches * CALLS} calls"


def sleep(system, state):
  """To STATE and back; seconds that the wall clock says went by."""
  before = system.run("cat /sys/power/suspend_stats/success").strip()
  system.run(f"rm -f /run/woken; (rtcwake -m {state} -s 8 >/run/rtcwake.log 2>&1; echo $? >/run/woken) "
             ">/dev/null 2>&1 &")
  time.sleep(10)
  code = wait_for("the machine wakes", lambda: system.run("cat /run/woken 2>/dev/null", check=False, timeout=10).strip()
                  if system.run("true", check=False, timeout=10) == "" else "", 60)
  said = system.run("cat /run/rtcwake.log; dmesg | grep -iE 'PM:|suspend' | tail -4")
  expect(code == "0", f"rtcwake: exit code {code}: {said}")
  after = system.run("cat /sys/power/suspend_stats/success").strip()
  expect(int(after) == int(before) + 1, f"it did not sleep: {said}")


def sleeps(state):
  def test(system):
    expect(re.search(rf"\b{state}\b", system.run("cat /sys/power/state")), f"this kernel has no {state}")
    with Live(system) as live:
      live.call()
      sleep(system, state)
      live.call()
    return f"{live.batches * CALLS} calls"
  test.__name__ = f"the_machine_sleeps_and_wakes_({state})"
  return test


if __name__ == "__main__":
  here, rounds = arguments()
  here.install_agent()
  here.tar({"usr/local/bin/calls": os.path.join(BUILD, "lab", "lab-calls")})
  sys.exit(main([processors_go_off_and_on, sleeps("freeze"), sleeps("mem")], here))
