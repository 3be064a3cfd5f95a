#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
denied - the driver denies all that runs between a trap and its handler

The driver follows the kernel's calls when it is loaded. Here they are followed again, by
objdump, from the trap's entry; and the probes of the trace events met on the way are found
by their names. What is found and not denied, nor in a section that is, fails.
"""
import bisect
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import expect, lab_of_arguments, main

# Never met by a trap in kernel text: the way of user space, and reports of what must not be.
ELSEWHERE = {"irqentry_enter_from_user_mode", "irqentry_exit_to_user_mode", "do_int3_user",
             "do_trap", "die", "panic", "_printk", "__warn_printk", "__stack_chk_fail",
             "dump_kprobe", "__rcu_irq_enter_check_tick",
             # Inlined into exc_int3() for user space from 7.2 on, and what a preemptible place calls.
             "__ct_user_exit", "__ct_user_enter", "exit_to_user_mode_loop", "arch_exit_to_user_mode_prepare",
             "rcu_nocb_flush_deferred_wakeup", "__hrtimer_rearm_deferred", "preempt_schedule_thunk",
             "preempt_schedule_notrace_thunk", "__ubsan_handle_out_of_bounds",
             "__ubsan_handle_shift_out_of_bounds", "__ubsan_handle_load_invalid_value"}
# Met, but left at once in what counts as an NMI.
ENDS = {"rcu_read_unlock_special"}
SECTIONS = ("noinstr_text", "entry_text", "irqentry_text", "indirect_thunk", "static_call_text")


class Kernel:
  """Symbols and live text of a lab's kernel."""

  def __init__(self, lab):
    self.lab = lab
    self.names, self.by_name = {}, {}
    for address, kind, name, module in lab.kallsyms():
      if kind in "tT" and not module:
        self.names.setdefault(address, []).append(name)
        self.by_name.setdefault(name, []).append(address)
    self.starts = sorted(self.names)
    head = self.dump(0, 8192)
    table, = struct.unpack_from("<Q", head, 32)
    count, = struct.unpack_from("<H", head, 56)
    self.segments = [struct.unpack_from("<IIQQQQ", head, table + 56 * i) for i in range(count)]

  def dump(self, offset, length):
    """Bytes of /proc/kcore, as text: the control port may not be clean for binary."""
    text = self.lab.run(f"dd if=/proc/kcore iflag=skip_bytes,count_bytes skip={offset} "
                        f"count={length} bs=4096 2>/dev/null | xxd -p")
    return bytes.fromhex("".join(text.split()))

  def around(self, address):
    """Start and end of the symbol with ADDRESS."""
    i = bisect.bisect_right(self.starts, address)
    return self.starts[i - 1], self.starts[i]

  def calls(self, start):
    """What the function at START calls or jumps to, outside of itself."""
    _, end = self.around(start)
    segment = next(s for s in self.segments if s[0] == 1 and s[3] <= start < s[3] + s[5])
    code = self.dump(segment[2] + start - segment[3], end - start)
    with tempfile.NamedTemporaryFile() as file:
      file.write(code)
      file.flush()
      text = subprocess.run(["objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-w",
                             f"--adjust-vma={start:#x}", "--no-show-raw-insn", file.name],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    targets = {int(t, 16) for t in re.findall(r"\t(?:call|j[a-z]+) +0x([0-9a-f]+)", text)}
    return {t for t in targets if not start <= t < end and t in range(self.starts[0], self.starts[-1])}


def trap_path(kernel):
  """Functions from the trap's entry on, by address, each with who calls it."""
  way, more = {}, [(start, None) for start in kernel.by_name["exc_int3"]]
  while more:
    start, caller = more.pop()
    names = {name.split(".")[0] for name in kernel.names[start]}
    if start in way or names & ELSEWHERE:
      continue
    way[start] = caller
    if names & ENDS:
      continue
    more += [(kernel.around(target)[0], start) for target in kernel.calls(start)]
  return way


def whole_trap_path_is_denied(lab):
  lab.gilk("doctor", "--load")
  kernel = Kernel(lab)
  areas = [(int(a, 16), int(b, 16)) for a, b in
           re.findall(r"0x([0-9a-f]+)-0x([0-9a-f]+)", lab.run("cat /sys/kernel/debug/ilk/denied"))]
  expect(len(areas) > 50, f"the driver denies {len(areas)} functions only")
  for section in SECTIONS:
    ends = [kernel.by_name.get(f"__{section}_{end}") for end in ("start", "end")]
    if all(ends):
      areas.append((ends[0][0], ends[1][0]))
  way = trap_path(kernel)
  expect(len(way) > 8, f"only {len(way)} functions are on the way: is this the entry?")
  for start in list(way):
    event = next((n for n in kernel.names[start] if n.startswith("__traceiter_")), None)
    if event == "__traceiter_notifier_run":
      for probe in ("trace_event_raw_event", "perf_trace", "__bpf_trace"):
        way.update((a, start) for a in kernel.by_name.get(f"{probe}_notifier_info", []))
  missed = [f"{kernel.names[start][0]} (of {kernel.names[caller][0] if caller else 'none'})"
            for start, caller in way.items()
            if not any(a <= start < b for a, b in areas)]
  expect(not missed, f"on the way of a trap, and not denied: {missed}")
  return f"{len(way)} functions on the way, {len(areas)} areas denied"


if __name__ == "__main__":
  sys.exit(main([whole_trap_path_is_denied], lab_of_arguments()))
