#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
storm - hooks armed and taken out for minutes while everybody patches the kernel

usage: storm.py LAB [--minutes N] [--seed N] [--hooks N] [--nmi RATE] [--control]
                [--with KIND,...] [--without KIND,...] [--fair-server off|on|hasty]

--nmi makes so many non-maskable interrupts a second, which run hooked code
(tests/kmod/nmi.c), too; the lab must have been booted with apic_extnmi=all.
--with and --without choose among the neighbours (tests/lab/programs/storm-disturb.sh kinds).
--control leaves out the hooks and the driver, to see what a kernel says by itself.
--fair-server: see README.md about 6.12; "off" in a storm, "on" in a control, by default.
"""
import argparse
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Lab, main
from gilkstorm import control, storm
from gilkweather import all_kinds


def kinds(words):
  wrong = [word for word in words.split(",") if word not in all_kinds()]
  if wrong:
    raise argparse.ArgumentTypeError(f"{wrong[0]} is none of {', '.join(all_kinds())}")
  return words.split(",")


def arguments():
  parser = argparse.ArgumentParser(description="A storm of hooks on one lab.")
  parser.add_argument("lab")
  parser.add_argument("--minutes", type=float, default=10)
  parser.add_argument("--seed", type=int, default=int(time.time()))
  parser.add_argument("--hooks", type=int, default=1200)
  parser.add_argument("--nmi", type=float, default=0)
  parser.add_argument("--with", type=kinds, dest="kinds")
  parser.add_argument("--without", type=kinds, default=[])
  parser.add_argument("--control", action="store_true")
  parser.add_argument("--fair-server", choices=("off", "on", "hasty"))
  return parser.parse_args()


if __name__ == "__main__":
  given = arguments()
  print(f"# seed {given.seed}", flush=True)

  def say(line):
    print(line, flush=True)

  def the_storm(lab):
    return storm(lab, given.minutes * 60, given.seed, say, hooks=given.hooks, nmi=given.nmi,
                 kinds=given.kinds, without=given.without, fair_server=given.fair_server or "off")

  def the_control(lab):
    return control(lab, given.minutes * 60, given.seed, say, nmi=given.nmi, kinds=given.kinds, without=given.without,
                   fair_server=given.fair_server or "on")
  sys.exit(main([the_control if given.control else the_storm], Lab(given.lab)))
