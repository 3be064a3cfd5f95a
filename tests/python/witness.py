# SPDX-License-Identifier: GPL-2.0-or-later
"""
witness - reads the counts of tests/witness/witness.c while the machine runs

Each record is a form: the bytes of one instruction at one address, and how often
the emulator has run it.
"""
import collections
import mmap
import struct

FORM = struct.Struct("<QQB15s")


class Witness:
  def __init__(self, path):
    self.path = path

  def forms(self):
    """{address: {bytes: count}} of every kernel instruction ever run."""
    forms = collections.defaultdict(dict)
    with open(self.path, "rb") as file, \
         mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
      for addr, count, length, text in FORM.iter_unpack(memoryview(data)[:self.end(data)]):
        forms[addr][text[:length]] = count
    return forms

  @staticmethod
  def end(data):
    """Bytes in use: addresses fill the file from its start and are never 0."""
    low, high = 0, len(data) // FORM.size
    while low < high:
      middle = (low + high) // 2
      if FORM.unpack_from(data, middle * FORM.size)[0]:
        low = middle + 1
      else:
        high = middle
    return low * FORM.size
