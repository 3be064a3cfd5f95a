#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
stacks - does a bare kernel say "stack going in the wrong direction? at return_to_handler"?

usage: stacks.py LAB

Storms let that line pass (README.md, "Stacks"). Here is nothing of ours but a handler of NMIs that looks at
the stack: a function is traced, gdb holds the CPU at the one instruction between the call and the changed
return address, and a single NMI comes there.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Lab, expect, folder_of, main, wait_for
from gilkqmp import Monitor
from gilkweather import TURNED, log_end

TRACED = "do_nanosleep"
CALL_RET = re.compile(rb"\xe8\x01\x00\x00\x00\xcc\x48\x89\x3c\x24\xc3")     # call 1f; int3; 1: mov %rdi, (%rsp); ret


def gdb(lab, *commands):
  words = ["gdb", "-q", "-batch", "-ex", "set architecture i386:x86-64",
           "-ex", f"target remote {folder_of(lab)}/gdb.sock"]
  for command in commands:
    words += ["-ex", command]
  done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, timeout=120)
  return done.stdout


def changed_return(lab):
  """Where the changed return address is about to be stored."""
  start = lab.symbol("return_to_handler")
  said = gdb(lab, f"x/96xb {start:#x}")
  code = bytes(int(byte, 16) for byte in re.findall(r"\t0x([0-9a-f]{2})\b", said))
  found = CALL_RET.search(code)
  expect(found, f"return_to_handler() goes back in another way: {code.hex()}")
  return start + found.start() + 6


def interrupt_once(lab):
  """A single NMI where a traced function goes back."""
  lab.run(f"insmod /lib/modules/$(uname -r)/extra/gilk_nmi.ko; cd /sys/kernel/tracing && echo {TRACED} "
          ">set_ftrace_filter && echo function_graph >current_tracer")
  load = lab.background("while :; do usleep 50000; done")
  inject = f"shell {sys.executable} {os.path.abspath(__file__)} --inject {lab.name}"
  said = gdb(lab, f"hbreak *{changed_return(lab):#x}", "continue", inject, "delete", "detach")
  lab.run(f"kill {load}; echo nop >/sys/kernel/tracing/current_tracer")
  return said


def unpatched_kernel_warns_too(lab):
  since = log_end(lab)
  said = interrupt_once(lab)
  wait_for("the NMI", lambda: lab.run("cat /sys/module/gilk_nmi/parameters/seen").strip() != "0")
  expect("ilk " not in lab.run("cat /proc/modules"), "the driver is loaded")
  with open(os.path.join(folder_of(lab), "console.log"), "rb") as file:
    file.seek(since)
    told = file.read().decode("utf-8", "replace")
  expect(TURNED.search(told), f"the kernel did not say it; it said: {told.strip()[-300:]!r}; gdb: {said[-300:]!r}")


if __name__ == "__main__":
  if sys.argv[1] == "--inject":
    Monitor(Lab(sys.argv[2])).command("inject-nmi")
  else:
    sys.exit(main([unpatched_kernel_warns_too], Lab(sys.argv[1])))
