#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
ioctls - hostile clients of the driver: tests/driver/ilk-fuzz.c at length

usage: ioctls.py LAB [--sequences N] [--seed N]
"""
import argparse
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, Lab, expect, main
from gilkweather import be_patient, complaints, log_end


def arguments():
  parser = argparse.ArgumentParser(description="Hostile clients of the driver on one lab.")
  parser.add_argument("lab")
  parser.add_argument("--sequences", type=int, default=1000000)
  parser.add_argument("--seed", type=int, default=int(time.time()))
  return parser.parse_args()


def hostile_clients(lab):
  log = log_end(lab)
  lab.push(os.path.join(BUILD, "tests", "driver", "ilk-fuzz"), "/tmp/ilk-fuzz")
  be_patient(lab)
  command = f"/tmp/ilk-fuzz /lib/modules/$(uname -r)/extra {given.sequences} {given.seed}"
  failed, sequences = [], ""
  with subprocess.Popen([Lab.PROGRAM, "exec", lab.name, "-t", "86400", "--", command],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
    for line in process.stdout:
      if line.startswith("#"):
        print(line, end="", flush=True)
      if " sequences" in line:
        sequences = line[2:].strip()
      if line.startswith(("not ok", "Bail out")):
        failed.append(line.strip())
  expect(process.returncode == 0 and not failed, f"exit code {process.returncode}: {failed}")
  said = complaints(lab, log)
  expect(not said, f"the kernel said: {said[:4]}")
  return f"seed {given.seed}, {sequences}, 0 reports"


if __name__ == "__main__":
  given = arguments()
  sys.exit(main([hostile_clients], Lab(given.lab)))
