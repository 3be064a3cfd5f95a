# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests/bench/scan and graph-truth share: the dump, and objdump on its bytes.

dump-graphs writes the live bytes of every function; here they become an ELF file
with one section per run of functions and a symbol per part, so that objdump
decodes each from its start and passes over what lies between.
"""
import os
import resource
import struct
import subprocess

FILLER = 16     # of a tail of int3 or zero bytes, how many are kept

GAP = 4096      # further apart, parts go to sections of their own


def dump(program, target, directory):
    """Runs dump-graphs. Returns its figures as a dictionary of strings."""
    out = subprocess.run([program, target, directory], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return dict(line.split() for line in out.splitlines())


def read_parts(directory):
    """The text of all parts: [(start, bytes)], sorted, without filler at the end."""
    with open(os.path.join(directory, 'text'), 'rb') as file:
        data = file.read()
    parts, at = [], 0
    while at < len(data):
        start, length = struct.unpack_from('<QQ', data, at)
        text = data[at + 16:at + 16 + length]
        end = len(text.rstrip(b'\xcc\x00'))
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


def write_elf(parts, path):
    """An executable with the parts at their addresses."""
    runs = merge_parts(parts)
    names = b'\0.text\0.symtab\0.strtab\0'
    strings, symbols = bytearray(b'\0'), bytearray(24)
    section = 0
    for start, text in parts:
        while not runs[section][0] <= start < runs[section][0] + len(runs[section][1]):
            section += 1
        symbols += struct.pack('<IBBHQQ', len(strings), 0x12, 0, section + 1, start, len(text))
        strings += b'f%x\0' % start
    headers = [bytes(64)]
    offset = 64
    body = bytearray()
    for start, text in runs:
        headers.append(struct.pack('<IIQQQQIIQQ', 1, 1, 6, start, offset + len(body),
                                   len(text), 0, 0, 1, 0))
        body += text
    table = len(headers)
    for kind, name, data, link, entry in (
            (2, 7, bytes(symbols), table + 1, 24), (3, 15, bytes(strings + names), 0, 0)):
        headers.append(struct.pack('<IIQQQQIIQQ', name, kind, 0, 0, offset + len(body),
                                   len(data), link, 1 if kind == 2 else 0, 1, entry))
        body += data
    # section names share the string table: they sit behind the symbols' names
    shift = len(strings)
    fixed = [headers[0]] + [struct.pack('<I', struct.unpack_from('<I', h)[0] + shift) + h[4:]
                            for h in headers[1:]]
    header = b'\x7fELF\x02\x01\x01' + bytes(9) + struct.pack(
        '<HHIQQQIHHHHHH', 2, 62, 1, 0, 0, offset + len(body), 0, 64, 0, 0, 64,
        len(headers), len(headers) - 1)
    with open(path, 'wb') as file:
        file.write(header + body + b''.join(fixed))


def objdump(path):
    """Disassembles for timing. Returns: CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(['objdump', '-d', path], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
