# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilknmi - a lab whose non-maskable interrupts run hooked code (tests/kmod/nmi.c)

The CPUs send them to one another. Those from outside, which the emulator makes, are fewer, but hit
a CPU whatever the others do; for them the lab must have been booted with apic_extnmi=all.
"""
import time

from gilklab import Failure, expect
from gilkqmp import Interrupts

FUNCTION = "gilk_nmi_target"
PARAMETERS = "/sys/module/gilk_nmi/parameters"


# So many a second come from outside at most.
OUTSIDE = 50


class Nmis(Interrupts):
  """While the block runs, interrupts come, RATE a second to each CPU, and open() lets them run FUNCTION."""

  def __init__(self, lab, rate):
    super().__init__(lab, min(rate, OUTSIDE))
    self.beats = max(0, int(rate) - OUTSIDE)
    if not lab.run(f"ls -d {PARAMETERS}", check=False).startswith(PARAMETERS + "\n"):
      lab.run("insmod /lib/modules/$(uname -r)/extra/gilk_nmi.ko")
    self.seen_before = self.read("seen")
    self.write("trap", f"{lab.symbol('asm_exc_int3'):#x}")

  def start(self):
    super().start()
    self.write("hz", self.beats)

  def stop(self):
    super().stop()
    self.lab.run(f"echo 0 >{PARAMETERS}/hz", check=False, timeout=20)

  def read(self, name):
    return int(self.lab.run(f"cat {PARAMETERS}/{name}"))

  def trail(self):
    """Where the last broken stack was interrupted, and from where it was called."""
    words = self.lab.run(f"cat {PARAMETERS}/broken_at").strip().split(",")
    return " from ".join(f"{int(word):#x}" for word in words if int(word))

  def strays(self):
    """Where int3 instructions stood that no unwinder could get back to."""
    words = self.lab.run(f"cat {PARAMETERS}/strays").strip().split(",")
    return [int(word) for word in words if int(word)]

  def write(self, name, value):
    self.lab.run(f"echo {value} >{PARAMETERS}/{name}")

  def hold_stacks_of(self, module):
    """From now on every stack of code of MODULE must be whole."""
    words = self.lab.run(f"grep '^{module} ' /proc/modules").split()
    begin, size = int(words[5], 16), int(words[1])
    self.write("high", 0)       # nothing, until both are set
    self.write("low", begin)
    self.write("high", begin + size)

  def open(self):
    self.before = self.read("calls")
    self.write("open", 1)

  def shut(self):
    """Returns how often FUNCTION was called since open()."""
    self.write("open", 0)
    return self.read("calls") - self.before

  def hold(self):
    """Fails if a stack was broken or interrupts have ended."""
    self.check()
    broken = self.read("broken")
    expect(not broken, f"{broken} broken stacks, one at {self.trail()}")

  def figure(self):
    seen = self.read("seen") - self.seen_before
    return (f"{seen} NMIs, {seen / (time.monotonic() - self.since):.0f} a second, "
            f"{self.read('inside')} in patches or the driver, {self.read('foreign')} stacks that the kernel "
            f"broke farther down, {len(self.strays())} traps of others astray")

  def wait_for(self, number, seconds):
    """Until so many were seen."""
    end = time.monotonic() + seconds
    while self.read("seen") - self.seen_before < number:
      self.check()
      if time.monotonic() > end:
        raise Failure(f"not {number} NMIs within {seconds} s: {self.figure()}")
      time.sleep(0.2)
