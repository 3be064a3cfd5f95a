# SPDX-License-Identifier: GPL-2.0-or-later
"""
lines - says what tests/witness/lines.c is to watch, and reads what it saw, while the machine runs
"""
import collections
import mmap
import struct

HEAD = struct.Struct("<QQQ40x")
RANGE = struct.Struct("<QQII")
SEEN = struct.Struct("<7Q8x")
RANGES, IDS = 2048, 256
FIELDS = "insns accesses misses branches calls returns entered"

Seen = collections.namedtuple("Seen", FIELDS)


def less(after, before):
  return Seen(*(a - b for a, b in zip(after, before)))


class Lines:
  def __init__(self, path):
    # Kept open and mapped as long as the lab runs.
    self.file = open(path, "r+b")       # pylint: disable=consider-using-with
    self.data = mmap.mmap(self.file.fileno(), 0)
    self.generation = 0

  def close(self):
    self.data.close()
    self.file.close()

  def watch(self, ranges):
    """RANGES: (start, end, id from 1, is its first byte an entry); they do not overlap."""
    ranges = sorted(ranges)
    assert len(ranges) <= RANGES and all(0 < r[2] < IDS for r in ranges)
    assert all(a[1] <= b[0] for a, b in zip(ranges, ranges[1:])), "ranges overlap"
    self.set(0, 0)
    for number, (start, end, which, entry) in enumerate(ranges):
      RANGE.pack_into(self.data, HEAD.size + number * RANGE.size, start, end, which, int(entry))
    self.generation += 1
    self.set(0, len(ranges))

  def set(self, active, n_ranges):
    HEAD.pack_into(self.data, 0, active, self.generation, n_ranges)

  def count(self, active):
    n_ranges = HEAD.unpack_from(self.data, 0)[2]
    self.set(int(active), n_ranges)

  def seen(self):
    """[Seen] by id; that of 0 is all the rest of the kernel."""
    begin = HEAD.size + RANGES * RANGE.size
    return [Seen(*SEEN.unpack_from(self.data, begin + which * SEEN.size)) for which in range(IDS)]
