#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Restore - hooks by BPF count and sample every hit, and leave nothing behind however the agent ends
"""
bpf-agent - hooks by BPF programs at kprobes, by the agent alone

The programs are the test's own. The agent makes a known number of system calls: hits and samples are
as many. No module of Gilk has a part in it.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkbpf import (AREA_MAP, CLOCKS, COUNTERS, COUNTERS_MAP, END, EVENTS, FREE, GATED, LIST, MARGIN, CELL, MEMORY_READ,
                     PREPARE, READ, READ_TEXT, SAMPLES, SAMPLES_START, STACK_MAP, UPROBE, USE, BpfClient, counting, event, event_map, insn,
                     into_area, map_value, sampling, session, start_of, wide)
from gilklab import BRIEF, expect, lab_of_arguments, main, wait_for
from gilkport import port_of

PORT = 3
FUNCTION = "__x64_sys_getpgid"
RESERVED, PREPARED, ARMED, RESTORED = 0, 1, 3, 4
NOT_TEXT, DENIED, BAD_ITEM, STATE, UNSUPPORTED, NOT_BOUNDARY, TOO_LARGE = 2, 3, 13, 16, 19, 21, 25
TOO_MANY, EVENT_MISSING = 15, 71
PAGE_FAULTS, TASK_CLOCK = event(1, 2), event(1, 1)
USER_DIFFERS, USER_INSN = 68, 69
EPERM, ENOENT, EACCES, EBUSY, EINVAL, EOPNOTSUPP, E2BIG, ESTALE = 1, 2, 13, 16, 22, 95, 7, 116
INTERVALS, INTERVAL_TIMES, WATCH_STATUS, WATCH_BIND = 38, 39, 74, 75
RING_BYTES = 1 << 16
MANY = 10 if BRIEF else 40


def sites(lab, client, function=FUNCTION):
  """Addresses in FUNCTION: its entry, the first instruction after what ftrace uses, and one that is no boundary."""
  address = lab.symbol(function)
  text = client.must(READ_TEXT, struct.pack("<QQ", address, 64))
  with tempfile.NamedTemporaryFile() as file:
    file.write(text)
    file.flush()
    listing = subprocess.run(["objdump", "-D", "-b", "binary", "-m", "i386:x86-64", file.name], text=True, check=True,
                             stdout=subprocess.PIPE).stdout
  offsets = [int(offset, 16) for offset in re.findall(r"^ *([0-9a-f]+):", listing, re.M)]
  lengths = dict(zip(offsets, (after - offset for offset, after in zip(offsets, offsets[1:]))))
  inner = next(offset for offset in offsets if offset >= (9 if text[:4] == b"\xf3\x0f\x1e\xfa" else 5))
  inside = next(offset for offset in offsets if offset >= inner and lengths[offset] > 1) + 1
  return address, address + inner, address + inside


def kprobes(lab):
  lab.run("test -d /sys/kernel/debug/kprobes || mount -t debugfs none /sys/kernel/debug")
  return [line for line in lab.run("cat /sys/kernel/debug/kprobes/list").splitlines() if "getpgid" in line]


def hits_and_samples(lab):
  """At the entry and inside of a function; all CPUs; the counters of the CPUs add up"""
  with port_of(lab, PORT) as path, session(path) as client:
    expect(client.info["tsc_khz"] == 1000000 and client.info["hooks_max"] == 65535, client.info)
    entry, inner, _ = sites(lab, client)
    (one, two), (a, b) = client.reserve(2, 2)
    client.must_prepare([client.patch(one, entry, sampling(client.info, a)),
                         client.patch(two, inner, sampling(client.info, b))],
                        [client.hook(a, one, SAMPLES), client.hook(b, two, SAMPLES)])
    expect(not kprobes(lab), "PREPARE puts kprobes")
    client.start_samples(20)
    zero = client.must_arm()
    expect(len(kprobes(lab)) == 2, f"armed: {kprobes(lab)}")
    made = client.call(20000)
    expect(client.disarm() == 2, "not all patches were detached")
    expect(not kprobes(lab), f"left by DISARM: {kprobes(lab)}")
    produced, sent = client.stop_samples()
    rows = client.counters(a, b)
    expect(rows[0] == rows[1] == (made, 0, 0), f"{made} calls, counted: {rows}")
    per_cpu = client.counters_per_cpu(a)
    expect(len(per_cpu) == client.info["nr_cpus"] and sum(row[0] for row in per_cpu) == made, per_cpu)
    expect(client.samples() == (2 * made, 0) and produced == sent == 2 * made,
           f"{made} calls, samples: {client.samples()}, cells: {produced}, {sent}")
    for iid in (a, b):
      for cpu, row in enumerate(per_cpu):
        mine = [record for record in client.records if record[2] == iid and record[0] == cpu]
        expect(len(mine) == row[0] and all(record[3] == struct.pack("<Q", cpu) for record in mine),
               f"samples of CPU {cpu}")
        stamps = [record[1] for record in mine]
        expect(stamps == sorted(stamps) and (not stamps or stamps[0] > zero), f"times of CPU {cpu} are out of order")
    states = client.states()
    expect([states[one][0], states[two][0]] == [RESTORED, RESTORED] and states[one][2] == entry and
           zero <= states[one][3] < states[one][4], states)
    return f"{made} calls, {len(client.records)} samples"


def memory_of_programs(lab):
  """A shared area and one with a copy per CPU; limits"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, inner, _ = sites(lab, client)
    shared, own = client.memory((64, 0), (24, 1))
    (one, two), _ = client.reserve(2, 0)
    client.must_prepare([client.patch(one, entry, into_area(client.info, shared)),
                         client.patch(two, inner, into_area(client.info, own, 24))], [])
    client.must_arm()
    made = client.call(5000)
    sums = sum(client.read_word(own, cpu) for cpu in range(client.info["nr_cpus"]))
    expect(client.read_word(shared) == sums == made, f"{made} calls, {client.read_word(shared)}, {sums}")
    for area, cpu, offset, size, error in ((shared, 1, 0, 8, EINVAL), (shared, 0, 60, 8, EINVAL), (shared, 0, 64, 8, EINVAL),
                                           (own, client.info["nr_cpus"], 0, 8, EINVAL), (99, 0, 0, 8, ENOENT),
                                           (shared, 0, 0, 4, EINVAL)):
      status, _ = client.request(MEMORY_READ, READ.pack(area, cpu, offset, size, 0))
      expect(status == error, f"read of {size} at {offset} of {area} on CPU {cpu}: {status}")
    for size, flags, error in ((12, 0, EINVAL), (0, 0, EINVAL), (8, 2, EINVAL), (1 << 21, 0, E2BIG), (1 << 16, 1, E2BIG)):
      status, _ = client.request(60, struct.pack("<4IQ", size, flags, 0, 0, 0))
      expect(status == error, f"an area of {size} bytes, flags {flags}: {status}")
    status, _ = client.request(60, struct.pack("<4IQ", 1 << 20, 0, 0, 0, 0) * 65)
    expect(status == E2BIG, f"65 MiB: {status}")
    status, _ = client.request(USE, struct.pack("<IIQ", 0, 0, 0))
    expect(status == EBUSY, f"another way while hooks are there: {status}")
    client.disarm(FREE)
    status, _ = client.request(MEMORY_READ, READ.pack(shared, 0, 0, 8, 0))
    expect(status == ENOENT, f"read of a freed area: {status}")
    client.must(USE, struct.pack("<IIQ", 0, 0, 0))
    return f"{made} calls"


