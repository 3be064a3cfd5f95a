#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: the kernel's verifier accepts each BPF program that the language allows
"""
bpf-verifier - loads random programs of tests/fuzz/fuzz-bpf into a kernel

What they do is compared with the model there; here the kernel's verifier reads them. They are never
attached.

  bpf-verifier.py LAB [--count N] [--seed N]
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkbpf import AREA, DISARM, FENTRY, FREE, MEMORY, event, function_id, session
from gilklab import Lab, expect, main
from gilkport import port_of

FUZZ = os.path.join(os.environ["GILK_BUILD"], "tests", "fuzz", "fuzz-bpf")
PORT, IID, RING_BYTES, BATCH = 3, 77, 1 << 16, 10
FUNCTION = "__x64_sys_getpgid"
EVENTS = (event(1, 2), event(1, 3), event(1, 4))        # as in fuzz-bpf.c
# Sizes and kinds (1: one copy per CPU) of the areas of fuzz-ops-make.c, whose ids are 11 to 15.
AREAS = [(8, 0)] * 10 + [(4096, 1), (4096, 0), (384, 1), (384, 0), (4096, 0)]


def programs(count, seed):
  """The code of COUNT programs, and whether each is for a function's entry."""
  with tempfile.NamedTemporaryFile() as file:
    subprocess.run([FUZZ, "--count", str(count), "--seed", str(seed), "--write", file.name], check=True, stdout=subprocess.DEVNULL)
    data = file.read()
  at = 0
  while at < len(data):
    head = struct.unpack_from("<I", data, at)[0]
    bytes_ = 8 * (head & 0x7fffffff)
    yield data[at + 4:at + 4 + bytes_], bool(head >> 31)
    at += 4 + bytes_


def verifier_accepts_all(lab):
  site = lab.symbol(FUNCTION)
  function = function_id(lab, FUNCTION)
  loaded = insns = entries = 0
  batch = []
  with port_of(lab, PORT) as path, session(path, RING_BYTES) as client:
    expect(client.info["nr_cpus"] == 2, f"the programs are for 2 CPUs, not {client.info['nr_cpus']}")
    client.must(MEMORY, b"".join(AREA.pack(size, flags, 0, 0, 0) for size, flags in AREAS))
    expect(not any(refusal for _, _, _, refusal in client.events(*EVENTS)), "there are no software events")
    client.reserve(0, IID)
    all_programs = list(programs(options.count, options.seed))
    for first in range(0, len(all_programs), BATCH):
      batch = all_programs[first:first + BATCH]
      ids, _ = client.reserve(len(batch), 0)
      status, said, refusals = client.prepare([
        client.patch(number, site, code, *((FENTRY, 0, function) if is_entry else ())) for number, (code, is_entry) in zip(ids, batch)], [])
      expect(status == 0 and not any(refusals), f"seed {options.seed}, programs from {first}: {status} {said} {refusals}")
      client.must(DISARM, struct.pack("<IIQII", 2 | FREE, len(ids), 0, 0, 0) + struct.pack(f"<{len(ids)}I", *ids))
      loaded += len(batch)
      insns += sum(len(code) for code, _ in batch) // 8
      entries += sum(is_entry for _, is_entry in batch)
  return f"{loaded} programs, {entries} for an entry, of {insns // max(loaded, 1)} instructions, seed {options.seed}"


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--count", type=int, default=100)
  parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 31))
  options = parser.parse_args()
  sys.exit(main([verifier_accepts_all], Lab(options.lab)))
