#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: gilk selftest passes on a good target, and finds a fault
"""
selftest - gilk selftest passes where all is well, says so where not, and leaves nothing behind
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, PATIENCE, expect, lab_of_arguments, main, wait_for

CASES = ["driver", "clocks", "text-before", "refusals", "count-splice", "count-bounce", "count-clone",
         "count-trap", "stamp-splice", "task-splice", "together", "agent-killed", "text-after"]
SECONDS = 120


class Selftest:
  """One in the background, with its report."""

  def __init__(self, lab, *args):
    self.folder = tempfile.TemporaryDirectory()
    self.path = os.path.join(self.folder.name, "report.json")
    self.begun = time.monotonic()
    self.process = subprocess.Popen([GILK, "selftest", "-q", "--target", lab.target, "-o", self.path, *args],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

  def wait(self):
    self.output = self.process.communicate(timeout=SECONDS * PATIENCE)[0]
    self.seconds = time.monotonic() - self.begun
    with open(self.path, encoding="utf-8") as file:
      self.text = file.read()
    self.report = json.loads(self.text)
    self.cases = {case["case"]: case for case in self.report["cases"]}
    return self.process.returncode


def unload(lab):
  def unloaded():
    lab.run("rmmod $(ls /sys/module/ilk/holders); rmmod ilk", check=False)
    return "ilk " not in lab.run("cat /proc/modules")
  wait_for("ilk unloads", unloaded, 30)


def passes(lab):
  unload(lab)
  test = Selftest(lab)
  expect(test.wait() == 0, f"exit code {test.process.returncode}: {test.output}")
  expect(test.report["passed"] is True and test.report["failed"] == 0, "the report does not say that it passed")
  for name in CASES:
    expect(test.cases.get(name, {}).get("verdict") == "ok", f"{name}: {test.cases.get(name)}")
  expect(test.seconds < SECONDS, f"it took {test.seconds:.0f} s")
  costs = " ".join(f"{name} {test.cases[name]['cost_ns']:.1f}"
                   for name in CASES if "cost_ns" in test.cases[name])
  return f"{test.seconds:.0f} s; ns a hit: {costs}"


def leaves_nothing(lab):
  expect("ilk" not in lab.run("cat /proc/modules"), "the driver stayed, though it was not loaded before")
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  lab.run("hostname very-private-name")
  try:
    test = Selftest(lab, "--brief")
    expect(test.wait() == 0, f"exit code {test.process.returncode}: {test.output}")
  finally:
    lab.run("hostname lab")
  expect("ilk " in lab.run("cat /proc/modules"), "the driver is gone, though it was loaded before")
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after a self-test")
  names_no_other_patcher(test)


def names_no_other_patcher(test):
  expect("very-private" not in test.text, "the host's name is in the report")
  expect(not re.search(r"/home/|/root/|BOOT_IMAGE|root=", test.text), "paths or the command line are in the report")
  for name in ("cpu_model", "microcode", "cpu_flags", "memory_total", "taint", "cmdline"):
    expect(name in test.report["facts"], f"the report does not tell {name}")


def replace_agent(lab, path):
  """Agents are started again where they end."""
  lab.push(path, "/tmp/gilkd")
  lab.run("p=$(command -v gilkd); rm $p; cp /tmp/gilkd $p; chmod 755 $p; killall -9 gilkd || true")


def missed_calls_are_found(lab):
  replace_agent(lab, os.path.join(BUILD, "tests", "lab", "programs", "gilkd-miscounts"))
  try:
    test = Selftest(lab, "--brief")
    code = test.wait()
  finally:
    replace_agent(lab, os.path.join(BUILD, "agent", "gilkd"))
  expect(code == 1, f"exit code {code}: {test.output}")
  for name in ("count-splice", "count-clone", "count-trap", "stamp-splice", "together"):
    case = test.cases[name]
    expect(case["verdict"] == "failed" and 0 < case["calls"] - case["hits"] / (3 if name == "together" else 1)
           < case["calls"] / 500, f"{name} says {case}")
  expect(test.cases["text-after"]["verdict"] == "ok", "text is not as before")
  expect(test.report["passed"] is False, "the report says that it passed")


def others_that_call_are_no_failure(lab):
  pid = lab.background("while true; do calls -o getpgid -t 1 -n 1000000 >/dev/null; done")
  try:
    test = Selftest(lab, "--brief")
    code = test.wait()
  finally:
    lab.run(f"kill {pid}; kill $(pidof calls)", check=False)
  expect(code == 0, f"exit code {code}: {test.output}")
  bounce = test.cases["count-bounce"]
  expect(bounce["verdict"] in ("ok", "skipped"), f"it says: {bounce}")
  expect("getpgid" not in bounce["message"] or "Other programs call" in bounce["message"],
         f"it was counted where another program calls: {bounce}")


def disarming_by_another_is_reported(lab):
  test = Selftest(lab)
  wait_for("a hook is armed", lambda: [p for p in lab.hooks() if p["state"] == "armed"])
  lab.gilk("disarm")
  expect(test.wait() > 0, f"success though its hooks were taken out: {test.output}")
  expect("disarmed" in test.report["stopped"], f"the report does not tell: {test.report['stopped']}")
  lab.wait_clean()


def cancelled(lab):
  test = Selftest(lab)
  wait_for("a hook is armed", lambda: [p for p in lab.hooks() if p["state"] == "armed"])
  test.process.send_signal(signal.SIGINT)
  begun = time.monotonic()
  code = test.wait()
  expect(code == 130, f"exit code {code}: {test.output}")
  expect(time.monotonic() - begun < 15 * PATIENCE, "it went on for long")
  expect(test.report["passed"] is False, "the report says that it passed")
  lab.wait_clean()


if __name__ == "__main__":
  sys.exit(main([passes, leaves_nothing, missed_calls_are_found, others_that_call_are_no_failure,
                 disarming_by_another_is_reported, cancelled],
                lab_of_arguments()))