def full_rings(lab):
  """What a full ring loses is counted exactly, by hook and in gap records"""
  with port_of(lab, PORT) as path, session(path, RING_BYTES) as client:
    entry, inner, _ = sites(lab, client)
    (one, two), (a, b) = client.reserve(2, 2)
    room = RING_BYTES // CELL - MARGIN
    client.must_prepare([client.patch(one, entry, sampling(client.info, a)),
                         client.patch(two, inner, sampling(client.info, b))],
                        [client.hook(a, one, SAMPLES), client.hook(b, two, SAMPLES)])
    client.must_arm()
    made = client.call(100)
    rows = client.counters(a, b)
    expect([row[:2] for row in rows] == [(made, made)] * 2, f"before the rings are claimed: {rows}")
    figures = []
    for period, threads, mode in ((60000, 1, 0), (1, 0, 0), (3, 2, 0), (1, 1, 1), (1, 0, 2), (60000, 2, 2)):
      before = client.counters(a, b)
      client.start_samples(period, mode)
      made = client.call(100000, threads)
      produced, sent = client.stop_samples()
      lost = sum(row[1] - old[1] for row, old in zip(client.counters(a, b), before))
      hits = [row[0] - old[0] for row, old in zip(client.counters(a, b), before)]
      stored, missing = client.samples()
      expect(hits == [made, made], f"{made} calls, hits: {hits}")
      expect(stored + lost == 2 * made and missing == lost and produced == sent == stored,
             f"{2 * made} hits, {stored} samples, {lost} lost, {missing} in gaps, cells: {produced}, {sent}")
      if mode == 2:
        expect(0 < stored <= 2 * room + 2, f"two rings have room for {2 * room}, kept {stored}")
      elif period == 60000 or mode == 1:
        expect(0 <= stored - room < 2 or mode == 1 and stored >= room, f"a ring has room for {room}, took {stored}")
      stamps = {}
      for cpu, stamp, iid, _ in client.records:
        if iid:
          expect(stamp >= stamps.get(cpu, 0), "samples are out of order")
          stamps[cpu] = stamp
      figures.append(f"{stored}+{lost}")
    for mode, window in ((3, 0), (0, 1), (1, 10 ** 9), (2, 3601 * 10 ** 9)):
      status, _ = client.request(SAMPLES_START, struct.pack("<IIQQ", 20, mode, 0, window))
      expect(status == EINVAL, f"mode {mode} with a window of {window} ns: {status}")
    status, _ = client.request(SAMPLES_START, struct.pack("<IIQQ", 20, 0, RING_BYTES * 2, 0))
    expect(status == EINVAL, f"rings of another size: {status}")
    return ", ".join(figures)


