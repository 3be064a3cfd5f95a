#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Restore: kernel and module text is as before, however a session ends
"""
restored - however a session ends, kernel and module text is as it was

A checksum over all live text before and after a normal stop, the death
of the client, the death of gilkd, and the unloading of modules.
"""
import os
import signal
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkblocks import addresses
from gilklab import GILK, PIPE_READ, PIPE_WRITE, Run, expect, lab_of_arguments, main, wait_for

HOOKS = ["--hook", "vfs_read@entry:pre:count", "--hook", "__x64_sys_fsync@entry:pre:task",
         "--hook", f"{PIPE_WRITE}@entry:pre:stamp", "--hook", f"{PIPE_READ}@entry:post:count",
         "--hook", "do_getpgid@entry:post:count:bounce"]
MODULES = "/lib/modules/$(uname -r)/extra"
BENCH = "/sys/module/gilk_bench/parameters"

# The block is too short for a jump; the room is behind that of the splice, which stops first.
STAGGERED = """[gilk-plan]
version=1
title=Staggered

[hook host]
function=gilk_bench_short
block={host}
where=pre
instrument=count
stop=2s

[hook guest]
function=gilk_bench_short
block={block}
where=pre
instrument=count
tactic=bounce
start=500ms
"""


# The text's checksum with driver and instruments loaded and no hook, once it was taken:
# each sum reads all symbols and text, seconds of an emulated CPU.
pristine = []


class Armed:
  """A run with hooks live; text must be as before the first of them when the block is left."""

  def __init__(self, lab, *hooks):
    self.lab = lab
    self.hooks = hooks or HOOKS

  def __enter__(self):
    self.folder = tempfile.TemporaryDirectory()
    self.first = not pristine
    if self.first:
      self.lab.gilk("doctor", "--load")
      pristine.append(self.lab.text_sum())
    self.run = Run(self.lab, os.path.join(self.folder.name, "r.gilk"), *self.hooks, "--for", "10m")
    self.lab.wait_armed(len(self.hooks) // 2)
    if self.first:
      expect(self.lab.text_sum() != pristine[0], "text is the same with hooks armed: the sum sees nothing")
    return self

  def __exit__(self, kind, value, trace):
    try:
      if kind is None:
        self.lab.wait_clean()
        expect(self.lab.text_sum() == pristine[0], "text differs after the hooks were taken out")
    finally:
      if self.run.process.poll() is None:
        self.run.kill()
      self.folder.cleanup()


def normal_stop(lab):
  with Armed(lab) as armed:
    expect(armed.run.stop() == 0, f"gilk run failed: {armed.run.output}")


def client_killed(lab):
  with Armed(lab) as armed:
    armed.run.kill()
    lab.wait_clean()
    with sqlite3.connect(armed.run.session) as db:
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "session is damaged")
    done = subprocess.run([GILK, "report", armed.run.session], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"the cut-off session cannot be read: {done.stderr}")


def agent_killed(lab):
  with Armed(lab) as armed:
    lab.kill_agents()
    expect(armed.run.wait() != 0, "gilk run says success though its agent was killed")
    expect("gilkd" in armed.run.output or "agent" in armed.run.output,
           f"the message does not tell: {armed.run.output}")


def client_stopped(lab):
  """SIGSTOP: the connection stays, and nothing comes on it; hooks go within the lease, and the run says why once it goes on"""
  with Armed(lab) as armed:
    armed.run.process.send_signal(signal.SIGSTOP)
    lab.wait_clean()
    expect(lab.text_sum() == pristine[0], "text differs while the client is stopped")
    armed.run.process.send_signal(signal.SIGCONT)
    expect(armed.run.wait() != 0, "gilk run says success though its hooks were taken out")


def disarmed_by_another(lab):
  with Armed(lab) as armed:
    lab.gilk("disarm")
    lab.wait_clean()
    expect(armed.run.wait(30) > 0, "gilk run says success though its hooks were taken out")
    expect("disarmed" in armed.run.output, f"the message does not tell: {armed.run.output}")


def loaded(lab):
  """Names of the modules that are loaded now."""
  return {line.split()[0] for line in lab.run("cat /proc/modules").splitlines()}


def instrument_in_use_stays(lab):
  with Armed(lab) as armed:
    lab.run("rmmod ilk-task", check=False)
    expect("ilk_task" in loaded(lab), "the instrument in use was removed")
    lab.run("rmmod ilk", check=False)
    expect("ilk" in loaded(lab), "the driver in use was removed")
    expect(armed.run.stop() == 0, f"gilk run failed: {armed.run.output}")


def bench_points(lab):
  """Offsets of the blocks to hook in the module's targets."""
  if "gilk_bench" not in loaded(lab):
    lab.run(f"insmod {MODULES}/gilk_bench.ko")
  return [lab.run(f"echo {target} >{BENCH}/target; cat {BENCH}/point").strip()
          for target in ("dead", "short")]


