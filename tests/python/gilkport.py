# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkport - a client of gilkd that speaks the protocol itself, on a port of a lab

For what the gilk program never does: hang up in mid-answer, idle, ask at odd moments.
"""
import contextlib
import fcntl
import os
import random
import socket
import struct

from gilklab import ROOT, expect, folder_of

HEAD = struct.Struct("<IIHHIII")
MAGIC, HELLO, PING = 0x4B4C4947, 1, 3
HELLO_ANSWER = 168


def defined(name, *path):
  """The number that a header defines."""
  with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
    return int(next(line.split()[2] for line in file if line.startswith(f"#define {name}")))


def abi():
  return defined("ILK_ABI_VERSION", "ilk", "ilk-abi.h")


class Client:
  """A connection, up to the answer to HELLO."""

  def __init__(self, path, version):
    self.seq = random.randrange(1, 1 << 30)
    self.socket = socket.socket(socket.AF_UNIX)
    self.socket.connect(path)
    self.hellos = 0
    self.stale = b""
    self.pid = 0      # the agent's
    while not self.hello(version):
      expect(self.hellos < 10, "HELLO is not answered")

  def send(self, kind, payload):
    self.seq += 1
    self.socket.sendall(HEAD.pack(MAGIC, len(payload), kind, 0, self.seq, 0, 0) + payload)

  def hello(self, version):
    """One HELLO: whether its answer came. All else is left over from others."""
    self.send(HELLO, struct.pack("<IIQ", defined("GILK_WIRE_VERSION", "agent", "gilk-wire.h"), version, 7))
    self.hellos += 1
    self.socket.settimeout(2)
    want = HEAD.pack(MAGIC, HELLO_ANSWER, HELLO, 0, self.seq, 0, 0)
    try:
      while True:
        at = self.stale.find(want)
        if at >= 0 and len(self.stale) >= at + len(want) + HELLO_ANSWER:
          self.pid = struct.unpack_from("<I", self.stale, at + len(want) + 16)[0]
          return True
        self.stale = self.stale[-4096:] + self.socket.recv(4096)
    except TimeoutError:
      return False

  def read(self, length, seconds=15):
    out = bytearray()
    self.socket.settimeout(seconds)
    while len(out) < length:
      try:
        got = self.socket.recv(length - len(out))
      except TimeoutError:
        got = b""
      expect(got, f"an answer stopped: {len(out)} of {length} bytes came")
      out += got
    return bytes(out)

  def request(self, kind, payload=b""):
    """Status and payload of the answer, its parts put together; events are skipped."""
    self.send(kind, payload)
    out = b""
    while True:
      magic, length, _, flags, seq, status, _ = HEAD.unpack(self.read(HEAD.size, 120))
      expect(magic == MAGIC, "an answer is no frame")
      part = self.read(length)
      if seq != self.seq:
        continue
      out += part
      if not flags:
        return status, out

  def ping(self, payload):
    self.send(PING, payload)
    head = HEAD.unpack(self.read(HEAD.size))
    expect(head == (MAGIC, len(payload), PING, 0, self.seq, 0, 0), f"an answer begins with {head}")
    expect(self.read(len(payload)) == payload, "an answer is not what was sent")


@contextlib.contextmanager
def port_of(lab, number):
  """The path of one of the lab's ports, which nobody else takes meanwhile."""
  folder = folder_of(lab)
  with open(os.path.join(folder, f"port.{number}.lock"), "w", encoding="utf-8") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    yield os.path.join(folder, f"port.{number}.sock")