def times_of_hooks(lab):
  """A gated hook starts and stops by its gate, a patch by its hooks' times"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, inner, _ = sites(lab, client)
    (one, two), (a, b) = client.reserve(2, 2)
    client.must_prepare([client.patch(one, entry, counting(client.info, a, a) + END),
                         client.patch(two, inner, counting(client.info, b) + END)],
                        [client.hook(a, one, GATED, 2 * 10 ** 9, 4 * 10 ** 9),
                         client.hook(b, two, 0, 3 * 10 ** 9, 5 * 10 ** 9)])
    zero = client.must_arm()
    begin = time.monotonic()
    made = client.call(100, 1)
    rows = client.counters(a, b)
    expect([row[0] for row in rows] == [0, 0], f"before the start: {rows}")
    expect(client.states()[two][0] == PREPARED, "the patch starts early")
    counts = []
    while time.monotonic() - begin < 6:
      client.call(100, 1)
      counts.append([row[0] for row in client.counters(a, b)])
      time.sleep(0.1)
    states = client.states()
    expect([states[one][0], states[two][0]] == [RESTORED, RESTORED], states)
    expect(0 < counts[-1][0] < made * len(counts) and 0 < counts[-1][1] < made * len(counts), counts[-1])
    first = next(at for at in counts if at != [0, 0])
    expect(first[0] > 0 and first[1] == 0, f"the hooks start in the order {first}")
    armed = [states[number][3] for number in (one, two)]
    stopped = [states[number][4] for number in (one, two)]
    for times, start in ((armed, 2), (stopped, 4)):
      expect(times[0] >= zero + start * 10 ** 9 and times[1] >= zero + (start + 1) * 10 ** 9, f"{zero}: {states}")
    expect(not kprobes(lab), "kprobes are left")
    return f"{counts[-1]} of {100 * len(counts)} hits"


def a_patch_replaces_another(lab):
  """A hook moves from one program to another, and keeps its counter; another one ends"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, _, _ = sites(lab, client)
    (one, two), (a, b, c) = client.reserve(2, 3)
    client.must_prepare([client.patch(one, entry, counting(client.info, a) + counting(client.info, b) + END)],
                        [client.hook(a, one), client.hook(b, one)])
    client.must_arm()
    made = client.call(1000)
    client.must_prepare([client.patch(two, entry, counting(client.info, a) + counting(client.info, c) + END, replaces=one)],
                        [client.hook(a, two), client.hook(c, two)])
    expect(client.prepare([client.patch(two, entry, END, replaces=one)], [])[2] == [STATE], "prepared twice")
    client.must_arm()
    more = client.call(500)
    states = client.states()
    expect(states[one][0] == RESTORED and states[two][0] == ARMED, states)
    rows = [row[0] for row in client.counters(a, b, c)]
    expect(rows == [made + more, made, more], f"{made} and {more} calls: {rows}")
    expect(len(kprobes(lab)) == 1, kprobes(lab))
    expect(client.disarm(LIST | FREE, (two, 77)) == 1, "not detached")
    status, text = client.request(COUNTERS, struct.pack("<II", 0, a))
    expect(status == ENOENT, f"counters of a freed hook: {status} {text}")
    expect(list(client.states()) == [one], client.states())
    return ""


