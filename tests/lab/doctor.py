#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
doctor - what is changed on a live kernel is what gilk doctor tells of it, and its command mends it

Machines that cannot be made of a lab are made of files: tests/golden/doctor.golden.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, expect, lab_of_arguments, main, wait_for

TRACING = "/sys/kernel/tracing"
MODULES = "/lib/modules/$(uname -r)/extra"


def checks(lab):
  done = subprocess.run([GILK, "doctor", "--json", "--target", lab.target], stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL, text=True, timeout=240, check=False)
  doc = json.loads(done.stdout)
  expect((done.returncode == 0) == doc["ready"], f"exit code {done.returncode}, and ready is {doc['ready']}")
  return {check["check"]: check for check in doc["checks"]}


def changed(lab, name, change, state, says, mend):
  """NAME is good or not told; after CHANGE it is in STATE and SAYS this; after MEND it is as before."""
  before = checks(lab).get(name, {}).get("state", "good")
  expect(before == "good", f"{name} is {before} at first")
  lab.run(change)
  try:
    check = checks(lab).get(name)
    expect(check and check["state"] == state, f"{name} is {check}")
    expect(says in check["value"], f"{name} says {check['value']}")
  finally:
    lab.run(mend or check["command"].replace("sudo ", ""))
  after = checks(lab).get(name, {}).get("state", "good")
  expect(after == "good", f"{name} is {after} after it was mended")
  return check


def well(lab):
  found = checks(lab)
  for name in ("kernel", "rights", "symbols", "live-text", "driver", "others", "memory"):
    expect(found[name]["state"] == "good", f"{name} is {found[name]}")


def addresses_are_hidden(lab):
  check = changed(lab, "symbols", "sysctl -w kernel.kptr_restrict=2", "bad", "hidden", None)
  expect("kptr_restrict" in check["command"], f"its command is {check['command']}")
  lab.run("sysctl -w kernel.kptr_restrict=0")


def tracefs_is_not_mounted(lab):
  changed(lab, "ftrace-sites", f"umount {TRACING}; umount /sys/kernel/debug/tracing; umount /sys/kernel/debug; true",
          "warn", "tracefs", f"mount -t debugfs debugfs /sys/kernel/debug; mount -t tracefs tracefs {TRACING}")


def a_kprobe_is_there(lab):
  changed(lab, "others", f"echo 'p:gilk_doctor vfs_read' >>{TRACING}/kprobe_events", "note", "1 kprobe",
          f"echo '-:gilk_doctor' >>{TRACING}/kprobe_events")


def a_function_is_traced(lab):
  changed(lab, "others", f"echo vfs_read >{TRACING}/set_ftrace_filter; echo function >{TRACING}/current_tracer",
          "note", "1 traced function, tracer function",
          f"echo nop >{TRACING}/current_tracer; echo >{TRACING}/set_ftrace_filter")


def the_driver_is_not_there(lab):
  def unloaded():
    lab.run("rmmod $(ls /sys/module/ilk/holders); rmmod ilk", check=False)
    return "ilk " not in lab.run("cat /proc/modules")
  wait_for("ilk unloads", unloaded, 30)
  check = changed(lab, "driver", f"mv {MODULES}/ilk.ko /tmp", "bad", "not built", f"mv /tmp/ilk.ko {MODULES}")
  expect(check["remedy"], "nothing says what mends it")


if __name__ == "__main__":
  sys.exit(main([well, addresses_are_hidden, tracefs_is_not_mounted, a_kprobe_is_there, a_function_is_traced,
                 the_driver_is_not_there], lab_of_arguments()))
