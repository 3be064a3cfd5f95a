#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
storm - half a minute of tests/soak/storm.py, on a lab of its own

usage: storm.py FLAVOUR

Its neighbours make the kernel patch itself all the time, which QEMU before 8.1
does not survive: without the newer one (lab/emulator.sh) it is skipped.
"""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Lab, main
from gilkstorm import storm

SECONDS = 30


def half_a_minute(lab):
  return storm(lab, SECONDS, int(time.time()), hooks=1000)


def run(flavour):
  os.environ["GILK_EMULATOR"] = "backports"
  lab = Lab(f"storm-{flavour}")
  if subprocess.run([Lab.PROGRAM, "emulator"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
    print("ok - storm # skip the newer QEMU cannot be fetched")
    return 0
  lab.boot(flavour)
  try:
    return main([half_a_minute], lab)
  finally:
    lab.stop()


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: storm.py FLAVOUR   (e.g. 6.1)")
  sys.exit(run(sys.argv[1]))