def misses_are_counted(lab):
  """
  A program that calls a hooked function: the kernel runs no program there, and counts that from 6.7 on. It counts by a plain
  addition to a variable of all CPUs, so one thread makes the calls.
  """
  release = [int(number) for number in lab.run("uname -r").split("-")[0].split(".")[:2]]
  with port_of(lab, PORT) as path, session(path) as client:
    _, inner, _ = sites(lab, client)
    called, _, _ = sites(lab, client, "bpf_ktime_get_ns")
    (one, two), (a, b) = client.reserve(2, 2)
    caller = insn(0x85, imm=5) + END
    client.must_prepare([client.patch(one, inner, counting(client.info, a) + caller),
                         client.patch(two, called, counting(client.info, b) + END)], [client.hook(a, one), client.hook(b, two)])
    client.must_arm()
    made = client.call(1000, 1)
    rows = client.counters(a, b)
    missed = made if release >= [6, 7] else 0
    expect(rows == [(made, 0, 0), (0, 0, missed)], f"{made} calls: {rows}")
    expect(client.counters_per_cpu(b)[0] == (0, 0, missed), client.counters_per_cpu(b))
    client.disarm()
    expect(client.counters(b) == [(0, 0, missed)], f"after the end: {client.counters(b)}")
    return f"{missed} of {made}"


