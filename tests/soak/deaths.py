#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
deaths - client, agent or machine die at any moment of a run: what is left is true

usage: deaths.py LAB [--rounds N] [--machines N] [--seed N]

In each round a `gilk run` of random hooks, some with samples, is ended at a random moment
between its start and some seconds later by SIGKILL of gilk, of gilkd, or of the machine
(QEMU, or a reset by its monitor, after which it ends; one round in --machines). A machine
that died comes back as it was saved before the first round. Then

  - the session opens, and its report is a document;
  - every patch that the driver told of while the run went on is in the session's journal,
    with the bytes before, which are the same in all rounds, and those it wrote;
  - where the kernel lives, all text is as it was, and no hook is left;
  - the run keeps its samples but those of the last moment, and says that it was cut off.
"""
import argparse
import collections
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Failure, Lab, expect, folder_of, main, wait_for
from gilkqmp import Monitor
from gilkstorm import REACHED, Point, all_points, write_hooks
from gilkweather import complaints, log_end

HOOKS = 60

# A client takes what the agent sends each 20 ms; a busy machine has more than one of them
# under way. What was sampled so long before a death must be in the file.
FLUSH_SECONDS = 2.0

# Sampled in each run: the load calls it all the time.
SAMPLED = Point("__x64_sys_getpgid", "+0x0", "pre", "auto")

IN_TEXT = ("trapped", "armed", "lending")


class Watch(threading.Thread):
  """Asks the driver again and again what is in text, until it no longer answers."""

  def __init__(self, lab):
    super().__init__(daemon=True)
    self.lab = lab
    self.seen = {}
    self.ending = threading.Event()

  def run(self):
    while not self.ending.is_set():
      try:
        for patch in self.lab.gilk("status", "--numeric", check=False, timeout=60).get("patches", []):
          if patch["state"] in IN_TEXT and not self.ending.is_set():
            self.seen[patch["site"]] = patch["bytes"]
      except (ValueError, OSError, subprocess.SubprocessError):
        return

  def end(self):
    self.ending.set()
    self.join()
    return self.seen


class Deaths:
  """Rounds on one lab."""

  def __init__(self, lab, seed):
    self.lab = lab
    self.random = random.Random(seed)
    self.usual = 3.0    # seconds until hooks are in text
    self.bytes = {}     # of text, by address, as journals have them
    self.by_kind = collections.Counter()
    self.by_moment = collections.Counter()
    self.patches = 0
    self.lost = 0.0

  # ---- the machine ----

  def begin(self):
    self.lab.gilk("doctor", "--load")
    self.points = [p for name, some in sorted(all_points(self.lab).items()) if REACHED.match(name)
                   for p in some]
    self.flavour = self.lab.flavour()
    self.before = self.lab.text_sum()
    self.saved = os.path.join(folder_of(self.lab), "saved")
    self.log = log_end(self.lab)
    monitor = Monitor(self.lab)
    monitor.save(self.saved)
    monitor.close()
    self.start_load()

  def start_load(self):
    self.lab.push(os.path.join(BUILD, "tests", "lab", "programs", "storm-load"), "/tmp/storm-load")
    self.lab.background(f"exec /tmp/storm-load load {self.random.randrange(1 << 30)} 1")
    self.lab.background("while :; do calls -o getpgid -t 1 -n 500; usleep 20000; done >/dev/null")

  def machine_back(self):
    """As it was before the first round: that saves the time of a boot."""
    self.hold()
    self.lab.stop()
    self.lab.boot(self.flavour, "--append", "apic_extnmi=all", "--resume", self.saved)
    self.log = 0
    self.start_load()

  def hold(self):
    said = complaints(self.lab, self.log)
    expect(not said, f"the kernel said: {said[:4]}")

  def kill(self, kind, process):
    if kind == "client":
      process.kill()
    elif kind == "agent":
      self.lab.kill_agents()
    elif kind == "machine":
      with open(os.path.join(folder_of(self.lab), "pid"), encoding="utf-8") as file:
        os.kill(int(file.read().split()[0]), signal.SIGKILL)
    else:
      monitor = Monitor(self.lab)
      monitor.command("system_reset")
      monitor.close()

  # ---- a round ----

  def write_plan(self, path):
    points = self.random.sample(self.points, HOOKS)
    points = [p for p in points if p.function != SAMPLED.function]
    hooks = [(p, "trap" if self.random.randrange(8) == 0 else "auto", "count") for p in points]
    write_hooks(path, hooks + [(SAMPLED, "auto", "stamp")])

  def wait_for_moment(self, moment, process, watch):
    """Returns when it is time to die, at best what the target's clock says then."""
    if moment == "early":
      time.sleep(self.random.random() * self.usual)
      return None
    begin = time.monotonic()
    wait_for("hooks in text", lambda: watch.seen or process.poll() is not None, 300)
    self.usual = min(30.0, (self.usual * 3 + time.monotonic() - begin) / 4)
    time.sleep(self.random.random() * (3 if moment == "late" else 0.5))
    clock = float(self.lab.run("cat /proc/uptime").split()[0])
    if moment == "stopping":
      process.send_signal(signal.SIGINT)
      time.sleep(self.random.random())
    return clock

  def round(self, kind):
    folder = folder_of(self.lab)
    plan, session = os.path.join(folder, "deaths.plan"), os.path.join(folder, "deaths.gilk")
    for name in (session, session + "-wal", session + "-shm"):
      if os.path.exists(name):
        os.remove(name)
    self.write_plan(plan)
    moment = self.random.choice(["early", "arming", "late", "stopping"])
    watch = Watch(self.lab)
    process = subprocess.Popen([GILK, "run", "--json", "--target", self.lab.target, "--for", "10m",
                                "-o", session, plan], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    try:
      watch.start()
      clock = self.wait_for_moment(moment, process, watch)
      self.kill(kind, process)
      seen = watch.end()
      process.communicate(timeout=120)
    finally:
      if process.poll() is None:
        process.kill()
        process.communicate()
    self.by_kind[kind] += 1
    self.by_moment[moment] += 1
    if kind in ("machine", "reset"):
      self.machine_back()
    else:
      wait_for("the agent is back", lambda: "patches" in self.lab.gilk("status", "--numeric", check=False), 120)
      self.lab.wait_clean(120)
      self.hold()
    wait_for("text is as before", lambda: self.lab.text_sum() == self.before, 60)
    self.judge(session, seen, moment, clock)

  # ---- what is left ----

  def judge(self, session, seen, moment, clock):
    if not os.path.exists(session):
      expect(not seen, f"{len(seen)} patches were in text, and there is no session")
      return
    done = subprocess.run([GILK, "report", "--json", session], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    expect(done.returncode >= 0, f"gilk report died of signal {-done.returncode}")
    report = json.loads(done.stdout)
    if "error" in report:
      expect(not seen, f"{len(seen)} patches were in text, and the report says {report['error']}")
      return
    with sqlite3.connect(f"file:{session}?mode=ro", uri=True) as db:
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "the session is damaged")
      journal = {site & (1 << 64) - 1: (old, new) for site, old, new in
                 db.execute("SELECT site, old_bytes, new_bytes FROM patch")}
      zero, reason = db.execute("SELECT zero_mono_ns, end_reason FROM run").fetchone()
      last = db.execute("SELECT max(last_ns) FROM chunk").fetchone()[0] if clock else None
    for site, length in seen.items():
      address = int(site, 16)
      expect(address in journal, f"{site} was in text, and is not in the journal")
      old, new = journal[address]
      expect(len(old) == length == len(new) and old != new, f"{site}: the journal has other bytes")
      # A point's footprint is as long as what is hooked beside it allows: byte by byte.
      known = bytes(self.bytes.setdefault(address + i, byte) for i, byte in enumerate(old))
      expect(known == old, f"{site}: the bytes before were {known.hex()}, and are {old.hex()} now")
    self.patches += len(seen)
    if moment != "stopping":
      expect(reason not in ("stopped", "time is up"), f"a run that was cut off ended: {reason}")
    if clock and zero:
      late = clock - (zero + (last or 0)) / 1e9
      self.lost = max(self.lost, late)
      expect(late < FLUSH_SECONDS, f"the last {late:.1f} s of samples are lost")

  def figure(self):
    kinds = ", ".join(f"{n} {name}" for name, n in sorted(self.by_kind.items()))
    moments = ", ".join(f"{n} {name}" for name, n in sorted(self.by_moment.items()))
    return (f"killed: {kinds}; moments: {moments}; {self.patches} patches seen in text, all in the "
            f"journal; at most {self.lost:.2f} s of samples lost")


def arguments():
  parser = argparse.ArgumentParser(description="Deaths at any moment, on one lab.")
  parser.add_argument("lab")
  parser.add_argument("--rounds", type=int, default=300)
  parser.add_argument("--machines", type=int, default=5, help="one round in so many kills the machine")
  parser.add_argument("--seed", type=int, default=int(time.time()))
  return parser.parse_args()


def nothing_is_left_behind(lab):
  it = Deaths(lab, given.seed)
  it.begin()
  for number in range(given.rounds):
    if number % given.machines == given.machines - 1:
      kind = it.random.choice(["machine", "reset"])
    else:
      kind = it.random.choice(["client", "client", "agent"])
    try:
      it.round(kind)
    except Failure as problem:
      raise Failure(f"round {number + 1}, {kind}: {problem}; {it.figure()}") from problem
    print(f"# {number + 1} of {given.rounds}: {it.figure()}", flush=True)
  return f"seed {given.seed}, {given.rounds} rounds; {it.figure()}"


if __name__ == "__main__":
  given = arguments()
  print(f"# seed {given.seed}", flush=True)
  sys.exit(main([nothing_is_left_behind], Lab(given.lab)))
