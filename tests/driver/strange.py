#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
strange - a kernel that calls things by other names is refused by name, and nothing is changed

usage: strange.py FLAVOUR

A kernel cannot be given other names, but the driver can be made to look for others: in a copy of it
one name's last character is another one. That is loaded in a lab of its own; the log must say which name
is missing, and the text must be as before.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import expect
from gilkstorm import on_own_lab

# What the driver calls, reads, and where ways begin that must not trap: one of each kind at least.
NAMES = ["kallsyms_lookup_size_offset", "core_kernel_text", "within_kprobe_blacklist", "jump_label_lock",
         "ftrace_text_reserved", "get_kprobe", "insn_decode", "text_mutex", "kprobe_mutex", "die_chain",
         "__start___ex_table", "__start___bug_table", "__noinstr_text_start", "__entry_text_start", "exc_int3",
         "start_secondary", "__switch_to", "ring_buffer_lock_reserve", "do_exit"]


def other(name):
  return name[:-1] + ("q" if name[-1] != "q" else "z")


def renamed(driver, name):
  """The driver that looks for another name, of the same length."""
  whole, new = b"\0" + name.encode() + b"\0", b"\0" + other(name).encode() + b"\0"
  expect(whole in driver, f"the driver does not look for {name}")
  return driver.replace(whole, new)


def names_are_missed(lab):
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "ilk.ko")
    lab.command("pull", lab.name, f"/lib/modules/{lab.run('uname -r').strip()}/extra/ilk.ko", path)
    with open(path, "rb") as file:
      driver = file.read()
    before = lab.text_sum()
    for name in NAMES:
      with open(path, "wb") as file:
        file.write(renamed(driver, name))
      lab.push(path, "/tmp/strange.ko")
      said = lab.run("dmesg -c >/dev/null; insmod /tmp/strange.ko && echo loaded; dmesg | grep ilk:", check=False)
      expect("loaded" not in said.split("\n"), f"{name}: it was loaded")
      expect("not loaded" in said, f"{name}: not a word: {said}")
      expect(other(name) in said or "tables of static keys" in said, f"{name}: not named: {said}")
      expect(not lab.run("grep -w ^ilk /proc/modules", check=False).strip(), f"{name}: it is still there")
    expect(lab.text_sum() == before, "the text is another one")
  return f"{len(NAMES)} names"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: strange.py FLAVOUR   (6.1, 6.12, ...)")
  sys.exit(on_own_lab("strange", sys.argv[1], [names_are_missed]))