def all_or_nothing(lab):
  """One site that the kernel refuses keeps all others from being armed"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, inner, inside = sites(lab, client)
    denied = int(lab.run("head -1 /sys/kernel/debug/kprobes/blacklist").split("-")[0], 16)
    for site, refusal in ((inside, NOT_BOUNDARY), (denied, DENIED), (0x1000, NOT_TEXT)):
      (one, two), (a, b) = client.reserve(2, 2)
      client.must_prepare([client.patch(one, entry, counting(client.info, a) + END),
                           client.patch(two, site, counting(client.info, b) + END)],
                          [client.hook(a, one), client.hook(b, two)])
      done = client.arm()
      expect(done[1:] == (two, refusal), f"{site:#x}: {done}")
      client.call(100)
      expect(client.counters(a) == [(0, 0, 0)] and not kprobes(lab), "the other patch was armed")
      expect(client.states()[one][0] == PREPARED, client.states())
      client.disarm(FREE)
    (one,), (a,) = client.reserve(1, 1)
    client.must_prepare([client.patch(one, inner, counting(client.info, a) + END)], [client.hook(a, one)])
    client.must_arm()
    made = client.call(100)
    expect(client.counters(a)[0][0] == made, client.counters(a))
    return ""


def hostile_programs(lab):
  """Each is refused by name, and nothing of the request is done"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, _, _ = sites(lab, client)
    area, = client.memory((64, 0))
    (one, two), (a, b) = client.reserve(2, 2)
    good = client.patch(one, entry, counting(client.info, a) + END)
    load = insn(0x79, 1, 1) + END
    codes = {
      "no code": (b"", BAD_ITEM), "a part of an instruction": (END + b"\0", BAD_ITEM),
      "too long": (insn(0xB7, 0) * 65536 + END, TOO_LARGE),
      "a map by its descriptor": (wide(1, 1, 5) + END, BAD_ITEM), "a map's value by its descriptor": (wide(1, 2, 5) + load, BAD_ITEM),
      "an address of the kernel": (wide(1, 3, 5) + load, BAD_ITEM), "a map by an index": (wide(1, 5, 0) + END, BAD_ITEM),
      "counters of nobody": (map_value(1, COUNTERS_MAP, 1) + load, BAD_ITEM),
      "an unknown kind of map": (map_value(1, 7, 0) + load, BAD_ITEM), "an unknown area": (map_value(1, AREA_MAP, 2) + load, BAD_ITEM),
      "behind an area": (map_value(1, AREA_MAP, area, 64) + load, BAD_ITEM),
      "before an area": (map_value(1, AREA_MAP, area, -1) + load, BAD_ITEM),
      "a call of override_return": (insn(0x85, imm=58) + END, BAD_ITEM), "a call of probe_write_user": (insn(0x85, imm=36) + END, BAD_ITEM),
      "a call of a kernel function": (insn(0x85, src=2, imm=1) + END, BAD_ITEM), "a call of itself": (insn(0x85, src=1, imm=0) + END, BAD_ITEM),
      "a call by the narrow class": (insn(0x86, imm=5) + END, BAD_ITEM), "a call by register": (insn(0x8D, 1) + END, BAD_ITEM),
      "a counter that was not created": (event_map(1, PAGE_FAULTS) + END, BAD_ITEM),
      "half a key": (wide(1, 1, PAGE_FAULTS >> 32) + END, BAD_ITEM),
      "a second buffer for stacks": (map_value(1, STACK_MAP, 1) + load, BAD_ITEM),
      "behind the buffers for stacks": (map_value(1, STACK_MAP, 0, 512 * client.info["nr_cpus"]) + load, BAD_ITEM),
      "a call of perf_event_output": (insn(0x85, imm=25) + END, BAD_ITEM), "a call of get_stackid": (insn(0x85, imm=27) + END, BAD_ITEM),
      "half of a load": (END + map_value(1, AREA_MAP, area)[:8], BAD_ITEM),
    }
    for name, (code, refusal) in codes.items():
      done = client.prepare([good, client.patch(two, entry, code)], [client.hook(a, one)])
      expect(done[0] == 0 and done[2] == [0, refusal, 0], f"{name}: {done}")
    items = {
      "another tactic": (client.patch(two, entry, END, tactic=4), [], [UNSUPPORTED]),
      "an unknown patch": (client.patch(999, entry, END), [], [BAD_ITEM]),
      "no site": (client.patch(two, 0, END), [], [BAD_ITEM]),
      "the same patch twice": (client.patch(one, entry, END), [], [STATE]),
      "replaces nothing": (client.patch(two, entry, END, replaces=888), [], [BAD_ITEM]),
      "replaces what is not armed": (client.patch(two, entry, END, replaces=one), [], [BAD_ITEM]),
      "an unknown hook": (client.patch(two, entry, END), [client.hook(999, two)], [0, BAD_ITEM]),
      "a hook of an unknown patch": (client.patch(two, entry, END), [client.hook(b, 999)], [0, BAD_ITEM]),
      "the same hook twice": (client.patch(two, entry, END), [client.hook(a, two)], [0, STATE]),
      "a hook that stops first": (client.patch(two, entry, END), [client.hook(b, two, 0, 5, 4)], [0, BAD_ITEM]),
      "unknown flags": (client.patch(two, entry, END), [client.hook(b, two, 64)], [0, BAD_ITEM]),
    }
    for name, (patch, hooks, refusals) in items.items():
      done = client.prepare([good, patch], [client.hook(a, one)] + hooks)
      expect(done[0] == 0 and done[2] == [0] + refusals[:1] + [0] + refusals[1:], f"{name}: {done}")
    status, text, _ = client.prepare([good, client.patch(two, entry, insn(0x79, 0, 3) + insn(0x95))], [client.hook(a, one)])
    expect(status == EACCES and "(79) r0" in text and "!read_ok" in text and f"patch {two}" in text, f"an invalid program: {status} {text}")
    status, loop, _ = client.prepare([client.patch(two, entry, insn(0x05, off=-1) + END)], [])
    expect(status == EACCES, f"an endless program: {status} {loop}")
    long = b"".join(insn(0x07, 0, imm=i) for i in range(4000))
    status, end, _ = client.prepare([client.patch(two, entry, insn(0xB7, 0) + long + insn(0x79, 0, 3) + insn(0x95))], [])
    expect(status == EACCES and "!read_ok" in end, f"a complaint behind a long log: {status} {end}")
    payload = client.prepare_payload([good], [client.hook(a, one)])
    for name, broken in (("cut off", payload[:-1]), ("too many patches", struct.pack("<I", 2) + payload[4:]),
                         ("code outside", payload[:24 + 16] + struct.pack("<Q", 1 << 40) + payload[24 + 24:])):
      status, answer = client.request(PREPARE, broken)
      expect(status == EINVAL, f"{name}: {status} {answer}")
    expect({state[0] for state in client.states().values()} == {RESERVED}, client.states())
    client.must_prepare([good], [client.hook(a, one)])
    client.must_arm()
    made = client.call(100)
    expect(client.counters(a)[0][0] == made, client.counters(a))
    return text


