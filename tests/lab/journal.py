#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Journal: whenever gilk is killed, its session names every byte of text that may have changed
"""
journal - whenever gilk dies, its session names every byte of text that it may have changed

Between gilk and gilkd sits a relay that sees each request. gilk is killed when a request
is seen, when it has been passed on, or when its answer is there, and the agent does not
hear of it: what was armed stays armed. Then the live text is held against the journal.
"""
import fcntl
import os
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PIPE_READ, expect, folder_of, lab_of_arguments, main, wait_for

HEAD = struct.Struct("<IIHHIII")
MAGIC, PREPARE, ARM, DISARM, COUNTERS = 0x4B4C4947, 31, 32, 33, 35
NONE = 0
IN_FORCE = ("trapped", "armed", "lending")
PORT = 2
HOOKS = ["--hook", "vfs_read@entry:pre:count", "--hook", f"{PIPE_READ}@entry:post:stamp",
         "--hook", "do_getpgid@entry:post:count:bounce", "--hook", "__x64_sys_fsync@entry:pre:count:clone"]
EDITED = "[gilk-plan]\nversion=1\n\n[hook a]\nfunction={}\nanchor=entry\nwhere=pre\ninstrument=count\n"


class Killed(Exception):
  """The client is dead, as was wanted."""


class Relay:
  """One client's way to the agent. At the TURNth request KIND gilk is killed: when it is SEEN,
  when it was passed ON, or when it was ANSWERed. The agent's side stays open."""

  def __init__(self, lab, folder, kind, when, turn=1):
    at = folder_of(lab)
    # pylint: disable=consider-using-with
    self.lock = open(os.path.join(at, f"port.{PORT}.lock"), "w", encoding="utf-8")
    fcntl.flock(self.lock, fcntl.LOCK_EX)
    self.path = os.path.join(folder, "relay")
    self.kind, self.when, self.turn = kind, when, turn
    self.listener = socket.socket(socket.AF_UNIX)
    self.listener.bind(self.path)
    self.listener.listen(1)
    self.agent = socket.socket(socket.AF_UNIX)
    self.agent.connect(os.path.join(at, f"port.{PORT}.sock"))
    self.client = None
    self.process = None
    self.wanted = None           # number of the request whose answer ends it
    self.dead = threading.Event()
    self.threads = []

  def start(self, session, *words):
    # pylint: disable=consider-using-with
    self.process = subprocess.Popen([GILK, "run", "--target", f"unix:{self.path}", "-o", session,
                                     *words, "--for", "10m"], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True)
    self.listener.settimeout(30)
    self.client = self.listener.accept()[0]
    for way in (self.requests, self.answers):
      self.threads.append(threading.Thread(target=self.guard, args=(way,)))
      self.threads[-1].start()

  def guard(self, way):
    try:
      way()
    except (Killed, OSError):
      pass

  def end(self):
    self.process.kill()
    self.process.wait()
    self.dead.set()
    raise Killed

  @staticmethod
  def read(stream, length):
    out = bytearray()
    while len(out) < length:
      got = stream.recv(length - len(out))
      if not got:
        raise Killed
      out += got
    return bytes(out)

  def frame(self, stream):
    head = HEAD.unpack(self.read(stream, HEAD.size))
    return head, self.read(stream, head[1])

  def requests(self):
    while True:
      head, payload = self.frame(self.client)
      self.turn -= head[2] == self.kind
      hit = head[2] == self.kind and self.turn == 0
      if hit and self.when == "seen":
        self.end()
      if hit and self.when == "answer":
        self.wanted = head[4]
      self.agent.sendall(HEAD.pack(*head) + payload)
      if hit and self.when == "on":
        self.end()

  def answers(self):
    """After HELLO, which may find what another client left."""
    while True:
      got = self.agent.recv(24, socket.MSG_PEEK | socket.MSG_WAITALL)
      if len(got) < 24:
        return
      head = HEAD.unpack(got)
      if head[0] != MAGIC:
        self.agent.recv(1)
        continue
      head, payload = self.frame(self.agent)
      if self.wanted is not None and head[4] == self.wanted:
        self.end()
      if not self.dead.is_set():
        try:
          self.client.sendall(HEAD.pack(*head) + payload)
        except OSError:
          pass

  def wait_dead(self, seconds=60):
    expect(self.dead.wait(seconds), f"request {self.kind} never came: gilk says "
           f"{self.process.poll()} {self.process.stderr.read() if self.process.poll() is not None else ''}")

  def close(self):
    """The agent hears of the death now, and the driver with it."""
    if self.process.poll() is None:
      self.process.kill()
    self.process.wait()
    for end in (self.agent, self.client, self.listener):
      if end is not None:
        try:
          end.shutdown(socket.SHUT_RDWR)
        except OSError:
          pass
        end.close()
    for thread in self.threads:
      thread.join()
    self.lock.close()


