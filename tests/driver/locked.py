#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
locked - no code comes in once the kernel takes none, and all of it can be taken back

usage: locked.py FLAVOUR

While a hook is live and another one waits for its start, the kernel is locked down, and
in a second lab modules are disabled; in a third one they must be signed, and the driver is not. None of it can be undone, so
the labs are its own.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, ROOT, Lab, Run, expect, main, wait_for

LOCKS = {
  "lockdown": "mount -t securityfs none /sys/kernel/security && "
              "echo integrity >/sys/kernel/security/lockdown",
  "modules": "echo 1 >/proc/sys/kernel/modules_disabled",
  "signatures": "echo 1 >/sys/module/module/parameters/sig_enforce",
}
LIVE = "__x64_sys_fsync@entry:pre:count"
LATER = "__x64_sys_umask@entry:pre:count"
OTHER = "__x64_sys_sync@entry:pre:count"


def plan(lab, folder):
  """One hook that starts at once, one that starts when the kernel takes no code any more."""
  path = os.path.join(folder, "locked.plan")
  with open(path, "w", encoding="utf-8") as out:
    subprocess.run([GILK, "plan", "new", "--target", lab.target, LIVE], stdout=out, check=True)
  subprocess.run([GILK, "plan", "new", "--target", lab.target, "--append", path, "--start", "30s", LATER],
                 check=True)
  return path


def states(lab):
  return sorted(p["state"] for p in lab.hooks())


def refused(lab, folder):
  """By the driver; without a word on how, the kernel's own probes count."""
  done = subprocess.run([GILK, "run", "--json", "--target", lab.target, "--by", "ilk", "--for", "1s",
                         "--hook", OTHER, "-o", os.path.join(folder, "second.gilk")],
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                        timeout=120, check=False)
  error = json.loads(done.stdout).get("error")
  expect(done.returncode != 0 and error, "a hook was placed in a kernel that takes no code")
  expect("accepts no new code" in error["message"], f"not refused by name: {error}")
  done = subprocess.run([GILK, "run", "--target", lab.target, "--for", "1s", "--hook", OTHER, "-o", os.path.join(folder, "third.gilk")],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
  expect(done.returncode == 0 and "kprobe" in done.stdout and "accepts no new code" in done.stdout, f"by BPF: {done.stdout}")


def checks(lab):
  done = subprocess.run([GILK, "doctor", "--json", "--target", lab.target],
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                        timeout=120, check=False)
  return {check["check"]: check for check in json.loads(done.stdout)["checks"]}


def lock(lab, how):
  lab.gilk("doctor", "--load")
  lab.wait_clean()
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "live.gilk"), plan(lab, folder), "--for", "10m")
    lab.wait_armed()
    lab.run(LOCKS[how])
    expect(states(lab) == ["armed", "prepared"], f"at the lock: {states(lab)}")
    refused(lab, folder)
    wait_for("the start that is due has failed", lambda: "prepared" not in states(lab), 120)
    expect(states(lab) == ["armed", "failed"], f"a start after the lock: {states(lab)}")
    lab.run("calls -o fsync -t 2 -n 1000")
    expect(run.stop() != 0, f"a start that failed went unsaid: {run.output}")
    expect(re.search("accepts no new code", run.output), f"the run does not tell: {run.output}")
    hits = run.report()["hooks"][0]["hits"]
    expect(hits == 1000, f"the live hook counted {hits}, not 1000")
  lab.wait_clean()
  expect(lab.text_sum() == before, "text is not as before")
  expect("locked-down" in checks(lab)["driver"]["value"], f"gilk doctor says {checks(lab)['driver']}")


def a_lockdown_raised_while_hooks_are_live(lab):
  lock(lab, "lockdown")


def modules_disabled_while_hooks_are_live(lab):
  lock(lab, "modules")


def signatures_enforced_while_a_hook_is_live(lab):
  """The driver that is there has none, so the kernel would not take it now, nor what it would place"""
  lab.gilk("doctor", "--load")
  lab.wait_clean()
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "live.gilk"), "--hook", LIVE, "--for", "10m")
    lab.wait_armed()
    lab.run(LOCKS["signatures"])
    refused(lab, folder)
    expect(run.stop() == 0, f"the live run failed: {run.output}")
  lab.wait_clean()
  expect(lab.text_sum() == before, "text is not as before")


def message_of(lab, *words):
  """What a command that only reads prints of a kernel in which nothing can be armed."""
  done = subprocess.run([GILK, *words, "--target", lab.target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        text=True, timeout=240, check=False)
  expect(done.returncode == 0, f"gilk {' '.join(words)} is refused: {done.stdout}")
  expect("Nothing can be armed" in done.stdout and "lockdown" in done.stdout,
         f"gilk {' '.join(words)} does not say that nothing can be armed: {done.stdout[-600:]}")
  return done.stdout


def counts_by_bpf(lab):
  """A run on a kernel that takes no module: kprobes count each call, and the user is told why."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "bpf.gilk"), "--hook", LIVE, "--for", "10m")
    wait_for("a hook", lambda: lab.links() == 1 or run.process.poll() is not None, 60)
    lab.run("calls -o fsync -t 2 -n 1000")
    expect(run.stop() == 0 and "Hooks are BPF programs" in run.output, f"by BPF: {run.output}")
    hook = run.report()["hooks"][0]
    expect(hook["hits"] == 1000 and hook["tactic"] == "kprobe", f"by BPF: {hook}")


def workbench_counts_by_bpf(lab):
  done = subprocess.run(["bash", os.path.join(ROOT, "tests", "gui", "run.sh"), lab.name], env=dict(os.environ, GILK_DRIVE="way.py"),
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
  expect(done.returncode == 0 and "not ok" not in done.stdout, f"the workbench: {done.stdout[-1500:]}")


def what_only_reads_is_not_refused(lab):
  """On a kernel that was locked down before a driver was there: a plan is checked, points are shown"""
  lab.run(LOCKS["lockdown"])
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "looked.plan")
    with open(path, "w", encoding="utf-8") as out:
      subprocess.run([GILK, "plan", "new", "--target", lab.target, LIVE, "__x64_sys_umask@entry:pre:task",
                      "vfs_read:entry { counter n; if (count > 4096) n++ }"], stdout=out, check=True, timeout=120)
    said = message_of(lab, "plan", "check", path)
    expect(all(word in said for word in ("kprobe", "task")), f"the check says: {said}")
  expect("kprobe" in message_of(lab, "cfg", "vfs_read"), "cfg shows no tactic, or one of the driver")
  message_of(lab, "cfg", "vfs_read", "--patch", "+0x0:pre:count")
  message_of(lab, "survey", "--function", "vfs_read")
  counts_by_bpf(lab)
  workbench_counts_by_bpf(lab)
  loaded = lab.run("cut -d' ' -f1 /proc/modules").split()
  expect(not [name for name in loaded if name.startswith(("ilk", "gilk"))], f"loaded: {loaded}")


def on_lab_of_its_own(test, how):
  lab = Lab(f"locked-{how}-{os.getpid()}")
  lab.boot(sys.argv[1])
  try:
    return main([test], lab)
  finally:
    lab.stop()


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: locked.py FLAVOUR")
  sys.exit(on_lab_of_its_own(what_only_reads_is_not_refused, "reads") |
           on_lab_of_its_own(a_lockdown_raised_while_hooks_are_live, "lockdown") |
           on_lab_of_its_own(modules_disabled_while_hooks_are_live, "modules") |
           on_lab_of_its_own(signatures_enforced_while_a_hook_is_live, "signatures"))
