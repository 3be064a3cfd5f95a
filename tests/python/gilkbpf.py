# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkbpf - a client of gilkd that hooks by BPF: agent/gilk-wire-bpf.h

Its programs are assembled here, one instruction after another.
"""
import contextlib
import os
import struct
import tempfile

from gilklab import expect
from gilkport import HEAD, Client, abi

READ_TEXT, DRIVER_INFO, RESERVE, PREPARE, ARM, DISARM, STATUS = 12, 22, 30, 31, 32, 33, 34
COUNTERS, CLOCKS, SAMPLES_START, SAMPLES_STOP, SAMPLES_PACKED = 35, 36, 40, 41, 43
CALLS, MEMORY, MEMORY_READ, EVENTS, USE = 50, 60, 61, 82, 90
USER_READ, USER_BIND = 79, 80
WAY_ILK, WAY_BPF, KPROBE, UPROBE, FENTRY = 0, 1, 16, 17, 21
COUNTERS_MAP, GATES_MAP, RING_MAP, AREA_MAP, STACK_MAP = 1, 2, 3, 4, 6
BLOCK, CELL, MARGIN = 1024, 32, 256
CALLS_PGID = 3
GATED, SAMPLES = 2, 4
FREE, LIST = 1 << 8, 2

RESERVE_PATCH, RESERVE_HOOK = struct.Struct("<IIQ"), struct.Struct("<IIQQQ")
PREPARE_PATCH = struct.Struct("<IIQQQIIIiII32sQ8sQII")
PREPARE_HOOK = struct.Struct("<IIIIQQ4QiI")
BATCH, AREA, READ = struct.Struct("<6I"), struct.Struct("<4IQ"), struct.Struct("<4IQ")
EVENT = struct.Struct("<QIIiI")
COUNTER, STATUS_HEAD = struct.Struct("<QQQ"), struct.Struct("<IIQII")
USER_POINT = struct.Struct("<IIQIiII16s")
PATCH_STATUS = struct.Struct("<4IQQIIQQQQ128x")


# ---- instructions ----

def insn(code, dst=0, src=0, off=0, imm=0):
  return struct.pack("<BBhi", code, src << 4 | dst, off, imm)


def wide(dst, src, low, high=0):
  return struct.pack("<BBhIIi", 0x18, src << 4 | dst, 0, low, 0, high)


def map_value(dst, kind, index, offset=0):
  return wide(dst, 2, kind << 24 | index, offset)


def event_map(dst, key):
  return wide(dst, 1, key & 0xffffffff, key >> 32)


def event(kind, config):
  """The key of a perf event."""
  return (kind + 1) << 56 | config


def add_cpu(dst, stride):
  """dst += CPU (r7) * stride, by way of r1"""
  return insn(0xBF, 1, 7) + insn(0x27, 1, imm=stride) + insn(0x0F, dst, 1)


def increment(at, off):
  return insn(0x79, 1, at, off) + insn(0x07, 1, imm=1) + insn(0x7B, at, 1, off)


END = insn(0xB7, 0) + insn(0x95)


def counting(info, iid, gate=0):
  """What counts a hit, up to but without END."""
  index = iid - 1
  code = insn(0x85, imm=8) + insn(0xBF, 7, 0)
  rest = (map_value(2, COUNTERS_MAP, index // BLOCK, index % BLOCK * 32) + add_cpu(2, BLOCK * 32) +
          increment(2, 0))
  if gate:
    rest = map_value(1, GATES_MAP, 0, gate) + insn(0x71, 1, 1) + insn(0x15, 1, off=len(rest) // 8) + rest
  return code + insn(0x35, 7, off=len(rest) // 8, imm=info["nr_cpus"]) + rest


def sampling(info, iid):
  """A program that counts a hit and writes a sample with the CPU's number."""
  ring = info["ring_bytes"]
  record = (insn(0xBF, 9, 3) + insn(0x07, 3, imm=CELL) + insn(0x7B, 8, 3, 0) +        # h = head; head = h + 32
            insn(0xBF, 4, 9) + insn(0x57, 4, imm=ring - CELL) + insn(0x0F, 8, 4) +
            insn(0x85, imm=5) + insn(0x7B, 8, 0, 64 + 8) +                            # tsc
            insn(0x62, 8, off=64 + 16, imm=iid) + insn(0x62, 8, off=64 + 20, imm=8) +
            insn(0x7B, 8, 7, 64 + 24) + insn(0x7B, 8, 9, 64))                         # payload; commit
  full = increment(8, 16) + increment(2, 8)
  record += insn(0x05, off=len(full) // 8)
  take = (map_value(8, RING_MAP, 0) + add_cpu(8, ring + 256) + insn(0x79, 3, 8, 0) + insn(0x79, 4, 8, 8) +
          insn(0x3D, 3, 4, len(record) // 8))
  count = counting(info, iid)
  # The jump over everything if the CPU has no memory leads to the end of the sample as well.
  jump = 2 * 8
  count = count[:jump] + insn(0x35, 7, off=(len(count) - jump - 8 + len(take + record + full)) // 8,
                              imm=info["nr_cpus"]) + count[jump + 8:]
  return count + take + record + full + END


def into_area(info, area, stride=0):
  """A program that adds 1 to the first word of an area, or of this CPU's copy."""
  rest = map_value(2, AREA_MAP, area) + (add_cpu(2, stride) if stride else b"")
  rest += increment(2, 0) if stride else insn(0xB7, 1, imm=1) + insn(0xDB, 2, 1)
  return insn(0x85, imm=8) + insn(0xBF, 7, 0) + insn(0x35, 7, off=len(rest) // 8, imm=info["nr_cpus"]) + rest + END


# ---- functions in the kernel's types ----

# Of each kind of type in BTF: bytes behind its head, and bytes for each of its elements. 12 is a function.
BTF_FUNCTION = 12
BTF_REST = {1: (4, 0), 3: (12, 0), 4: (0, 12), 5: (0, 12), 6: (0, 8), 13: (0, 8), 14: (4, 0), 15: (0, 12), 17: (4, 0), 19: (0, 12)}


def function_id(lab, name):
  """The id of a function in the kernel's BTF."""
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "btf")
    lab.command("pull", lab.name, "/sys/kernel/btf/vmlinux", path)
    with open(path, "rb") as file:
      data = file.read()
  head, types, length, strings = struct.unpack_from("<IIII", data, 4)
  at, number = head + types, 1
  while at < head + types + length:
    offset, info, _ = struct.unpack_from("<III", data, at)
    start = head + strings + offset
    if info >> 24 & 31 == BTF_FUNCTION and data[start:start + len(name) + 1] == name.encode() + b"\0":
      return number
    rest, each = BTF_REST.get(info >> 24 & 31, (0, 0))
    at += 12 + rest + each * (info & 0xffff)
    number += 1
  raise KeyError(name)


# ---- samples ----

def unpack(payload):
  """Records of a SAMPLES_PACKED event: (cpu, tsc, iid, payload)."""
  cpu, _ = struct.unpack_from("<II", payload)
  at, tsc, iid, length, words, out = 8, 0, 0, 0, [0] * 17, []
  while at < len(payload):
    head = payload[at]
    at += 1
    if head & 0x10:
      iid = int.from_bytes(payload[at:at + 4], "little")
      at += 4
    if head & 0x20:
      length = payload[at]
      at += 1
    size = head & 15
    tsc = (tsc + int.from_bytes(payload[at:at + size], "little")) % 2 ** 64
    at += size
    count = (length + 7) // 8
    masks = payload[at:at + (count + 7) // 8]
    at += len(masks)
    for i in range(count):
      if masks[i // 8] >> i % 8 & 1:
        size, skip = payload[at] & 15, payload[at] >> 4
        words[i] ^= int.from_bytes(payload[at + 1:at + 1 + size], "little") << 8 * skip
        at += 1 + size
    out.append((cpu, tsc, iid, struct.pack("<%dQ" % count, *words[:count])[:length]))
  return out


# ---- the client ----

class BpfClient(Client):
  """A session whose hooks go by BPF."""

  def __init__(self, path, ring_bytes=0):
    super().__init__(path, abi())
    self.records = []
    self.must(USE, struct.pack("<IIQ", WAY_BPF, 0, ring_bytes))
    payload = self.must(DRIVER_INFO)
    self.info = {"nr_cpus": struct.unpack_from("<I", payload, 8)[0],
                 "hooks_live": struct.unpack_from("<I", payload, 12)[0],
                 "patches_live": struct.unpack_from("<I", payload, 16)[0],
                 "hooks_max": struct.unpack_from("<I", payload, 20)[0],
                 "ring_bytes": struct.unpack_from("<Q", payload, 56)[0],
                 "tsc_khz": struct.unpack_from("<Q", payload, 64)[0]}

  def request(self, kind, payload=b""):
    self.send(kind, payload)
    out = b""
    while True:
      _, length, event, flags, seq, status, _ = HEAD.unpack(self.read(HEAD.size, 120))
      part = self.read(length)
      if seq == 0 and event == SAMPLES_PACKED:
        self.records += unpack(part)
      if seq != self.seq:
        continue
      out += part
      if not flags:
        return status, out

  def must(self, kind, payload=b""):
    status, answer = self.request(kind, payload)
    expect(status == 0, f"request {kind}: {status} {answer[:400]}")
    return answer

  def reserve(self, patches, hooks):
    """Ids of the patches and of the hooks."""
    answer = self.must(RESERVE, BATCH.pack(patches, hooks, 0, 0, 0, 0) + RESERVE_PATCH.pack(4096, 0, 0) * patches +
                       RESERVE_HOOK.pack(0, 0, 0, 0, 0) * hooks)
    expect(BATCH.unpack_from(answer)[4] == 0, "RESERVE is refused")
    at = BATCH.size
    ids = [RESERVE_PATCH.unpack_from(answer, at + i * RESERVE_PATCH.size)[1] for i in range(patches)]
    at += patches * RESERVE_PATCH.size
    return ids, [RESERVE_HOOK.unpack_from(answer, at + i * RESERVE_HOOK.size)[1] for i in range(hooks)]

  @staticmethod
  def patch(number, site, code, tactic=KPROBE, replaces=0, aux=0):
    return {"id": number, "site": site, "code": code, "tactic": tactic, "replaces": replaces, "aux": aux}

  @staticmethod
  def hook(iid, patch, flags=0, start_ns=0, stop_ns=0):
    return PREPARE_HOOK.pack(iid, patch, 0, flags, start_ns, stop_ns, 0, 0, 0, 0, 0, 0)

  @staticmethod
  def prepare_payload(patches, hooks):
    blob = items = b""
    for patch in patches:
      items += PREPARE_PATCH.pack(patch["id"], patch["tactic"], patch["site"], len(blob), 0, len(patch["code"]), 0, 0,
                                  0, 0, 0, b"", patch["aux"], b"", 0, 0, patch["replaces"])
      blob += patch["code"]
    return BATCH.pack(len(patches), len(hooks), len(blob), 0, 0, 0) + items + b"".join(hooks) + blob

  def prepare(self, patches, hooks):
    """Status, sentence, and the refusals of the items."""
    status, answer = self.request(PREPARE, self.prepare_payload(patches, hooks))
    if status:
      return status, answer.decode(), []
    at, refusals = BATCH.size, []
    for _ in patches:
      refusals.append(PREPARE_PATCH.unpack_from(answer, at)[9])
      at += PREPARE_PATCH.size
    for _ in hooks:
      refusals.append(PREPARE_HOOK.unpack_from(answer, at)[-1])
      at += PREPARE_HOOK.size
    expect(BATCH.unpack_from(answer)[3] == sum(map(bool, refusals)), "failed items are miscounted")
    return 0, "", refusals

  def must_prepare(self, patches, hooks):
    done = self.prepare(patches, hooks)
    expect(done[0] == 0 and not any(done[2]), f"PREPARE: {done}")

  def read_program(self, path, offset, size):
    """The identity of a file, and bytes of it."""
    answer = self.must(USER_READ, struct.pack("<QII", offset, size, 0) + path.encode())
    return answer[:40], answer[40:]

  def bind(self, path, identity, *points):
    """Status, and the refusals of the points: each (patch, offset, length, flags, bytes)."""
    payload = b"".join(USER_POINT.pack(patch, length, offset, flags, 0, 0, 0, old) for patch, offset, length, flags, old in points)
    status, answer = self.request(USER_BIND, identity + struct.pack("<II", len(points), 0) + payload + path.encode())
    return status, [item[5] for item in USER_POINT.iter_unpack(answer)] if status == 0 else answer

  def arm(self):
    """Time zero, the patch that failed and its refusal."""
    tsc, mono, _, _, failed, refusal = struct.unpack("<QQIIII", self.must(ARM))
    expect(tsc == mono, "the two clocks of ARM differ")
    return mono, failed, refusal

  def must_arm(self):
    zero, failed, refusal = self.arm()
    expect(not failed and not refusal, f"patch {failed} is refused: {refusal}")
    return zero

  def disarm(self, what=0, ids=()):
    answer = self.must(DISARM, struct.pack("<IIQII", what, len(ids), 0, 0, 0) + struct.pack(f"<{len(ids)}I", *ids))
    return struct.unpack_from("<II", answer, 16)[0]

  def counters(self, *iids):
    """(count, lost, missed) of each hook, the CPUs summed; and the sums over the answer per CPU agree"""
    ids = struct.pack(f"<{len(iids)}I", *iids)
    sums = list(COUNTER.iter_unpack(self.must(COUNTERS, struct.pack("<I", 0) + ids)))
    expect(len(sums) == len(iids), "COUNTERS has another number of items")
    return sums

  def counters_per_cpu(self, iid):
    return list(COUNTER.iter_unpack(self.must(COUNTERS, struct.pack("<II", 1, iid))))

  def states(self):
    """{patch: (state, refusal, site, armed_ns, restored_ns)}"""
    answer = self.must(STATUS, STATUS_HEAD.pack(0, 0, 0, 0, 0))
    count = STATUS_HEAD.unpack_from(answer)[3]
    items = list(PATCH_STATUS.iter_unpack(answer[STATUS_HEAD.size:]))
    expect(len(items) == count, "STATUS has another number of items")
    return {item[0]: (item[1], item[3], item[4], item[9], item[11]) for item in items}

  def memory(self, *areas):
    """Ids of areas, each given as (bytes, flags)."""
    answer = self.must(MEMORY, b"".join(AREA.pack(size, flags, 0, 0, 0) for size, flags in areas))
    return [item[2] for item in AREA.iter_unpack(answer)]

  def events(self, *keys, flags=0):
    """(cpus, blind, error, refusal) of each counter."""
    answer = self.must(EVENTS, struct.pack("<II", flags, 0) + b"".join(EVENT.pack(key, 7, 7, 7, 7) for key in keys))
    expect([item[0] for item in EVENT.iter_unpack(answer)] == list(keys), "EVENTS answers other keys")
    return [item[1:] for item in EVENT.iter_unpack(answer)]

  def read_word(self, area, cpu=0):
    return struct.unpack("<Q", self.must(MEMORY_READ, READ.pack(area, cpu, 0, 8, 0)))[0]

  def start_samples(self, period_ms, mode=0):
    self.records.clear()
    return self.must(SAMPLES_START, struct.pack("<IIQQ", period_ms, mode, 0, 0))

  def stop_samples(self):
    """Cells produced and sent."""
    return struct.unpack("<QQ", self.must(SAMPLES_STOP))

  def call(self, calls, threads=0, limit_ms=2000):
    """Makes system calls; returns how many were made."""
    made, wrong, _, _, _ = struct.unpack("<QQQII", self.must(CALLS, struct.pack("<IIQII", CALLS_PGID, threads, calls,
                                                                              limit_ms, 0)))
    expect(wrong == 0, f"{wrong} calls went wrong")
    return made

  def samples(self):
    """Number of samples, and how many are missing by the gap records."""
    gaps = [record for record in self.records if record[2] == 0]
    return len(self.records) - len(gaps), sum(struct.unpack_from("<Q", gap[3])[0] for gap in gaps)


@contextlib.contextmanager
def session(path, ring_bytes=0):
  client = BpfClient(path, ring_bytes)
  try:
    yield client
  finally:
    client.socket.close()


def start_of(client, path):
  """Where the first instruction of a program is in its file; its identity, and the bytes from there on."""
  identity, head = client.read_program(path, 0, 4096)
  entry, phoff = struct.unpack_from("<QQ", head, 24)
  for i in range(struct.unpack_from("<H", head, 56)[0]):
    kind, _, offset, address, _, size = struct.unpack_from("<IIQQQQ", head, phoff + 56 * i)
    if kind == 1 and address <= entry < address + size:
      return entry - address + offset, identity, client.read_program(path, entry - address + offset, 64)[1]
  raise LookupError(path)
