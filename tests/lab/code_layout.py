#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: functions with another code layout count exactly, and are restored
"""
code_layout - functions laid out anew on a live kernel: exact in any order, and gone when it is over

Clones in random orders of blocks count a known number of calls exactly. What gilk layout says it did is so: clones
without hooks while it is kept, text as before when it ends by itself, by Ctrl-C, or by kill -9. What it cannot
do it refuses by name.
"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PATIENCE, PIPE_READ, PIPE_WRITE, Run, expect, lab_of_arguments, main, name_there, wait_for

CALLS = 20_000
SEEDS = [1, 2, 3]
PIPES = "for i in 1 2 3; do head -c 1000000 /dev/zero | cat | wc -c; done"
LOAD = "while true; do head -c 300000 /dev/zero | cat >/dev/null; done"


def gilk(lab, *words):
  return subprocess.run([GILK, *words, "--target", lab.target], text=True, check=True,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def in_order(seed, function, *args):
  os.environ["GILK_CLONE_ORDER"] = str(seed)
  try:
    return function(*args)
  finally:
    del os.environ["GILK_CLONE_ORDER"]


def record(lab, plan_words, command):
  """As tests/lab/clone.py does."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "order.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(gilk(lab, "plan", "new", *plan_words))
    functions = {hook["function"] for hook in json.loads(gilk(lab, "plan", "check", plan, "--json"))["hooks"]}
    run = Run(lab, os.path.join(folder, "order.gilk"), plan, "--for", "10m")
    try:
      lab.wait_armed(len(functions))
      said = lab.run(command)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    return json.loads(gilk(lab, "report", "--json", "--edges", run.session)), said


def random_orders_count_exactly(lab):
  before = lab.text_sum()
  blocks = 0
  for seed in SEEDS:
    report, _ = in_order(seed, record, lab, ["--callees", "--depth", "2", "__x64_sys_getpgid"],
                         f"calls -o getpgid -t 2 -n {CALLS}")
    root = report["edge_counts"][0]
    expect(root["blocks"][0]["count"] == CALLS, f"seed {seed}: {CALLS} calls, entry {root['blocks'][0]}")
    for flow in report["edge_counts"]:
      expect(flow["contradictions"] == [], f"seed {seed}: {flow['function']}: {flow['contradictions']}")
      blocks += sum(block["count"] is not None and block["count"] > 0 for block in flow["blocks"])
  lab.wait_clean(120)
  expect(lab.text_sum() == before, "text differs after the runs")
  return f"{len(SEEDS)} orders, {blocks} blocks run"


def pipes_work_in_random_orders(lab):
  for seed in SEEDS:
    report, said = in_order(seed, record, lab, ["--tactic", "clone", f"{PIPE_WRITE}:pre", f"{PIPE_READ}:pre",
                                                "vfs_write:pre", "vfs_read:pre"], PIPES)
    expect(said.split() == ["1000000"] * 3, f"seed {seed}: the pipes carried {said.split()}")
    hits = {hook["function"]: hook["hits"] for hook in report["hooks"]}
    expect(hits[name_there(lab, PIPE_WRITE)] > 40, f"hits {hits}")


class Loaded:
  """Pipes at work meanwhile."""

  def __init__(self, lab):
    self.lab = lab

  def __enter__(self):
    self.worker = self.lab.background(LOAD)
    return self

  def __exit__(self, *unused):
    self.lab.run(f"kill {self.worker}; sleep 1", check=False)


def layout(lab, *words):
  return lab.gilk("layout", *words, timeout=300)