def journal(session):
  """{(site, bytes): (state, before, armed)}"""
  with sqlite3.connect(f"file:{session}?mode=ro", uri=True) as db:
    rows = db.execute("select site, state, old_bytes, new_bytes from patch").fetchall()
  return {(site % 2 ** 64, len(old)): (state, old, new) for site, state, old, new in rows}


def in_force(lab):
  """(site, bytes) of all that is in the text."""
  found = set()
  for patch in lab.hooks():
    if patch["state"] in IN_FORCE and patch["bytes"]:
      found.add((int(patch["site"], 16), patch["bytes"]))
    if patch.get("jump_in_text"):
      found.add((int(patch["jump"], 16), 5))
  return found


def check_report(session):
  done = subprocess.run([GILK, "report", session], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        text=True, check=False)
  for words in ("cut off", "planned (not known whether armed)", "The last is a"):
    expect(done.returncode == 0 and words in done.stdout, f"no “{words}” in the report: {done.stdout}")


def killed(lab, kind, when, turn=1, words=HOOKS, then=None):
  """(journal, what is in the text while nobody has been told of the death)"""
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "s.gilk")
    relay = Relay(lab, folder, kind, when, turn)
    try:
      relay.start(session, *words)
      if then:
        then()
      relay.wait_dead()
      if when == "on":
        wait_for("what was asked for is in the text", lambda: in_force(lab))
      live = in_force(lab)
      written = journal(session)
      if written:
        check_report(session)
    finally:
      relay.close()
    lab.wait_clean()
  missing = live - set(written)
  expect(not missing, f"in the text and not in the journal: {[(hex(a), n) for a, n in missing]}")
  return written, live


def before_arm_nothing_is_changed(lab):
  for kind, when in ((PREPARE, "answer"), (ARM, "seen")):
    written, live = killed(lab, kind, when)
    expect(not live, f"text was changed before ARM: {live}")
  expect(len(written) >= len(HOOKS) // 2, f"{len(written)} planned before ARM")
  expect({state for state, _, _ in written.values()} == {"planned"}, "not all are planned")


def at_arm_all_of_it_is_named(lab):
  written, live = killed(lab, ARM, "on")
  expect(len(live) >= len(HOOKS) // 2, f"{len(live)} in the text")
  for site, (_, before, armed) in written.items():
    expect(before != armed, f"{site[0]:x} would not be changed")


def while_it_runs(lab):
  written, live = killed(lab, COUNTERS, "seen", 12)
  expect(live, "nothing is in the text")
  expect("armed" in {state for state, _, _ in written.values()}, "no state was written while it ran")


def at_disarm(lab):
  """Stopped as by Ctrl-C; dead when the request was passed on."""
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "s.gilk")
    relay = Relay(lab, folder, NONE, "on")
    try:
      relay.start(session, *HOOKS)
      lab.wait_armed(len(HOOKS) // 2)
      relay.kind = DISARM         # from now on
      relay.process.send_signal(2)
      relay.wait_dead()
      written = journal(session)
    finally:
      relay.close()
    lab.wait_clean()
  expect(len(written) >= len(HOOKS) // 2, "the journal is short")


def at_a_change(lab):
  """A hook of an edited plan is named before the second ARM."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "p.plan")

    def write(function):
      with open(plan + ".new", "w", encoding="utf-8") as file:
        file.write(EDITED.format(function))
      os.rename(plan + ".new", plan)

    def edit():
      lab.wait_armed()
      write("vfs_write")

    write("vfs_read")
    written, live = killed(lab, ARM, "on", 2, [plan, "--follow"], edit)
  expect(len(written) == 2 and live, f"{len(written)} written, {len(live)} in the text")


if __name__ == "__main__":
  sys.exit(main([before_arm_nothing_is_changed, at_arm_all_of_it_is_named, while_it_runs, at_disarm,
                 at_a_change], lab_of_arguments()))
