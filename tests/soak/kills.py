#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: after kill -9 of client and agent at any moment, no probe, breakpoint or byte is left
"""
kills - client and agent killed by SIGKILL while hooks of both ways go in, work, and go out

  kills.py LAB [--rounds N] [--seed N]

In each round, two runs go at once: one by the driver, and one by BPF at functions of the kernel, at a variable, and at
instructions of a program that PROCESSES processes run. At a random moment one of the clients or all agents are killed,
and then what is left. When nothing is attached any more, the text of the processes must be as before; every TEXT_EVERY
rounds the kernel's, too.
"""
import argparse
import os
import random
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
# pylint: disable=wrong-import-position
import user
from gilklab import PIPE_WRITE, Lab, Run, expect, main, wait_for

PROCESSES, TEXT_EVERY, MOMENT_S, LOOKED_AT = 60, 20, 6.0, 0.3
BY_DRIVER = ["vfs_read@entry:pre:count", "vfs_write@entry:pre:stamp", f"{PIPE_WRITE}@entry:pre:count:trap", "__x64_sys_getpgid@entry:pre:count"]
BY_BPF = ["__x64_sys_fsync@entry:pre:count", "__x64_sys_fsync@entry:post:stamp", "do_sys_openat2:entry { sample(arg1, s = stack()) }",
          "tracepoint:raw_syscalls:sys_enter", *user.MANY]


def hooks(points):
  return [word for point in points for word in ("--hook", point)]


def start(lab, folder):
  """The two runs."""
  return [Run(lab, os.path.join(folder, "ilk.gilk"), "--by", "ilk", *hooks(BY_DRIVER), "--for", "20m"),
          Run(lab, os.path.join(folder, "bpf.gilk"), "--by", "bpf", *hooks(BY_BPF), "--watchpoint", "jiffies_64:w", "--for", "20m")]


def kill_one(lab, runs, rand):
  """Kills a client or all agents, or lets a run end by itself and kills the agents meanwhile. Returns what was killed."""
  victim = rand.choice(("client", "client", "agents", "agents while a run ends"))
  run = rand.choice(runs)
  if victim == "client":
    run.process.send_signal(signal.SIGKILL)
    return victim
  if victim == "agents while a run ends" and run.process.poll() is None:
    run.process.send_signal(signal.SIGINT)
    time.sleep(rand.uniform(0, 1))
  user.kill_agents(lab)
  return victim


def is_clean(lab):
  return user.count_links(lab) == 0 and not lab.kprobes() and lab.is_clean()


def nothing_is_left(lab):
  rand = random.Random(options.seed)
  killed = {}
  user.PROCESSES = PROCESSES
  lab.run("calls -o fsync -t 1 -n 1 >/dev/null")
  pids, sums = user.many_waiting(lab)
  programs, kernel = sums(), lab.text_sum()
  try:
    for number in range(options.rounds):
      with tempfile.TemporaryDirectory() as folder:
        runs = start(lab, folder)
        time.sleep(rand.uniform(0.2, MOMENT_S))
        ended = [run.read_output() for run in runs if run.process.poll() is not None]
        expect(not ended, f"round {number}: a run ended by itself: {ended}")
        if rand.random() < LOOKED_AT:                    # which takes time: the other rounds kill earlier
          all_live = user.count_links(lab) >= len(BY_BPF) and len(lab.hooks()) == len(BY_DRIVER)
          killed["with all live"] = killed.get("with all live", 0) + all_live
        victim = kill_one(lab, runs, rand)
        killed[victim] = killed.get(victim, 0) + 1
        time.sleep(rand.choice((0, 0.3)))
        for run in runs:
          run.kill()
        Run.going.clear()
        wait_for(f"round {number}, {victim}: nothing is attached", lambda: is_clean(lab), 120)
        wait_for(f"round {number}, {victim}: the programs' text as before", lambda: sums() == programs, 120)
      if number % TEXT_EVERY == TEXT_EVERY - 1:
        expect(lab.text_sum() == kernel, f"round {number}: the kernel's text differs")
        print(f"# round {number + 1}: {killed}", flush=True)
    expect(lab.text_sum() == kernel, "the kernel's text differs")
    expect(killed.get("with all live"), "in no round all hooks were live")
  finally:
    user.end_many(lab, pids)
  user.no_leaks(lab)
  return f"{options.rounds} rounds, {PROCESSES} processes, seed {options.seed}: {killed}"


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--rounds", type=int, default=300)
  parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 31))
  options = parser.parse_args()
  user.push_programs(Lab(options.lab))
  sys.exit(main([nothing_is_left], Lab(options.lab)))
