#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
targets - where indirect calls go, and what numbers are called

The workload reads and writes files of known kinds a known number of times: what vfs_read and vfs_write call for them
is known, and how often. Beside the hooks that tell the targets stand counters at the same places: what is told adds
up to what they count. The same by each tactic; in the report, the graph and the session's view. Then samples whose
numbers have names, of which the workload is known, too.
"""
import collections
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main

READS, WRITES, FILE = 1234, 4321, 77
READ, WRITE = {"read_zero", "read_iter_zero"}, {"write_null", "write_iter_null"}     # whichever of them the kernel prefers
ESRCH = 139


def gilk(*words):
  done = subprocess.run([GILK, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
  expect(done.returncode == 0, f"gilk {' '.join(words)}: {done.stderr}")
  return done.stdout


def work():
  """More reads than writes: of /dev/zero, to /dev/null; a file byte by byte."""
  return (f"dd if=/dev/zero of=/tmp/t.bin bs=1 count={READS} 2>/tmp/t.err; "
          f"dd if=/tmp/t.bin of=/tmp/t.out bs=1 count={FILE} 2>/tmp/t.err; "
          f"i=0; while [ $i -lt {WRITES} ]; do echo; i=$((i+1)); done >/dev/null; rm /tmp/t.bin /tmp/t.out /tmp/t.err")


class Recorded:
  """A run of hooks that tell targets."""

  def __init__(self, lab, folder, text, name="targets"):
    self.session = os.path.join(folder, f"{name}.gilk")
    plan = os.path.join(folder, f"{name}.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(text)
    run = Run(lab, self.session, plan, "--for", "10m")
    try:
      lab.wait_armed()                    # a clone is one patch, whatever hooks it has
      lab.run(work())
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    self.run = run
    self.report = run.report()
    self.counts = collections.Counter()
    for row in self.report["targets"]:
      self.counts[row["function"], row["target"]] += row["count"]

  def of(self, function, names):
    return sum(n for (of, name), n in self.counts.items() if of == function and name in names)


def plan_of(lab, *functions, tactic=None):
  text = gilk("plan", "new", "--targets", "--target", lab.target, *functions)
  if tactic:
    text = text.replace("program=target", f"tactic={tactic}\nprogram=target")
  return text


def with_counters(text):
  """A counter beside each hook."""
  groups = text.split("\n\n")
  more = [group.replace("[hook ", "[hook count-") for group in groups if group.lstrip().startswith("[hook ")]
  return text + "\n" + "\n\n".join("\n".join("instrument=count" if line.startswith("program=") else line
                                             for line in group.splitlines()) for group in more) + "\n"


def expect_work(recorded):
  reads, writes = recorded.of("vfs_read", READ), recorded.of("vfs_write", WRITE)
  expect(reads == READS, f"{READS} reads of /dev/zero, {reads} told: {recorded.counts}")
  expect(writes == WRITES, f"{WRITES} writes to /dev/null, {writes} told: {recorded.counts}")


# ---- tests ----

def targets_are_what_was_called(lab):
  with tempfile.TemporaryDirectory() as folder:
    recorded = Recorded(lab, folder, with_counters(plan_of(lab, "vfs_read", "vfs_write")))
    expect_work(recorded)
    sums = collections.Counter()
    for row in recorded.report["targets"]:
      expect(not row["target"].startswith("0x"), f"{row} has no name")
      sums[row["hook"]] += row["count"]
    hits = {hook["hook"]: hook["hits"] for hook in recorded.report["hooks"]}
    for label, count in hits.items():
      if label.startswith("count-"):
        told = sums[label[len("count-"):]]
        expect(told == count, f"{label}: {count} calls, {told} told")
    rows = recorded.run.sql("select function, target, times from targets")
    seen = collections.Counter()
    for row in rows:
      seen[row["function"], row["target"]] += int(row["times"])
    expect(seen == recorded.counts, f"the view has {seen}, the report {recorded.counts}")
    calls = lab.gilk("cfg", "vfs_read", "--session", recorded.session)["calls"]
    shown = sum(call["count"] for call in calls if call["to"] in READ)
    expect(shown == READS, f"gilk cfg shows {shown} of {READS}")
    text = gilk("cfg", "vfs_read", "--session", recorded.session, "--target", lab.target)
    expect(any(name in text for name in READ), "gilk cfg does not list the targets")
    expect("read_" in gilk("report", recorded.session), "gilk report does not")
  return f"{sum(recorded.counts.values())} calls to {len(recorded.counts)} functions"


def targets_by_each_tactic(lab):
  told = []
  for tactic in ("trap", "clone"):
    with tempfile.TemporaryDirectory() as folder:
      recorded = Recorded(lab, folder, plan_of(lab, "vfs_read", "vfs_write", tactic=tactic), tactic)
      tactics = {hook["tactic"] for hook in recorded.report["hooks"]}
      expect(tactics == {tactic}, f"tactics are {tactics}, not {tactic}")
      expect_work(recorded)
      told.append(tactic)
  return ", ".join(told)


def indirect_jumps_of_a_tail_call(lab):
  """A function that ends in a jump to what its argument points to."""
  with tempfile.TemporaryDirectory() as folder:
    recorded = Recorded(lab, folder, plan_of(lab, "__vfs_getxattr|security_file_permission|vfs_fsync_range|iterate_dir"), "jump")
    return f"{sum(recorded.counts.values())} calls"


def functions_without_any_are_refused(lab):
  done = subprocess.run([GILK, "plan", "new", "--targets", "--target", lab.target, "__fget_light|__fdget|fget"],
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
  expect(done.returncode != 0 and "indirect call" in done.stderr, f"gilk plan says {done.stderr}")


def numbers_have_names(lab):
  with tempfile.TemporaryDirectory() as folder:
    hooks = ["__x64_sys_kill:return { sample(retval) }",
             "__send_signal_locked:entry { if (sig == 12) sample(sig, type) }",
             "do_dentry_open:entry { map ops[64]; ops[f->f_path.dentry->d_inode->i_fop]++ }"]
    run = Run(lab, os.path.join(folder, "names.gilk"), *[word for hook in hooks for word in ("--hook", hook)], "--for", "10m")
    try:
      lab.wait_armed(len(hooks))
      lab.run(f"i=0; while [ $i -lt {ESRCH} ]; do kill -0 999999 2>/dev/null; i=$((i+1)); done; "
              "sleep 100 & p=$!; sleep 1; kill -12 $p; cat /proc/uptime; true")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    rows = gilk("export", "--csv", "--hook", "__x64_sys_kill-return-post", run.session).splitlines()
    header, lines = rows[0].split(","), [dict(zip(rows[0].split(","), row.split(","))) for row in rows[1:]]
    expect("retval_name" in header, f"columns are {header}")
    named = sum(line["retval_name"] == "ESRCH" and line["retval"] == "-3" for line in lines)
    expect(named == ESRCH, f"{ESRCH} kills of nobody, {named} have that error by name")
    rows = gilk("export", "--csv", "--hook", "__send_signal_locked-entry-pre", run.session).splitlines()
    expect(len(rows) == 2 and rows[1].split(",")[rows[0].split(",").index("type_name")] == "PIDTYPE_TGID", f"the signal is {rows}")
    keys = next(thing for program in run.report()["programs"] for thing in program["maps"] if thing["name"] == "ops")["keys"]
    expect(any(key.get("key_name", "").startswith("proc_") for key in keys), f"keys are {keys}")
  return f"{named} errors"


if __name__ == "__main__":
  sys.exit(main([targets_are_what_was_called, targets_by_each_tactic, indirect_jumps_of_a_tail_call,
                 functions_without_any_are_refused, numbers_have_names], lab_of_arguments()))