def start(lab, *words):
  return subprocess.Popen([GILK, "layout", "--target", lab.target, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def kept(lab, going, count):
  """The clones that are there while it is kept, once all counting is over."""
  def armed():
    expect(going.poll() is None, "gilk layout ended")
    said = lab.status()["patches"]
    clones = [patch for patch in said if patch["state"] == "armed" and patch["tactic"] == "clone"]
    return clones if len(clones) >= count and len(clones) == len(said) else None
  return wait_for("clones kept", armed, 120)


def reports_match_the_layout(lab):
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder, Loaded(lab):
    session = os.path.join(folder, "layout.gilk")
    said = layout(lab, "vfs_read", "--callees", "3", "--for", "3s", "--pairs", "8", "--interval", "1s", "--keep", "2s",
                    "--anyway", "-o", session)
    expect(said["verdict"] == "kept" and said["kept_seconds"] >= 2, f"{said['verdict']}: {said['reason']}")
    expect(said["after"]["taken_branches"] < said["before"]["taken_branches"], f"{said['before']}, {said['after']}")
    expect(said["call_time"]["known"] or said["call_time"]["reason_unknown"], f"{said['call_time']}")
    names = [function["function"] for function in said["functions"]]
    expect(names[0] == "vfs_read" and len(names) > 1, f"functions {names}")
    runs = json.loads(subprocess.run([GILK, "runs", "--json", session], stdout=subprocess.PIPE, check=True).stdout)["runs"]
    expect(runs[-1]["title"] == "layout: vfs_read", f"runs {runs[-1]}")
    with sqlite3.connect(session) as data:
      changes = data.execute("SELECT count(*) FROM patch WHERE run = (SELECT max(id) FROM run)").fetchone()[0]
      expect(changes == len(names), f"{changes} changes in the journal of {len(names)} clones")
  lab.wait_clean(120)
  expect(lab.text_sum() == before, "text differs afterwards")
  return (f"branches taken {said['before']['taken_branches']:.1f} → {said['after']['taken_branches']:.1f}, lines "
          f"{said['before']['cache_lines']:.1f} → {said['after']['cache_lines']:.1f}, {len(names)} functions")


def session_counts_suffice(lab):
  """And who is killed leaves nothing."""
  before = lab.text_sum()
  writer = name_there(lab, PIPE_WRITE)
  with tempfile.TemporaryDirectory() as folder, Loaded(lab):
    session, plan = os.path.join(folder, "counts.gilk"), os.path.join(folder, "counts.plan")
    gilk(lab, "plan", "new", "--edges", writer, "--append", plan)
    subprocess.run([GILK, "run", plan, "--for", "3s", "-o", session, "--target", lab.target], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lab.wait_clean(120)
    for end in (signal.SIGINT, signal.SIGKILL):
      going = start(lab, writer, "--from", session, "--pairs", "0")
      clones = kept(lab, going, 1)
      expect(len(clones) == 1, f"{clones}")
      said = lab.run(PIPES)
      expect(said.split() == ["1000000"] * 3, f"the pipes carried {said.split()}")
      going.send_signal(end)
      going.communicate(timeout=60 * PATIENCE)
      expect(going.returncode == (0 if end == signal.SIGINT else -end), f"exit code {going.returncode}")
      lab.wait_clean(120)
      expect(lab.text_sum() == before, f"text differs after {end.name}")
    refusals_of_sessions(lab, session, writer)


def refused(lab, code, part, *words):
  said = lab.gilk("layout", *words, check=False)
  expect(said.get("error", {}).get("code") == code and part in said["error"]["message"], f"{words}: {said.get('error')}")


def refusals_of_sessions(lab, session, writer):
  refused(lab, "not-found", "too few counts of vfs_read", "vfs_read", "--from", session)
  with sqlite3.connect(session) as data:
    data.execute("UPDATE run SET build_id = '0123456789abcdef0123456789abcdef01234567'")
  refused(lab, "stale", "another kernel", writer, "--from", session)


def impossible_layouts_are_refused(lab):
  refused(lab, "refused", "Cannot clone schedule", "schedule", "--for", "1s")
  refused(lab, "not-found", "", "no_such_function", "--for", "1s")
  refused(lab, "not-found", "was not called", "__x64_sys_swapoff", "--for", "1s", "--pairs", "0")
  refused(lab, "usage", "named twice", "vfs_read", "vfs_read")
  lab.wait_clean(60)


if __name__ == "__main__":
  sys.exit(main([random_orders_count_exactly, pipes_work_in_random_orders, reports_match_the_layout,
                 session_counts_suffice, impossible_layouts_are_refused], lab_of_arguments()))
