#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: All or nothing: bad input on a live kernel is one clear error, and no hook stays behind
"""
refused - bad input on a live kernel: one clear sentence, nothing half-armed

Each case must fail with an exit code and a message that names the cause, and
must leave no hook behind.
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Run, expect, lab_of_arguments, main, wait_for

STALE = """[gilk-plan]
version=1

[hook stale]
function=vfs_read
block=+0x0
where=post
fingerprint=0123456789abcdef
instrument=count
"""


def refuse(lab, words, *args):
  """gilk ARGS must fail and say all of WORDS; returns what it said."""
  done = subprocess.run([GILK, args[0], "--target", lab.target, *args[1:]],
                        capture_output=True, text=True, timeout=120, check=False)
  said = done.stderr + done.stdout
  expect(done.returncode != 0, f"gilk {' '.join(args)} succeeded: {said}")
  expect(done.returncode > 0, f"gilk {' '.join(args)} died of signal {-done.returncode}")
  for word in words:
    expect(word in said, f"gilk {' '.join(args)} does not say \"{word}\": {said}")
  left = [p for p in lab.hooks() if p["state"] in ("trapped", "armed")]
  expect(not left, f"{len(left)} hooks are left armed")
  return said


def run_hook(lab, words, hook):
  with tempfile.TemporaryDirectory() as folder:
    return refuse(lab, words, "run", "--hook", hook, "--for", "1s",
                  "-o", os.path.join(folder, "s.gilk"))


def unknown_function(lab):
  run_hook(lab, ["vfs_raed", "vfs_read"], "vfs_raed@entry:pre:count")


def block_not_at_a_boundary(lab):
  run_hook(lab, ["vfs_read", "+0x1"], "vfs_read+0x1:pre:count")


def noinstr_function(lab):
  run_hook(lab, ["do_syscall_64"], "do_syscall_64@entry:pre:count")


def unknown_instrument(lab):
  run_hook(lab, ["no-such-thing"], "vfs_read@entry:pre:no-such-thing")


def stale_plan(lab):
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "stale.plan")
    with open(plan, "w", encoding="utf-8") as out:
      out.write(STALE)
    refuse(lab, ["vfs_read", "stale"], "run", plan, "--for", "1s",
           "-o", os.path.join(folder, "s.gilk"))


def all_or_nothing(lab):
  with tempfile.TemporaryDirectory() as folder:
    refuse(lab, ["do_syscall_64"], "run", "--hook", "vfs_read@entry:pre:count",
           "--hook", "do_syscall_64@entry:pre:count", "--for", "1s",
           "-o", os.path.join(folder, "s.gilk"))


def hook_of_another_client(lab):
  with tempfile.TemporaryDirectory() as folder:
    first = Run(lab, os.path.join(folder, "a.gilk"), "--hook", "__x64_sys_fsync@entry:pre:count",
                "--for", "10m")
    try:
      lab.wait_armed()
      done = subprocess.run([GILK, "run", "--target", lab.target, "--hook",
                             "__x64_sys_fsync@entry:pre:count", "--for", "1s",
                             "-o", os.path.join(folder, "b.gilk")],
                            capture_output=True, text=True, timeout=120, check=False)
      expect(done.returncode > 0, f"the same bytes were hooked twice: {done.stdout}{done.stderr}")
      lab.run("calls -o fsync -t 2 -n 1000")
    finally:
      code = first.stop()
    expect(code == 0, f"the first run failed: {first.output}")
    hits = first.report()["hooks"][0]["hits"]
    expect(hits == 1000, f"the first run counted {hits}, not 1000")


def readable_elsewhere(folder):
  """A session that could not be closed is two files: the database and its journal."""
  with tempfile.TemporaryDirectory() as roomy:
    for name in os.listdir(folder):
      if not name.endswith("-shm"):
        shutil.copy(os.path.join(folder, name), roomy)
    session = os.path.join(roomy, "s.gilk")
    with sqlite3.connect(session) as db:
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "the session is damaged")
    done = subprocess.run([GILK, "report", "--json", session], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"the session cannot be read: {done.stderr}")
    hook = json.loads(done.stdout)["hooks"][0]
    expect(hook["stored"] > 0, "no sample was kept")
    return f"{hook['stored']} samples kept"


def full_disk(lab):
  """Recording to a disk of 5 MiB, of which 4 are kept free for the end: an error, the hooks go, the data stays readable."""
  with tempfile.TemporaryDirectory() as folder:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=5m", "gilk", folder],
                             capture_output=True, check=False).returncode == 0
    if not mounted:
      return "not tried: mounting needs root"
    try:
      session = os.path.join(folder, "s.gilk")
      run = Run(lab, session, "--hook", "__x64_sys_fsync@entry:pre:args", "--for", "60s")
      lab.wait_armed()
      # What a busy machine writes at once may be more than there is room for, and then nothing of that is kept.
      lab.run("calls -o fsync -n 1000")
      wait_for("samples on the disk", lambda: run.sql("select sum(n) as n from chunk")[0]["n"] is not None)
      lab.run("calls -o fsync -t 2 -n 300000")
      code = run.wait(90)
      expect(code > 0, f"gilk run says success on a full disk: {run.output}")
      expect("full" in run.output or "space" in run.output, f"the message does not tell: {run.output}")
      lab.wait_clean()
      return readable_elsewhere(folder)
    finally:
      subprocess.run(["umount", "-l", folder], check=False)


def a_security_module_forbids_modules(lab):
  """A BPF program on the hook that init_module() asks; what is live then goes on, and is taken back"""
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "deny-modules"), "/tmp/deny-modules")
  with tempfile.TemporaryDirectory() as folder:
    live = Run(lab, os.path.join(folder, "live.gilk"), "--hook", "__x64_sys_fsync@entry:pre:count", "--for", "10m")
    lab.wait_armed()
    pid = lab.background("exec /tmp/deny-modules >/tmp/deny-said 2>&1")
    try:
      said = wait_for("the security module", lambda: lab.said("/tmp/deny-said").strip())
      expect(said == "ready", said)
      done = subprocess.run([GILK, "run", "--target", lab.target, "--hook", "__x64_sys_umask@entry:pre:count", "--for",
                             "1s", "-o", os.path.join(folder, "s.gilk")],
                            capture_output=True, text=True, timeout=120, check=False)
      expect(done.returncode > 0 and "accepts no new code" in done.stderr, f"a hook was placed: {done.stderr}{done.stdout}")
      lab.run("calls -o fsync -t 2 -n 1000")
      expect(live.stop() == 0, f"the live run failed: {live.output}")
      lab.wait_clean()
    finally:
      lab.run(f"kill {pid}", check=False)
    hits = live.report()["hooks"][0]["hits"]
    expect(hits == 1000, f"the live hook counted {hits}, not 1000")


if __name__ == "__main__":
  sys.exit(main([unknown_function, block_not_at_a_boundary, noinstr_function, unknown_instrument,
                 stale_plan, all_or_nothing, hook_of_another_client, full_disk,
                 a_security_module_forbids_modules],
                lab_of_arguments()))
