#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
notes - what gilk cfg says that operands mean, held against the kernel itself

usage: notes.py LAB

Members against the kernel's BTF, which is read here anew, and not by Gilk's reader; variables and functions
against /proc/kallsyms; texts against the bytes in memory, by /proc/kcore.
"""
import ast
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import expect, lab_of_arguments, main

FUNCTIONS = (
  "vfs_write", "vfs_read", "vfs_getattr_nosec", "filp_close", "vfs_fsync_range", "iterate_dir", "dequeue_signal",
  "vfs_llseek", "vfs_fallocate", "vfs_open", "try_to_wake_up", "sock_recvmsg", "do_sys_openat2", "__schedule",
  "do_exit", "tcp_sendmsg_locked", "get_signal", "panic", "audit_log_exit", "proc_pid_status",
  "__alloc_pages_slowpath.constprop.0")
ARGUMENTS = ("di", "si", "dx", "cx", "r8", "r9")
PAGE = 4096


# ---- types, as Documentation/bpf/btf.rst has them ----

class Btf:
  """Types of the kernel, as far as this test needs them."""

  INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, PROTO, VAR, DATASEC, FLOAT, \
    DECL_TAG, TYPE_TAG, ENUM64 = range(1, 20)
  LINKS = (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG)

  def __init__(self, data):
    head, types, length, strings, _ = struct.unpack_from("<4xIIIII", data)
    self.data = data
    self.strings = head + strings
    self.types = [None]
    at = head + types
    while at < head + types + length:
      name, info, size = struct.unpack_from("<III", data, at)
      kind, count, flag = info >> 24 & 0x7f, info & 0xffff, info >> 31
      self.types.append((kind, name, count, flag, size, at + 12))
      at += 12 + self.rest(kind, count)

  def rest(self, kind, count):
    return {self.INT: 4, self.ARRAY: 12, self.VAR: 4, self.DECL_TAG: 4, self.STRUCT: 12 * count, self.UNION: 12 * count,
            self.ENUM: 8 * count, self.ENUM64: 12 * count, self.PROTO: 8 * count, self.DATASEC: 12 * count}.get(kind, 0)

  def text(self, at):
    at += self.strings
    return self.data[at:self.data.index(0, at)].decode()

  def strip(self, type_id):
    while type_id and self.types[type_id][0] in self.LINKS:
      type_id = self.types[type_id][4]
    return type_id

  def members(self, type_id):
    """(name, type, bit) of each."""
    _, _, count, flag, _, at = self.types[type_id]
    for i in range(count):
      name, member, bit = struct.unpack_from("<III", self.data, at + 12 * i)
      yield self.text(name), member, bit & 0xffffff if flag else bit

  def size(self, type_id):
    kind, _, _, _, size, at = self.types[type_id]
    if kind == self.PTR:
      return 8
    if kind == self.ARRAY:
      element, _, count = struct.unpack_from("<III", self.data, at)
      return self.size(self.strip(element)) * count
    return size

  def member(self, type_id, name):
    """(type, byte) of a member, also of one in what has no name."""
    for own, member, bit in self.members(type_id):
      inner = self.strip(member)
      if own == name:
        return inner, bit // 8
      if not own and inner and self.types[inner][0] in (self.STRUCT, self.UNION):
        found = self.member(inner, name)
        if found:
          return found[0], found[1] + bit // 8
    return None

  def place(self, type_id, path):
    """Byte where "f_path.dentry", "items[2].x" or "flags+2" begins."""
    path, _, plus = path.partition("+")
    at = int(plus or "0", 0)
    for word in re.findall(r"\w+|\[\d+\]", path):
      if word.startswith("["):
        element = self.strip(struct.unpack_from("<I", self.data, self.types[type_id][5])[0])
        type_id, at = element, at + self.size(element) * int(word[1:-1])
        continue
      found = self.member(type_id, word)
      expect(found, f"there is no {word} of {path}")
      type_id, at = found[0], at + found[1]
    return at

  def named(self, kinds, name):
    return [i for i, one in enumerate(self.types) if one and one[0] in kinds and self.text(one[1]) == name]

  def arguments(self, function):
    """The structs that its arguments point to, None of others; of the one prototype that there is."""
    protos = {self.types[i][4] for i in self.named((self.FUNC,), function)}
    if len(protos) != 1:
      return []
    _, _, count, _, _, at = self.types[protos.pop()]
    found = []
    for i in range(count):
      pointer = self.strip(struct.unpack_from("<II", self.data, at + 8 * i)[1])
      target = self.strip(self.types[pointer][4]) if pointer and self.types[pointer][0] == self.PTR else 0
      found.append(target if target and self.types[target][0] in (self.STRUCT, self.UNION) else None)
    return found


# ---- what the lab has ----

class Kernel:
  """What there is to know of the lab's kernel without Gilk, and what Gilk says of some functions."""

  def __init__(self, lab):
    self.lab = lab
    self.symbols = {}
    for address, _, name, _ in lab.kallsyms():
      self.symbols.setdefault(name, set()).add(address)
    self.btf = Btf(self.pull("/sys/kernel/btf/vmlinux"))
    self.functions = {name: lab.gilk("cfg", name) for name in FUNCTIONS if len(self.symbols.get(name, ())) == 1}

  def pull(self, path):
    with tempfile.TemporaryDirectory() as folder:
      there = os.path.join(folder, "file")
      self.lab.command("pull", self.lab.name, path, there)
      with open(there, "rb") as file:
        return file.read()

  def memory(self, start, end):
    """Of one segment of /proc/kcore, whole pages."""
    self.lab.run(f"dd if=/proc/kcore of=/tmp/head bs={PAGE} count=4 2>/dev/null")
    head = self.pull("/tmp/head")
    offset, count = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
    for i in range(count):
      kind, _, place, addr, _, _, length, _ = struct.unpack_from("<IIQQQQQQ", head, offset + 56 * i)
      if kind == 1 and addr <= start and end <= addr + length:
        self.lab.run(f"dd if=/proc/kcore of=/tmp/part bs={PAGE} skip={(place + start - addr) // PAGE} "
                     f"count={(end - start) // PAGE} 2>/dev/null")
        return self.pull("/tmp/part")
    raise LookupError(f"no memory at {start:#x}")

  def instructions(self, function):
    return [insn for block in self.functions[function]["blocks"] for insn in block["instructions"]]

  def notes(self, kind):
    """(function, instruction, note) of all that there are of this kind."""
    return [(function, insn, note) for function in self.functions for insn in self.instructions(function)
            for note in insn.get("notes", []) if note["kind"] == kind]


