# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkqmp - QEMU's monitor of a lab: non-maskable interrupts, snapshots, resets, sleep
"""
import json
import os
import socket
import threading
import time

from gilklab import Failure, folder_of


class Monitor:
  """The one client of a lab's monitor."""

  def __init__(self, lab):
    self.socket = socket.socket(socket.AF_UNIX)
    self.socket.settimeout(120)
    self.socket.connect(os.path.join(folder_of(lab), "qmp.sock"))
    self.answers = self.socket.makefile("r")
    self.read()     # the greeting
    self.command("qmp_capabilities")

  def read(self):
    """The next answer or greeting. Of events the machine's end is told, with its reason; others are left out."""
    while True:
      line = self.answers.readline()
      if not line:
        raise Failure("QEMU's monitor has closed")
      answer = json.loads(line)
      if "event" not in answer:
        return answer
      if answer["event"] == "SHUTDOWN":
        print(f"# the machine ended: {answer['data']}", flush=True)

  def send(self, name, count=1, **arguments):
    """COUNT times the same command in one piece; their answers are to be read."""
    words = json.dumps({"execute": name, "arguments": arguments}) + "\n"
    self.socket.sendall((words * count).encode())

  def command(self, name, **arguments):
    self.send(name, **arguments)
    answer = self.read()
    if "error" in answer:
      raise Failure(f"QEMU's monitor: {name}: {answer['error'].get('desc')}")
    return answer["return"]

  def save(self, path, seconds=300):
    """The machine as it is goes to PATH, for "lab/lab boot --resume", and runs on."""
    # It is not stopped for that: it would come back stopped.
    self.command("migrate-set-parameters", **{"max-bandwidth": 0, "downtime-limit": 10000})
    self.command("migrate", uri="file:" + path)
    end = time.monotonic() + seconds
    while True:
      status = self.command("query-migrate").get("status")
      if status == "completed":
        break
      if status in ("failed", "cancelled") or time.monotonic() > end:
        raise Failure(f"the machine could not be saved: {status}")
      time.sleep(0.2)
    self.command("cont")

  def await_state(self, state, seconds):
    end = time.monotonic() + seconds
    while self.command("query-status")["status"] != state:
      if time.monotonic() > end:
        raise Failure(f"the machine is not {state} within {seconds} s")
      time.sleep(0.2)

  def sleep_and_wake(self, seconds=120):
    """Who told the machine to sleep to memory did so already, or will at once."""
    self.await_state("suspended", seconds)
    self.command("system_wakeup")
    self.await_state("running", seconds)

  def close(self):
    self.answers.close()
    self.socket.close()


class Interrupts:
  """Non-maskable interrupts, RATE a second to each CPU, while the block runs."""

  def __init__(self, lab, rate):
    self.lab = lab
    self.rate = rate
    self.sent = 0
    self.failure = None
    self.ending = threading.Event()
    self.thread = threading.Thread(target=self.inject, daemon=True)

  def start(self):
    self.monitor = Monitor(self.lab)
    self.since = time.monotonic()
    self.thread.start()

  def stop(self):
    self.ending.set()
    self.thread.join()
    self.monitor.close()

  def __enter__(self):
    self.start()
    return self

  def __exit__(self, *_):
    self.stop()

  def inject(self):
    """
    One at a time: a second one that comes before the CPU took the first is lost. What
    the machine below was too slow for is made up for, by a second of it at most.
    """
    due = time.monotonic()
    try:
      while not self.ending.is_set():
        self.monitor.command("inject-nmi")
        self.sent += 1
        due = max(due + 1 / self.rate, time.monotonic() - 1)
        time.sleep(max(0, due - time.monotonic()))
    except (Failure, OSError, ValueError) as problem:
      self.failure = problem

  def check(self):
    if self.failure:
      raise Failure(f"no more interrupts: {self.failure}")