def splice_stops_before_its_bounce(lab):
  short = bench_points(lab)[1]
  blocks = [block["name"] for block in lab.gilk("cfg", "gilk_bench_short")["blocks"]]
  host = blocks[blocks.index(short) - 1]
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "staggered.gilkplan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(STAGGERED.format(host=host, block=short))
    run = Run(lab, os.path.join(folder, "r.gilk"), plan, "--for", "10m")
    wait_for("the splice is lent", lambda: sorted(p["state"] for p in lab.hooks()) == ["armed", "lending"])
    lab.run(f"cat {BENCH}/cost >/dev/null")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hits = [hook["hits"] for hook in run.report()["hooks"]]
    expect(hits == [0, 2000], f"hits are {hits}, not none and 2000")
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after both were taken out")


def target_module_unloaded(lab):
  dead, short = bench_points(lab)
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "r.gilk"), "--hook", f"gilk_bench_dead{dead}:pre:count",
              "--hook", f"gilk_bench_short{short}:pre:count:bounce", "--for", "10m")
    lab.wait_armed(3)
    lab.run(f"for t in dead short; do echo $t >{BENCH}/target; cat {BENCH}/cost >/dev/null; done; "
            "rmmod gilk_bench")
    wait_for("the patches are gone", lambda: all(p["state"] != "armed" for p in lab.hooks()))
    expect(run.wait(30) > 0, "gilk run says success though its module is gone")
    expect("gilk_bench was unloaded" in run.output, f"the message does not tell: {run.output}")
    hits = [hook["hits"] for hook in run.report()["hooks"]]
    expect(hits == [2000, 2000], f"hits are {hits}, not 2000 each")
  lab.wait_clean()
  expect(lab.text_sum() == pristine[0], "text differs after the target module went away")


def arenas(lab):
  return sorted(name for name in loaded(lab) if name.startswith("ilk_arena_"))


def large_functions(lab):
  """Functions of the kernel proper that take some kilobytes, and in which nobody sleeps here."""
  found = addresses(lab)
  starts = sorted(set(found.values()))
  size = dict(zip(starts, (b - a for a, b in zip(starts, starts[1:]))))
  return sorted(name for name, start in found.items()
                if re.match(r"(tcp|udp|bpf|inet|ip|ip6|xfrm)_", name) and 2500 < size.get(start, 0) < 8000)


def clones_of(lab, path, functions):
  """A plan of clones of those that can be cloned, together; how many there are."""
  while True:
    with open(path, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=1\ntitle=Clones\n")
      for name in functions:
        file.write(f"\n[hook {name}]\nfunction={name}\nblock=+0x0\nwhere=pre\n"
                   "instrument=count\ntactic=clone\n")
    answer = lab.gilk("plan", "check", path, check=False, timeout=600)
    expect("hooks" in answer, f"gilk plan check: {answer}")
    good = [name for name, hook in zip(functions, answer["hooks"]) if "error" not in hook]
    if len(good) == len(functions):
      return len(good)
    functions = good


def arenas_follow_their_client(lab):
  lab.gilk("doctor", "--load")
  wait_for("no arena module is loaded", lambda: not arenas(lab), 30)
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "clones.gilkplan")
    count = clones_of(lab, plan, large_functions(lab)[:80])
    run = Run(lab, os.path.join(folder, "r.gilk"), plan, "--for", "10m")
    lab.wait_armed(count, 300)
    there = arenas(lab)
    expect(there, f"{count} clones fit into the driver's own arena")
    lab.run(f"rmmod {there[0]}", check=False)
    expect(arenas(lab) == there, "an arena module in use was removed")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
  wait_for("the arena modules are unloaded", lambda: not arenas(lab), 30)
  expect(lab.text_sum() == before, "text differs after the clones were taken out")


def driver_unloads_when_idle(lab):
  lab.wait_clean()
  for name in lab.run("ls /sys/module/ilk/holders").split():
    lab.run(f"rmmod {name}", check=not name.startswith("ilk_arena_"))
  before = lab.text_sum()

  def unloaded():
    lab.run("rmmod ilk", check=False)
    return "ilk" not in loaded(lab)
  wait_for("ilk unloads", unloaded, 30)
  expect(lab.text_sum() == before, "text differs after the driver was unloaded")


if __name__ == "__main__":
  sys.exit(main([normal_stop, client_killed, client_stopped, agent_killed, disarmed_by_another,
                 instrument_in_use_stays, splice_stops_before_its_bounce,
                 target_module_unloaded, arenas_follow_their_client,
                 driver_unloads_when_idle],
                lab_of_arguments()))