def kernel_of(lab, known={}):       # pylint: disable=dangerous-default-value
  if lab.name not in known:
    known[lab.name] = Kernel(lab)
  return known[lab.name]


def entry_loads(document):
  """(register, displacement, instruction) of what the entry block takes behind a register, while it is an argument."""
  block = next(b for b in document["blocks"] if b["entry"])
  there = set(ARGUMENTS)
  for insn in block["instructions"]:
    operands = insn["operands"]
    found = re.search(r"(?<![%\w:])(-?0x[0-9a-f]+|-?\d+)?\(%r?(di|si|dx|cx|8|9)\)", operands)
    if found and "%gs:" not in operands and not insn["mnemonic"].startswith("nop"):
      register = found[2] if not found[2].isdigit() else "r" + found[2]
      if register in there:
        yield register, int(found[1] or "0", 0), insn
    if insn["mnemonic"].startswith("call"):
      return
    for register in ARGUMENTS:
      if re.search(rf"(^|,)%[re]?{register}[dwbl]?$", operands) and not re.match("cmp|test|push", insn["mnemonic"]):
        there.discard(register)


# ---- tests ----

def members_at_the_entry_are_those_of_btf(lab):
  kernel = kernel_of(lab)
  checked = 0
  for name, document in kernel.functions.items():
    structs = kernel.btf.arguments(name)
    for register, displacement, insn in entry_loads(document):
      number = ARGUMENTS.index(register)
      owner = structs[number] if number < len(structs) else None
      texts = [note["text"] for note in insn.get("notes", []) if note["kind"] == "member"]
      what = f"{name}: {insn['mnemonic']} {insn['operands']} is {texts}"
      if not owner or displacement < 0:
        expect(not texts, what)
        continue
      if not texts and name != "vfs_write":       # bit fields that share their bytes have no one name
        continue
      expect(len(texts) == 1, what)
      struct_name, _, path = texts[0].partition(".")
      expect(struct_name == (kernel.btf.text(kernel.btf.types[owner][1]) or struct_name), what)
      expect(kernel.btf.place(owner, path) == displacement, what)
      checked += 1
  expect(any(note["text"].startswith("file.") for f, _, note in kernel.notes("member") if f == "vfs_write"),
         "vfs_write() has no member of struct file")
  expect(checked >= 10, f"only {checked} members")
  return f"{checked} members"