def event_counters(lab):
  """A program reads the counter of its CPU; keys that are none are refused, and no session sees another one's"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, _, _ = sites(lab, client)
    cpus = client.info["nr_cpus"]
    bad = (0, 5, event(2, 0), event(5, 0), event(77, 1))
    expect([done[3] for done in client.events(*bad, flags=1)] == [BAD_ITEM] * len(bad), "keys that are none")
    expect(client.events(PAGE_FAULTS, PAGE_FAULTS, flags=1) == [(cpus, 0, 0, 0)] * 2, "a test of two counters")
    expect(client.events(event(1, 999), flags=1)[0][3] == EVENT_MISSING, "an event that the kernel lacks")
    for name, payload in (("no counters", b""), ("unknown flags", struct.pack("<II", 2, 0) + bytes(24)),
                          ("half a counter", bytes(8 + 36)), ("9 counters", bytes(8 + 9 * 24))):
      status, text = client.request(EVENTS, payload)
      expect(status == EINVAL and b"Malformed" in text, f"{name}: {status} {text}")
    area, = client.memory((8, 0))
    (one,), (a,) = client.reserve(1, 1)
    code = (event_map(1, TASK_CLOCK) + insn(0xB4, 2, imm=-1) + insn(0x85, imm=22) + map_value(2, AREA_MAP, area) +
            insn(0x7B, 2, 0) + END)
    expect(client.prepare([client.patch(one, entry, code)], [])[2] == [BAD_ITEM], "read before EVENTS")
    expect(client.events(TASK_CLOCK) == client.events(TASK_CLOCK) == [(cpus, 0, 0, 0)], "a counter twice")
    others = [event(1, number) for number in (2, 3, 4, 5, 6, 7, 8)]
    expect([done[3] for done in client.events(*others)] == [0] * 7, "7 more counters")
    expect(client.events(event(1, 9))[0][3] == TOO_MANY, "a ninth counter")
    client.must_prepare([client.patch(one, entry, code)], [client.hook(a, one)])
    client.must_arm()
    values = []
    for _ in range(2):
      client.call(100, 1)
      values.append(client.read_word(area))
    expect(0 < values[0] < values[1] < 1 << 50, f"the CPU's clock: {values}")
    client.disarm(FREE)
    (one,), (a,) = client.reserve(1, 1)
    area, = client.memory((8, 0))
    expect(client.prepare([client.patch(one, entry, event_map(1, TASK_CLOCK) + END)], [])[2] == [BAD_ITEM], "a counter that was freed")
    return f"{values[1] - values[0]} ns of 100 calls"


def requests_for_the_driver(lab):
  """They are refused by name; what needs no driver works"""
  with port_of(lab, PORT) as path, session(path) as client:
    for kind, size in ((20, 0), (21, 0), (25, 5), (26, 5), (37, 24), (76, 32), (83, 32)):
      status, text = client.request(kind, b"a" * size)
      expect(status == EOPNOTSUPP or (status == EINVAL and b"Malformed" in text and b"bytes" in text),
             f"request {kind}: {status} {text}")
    expect(client.must(23) == client.must(24) == b"", "there are instruments")
    expect(b"=" in client.must(13), "the doctor is silent")
    clocks = client.must(CLOCKS, struct.pack("<I", 1))
    tsc, mono, error, _, _, count = struct.unpack_from("<QQIIII", clocks)
    rounds = [struct.unpack_from("<qQI", clocks, 32 + 24 * i) for i in range(count)]
    expect(tsc == mono and error == 0 and count == client.info["nr_cpus"] and (0, 0, 1) in rounds, clocks)
    for payload in (struct.pack("<IIQ", 2, 0, 0), struct.pack("<IIQ", 1, 0, 12345), struct.pack("<IIQ", 1, 0, 1 << 40)):
      status, text = client.request(USE, payload)
      expect(status == EINVAL, f"USE: {status} {text}")
    return ""


def watchpoints_and_intervals(lab):
  """What no hook of the session can have is refused, by item or as a whole; nothing is watched or switched"""
  with port_of(lab, PORT) as path, session(path) as client:
    for item in (struct.pack("<2IQ4I", 1, 0, 0xfffffffffffff000, 1, 8, 0, 0), struct.pack("<2IQ4I", 1, 9, 8, 7, 3, 99, 1)):
      answer = client.must(WATCH_BIND, item.ljust(112, b"\0") * 2)
      expect(len(answer) == 224 and all(struct.unpack_from("<Ii", answer, at + 36)[0] for at in (0, 112)), answer)
    for kind, payload, wrong in ((WATCH_STATUS, struct.pack("<I", 7).ljust(96, b"\0"), ENOENT),
                                 (WATCH_BIND, bytes(100), EINVAL), (INTERVALS, struct.pack("<2I2Q", 1, 3, 10**8, 0), EINVAL),
                                 (INTERVALS, struct.pack("<2I2Q", 1, 1, 10, 0) + b"\1", EINVAL),
                                 (INTERVALS, struct.pack("<2I2Q", 1, 1, 10**8, 0) + b"\2", EINVAL),
                                 (INTERVALS, struct.pack("<2I2Q", 1, 1, 10**8, 0) + b"\1", ENOENT)):
      status, text = client.request(kind, payload)
      expect(status == wrong, f"request {kind}: {status} {text}")
    expect(client.must(INTERVAL_TIMES) == b"", "intervals have started")
  return ""


def many_hooks(lab):
  """Kprobes at entries, which ftrace makes, and inside of functions, and how long they take"""
  with port_of(lab, PORT) as path, session(path) as client:
    entry, inner, _ = sites(lab, client)
    calls = sorted(at for at, kind, name, module in lab.kallsyms() if kind in "tT" and re.match("__x64_sys_[a-f]", name) and not module)
    alike = lambda at: client.must(READ_TEXT, struct.pack("<QQ", at, inner - entry))
    places = [at for at in calls if alike(at) == alike(entry)][:MANY]
    expect(len(places) == MANY, f"only {len(places)} of {len(calls)} functions begin like {FUNCTION}")
    figures = []
    for where, offset in (("entries", 0), ("inside", inner - entry)):
      numbers, iids = client.reserve(MANY, MANY)
      patches = [client.patch(number, at + offset, counting(client.info, iid) + END)
                 for number, at, iid in zip(numbers, places, iids)]
      hooks = [client.hook(iid, number) for iid, number in zip(iids, numbers)]
      for what, step in (("prepare", lambda p=patches, h=hooks: client.must_prepare(p, h)), ("arm", client.must_arm),
                         ("disarm", lambda: client.disarm(FREE))):
        begin = time.monotonic()
        step()
        figures.append(f"{what} {where} {time.monotonic() - begin:.2f} s")
    return f"{MANY} kprobes: " + ", ".join(figures)


def points_in_programs(lab):
  """A uprobe counts each start of a program; points that are not as said are refused by name, and none of the others is bound"""
  program = "/bin/calls"
  with port_of(lab, PORT) as path, session(path) as client:
    start, identity, code = start_of(client, program)
    entry, _, _ = sites(lab, client)
    (one, two, three), (a, b) = client.reserve(3, 2)
    good = (one, start, 2, 0, code[:2])
    for name, point, refusal in (
        ("an unknown patch", (999, start, 2, 0, code[:2]), BAD_ITEM), ("no bytes", (two, start, 0, 0, b""), BAD_ITEM),
        ("too many bytes", (two, start, 16, 0, code[:16]), BAD_ITEM), ("bytes behind the end", (two, start, 2, 0, code[:3]), BAD_ITEM),
        ("an unknown flag", (two, start, 2, 2, code[:2]), BAD_ITEM), ("no place", (two, 1 << 63, 2, 0, code[:2]), BAD_ITEM),
        ("another place", (two, start + 1, 2, 0, code[:2]), USER_DIFFERS), ("behind the file", (two, 1 << 40, 2, 0, code[:2]), USER_DIFFERS),
        ("the same patch twice", good, STATE)):
      done = client.bind(program, identity, good, point)
      expect(done == (0, [0, refusal]), f"{name}: {done}")
    for name, status in (("no program", ENOENT), ("another file", ESTALE)):
      done = client.bind(program if status == ESTALE else "/bin/no-such", b"x" * 40, good)
      expect(done[0] == status, f"{name}: {done}")
    done = client.prepare([client.patch(one, start, END, UPROBE)], [])
    expect(done[2] == [BAD_ITEM], f"not bound: {done}")
    halt = start + code.index(b"\xf4")
    expect(client.bind(program, identity, good, (two, halt, 1, 0, b"\xf4")) == (0, [0, 0]), "points are refused")
    done = client.prepare([client.patch(one, entry, END), client.patch(three, start, END, UPROBE)], [])
    expect(done[2] == [BAD_ITEM, BAD_ITEM], f"of another tactic: {done}")
    client.must_prepare([client.patch(one, start, counting(client.info, a) + END, UPROBE), client.patch(two, 0, END, UPROBE),
                         client.patch(three, entry, counting(client.info, b) + END)], [client.hook(a, one), client.hook(b, three)])
    expect(client.arm()[1:] == (two, USER_INSN), "a halt can be hooked")
    lab.run("calls -o fsync -t 1 -n 1")
    client.call(10)
    expect(client.counters(a, b) == [(0, 0, 0)] * 2, "the others were armed")
    client.disarm(LIST | FREE, (two,))
    expect(client.bind(program, identity, good)[1] == [STATE], "bound again while it is prepared")
    client.must_arm()
    lab.run("for i in 1 2 3 4 5; do calls -o fsync -t 1 -n 1; done")
    made = client.call(10)
    expect(client.disarm() == 2, "not all patches were detached")
    lab.run("calls -o fsync -t 1 -n 1")
    expect([row[0] for row in client.counters(a, b)] == [5, made], client.counters(a, b))
    return f"5 starts, {made} calls"


def the_agent_dies(lab):
  """kill -9, in the middle of hits: no kprobe, program or map of it is left"""
  with port_of(lab, PORT) as path:
    client = BpfClient(path)
    entry, inner, _ = sites(lab, client)
    (one, two), (a, b) = client.reserve(2, 2)
    client.must_prepare([client.patch(one, entry, sampling(client.info, a)), client.patch(two, inner, sampling(client.info, b))],
                        [client.hook(a, one, SAMPLES), client.hook(b, two, SAMPLES)])
    client.start_samples(20)
    client.must_arm()
    expect(len(kprobes(lab)) == 2, kprobes(lab))
    lab.run(f"kill -9 {client.pid}")
    client.socket.close()
    wait_for("no kprobe", lambda: not kprobes(lab))
    with session(path) as again:
      expect(again.pid != client.pid, "the agent lives")
      (one,), (a,) = again.reserve(1, 1)
      again.must_prepare([again.patch(one, entry, counting(again.info, a) + END)], [again.hook(a, one)])
      again.must_arm()
      again.socket.close()
    wait_for("no kprobe after a hang-up", lambda: not kprobes(lab))
  return ""


if __name__ == "__main__":
  sys.exit(main([hits_and_samples, memory_of_programs, full_rings, times_of_hooks, a_patch_replaces_another,
                 misses_are_counted, all_or_nothing, hostile_programs, event_counters, requests_for_the_driver,
                 watchpoints_and_intervals, many_hooks, points_in_programs, the_agent_dies], lab_of_arguments()))
