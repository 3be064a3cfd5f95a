#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
hangups - clients of a port one right after another, while the kernel hears of it late

The CPU that handles a port's messages is kept busy, so that the hang-up of a client is
handled in the middle of an answer to the next. Each answer must come whole. The clients
are of the test's own making, on one port, and never say BYE.
"""
import fcntl
import os
import random
import socket
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, ROOT, expect, lab_of_arguments, main

HEAD = struct.Struct("<IIHHIII")
MAGIC, HELLO, PING = 0x4B4C4947, 1, 3
HELLO_ANSWER = 168
SESSIONS, SECONDS = 60, 60
PORT = 3


def abi():
  with open(os.path.join(ROOT, "ilk", "ilk-abi.h"), encoding="utf-8") as file:
    return int(next(line.split()[2] for line in file if line.startswith("#define ILK_ABI_VERSION")))


class Client:
  """A connection, up to the answer to HELLO."""

  def __init__(self, path, version):
    self.seq = random.randrange(1, 1 << 30)
    self.socket = socket.socket(socket.AF_UNIX)
    self.socket.connect(path)
    self.hellos = 0
    self.stale = b""
    while not self.hello(version):
      expect(self.hellos < 10, "HELLO is not answered")

  def send(self, kind, payload):
    self.seq += 1
    self.socket.sendall(HEAD.pack(MAGIC, len(payload), kind, 0, self.seq, 0, 0) + payload)

  def hello(self, version):
    """One HELLO: whether its answer came. All else is left over from others."""
    self.send(HELLO, struct.pack("<IIQ", 1, version, 7))
    self.hellos += 1
    self.socket.settimeout(2)
    want = HEAD.pack(MAGIC, HELLO_ANSWER, HELLO, 0, self.seq, 0, 0)
    try:
      while True:
        at = self.stale.find(want)
        if at >= 0 and len(self.stale) >= at + len(want) + HELLO_ANSWER:
          return True
        self.stale = self.stale[-4096:] + self.socket.recv(4096)
    except TimeoutError:
      return False

  def read(self, length):
    out = bytearray()
    self.socket.settimeout(15)
    while len(out) < length:
      try:
        got = self.socket.recv(length - len(out))
      except TimeoutError:
        got = b""
      expect(got, f"an answer stopped: {len(out)} of {length} bytes came")
      out += got
    return bytes(out)

  def ping(self, payload):
    self.send(PING, payload)
    head = HEAD.unpack(self.read(HEAD.size))
    expect(head == (MAGIC, len(payload), PING, 0, self.seq, 0, 0), f"an answer begins with {head}")
    expect(self.read(len(payload)) == payload, "an answer is not what was sent")


def one_after_another(lab):
  """Clients that hang up in each other's sessions"""
  done = subprocess.run([lab.PROGRAM, "socket-dir", lab.name], stdout=subprocess.PIPE, text=True,
                        check=True)
  folder = done.stdout.strip()
  path = os.path.join(folder, f"port.{PORT}.sock")
  version = abi()
  payload = random.randbytes(1 << 20)
  repeated = 0
  lab.push(os.path.join(BUILD, "tests", "lab", "busy-cpu"), "/tmp/busy-cpu")
  lab.run("chmod +x /tmp/busy-cpu; for i in $(grep virtqueues /proc/interrupts | cut -d: -f1); "
          "do echo 2 >/proc/irq/$i/smp_affinity; done")
  lab.background(f"/tmp/busy-cpu 1 {SECONDS}")
  try:
    with open(os.path.join(folder, f"port.{PORT}.lock"), "w", encoding="utf-8") as lock:
      fcntl.flock(lock, fcntl.LOCK_EX)
      for _ in range(SESSIONS):
        client = Client(path, version)
        repeated += client.hellos - 1
        client.ping(payload)
        client.socket.close()
  finally:
    lab.run("kill $(pidof busy-cpu); rm -f /tmp/busy-cpu", check=False)
  return f"{SESSIONS} clients, {repeated} HELLOs again"


if __name__ == "__main__":
  sys.exit(main([one_after_another], lab_of_arguments()))
