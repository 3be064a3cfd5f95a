#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
maps - memory for hooks by way of the agent

What the driver gives is tested by ilk-selftest; here, that requests for it come through whole, are bounded
by the agent, and fail with a sentence. A client of the test's own making says what gilk never would.
"""
import contextlib
import errno
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import expect, lab_of_arguments, main
from gilkport import Client, abi, port_of

PORT = 3
LOAD, MEMORY, MEMORY_READ = 20, 60, 61      # enum gilk_frame_type
AREA = struct.Struct("<IIIIQ")              # struct ilk_area
READ = struct.Struct("<IIIIQ")              # struct ilk_memory_read
PER_CPU = 1
MIB = 1 << 20


@contextlib.contextmanager
def client_of(lab):
  with port_of(lab, PORT) as path:
    client = Client(path, abi())
    expect(client.request(LOAD)[0] == 0, "the driver cannot be loaded")
    yield client
    client.socket.close()


def given(client, wishes):
  """What comes of areas of these (bytes, flags): (bytes, flags, id, pad, at) of each."""
  status, answer = client.request(MEMORY, b"".join(AREA.pack(n, flags, 0, 0, 0) for n, flags in wishes))
  expect(status == 0, f"MEMORY fails: {answer[:300]}")
  return list(AREA.iter_unpack(answer))


def expect_failure(client, kind, payload, wanted):
  status, answer = client.request(kind, payload)
  expect(status == wanted, f"request {kind} of {len(payload)} bytes ends with {status}, not {wanted}: {answer[:300]}")
  expect(answer.endswith(b".") and (b";" in answer or b". " in answer), f"that is no cause and remedy: {answer[:300]}")


def given_and_read(lab):
  """Areas are given, and are zeros when they are read"""
  wishes = [(8, 0), (4096, PER_CPU), (MIB, 0)]
  with client_of(lab) as client:
    areas = given(client, wishes)
    expect([area[:2] for area in areas] == wishes, f"given is {areas}")
    expect(len({area[2] for area in areas} - {0}) == 3, "ids are not unlike each other")
    reads = [READ.pack(areas[2][2], 0, 8, MIB - 8, 0), READ.pack(areas[1][2], 1, 0, 4096, 0),
             READ.pack(areas[0][2], 0, 0, 8, 0)]
    status, answer = client.request(MEMORY_READ, b"".join(reads))
    expect(status == 0 and answer == bytes(MIB + 4096), f"{len(answer)} bytes, status {status}")
    most = [READ.pack(areas[2][2], 0, 0, MIB, 0)] * 4
    status, answer = client.request(MEMORY_READ, b"".join(most))
    expect(status == 0 and answer == bytes(4 * MIB), f"{len(answer)} bytes, status {status}")


def refused(lab):
  """What cannot be given or read, or is no whole request, fails by its errno, with a sentence"""
  with client_of(lab) as client:
    area = given(client, [(MIB, 0)])[0]
    one = READ.pack(area[2], 0, 0, MIB, 0)
    for kind, payload, wanted in (
        (MEMORY, b"", errno.EINVAL), (MEMORY, bytes(23), errno.EINVAL), (MEMORY, bytes(25), errno.EINVAL),
        (MEMORY, AREA.pack(12, 0, 0, 0, 0), errno.EINVAL), (MEMORY, AREA.pack(8, 0, 0, 1, 0), errno.EINVAL),
        (MEMORY, AREA.pack(2 * MIB, 0, 0, 0, 0), errno.E2BIG),
        (MEMORY, AREA.pack(MIB, 0, 0, 0, 0) * 64, errno.E2BIG),
        (MEMORY, AREA.pack(8, 0, 0, 0, 0) * 65537, errno.EINVAL),
        (MEMORY_READ, b"", errno.EINVAL), (MEMORY_READ, one[:23], errno.EINVAL), (MEMORY_READ, one * 5, errno.E2BIG),
        (MEMORY_READ, READ.pack(area[2] + 1, 0, 0, 8, 0), errno.ENOENT),
        (MEMORY_READ, READ.pack(area[2], 1, 0, 8, 0), errno.EINVAL),
        (MEMORY_READ, READ.pack(area[2], 0, 8, MIB, 0), errno.EINVAL),
        (MEMORY_READ, READ.pack(area[2], 0, 0, 0xfffffff8, 0) * 600000, errno.EINVAL)):
      expect_failure(client, kind, payload, wanted)
    status, answer = client.request(MEMORY_READ, one)
    expect(status == 0 and answer == bytes(MIB), "the area is not there any more")


def of_a_session(lab):
  """The next client has all of it again, and nothing of this one's"""
  with client_of(lab) as client:
    area = given(client, [(MIB, 0)] * 64)[63]
  with client_of(lab) as client:
    expect_failure(client, MEMORY_READ, READ.pack(area[2], 0, 0, 8, 0), errno.ENOENT)
    given(client, [(MIB, 0)] * 64)


if __name__ == "__main__":
  sys.exit(main([given_and_read, refused, of_a_session], lab_of_arguments()))