def of_symbol(kernel, text, note):
  """Is the address that of the symbol, and as far behind it as the note says?"""
  name, path = re.match(r"([\w.$@]+?)((?:\.\D[\w.\[\]]*)?(?:\+(?:0x[0-9a-f]+|\d+))?|\[\])$", text).groups()
  if text in kernel.symbols:
    name, path = text, ""
  addrs = kernel.symbols.get(name, ())
  address = int(note["address"], 0)
  if path.startswith("."):
    variables = kernel.btf.named((Btf.VAR,), name)
    owner = kernel.btf.strip(kernel.btf.types[variables[0]][4])
    return address - kernel.btf.place(owner, path[1:]) in addrs
  return address - int(path[1:] if path.startswith("+") else "0", 0) in addrs


def members_of_the_current_task_have_names(lab):
  kernel = kernel_of(lab)
  texts = {note["text"] for _, _, note in kernel.notes("member") if note["text"].startswith("task_struct.")}
  owner = kernel.btf.named((Btf.STRUCT,), "task_struct")[0]
  for text in texts:
    kernel.btf.place(owner, text.partition(".")[2])
  expect(len(texts) >= 3, f"only {texts}")
  return f"{len(texts)} members"


def per_cpu_variables_are_those_of_kallsyms(lab):
  kernel = kernel_of(lab)
  notes = kernel.notes("per-cpu")
  for function, insn, note in notes:
    expect("%gs:" in insn["operands"], f"{function}: {insn}")
    expect(of_symbol(kernel, note["text"], note), f"{function}: {insn}")
  names = {re.split(r"[.+]", note["text"])[0] for _, _, note in notes}
  expect(len(names) >= 3, f"only {names}")
  expect(any("current" in note["text"] for _, _, note in notes), f"nothing of the current task in {sorted(names)}")
  without = [f"{f}: {i['operands']}" for f in kernel.functions for i in kernel.instructions(f)
             if re.search(r"%gs:-?0x[0-9a-f]+(\(%rip\))?($|,)", i["operands"]) and "notes" not in i]
  expect(len(without) <= len(notes) // 20, f"without a name: {without[:5]}")
  return f"{len(notes)} notes, {len(names)} variables, {len(without)} without a name"


def data_and_functions_are_those_of_kallsyms(lab):
  kernel = kernel_of(lab)
  notes = kernel.notes("symbol") + kernel.notes("table")
  for function, insn, note in notes:
    expect(of_symbol(kernel, note["text"], note), f"{function}: {insn}")
  expect(len(notes) >= 20, f"only {len(notes)}")
  return f"{len(notes)} notes"


def descriptions_have_no_names(lab):
  """UBSAN's lie between variables: what its handlers are told is no part of one."""
  kernel = kernel_of(lab)
  told = 0
  for function, document in kernel.functions.items():
    for block in document["blocks"]:
      last = None
      for insn in block["instructions"]:
        if insn["operands"].endswith(",%rdi"):
          last = insn
        if insn["operands"].startswith("__ubsan_handle_") and last:
          expect("notes" not in last, f"{function}: {last}")
          told += 1
  return f"{told} descriptions"


def texts_are_those_in_memory(lab):
  kernel = kernel_of(lab)
  start, end = (min(kernel.symbols[name]) for name in ("__start_rodata", "__end_rodata"))
  memory = kernel.memory(start, -(-end // PAGE) * PAGE)
  notes = kernel.notes("string")
  for function, insn, note in notes:
    address, text = int(note["address"], 0), note["text"]
    cut = text.endswith('"...')
    shown = ast.literal_eval(text[:-3] if cut else text).encode("latin-1")
    expect(start <= address < end, f"{function}: {insn}")
    there = memory[address - start:memory.index(0, address - start)]
    expect(there.startswith(shown) if cut else there == shown, f"{function}: {text} is {there}")
  expect(len(notes) >= 20, f"only {len(notes)}")
  return f"{len(notes)} texts"


def members_in_modules_have_names(lab):
  kernel = kernel_of(lab)
  modules = [name for name in lab.run("ls /sys/kernel/btf").split() if name != "vmlinux"]
  for _, kind, name, module in lab.kallsyms():
    if kind in "tT" and re.search("virtqueue_|vring_", name) and module in modules:
      document = lab.gilk("cfg", f"{name} [{module}]", check=False)
      texts = [note["text"] for block in document.get("blocks", []) for insn in block["instructions"]
               for note in insn.get("notes", []) if note["kind"] == "member"]
      if texts:
        return f"{name} [{module}]: {texts[0]}"
  expect(not modules or kernel is None, f"no member in any function of {modules}")
  return "there are no modules with types"


if __name__ == "__main__":
  sys.exit(main([members_at_the_entry_are_those_of_btf, members_of_the_current_task_have_names,
                 per_cpu_variables_are_those_of_kallsyms, data_and_functions_are_those_of_kallsyms,
                 descriptions_have_no_names, texts_are_those_in_memory, members_in_modules_have_names], lab_of_arguments()))
