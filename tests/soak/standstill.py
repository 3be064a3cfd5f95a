#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
standstill - a lab that stands still in its boot is noticed, kept on record and booted once more

usage: standstill.py FLAVOUR

The machine is held by QEMU's monitor as soon as it has one.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Failure, Lab, expect, folder_of, main, wait_for
from gilkqmp import Monitor


def hold(lab):
  """The machine stands. The lab looks at its registers as the monitor's next client."""
  def tried():
    try:
      return Monitor(lab)
    except (OSError, Failure):
      return None

  monitor = wait_for("QEMU's monitor", tried)
  monitor.command("stop")
  monitor.answers.close()     # keeps it open, too
  monitor.socket.close()


def hung_boot_is_recorded_and_retried(lab):
  command = [Lab.PROGRAM, "boot", sys.argv[1], "--name", lab.name, "--accel", "tcg"]
  with subprocess.Popen(command, text=True, stderr=subprocess.PIPE) as boot:
    hold(lab)
    said = boot.communicate(timeout=600)[1]
  expect(boot.returncode == 0, f"the second boot failed: {said[-500:]}")
  expect(f"{lab.name} stands still in its boot" in said, f"nothing was said of it: {said[-500:]}")
  with open(os.path.join(folder_of(lab), "stood.log"), encoding="utf-8", errors="replace") as log:
    expect("RIP=" in log.read(), "no registers were kept")


if __name__ == "__main__":
  HELD = Lab(f"standstill-{sys.argv[1]}")
  try:
    sys.exit(main([hung_boot_is_recorded_and_retried], HELD))
  finally:
    subprocess.run([Lab.PROGRAM, "stop", HELD.name], capture_output=True, check=False)
