#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkdump - the driver's patches in a dump of a machine's memory

    gilkdump.py DUMP

DUMP is anything that holds the memory as it was, uncompressed: a vmcore, QEMU's
dump-guest-memory, a raw image. Nothing else is needed, neither symbols nor page tables:
ilk_crash_notes (ilk/ilk-report.c) says where in a patch its parts are, and notes and
patches are found by their magic numbers. For each patch its state, its site, the bytes
before it and those it put there. What lies in text now is to be compared with them.
"""
import mmap
import struct
import sys

MAGIC = b"ILK-CRASH-NOTES\0"
HEAD = struct.Struct("<16sIIQQ11I")
FORMS = ["old", "int3", "jump", "lending"]
STATES = ["reserved", "prepared", "trapped", "armed", "restored", "retired", "failed", "gone",
          "lending"]
TACTICS = ["none", "splice", "bounce", "clone", "trap"]
LEN_MAX = 32


class Notes:
  """ilk_crash_notes as they stand at OFFSET of MEMORY; None if those are not a driver's."""

  @classmethod
  def at(cls, memory, offset):
    raw = memory[offset:offset + HEAD.size]
    if len(raw) < HEAD.size:
      return None
    notes = cls()
    (_, version, notes.bytes, notes.magic, notes.self, notes.id, notes.state, notes.tactic,
     notes.slot, notes.text, notes.bounce, notes.addr, notes.len, notes.form, notes.old,
     notes.jump) = HEAD.unpack(raw)
    # The module's file may be in memory, too: there the notes have no address.
    return notes if version == 2 and notes.self else None


def occurrences(memory, magic):
  at = memory.find(magic)
  while at >= 0:
    yield at
    at = memory.find(magic, at + 1)


def footprint(raw, notes, base):
  addr = struct.unpack_from("<Q", raw, base + notes.addr)[0]
  length, form = (struct.unpack_from("<I", raw, base + at)[0] for at in (notes.len, notes.form))
  if length > LEN_MAX or form >= len(FORMS):
    return None
  old = raw[base + notes.old:base + notes.old + length]
  jump = raw[base + notes.jump:base + notes.jump + length]
  now = [old, b"\xcc" + old[1:], jump, b"\xcc" + jump[1:]][form] if length else b""
  return {"addr": addr, "len": length, "form": FORMS[form], "old": old, "now": now}


def patch_at(memory, notes, offset):
  raw = memory[offset:offset + notes.bytes]
  if len(raw) < notes.bytes:
    return None
  number, state, tactic = (struct.unpack_from("<I", raw, at)[0] for at in
                           (notes.id, notes.state, notes.tactic))
  site, bounce = (footprint(raw, notes, base) for base in (notes.text, notes.bounce))
  if not number or state >= len(STATES) or tactic >= len(TACTICS) or not site or not bounce:
    return None
  return {"id": number, "state": STATES[state], "tactic": TACTICS[tactic], "site": site,
          "bounce": bounce, "slot": struct.unpack_from("<Q", raw, notes.slot)[0]}


def patches_in(path):
  """All patches in the dump at PATH, by id; None if the driver was not loaded."""
  with open(path, "rb") as file, \
       mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
    notes = [found for at in occurrences(memory, MAGIC) if (found := Notes.at(memory, at))]
    if not notes:
      return None
    magic = struct.pack("<Q", notes[0].magic)
    found = [patch_at(memory, notes[0], at) for at in occurrences(memory, magic)]
    return {patch["id"]: patch for patch in found if patch}


def main(arguments):
  if len(arguments) != 2:
    sys.exit(__doc__.strip())
  patches = patches_in(arguments[1])
  if patches is None:
    sys.exit(f"gilkdump: {arguments[1]}: the driver was not loaded in this memory, or the dump is "
             "compressed: make it plain first (makedumpfile -E, or crash's own export)")
  for _, patch in sorted(patches.items()):
    for what in ("site", "bounce"):
      text = patch[what]
      if text["len"]:
        print(f"{patch['id']} {patch['tactic']} {patch['state']} {what} {text['addr']:#x} "
              f"old {text['old'].hex()} now {text['now'].hex()} ({text['form']}) "
              f"slot {patch['slot']:#x}")


if __name__ == "__main__":
  main(sys.argv)
