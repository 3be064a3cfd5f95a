#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
coverage - which blocks are run, by counters that leave once they were hit

The workload makes and removes folders, which nobody else does. What gilk coverage says was run is what a run of the
same hooks, all of which stay, counts. Hooks that were hit are out of the kernel before the run ends, and text is what
it was.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main, wait_for

FUNCTIONS = ["do_mkdirat", "do_rmdir", "filename_mkdirat", "filename_rmdir", "vfs_mkdir", "vfs_rmdir", "shmem_mkdir", "ramfs_mkdir", "simple_rmdir"]
ROUNDS = 300


def work():
  return (f"i=0; while [ $i -lt {ROUNDS} ]; do mkdir /tmp/cover.d && mkdir /tmp/cover.d 2>/dev/null; "
          "rmdir /tmp/cover.d; rmdir /tmp/cover.d 2>/dev/null; i=$((i+1)); done; true")


def sql(session, query):
  done = subprocess.run([GILK, "sql", "--json", session, query], stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)["rows"]


def ran(session):
  rows = sql(session, "select function, block, max(hits) as hits from hooks group by 1, 2")
  return {(row["function"], row["block"]) for row in rows if int(row["hits"]) > 0}


def there(lab):
  """Those of FUNCTIONS that this kernel has by that one name."""
  names = [name for _, _, name, _ in lab.kallsyms()]
  return [name for name in FUNCTIONS if names.count(name) == 1]


def blocks_are_those_that_all_counters_see(lab):
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    session, whole = os.path.join(folder, "cover.gilk"), os.path.join(folder, "whole.gilk")
    cover = subprocess.Popen([GILK, "coverage", "--target", lab.target, "-o", session, "--lcov", os.path.join(folder, "cover.info"),
                              "--for", "10m", *there(lab)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
      lab.wait_armed()
      patches = lab.hooks()
      lab.run(work())
      # Counters of a clone stay: they are one patch, of a function that has it all.
      if any(patch["tactic"] != "clone" for patch in patches):
        wait_for("hooks leave", lambda: sum(p["state"] in ("armed", "trapped") for p in lab.hooks()) < len(patches), 30)
      cover.send_signal(signal.SIGINT)
      said = cover.communicate(timeout=120)[0]
    finally:
      cover.kill()
    expect(cover.returncode == 0, f"gilk coverage failed: {said}")
    hooks = sql(session, "select label, stop_ns, (select sum(hits) from counts where hook = id) as hits, tactic from hook")
    hit = [hook for hook in hooks if int(hook["hits"] or 0) > 0]
    left = [hook for hook in hit if int(hook["stop_ns"]) != 0]
    alone = [hook for hook in hit if hook["tactic"] != "clone"]
    expect(hit and all(int(hook["stop_ns"]) != 0 for hook in alone), f"{len(left)} of {len(hit)} hooks that were hit left")
    plan = os.path.join(folder, "whole.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(sql(session, "select plan from run")[0]["plan"])
    run = Run(lab, whole, plan, "--for", "10m")
    lab.wait_armed()
    lab.run(work())
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect(ran(session) == ran(whole), f"differs: {ran(session) ^ ran(whole)}")
    expect(os.path.getsize(os.path.join(folder, "cover.info")) > 0, "nothing for lcov")
    lab.wait_clean()
  expect(lab.text_sum() == before, "text is not what it was")
  return f"{len(hit)} of {len(hooks)} blocks, {len(left)} left early"


if __name__ == "__main__":
  sys.exit(main([blocks_are_those_that_all_counters_see], lab_of_arguments()))
