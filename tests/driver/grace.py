#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: int3 first: hooks work as traps while a busy thread delays the grace period
"""
grace - a kernel thread that is busy for long: hooks work, nobody is called hung

A thread that does nothing but cond_resched() holds up RCU-tasks for as long as it
runs, here longer than khungtaskd lets anybody wait. Hooks come and go meanwhile.
"""
import os
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, folder_of, lab_of_arguments, main
from gilkweather import log_end

MODULE = "/lib/modules/$(uname -r)/extra/gilk_busy.ko"
SPIN = "/sys/module/gilk_busy/parameters/spin"
TRACING = "/sys/kernel/tracing/"
EVENTS = TRACING + "kprobe_events"
LATE = TRACING + "events/late/late/enable"
HUNG = "/proc/sys/kernel/hung_task_"
CALLS = 1000
SECONDS = 15                # a report comes after 5 s, and no later than 5 more


def log_since(lab, mark):
  with open(os.path.join(folder_of(lab), "console.log"), "rb") as file:
    file.seek(mark)
    return file.read().decode("utf-8", "replace")


def busy_thread_blocks_no_client(lab):
  lab.gilk("doctor", "--load")
  lab.wait_clean()
  timeout = lab.run(f"cat {HUNG}timeout_secs").strip()
  lab.run(f"insmod {MODULE} 2>/dev/null; echo 1 >{SPIN}; echo 9 >{HUNG}warnings; "
          f"echo 5 >{HUNG}timeout_secs")
  mark = log_end(lab)
  before = lab.text_sum()     # with the busy module's
  try:
    with tempfile.TemporaryDirectory() as folder:
      run = Run(lab, os.path.join(folder, "busy.gilk"), "--hook", "__x64_sys_fsync@entry:pre:count",
                "--for", "10m")
      lab.wait_traps(seconds=300)
      lab.run(f"calls -o fsync -t 2 -n {CALLS}")
      states = {p["state"] for p in lab.hooks()}
      expect(states == {"trapped"}, f"with a thread that may stand in the footprint: {states}")
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hits = run.report()["hooks"][0]["hits"]
      expect(hits == CALLS, f"{CALLS} calls, {hits} counted")
    expect(lab.text_sum() == before, "text differs, though restored text waits for nobody")
    refused = lab.run(f"usleep {SECONDS * 1000000}; rmmod ilk 2>&1; cat /proc/modules", check=False)
    expect("\nilk " in "\n" + refused, "the driver went away while a grace period was on")
    said = log_since(lab, mark)
    expect("blocked for more than" not in said, f"khungtaskd: {said[-600:]}")
  finally:
    lab.run(f"echo {timeout} >{HUNG}timeout_secs; echo 0 >{SPIN}; rmmod gilk_busy")
  lab.wait_clean()
  return f"{CALLS} hits, {SECONDS} s"


def optimised_kprobe(lab):
  """A kprobe event, disabled, of which the kernel has made a jump once."""
  for offset in (9, 5):
    done = lab.run(f"echo 'p:late/late __x64_sys_umask+{offset}' >{EVENTS} && echo 1 >{LATE} && "
                   "usleep 2000000; grep umask /sys/kernel/debug/kprobes/list; "
                   f"echo 0 >{LATE}", check=False)
    if "[OPTIMIZED]" in done:
      return
    lab.run(f"echo -:late/late >{EVENTS}", check=False)
  expect(False, f"no kprobe is optimised here: {done}")


def kprobe_optimiser_blocks_no_client(lab):
  """It keeps the lock of kprobes while it waits for the busy thread."""
  timeout = lab.run(f"cat {HUNG}timeout_secs").strip()
  optimised_kprobe(lab)
  lab.run(f"insmod {MODULE} 2>/dev/null; echo 9 >{HUNG}warnings; "
          f"echo 5 >{HUNG}timeout_secs")
  mark = log_end(lab)
  try:
    with tempfile.TemporaryDirectory() as folder:
      run = Run(lab, os.path.join(folder, "late.gilk"), "--hook", "__x64_sys_fsync@entry:pre:count",
                "--for", "10m")
      lab.wait_traps()
      lab.run(f"echo 1 >{SPIN}; echo 1 >{LATE}; usleep 1000000")
      run.process.send_signal(signal.SIGINT)
      held = lab.run(f"usleep {SECONDS * 1000000}; cat /proc/[0-9]*/stack", check=False)
      expect("kprobe_optimizer" in held, "the optimiser does not wait")
      expect("ilk_kernel_text_lock" in held, "the undo does not wait for it")
      hung = [line for line in log_since(lab, mark).splitlines() if "INFO: task gilkd" in line]
      expect(not hung, f"khungtaskd: {hung}")
      lab.run(f"echo 0 >{SPIN}")
      expect(run.wait() == 0, f"gilk run failed: {run.output}")
  finally:
    lab.run(f"echo 0 >{SPIN}; echo {timeout} >{HUNG}timeout_secs; echo 0 >{LATE}; "
            f"echo -:late/late >{EVENTS}; rmmod gilk_busy", check=False)
  lab.wait_clean()
  return f"{SECONDS} s"


if __name__ == "__main__":
  sys.exit(main([busy_thread_blocks_no_client, kprobe_optimiser_blocks_no_client],
                lab_of_arguments()))
