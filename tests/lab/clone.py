#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: No reuse: clones count exactly, and are retired when no stack leads into them
"""
clone - functions run as clones count exactly, on a live kernel

A known number of calls goes through the clone of a system call and of what it
calls; every block is counted, and the counts of each function agree with each
other. While that goes on, the function tracer, which enters before the clone,
counts the same calls.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PIPE_READ, PIPE_WRITE, Run, expect, lab_of_arguments, main, name_there, wait_for

CALLS = 20_000


def gilk(lab, *words):
  return subprocess.run([GILK, *words, "--target", lab.target], text=True, check=True,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def record(lab, plan_words, command):
  """Runs COMMAND once the clones are armed; returns the report and COMMAND's output."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "clone.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(gilk(lab, "plan", "new", *plan_words))
    bound = json.loads(gilk(lab, "plan", "check", plan, "--json"))
    tactics = {hook["tactic"] for hook in bound["hooks"]}
    functions = {hook["function"] for hook in bound["hooks"]}
    expect(tactics == {"clone"}, f"tactics {tactics}")
    run = Run(lab, os.path.join(folder, "clone.gilk"), plan, "--for", "10m")
    try:
      lab.wait_armed(len(functions))
      said = lab.run(command)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    return json.loads(gilk(lab, "report", "--json", "--edges", run.session)), said


def check_flows(report):
  blocks = 0
  for flow in report["edge_counts"]:
    expect(flow["contradictions"] == [], f"{flow['function']}: {flow['contradictions']}")
    blocks += sum(block["count"] is not None and block["count"] > 0 for block in flow["blocks"])
  return blocks


def calls_come_out_whole(lab):
  before = lab.text_sum()
  report, _ = record(lab, ["--callees", "--depth", "2", "__x64_sys_getpgid"],
                     f"calls -o getpgid -t 2 -n {CALLS}")
  root = report["edge_counts"][0]
  expect(root["blocks"][0]["count"] == CALLS, f"{CALLS} calls, entry {root['blocks'][0]}")
  blocks = check_flows(report)
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after the run")
  return f"{CALLS} calls, {len(report['edge_counts'])} functions, {blocks} blocks run"


def fewest_counters_agree(lab):
  report, _ = record(lab, ["--callees", "--edges", "--depth", "1", "__x64_sys_getpgid"],
                     f"calls -o getpgid -t 2 -n {CALLS}")
  root = report["edge_counts"][0]
  expect(root["blocks"][0]["count"] == CALLS, f"{CALLS} calls, entry {root['blocks'][0]}")
  counted = sum(block["counted"] for flow in report["edge_counts"] for block in flow["blocks"])
  return f"{CALLS} calls, {counted} counters"


def pipes_run_in_clones(lab):
  report, said = record(lab, ["--tactic", "clone", f"{PIPE_WRITE}:pre", f"{PIPE_WRITE}:post",
                              f"{PIPE_READ}:pre", "vfs_write:pre", "vfs_read:pre"],
                        "for i in 1 2 3; do head -c 1000000 /dev/zero | cat | wc -c; done")
  expect(said.split() == ["1000000"] * 3, f"the pipes carried {said.split()}")
  hits = {(hook["function"], hook["where"]): hook["hits"] for hook in report["hooks"]}
  written = hits[(name_there(lab, PIPE_WRITE), "pre")]
  expect(written > 40, f"hits {hits}")
  expect(written <= hits[("vfs_write", "pre")], f"hits {hits}")
  return f"{written} writes, {hits[(name_there(lab, PIPE_READ), 'pre')]} reads"


def sleepers_leave_clones(lab):
  """A daemon that reads a pipe for days leaves its clone when nudged; nobody else is kept."""
  fifo = "/tmp/clone-fifo"
  lab.run(f"rm -f {fifo}; mkfifo {fifo}")
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "sleep.gilk"), "--hook", f"{PIPE_READ}@entry:pre:count:clone",
              "--for", "10m")
    lab.wait_armed()
    reader = lab.background(f"exec 3<>{fifo}; read line <&3; echo $line >{fifo}.out; usleep 100000")
    wait_for("the daemon sleeps", lambda: "S" in
             lab.run(f"usleep 300000; cut -d' ' -f3 /proc/{reader}/stat"))
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
  lab.wait_clean(120)
  lab.run(f"echo still there >{fifo}")
  wait_for("the daemon reads on", lambda: "still there" in lab.said(f"{fifo}.out"), 30)
  lab.run(f"rm -f {fifo} {fifo}.out")


if __name__ == "__main__":
  sys.exit(main([calls_come_out_whole, fewest_counters_agree, pipes_run_in_clones, sleepers_leave_clones],
                lab_of_arguments()))
