# SPDX-License-Identifier: GPL-2.0-or-later
"""
graphdump - what tests/bench/scan and graph-truth share: the dump, objdump on its bytes

dump-graphs writes the live bytes of every function; here they become an ELF file
with one section per run of functions and a symbol per part, so that objdump
decodes each from its start and passes over what lies between.
"""
import os
import re
import resource
import struct
import subprocess

from gilklab import BUILD

FILLER = 16     # of a tail of int3 or zero bytes, how many are kept
GAP = 4096      # further apart, parts go to sections of their own

# What objdump does not know (Debian 12's not lkgs, none rmpread) is shown to it as what has the same
# length: verr of the same register, pvalidate.
LKGS = re.compile(rb"\xf2\x0f\x00([\xf0-\xf7])")
RMPREAD, PVALIDATE = b"\xf2\x0f\x01\xfd", b"\xf2\x0f\x01\xff"


def as_objdump_knows(text):
  return LKGS.sub(lambda found: bytes((0x66, 0x0f, 0x00, found[1][0] & 0xe7)), text).replace(RMPREAD, PVALIDATE)


def dump(flavour, directory):
  """Runs dump-graphs on a lab. Returns its figures as a dictionary of strings."""
  program = os.path.join(BUILD, "tests", "bench", "dump-graphs")
  out = subprocess.run([program, f"lab:{flavour}", directory], check=True, text=True,
                       stdout=subprocess.PIPE).stdout
  return dict(line.split() for line in out.splitlines())


def read_parts(directory):
  """The text of all parts: [(start, bytes)], sorted, without filler at the end."""
  with open(os.path.join(directory, "text"), "rb") as file:
    data = file.read()
  parts, at = [], 0
  while at < len(data):
    start, length = struct.unpack_from("<QQ", data, at)
    text = as_objdump_knows(data[at + 16:at + 16 + length])
    end = len(text.rstrip(b"\xcc\x00"))
    parts.append((start, text[:min(length, end + FILLER)]))
    at += 16 + length
  return sorted(parts)


def merge_parts(parts):
  """Parts near each other in one section: [(start, bytearray)]. What lies between
  is zero, which objdump passes over."""
  runs = []
  for start, text in parts:
    gap = start - runs[-1][0] - len(runs[-1][1]) if runs else GAP
    if 0 <= gap < GAP:
      runs[-1][1].extend(bytes(gap) + text)
    else:
      runs.append((start, bytearray(text)))
  return runs


def section_header(name, kind, flags, addr, offset, size, link=0, entry=0):
  """Elf64_Shdr; info is 1 for the symbol table: its first symbol that is no local."""
  return struct.pack("<IIQQQQIIQQ", name, kind, flags, addr, offset, size, link,
                     1 if link else 0, 1, entry)


def write_elf(parts, path):
  """An executable with the parts at their addresses and a symbol for each."""
  runs = merge_parts(parts)
  strings, symbols = bytearray(b"\0.text\0.symtab\0.strtab\0"), bytearray(24)
  section = 0
  for start, text in parts:
    while not runs[section][0] <= start < runs[section][0] + len(runs[section][1]):
      section += 1
    symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, section + 1, start, len(text))
    strings += b"f%x\0" % start
  headers, body = [bytes(64)], bytearray(64)
  for start, text in runs:
    headers.append(section_header(1, 1, 6, start, len(body), len(text)))
    body += text
  table = len(headers)
  headers.append(section_header(7, 2, 0, 0, len(body), len(symbols), table + 1, 24))
  body += symbols
  headers.append(section_header(15, 3, 0, 0, len(body), len(strings)))
  body += strings
  body[:64] = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, 62, 1, 0, 0, len(body), 0, 64, 0, 0, 64, len(headers), table + 1)
  with open(path, "wb") as file:
    file.write(body + b"".join(headers))


def objdump(path):
  """Disassembles for timing. Returns: CPU seconds."""
  before = resource.getrusage(resource.RUSAGE_CHILDREN)
  subprocess.run(["objdump", "-d", path], check=True, stdout=subprocess.DEVNULL)
  after = resource.getrusage(resource.RUSAGE_CHILDREN)
  return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
