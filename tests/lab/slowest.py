#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
slowest LAB - plans of the slowest hundredth of a function's calls: they run, and the share that is printed is what was counted

A plan by "gilk plan new FUNCTION --paths" is never refused by "gilk run": blocks that cannot be hooked are left out of it, which
is said. Of all functions: slowest.py LAB all.
"""
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PATIENCE, ROOT, Lab, expect, main

FUNCTIONS = ["vfs_read", "__schedule", "handle_mm_fault", "filemap_read", "do_exit"]
MORE = ["vfs_write", "do_sys_openat2", "tcp_sendmsg", "tcp_recvmsg", "pipe_read", "pipe_write", "do_filp_open", "vfs_open", "ksys_read",
        "do_fault", "wake_up_process", "try_to_wake_up", "schedule", "mutex_lock", "vfs_fsync_range", "submit_bio",
        "generic_file_read_iter", "security_file_open", "copy_process", "vfs_fstat"]
LOAD = "while :; do dd if=/dev/zero bs=100 count=200 2>/dev/null | cat >/dev/null; done"


def gilk(lab, *args):
  done = subprocess.run([GILK, *args, "--target", lab.target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                        timeout=200 * PATIENCE, check=False)
  expect(done.returncode == 0, f"gilk {' '.join(args)}: exit {done.returncode}: {done.stderr[-400:]}")
  return done


def plan_of(lab, name, folder):
  """(path, what was left out) of a plan of the function's paths."""
  path = os.path.join(folder, f"{name}.plan")
  done = gilk(lab, "plan", "new", name, "--paths")
  with open(path, "w", encoding="utf-8") as file:
    file.write(done.stdout)
  return path, re.findall(r"^Left out: (\S+), Cannot hook ", done.stderr, re.M)


def kept(session, *names):
  """Sum of all that is kept by each name."""
  with sqlite3.connect(session) as db:
    return [db.execute("SELECT coalesce(sum(v.value), 0) FROM map m JOIN map_value v ON v.map = m.id WHERE m.name = ?",
                       (name,)).fetchone()[0] for name in names]


def is_for_the_driver_alone(lab, name):
  """Whether hooks are BPF programs here, and the function can have none: a plan of it is refused by that reason."""
  done = subprocess.run([GILK, "plan", "new", name, "--paths", "--target", lab.target], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        text=True, timeout=200 * PATIENCE, check=False)
  return done.returncode == 5 and "ftrace cannot trace this one" in done.stderr and not done.stdout


def plans_are_not_refused(lab, names):
  out = 0
  if "kCFI" in gilk(lab, "cfg", "vfs_read").stderr:
    names = [name for name in names if not is_for_the_driver_alone(lab, name)]
    expect("vfs_read" in names and "__schedule" not in names, f"plans of {names}")
  with tempfile.TemporaryDirectory() as folder:
    for name in names:
      path, left = plan_of(lab, name, folder)
      session = os.path.join(folder, f"{name}.gilk")
      gilk(lab, "run", path, "--for", "1s", "-o", session)
      with open(path, encoding="utf-8") as file:
        hooks = re.findall(r"^\[hook (.*)\]$", file.read(), re.M)
      expect(hooks and not set(hooks) & set(left), f"{name}: hooks {hooks}, left out {left}")
      out += len(left)
  lab.wait_clean()
  return f"{len(names)} plans, {out} blocks left out"


def five_plans_are_not_refused(lab):
  return plans_are_not_refused(lab, FUNCTIONS + (MORE if sys.argv[2:] == ["all"] else []))


def path_shares_match_the_counts(lab):
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "paths.gilk")
    gilk(lab, "run", plan_of(lab, "vfs_write", folder)[0], "--for", "3s", "-o", session)
    slow, fast, learned = kept(session, "slow", "fast", "learned")
    paths = lab.gilk("report", session, "--paths")["paths"]
    printed = re.search(r"^(\S+) % of these calls were slow", gilk(lab, "report", session, "--paths").stdout, re.M)
  expect(learned == paths["learned_calls"] == 100, f"learned from {learned}, said {paths['learned_calls']}")
  expect(slow + fast > 0, "no call was counted")
  expect((paths["slow_calls"], paths["fast_calls"]) == (slow, fast), f"{paths['slow_calls']} and {paths['fast_calls']}, not {slow} and {fast}")
  expect(printed and float(printed[1]) == float(f"{100 * slow / (slow + fast):.2g}"), f"printed {printed and printed[1]} of {slow} and {fast}")
  return f"{slow} of {slow + fast} calls, {printed[1]} %"


def tail_shares_match_the_counts(lab):
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "tail.gilk")
    gilk(lab, "run", os.path.join(ROOT, "data", "recipes", "tail.plan"), "--for", "3s", "-o", session)
    slow, calls, took = kept(session, "slow_calls", "calls", "took")
    report = gilk(lab, "report", session).stdout
    printed = re.search(r"^slow_calls +counter +(\S+), (\S+) % of calls", report, re.M)
    picture = os.path.join(folder, "took.svg")
    gilk(lab, "plot", session, "--map", "took", "--svg", picture)
    with open(picture, encoding="utf-8") as file:
      drawn = file.read()
  expect("Hits of begin, switch, tick, end are not counted" in report, f"no reason for hits that are not known: {report[:600]}")
  expect(re.search(r"^end, took: [\d,]+ values in ns$", report, re.M), "the unit of what took() keeps is not shown")
  expect(drawn.count("<") > 20, "nothing is drawn")
  expect(calls > 0 and took == calls + 100, f"{calls} calls, {took} took a time")
  expect(printed and int(printed[1].replace(",", "")) == slow, f"printed {printed and printed[0]}, counted {slow}")
  expect(float(printed[2]) == float(f"{100 * slow / calls:.2g}"), f"printed {printed[2]} % of {slow} of {calls}")
  return f"{slow} of {calls} calls, {printed[2]} %"


if __name__ == "__main__":
  if len(sys.argv) < 2:
    sys.exit("usage: slowest.py LAB [all]   (a lab that is up, e.g. 6.12)")
  here = Lab(sys.argv[1])
  load = here.background(LOAD)
  try:
    code = main([five_plans_are_not_refused, path_shares_match_the_counts, tail_shares_match_the_counts], here)
  finally:
    here.run(f"kill {load}; true")
  sys.exit(code)
