#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
hotplug - processors go off and on, and the machine sleeps, while hooks are live

usage: hotplug.py LAB [--rounds N]

Calls are counted exactly throughout, from before to after; the run ends well; text is as
before in the end. Sleep goes down to a level at first and comes back by itself (the kernel's pm_test), in
the end it is a real one, and the emulator wakes the machine.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, Failure, Run, expect, main
from gilkqmp import Monitor
from gilksystem import arguments

CALLS = 2000
COUNTED = "__x64_sys_getpgid@entry:pre:count"
HOOKS = [COUNTED, "do_getpgid@entry:post:count:bounce", "vfs_read@entry:pre:stamp",
         "vfs_write@entry:pre:count:trap", "pipe_write@entry:pre:count:clone"]
# What the kernel is made to come back from: user space frozen, devices asleep, ... all but the last step. It waits there
# for five seconds of its own clock, if nothing else is said: a network that is gone for so long is silent for longer
# than the client's lease once it is there again, for TCP takes its time then.
DELAY = "/sys/module/suspend/parameters/pm_test_delay"
LEVELS = ("freezer", "devices", "platform", "processors", "core")
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
      if self.run.process.poll() is not None:
        self.run.wait()
        raise Failure(f"the run ended: {self.run.output}")
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


def kind_of_sleep(system):
  """To memory where there is that."""
  kinds = system.run("cat /sys/power/state").split()
  return "mem" if "mem" in kinds and "deep" in system.run("cat /sys/power/mem_sleep") else "freeze"


def machine_sleeps_to_a_level(system):
  kind = kind_of_sleep(system)
  system.run(f"echo 1 >{DELAY}")
  with Live(system) as live:
    try:
      for level in LEVELS:
        live.call()
        system.run(f"echo {level} >/sys/power/pm_test && echo {kind} >/sys/power/state", timeout=120)
        live.call()
    finally:
      system.run("echo none >/sys/power/pm_test")
  return f"{kind}: {', '.join(LEVELS)}; {live.batches * CALLS} calls"


def machine_sleeps(system):
  kind = kind_of_sleep(system)
  with Live(system) as live:
    for _ in range(rounds):
      live.call()
      system.run(f"(sleep 1; echo {kind} >/sys/power/state) >/dev/null 2>&1 &")
      Monitor(system).sleep_and_wake()
      live.call()
  return f"{kind}: {rounds} times, {live.batches * CALLS} calls"


if __name__ == "__main__":
  here, rounds = arguments()
  here.install_agent()
  here.tar({"usr/local/bin/calls": os.path.join(BUILD, "lab", "lab-calls")})
  sys.exit(main([processors_go_off_and_on, machine_sleeps_to_a_level, machine_sleeps], here))
