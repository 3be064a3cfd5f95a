#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: hooks are added and removed during a run; those that stay miss no hit
"""
follow - hooks come and go by edits of the plan while the run goes on

One hook stays; beside it there is always one other, replaced at each edit. Under
calls without a pause the first counts them all, and the others together do too.
"""
import os
import sqlite3
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, lab_of_arguments, main, wait_for

EDITS = 4
CALLS = 200_000       # at a time, until the last edit

HOOK = """[hook {label}]
function={function}
anchor=entry
where=pre
instrument={instrument}
tactic={tactic}
"""

CALLER = f"""rm -f /tmp/follow-stop /tmp/follow-times; n=0
while [ ! -e /tmp/follow-stop ]; do calls -o fsync -t 2 -n {CALLS} >/dev/null; n=$((n+1)); done
echo $n >/tmp/follow-times.new; mv /tmp/follow-times.new /tmp/follow-times"""


def hook(label, function="__x64_sys_fsync", instrument="count", tactic="auto"):
  return HOOK.format(label=label, function=function, instrument=instrument, tactic=tactic)


def write(path, *hooks):
  """As editors do: another file in the place of the first."""
  with open(path + ".new", "w", encoding="utf-8") as file:
    file.write("[gilk-plan]\nversion=1\n\n" + "\n".join(hooks))
  os.rename(path + ".new", path)


def live(lab):
  return {p["patch"] for p in lab.hooks() if p["state"] in ("trapped", "armed")}


def edit(lab, path, *hooks):
  """Waits until another patch is live."""
  before = live(lab)
  write(path, *hooks)
  wait_for("the run follows the plan", lambda: live(lab) != before and live(lab))


def follow(lab, folder, tactic="auto"):
  path = os.path.join(folder, "follow.plan")
  write(path, hook("stays", tactic=tactic), hook("other-0"))
  run = Run(lab, os.path.join(folder, "follow.gilk"), path, "--follow", "--for", "10m")
  return path, run


def edit_under_calls(lab, tactic, others, edits):
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    path, run = follow(lab, folder, tactic)
    try:
      lab.wait_armed()
      lab.background(CALLER)
      for i in range(1, edits + 1):
        edit(lab, path, hook("stays", tactic=tactic),
             hook(f"other-{i}", tactic=others if i % 2 else "auto"))
      lab.run("touch /tmp/follow-stop")
      times = int(wait_for("the workload ends", lambda: lab.said("/tmp/follow-times")))
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hooks = run.report()["hooks"]
    with sqlite3.connect(run.session) as db:
      spans = db.execute("select start_ns, stop_ns from hook where label != 'stays' order by start_ns").fetchall()
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "session is damaged")
  expect(len(hooks) == edits + 2, f"{len(hooks)} hooks after {edits} edits")
  for (_, stop), (start, _) in zip(spans, spans[1:]):
    expect(stop >= start, f"a hook stopped at {stop} ns, before the next began at {start}")
  expect(spans[-1][1] == 0, f"the last hook has a stop time, {spans[-1][1]} ns")
  expect({h["tactic"] for h in hooks} == {others}, f"tactics are {[h['tactic'] for h in hooks]}")
  stays = [h["hits"] for h in hooks if h["hook"] == "stays"]
  shares = [h["hits"] for h in hooks if h["hook"] != "stays"]
  calls = CALLS * times
  expect(stays == [calls], f"{calls} calls, {stays} counted by the hook that stays")
  expect(sum(shares) == calls, f"{calls} calls, {sum(shares)} counted by the others: {shares}")
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after the run")
  return f"{calls} calls, shares {shares}"


def switch_over_by_splice(lab):
  return edit_under_calls(lab, "auto", "splice", EDITS)


def switch_over_by_clone(lab):
  return edit_under_calls(lab, "clone", "clone", EDITS // 2)


def other_functions_and_instruments(lab):
  with tempfile.TemporaryDirectory() as folder:
    path, run = follow(lab, folder)
    try:
      lab.wait_armed()
      edit(lab, path, hook("stays"), hook("stamps", instrument="stamp"),
           hook("pid", function="__x64_sys_getpgid", instrument="task"))
      lab.wait_armed(2)
      lab.run("calls -o fsync -t 2 -n 1000; calls -o getpgid -t 2 -n 1000")
      edit(lab, path, hook("stays"))
      lab.run("calls -o fsync -t 2 -n 1000; calls -o getpgid -t 2 -n 1000")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hooks = {h["hook"]: h for h in run.report()["hooks"]}
  expect(hooks["stays"]["hits"] == 2000, f"2000 calls, {hooks['stays']['hits']} counted")
  for name in ("stamps", "pid"):
    expect(hooks[name]["stored"] + hooks[name]["lost"] == 1000,
           f"1000 calls, {hooks[name]} of {name}")
  lab.wait_clean()


def edited_while_it_begins(lab):
  with tempfile.TemporaryDirectory() as folder:
    path, run = follow(lab, folder)
    try:
      wait_for("the plan is read, and its session begun", lambda: os.path.exists(run.session))
      write(path, hook("stays"))
      lab.wait_armed()
      wait_for("the run follows the plan", lambda: len(live(lab)) == 1)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hooks = [h["hook"] for h in run.report()["hooks"]]
  expect(hooks == ["stays", "other-0"], f"the session has {hooks}")
  lab.wait_clean()


def wrong_plan_changes_nothing(lab):
  with tempfile.TemporaryDirectory() as folder:
    path, run = follow(lab, folder)
    try:
      lab.wait_armed()
      before = live(lab)
      write(path, hook("stays"), hook("other", function="no_such_function"))
      lab.run("calls -o fsync -t 2 -n 1000; sleep 2")
      expect(live(lab) == before, "patches changed with a plan that is wrong")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect("no_such_function" in run.output, f"gilk run said: {run.output}")
    for row in run.report()["hooks"]:
      expect(row["hits"] == 1000, f"1000 calls, {row['hits']} counted by {row['hook']}")
  lab.wait_clean()


if __name__ == "__main__":
  sys.exit(main([switch_over_by_splice, switch_over_by_clone, other_functions_and_instruments,
                 edited_while_it_begins, wrong_plan_changes_nothing], lab_of_arguments()))
