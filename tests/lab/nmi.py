#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Any context: hooks that NMIs hit count, take samples and are in stack traces
"""
nmi - hooks hit by non-maskable interrupts: counts, samples, stacks through patches

usage: nmi.py FLAVOUR

QEMU makes the interrupts. The handler of each calls a hooked function, on traps first
and then on jumps, and looks through the stack of what it interrupted; a load keeps
both CPUs in other patches meanwhile, which must count exactly, too.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, wait_for
from gilknmi import FUNCTION, Nmis
from gilkstorm import on_own_lab
from gilkweather import complaints, log_end

NUMBER = 3000       # interrupts
CALLS = 10000       # of the witness at a time

# On the way of a call of the witness: a jump, a trap, a bounce; a sample of each kind.
WITNESS = "__x64_sys_fsync"
BUSY = [f"{WITNESS}@entry:pre:count", f"{WITNESS}@entry:pre:stamp", f"{WITNESS}@entry:pre:task",
        "do_getpgid@entry:post:count:bounce", "__x64_sys_getpgid@entry:pre:count:trap"]
MARKED = [f"{FUNCTION}@entry:pre:{instrument}" for instrument in ("count", "stamp", "task")]


def make_calls(lab):
  lab.run(f"calls -o fsync -t 2 -n {CALLS} && calls -o getpgid -t 2 -n {CALLS}")
  return CALLS


def judge(report, calls, nmi_calls):
  for hook in report["hooks"]:
    expected = nmi_calls if hook["function"] == FUNCTION else calls
    name = f"{hook['function']} {hook['instrument']} by {hook['tactic']}"
    expect(hook["hits"] == expected, f"{name}: {expected} calls, {hook['hits']} hits")
    if hook["instrument"] != "count":
      expect(hook["stored"] + hook["lost"] + hook["missed"] == expected,
             f"{name}: {expected} calls, {hook['stored']} stored, {hook['lost']} lost, "
             f"{hook['missed']} missed")


def hooks_in_interrupts_that_nothing_masks(lab):
  log = log_end(lab)
  lab.gilk("doctor", "--load")
  calls = 0
  with tempfile.TemporaryDirectory() as folder, Nmis(lab, 1000) as nmis:
    before = lab.text_sum()
    nmis.hold_stacks_of("ilk")
    words = [word for hook in BUSY + MARKED for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "nmi.gilk"), *words, "--for", "10m")
    try:
      wait_for("hooks in text", lambda: [p for p in lab.hooks() if p["state"] in ("trapped", "armed")], 120)
      nmis.open()
      while nmis.read("seen") - nmis.seen_before < NUMBER or calls < 3 * CALLS:
        nmis.hold()
        calls += make_calls(lab)
      lab.wait_armed(len({hook.rsplit(":", 1)[0] for hook in MARKED}), 120)
      calls += make_calls(lab)
      nmi_calls = nmis.shut()
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
    finally:
      if run.process.poll() is None:
        run.kill()
    lab.wait_clean()
    wait_for("text is as before", lambda: lab.text_sum() == before, 30)
    nmis.hold()
    judge(run.report(), calls, nmi_calls)
    figure = nmis.figure()
    expect(nmi_calls > 0 and nmis.read("inside") > 0, f"nothing was interrupted: {figure}")
  said = complaints(lab, log)
  expect(not said, f"the kernel said: {said[:3]}")
  return f"{figure}; {nmi_calls} hits of each mark, {calls} of each witness"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: nmi.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("nmi", sys.argv[1], [hooks_in_interrupts_that_nothing_masks],
                      "--append", "apic_extnmi=all"))
