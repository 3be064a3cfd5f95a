#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: each ring mode reports exactly what is missing
"""
rings - sizes and modes of rings, what is told to be missing, and a reader of /dev/ilk

  rings.py LAB

In each mode: produced = stored + lost, the gaps of each CPU add up to what its hooks lost
there, and the session is as it says.
"""
import csv
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Lab, Run, expect, main, wait_for

HOOK = "__x64_sys_fsync@entry:pre:"
WAYS = ("ilk", "bpf")


def wait_armed(lab, run, way, hooks=1):
  if way == "bpf":
    wait_for("hooks", lambda: lab.links() >= hooks or run.process.poll() is not None, 60)
  else:
    lab.wait_armed()


def record(lab, arguments, calls, instrument="stamp", stop=True, after=None, way="ilk"):
  """Calls of a hooked function while ARGUMENTS record it; its hook's report, and the session's rows"""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "rings.gilk"), "--by", way, "--hook", HOOK + instrument, *arguments,
              "--for", "5m")
    try:
      wait_armed(lab, run, way)
      out = lab.run(f"calls -o fsync -t 2 -n {calls}")
      expect(f"calls {calls}\n" in out, f"the workload said: {out}")
      if after:
        after()
    except BaseException:
      run.kill()
      raise
    if stop:
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
    else:
      expect(run.wait(60) == 0, f"the run does not end by itself: {run.output}")
    hook = run.report()["hooks"][0]
    done = subprocess.run([GILK, "session", "verify", run.session], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(done.returncode == 0, f"gilk session verify: {done.stdout}")
    with sqlite3.connect(run.session) as db:
      rows = {name: db.execute(sql).fetchall() for name, sql in (
        ("lost", "select cpu, sum(lost) from counts where lost > 0 group by cpu"),
        ("gaps", "select cpu, sum(lost) from gap group by cpu"),
        ("gap", "select cpu, from_ns, to_ns, lost from gap order by id"),
        ("chunks", "select cpu, first_ns, last_ns, lost_before from chunk order by id"),
        ("losses", "select cpu, from_ns, to_ns, lost from loss"),
        ("run", "select duration_ns, end_reason from run"))}
  # One that ends by itself has taken its hook out before the last call.
  expect(hook["hits"] == calls or (not stop and hook["hits"] < calls), f"{calls} calls, {hook['hits']} hits")
  expect(hook["stored"] + hook["lost"] == hook["hits"],
         f"{calls} calls, {hook['hits']} hits, {hook['stored']} stored + {hook['lost']} lost")
  expect(rows["lost"] == rows["gaps"], f"lost by CPU {rows['lost']}, told to be missing {rows['gaps']}")
  return hook, rows


def small_rings_report_losses(lab):
  hook, rows = record(lab, ["--ring", "64K"], 1_000_000, "args")
  expect(hook["lost"] > 0, "nothing is lost: the test tests nothing")
  expect(all(a <= b for _, a, b, _ in rows["gap"]), "a gap ends before it begins")
  expect(sum(before for *_, before in rows["chunks"]) > 0, "no chunk tells of a gap before it")
  return f"{hook['lost']} lost in {len(rows['gap'])} gaps"


def place_losses(lab, way, mode, calls):
  """
  A hook numbers its hits: what is missing between two samples is what the gap there says. The interrupt that moves a
  tail may come between a producer's look at the limit and its count: that sample is told of at the next gap.
  """
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "places.gilk"), "--by", way, "--ring", "256K", "--ring-mode", mode, "--for", "5m", "--hook",
              "__x64_sys_fsync:entry { global n; n += 1; sample(number = n) }")
    wait_armed(lab, run, way)
    lab.run(f"taskset 2 calls -o fsync -t 1 -n {calls}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    rows = list(csv.DictReader(subprocess.run([GILK, "export", run.session, "--csv"], text=True, check=True,
                                              stdout=subprocess.PIPE).stdout.splitlines()))
    with sqlite3.connect(run.session) as db:
      gaps = db.execute("select from_ns, to_ns, lost from gap order by from_ns").fetchall()
  numbers = [int(row["number"]) for row in rows]
  expect(numbers == sorted(numbers), "samples of one CPU are out of order")
  missing = [(int(a["t_ns"]), int(b["number"]) - int(a["number"]) - 1) for a, b in zip(rows, rows[1:])
             if int(b["number"]) != int(a["number"]) + 1]
  if mode == "overwrite":
    expect(numbers[0] > 1, "nothing was overwritten: the test tests nothing")
    expect(gaps[0][2] == numbers[0] - 1, f"{numbers[0] - 1} samples are missing before the first, {gaps[0]} says so")
    gaps.pop(0)
  else:
    expect(len(missing) > 1, f"{len(missing)} places where samples are missing: the test tests nothing")
  gaps = [gap for gap in gaps if gap[0] < int(rows[-1]["t_ns"])]       # no number tells what is missing after the last
  expect(missing or not gaps, f"nothing is missing between samples, yet {gaps} are said")
  # A place may have several gaps, and a gap several places, which a reader that was late did not tell apart.
  joined = []
  for since, to, lost in gaps:
    if joined and since < joined[-1][1]:
      joined[-1] = (joined[-1][0], max(to, joined[-1][1]), joined[-1][2] + lost)
    else:
      joined.append((since, to, lost))
  wrong = [(since, to, lost) for since, to, lost in joined
           if abs(sum(n for time, n in missing if since <= time < to) - lost) > 1]
  expect(not wrong, f"{len(wrong)} of {len(joined)} gaps are wrong: (from, to, said) {wrong[:5]}, missing (time, number) {missing}")
  bare = [(time, n) for time, n in missing if n > 1 and not any(since <= time < to for since, to, _ in gaps)]
  expect(not bare, f"no gap says that samples are missing at (time, number) {bare[:5]}")
  return f"{mode} by {way}: {sum(lost for _, lost in missing)} lost at {len(missing)} places"


def each_loss_has_its_place(lab):
  return ", ".join(place_losses(lab, *words) for words in
                   (("ilk", "drop", 1_000_000), ("bpf", "drop", 200_000), ("bpf", "overwrite", 100_000)))


def stop_when_full(lab):
  hook, rows = record(lab, ["--ring", "256K", "--ring-mode", "stop"], 100_000, stop=False)
  expect(rows["run"][0][1] == "a ring is full", f"it ended: {rows['run'][0][1]}")
  # A ring has 8192 cells, less a margin of 256.
  expect(7936 <= hook["stored"] <= 2 * 8192, f"{hook['stored']} stored of two rings")
  for cpu, first, _, _ in rows["gap"]:
    # A CPU whose first sample came when the other's ring was full has none.
    last = max((end for c, _, end, _ in rows["chunks"] if c == cpu), default=0)
    expect(first >= last, f"CPU {cpu} stored samples behind its first gap")
  return f"the first {hook['stored']} of {hook['hits']}"


def overwrite(lab, way):
  hook, rows = record(lab, ["--ring", "256K", "--ring-mode", "overwrite"], 300_000, way=way)
  expect(2000 <= hook["stored"] <= 2 * 8192, f"{hook['stored']} stored of two rings")
  for cpu, first, end, _ in rows["losses"]:
    kept = min(begin for c, begin, _, _ in rows["chunks"] if c == cpu)
    also = any(c == cpu and to > kept for c, _, to, _ in rows["gap"])       # new samples were lost, too
    expect(first > 0 or also or end <= kept, "what was given up is said to be lost later than what was kept")
  return f"the last {hook['stored']} of {hook['hits']} by {way}"


def overwritten(lab):
  return ", ".join(overwrite(lab, way) for way in WAYS)


def keep_window(lab, way):
  def wait():
    time.sleep(3)
    lab.run("calls -o fsync -t 2 -n 1000")
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "window.gilk"), "--by", way, "--hook", HOOK + "stamp", "--ring-mode",
              "overwrite", "--ring-window", "1s", "--for", "5m")
    wait_armed(lab, run, way)
    lab.run("calls -o fsync -t 2 -n 50000")
    wait()
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hook = run.report()["hooks"][0]
  expect(hook["hits"] == 51_000 and hook["stored"] + hook["lost"] == 51_000, f"{hook}")
  expect(hook["stored"] <= 1000, f"{hook['stored']} kept, of 1000 within the window")
  return f"{hook['stored']} of the last second by {way}"


def a_window(lab):
  return ", ".join(keep_window(lab, way) for way in WAYS)


def trigger(lab, way):
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "trigger.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=2\nring-mode=overwrite\nring-window=2s\n\n"
                 "[hook seen]\nfunction=__x64_sys_fsync\nanchor=entry\nwhere=pre\ninstrument=stamp\n\n"
                 "[hook trigger]\nfunction=__x64_sys_getpgid\nanchor=entry\nwhere=pre\n"
                 "instrument=count\ntrigger=300ms\n")
    run = Run(lab, os.path.join(folder, "trigger.gilk"), plan, "--by", way)
    wait_armed(lab, run, way, 2)
    # At once: what is older than the window is to be dropped.
    lab.run("calls -o fsync -t 2 -n 1000; calls -o getpgid -t 1 -n 1")
    expect(run.wait(60) == 0, "the trigger does not end the run")
    with sqlite3.connect(run.session) as db:
      reason, = db.execute("select end_reason from run").fetchone()
      stored, = db.execute("select sum(stored) from counts").fetchone()
  expect(reason == "triggered by trigger", f"it ended: {reason}")
  expect(stored == 1000, f"{stored} of 1000 samples from before the trigger by {way}")


def a_trigger(lab):
  for way in WAYS:
    trigger(lab, way)


def sizes_that_cannot_be(lab):
  folder = tempfile.mkdtemp()
  for size, says in (("1G", "power of two"), ("96K", "power of two"), ("64M", "KiB")):
    done = subprocess.run([GILK, "run", "--target", lab.target, "--hook", HOOK + "stamp", "--ring",
                           size, "--for", "1s", "-o", os.path.join(folder, "x.gilk")], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(done.returncode != 0 and says in done.stdout, f"--ring {size}: {done.stdout}")
  shutil.rmtree(folder)


def another_program_reads(lab):
  calls = 100_000
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "ilk-fifo"), "/tmp/ilk-fifo")
  lab.gilk("doctor", "--load")
  lab.background("/tmp/ilk-fifo 2>/tmp/ilk-fifo.said >/dev/null")
  wait_for("the reader", lambda: "reading" in lab.said("/tmp/ilk-fifo.said"), 60)
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "fifo.gilk"), "--hook", HOOK + "stamp", "--ring-mode", "fifo")
    lab.wait_armed()
    lab.run(f"calls -o fsync -t 2 -n {calls}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
  lab.run("killall -INT ilk-fifo")
  wait_for("the reader's end", lambda: "missing" in lab.said("/tmp/ilk-fifo.said"), 60)
  said = lab.run("tail -n 1 /tmp/ilk-fifo.said").split()
  expect(int(said[0]) + int(said[2]) == calls, f"{calls} calls, the reader says {said}")
  return " ".join(said)


if __name__ == "__main__":
  sys.exit(main([small_rings_report_losses, each_loss_has_its_place, stop_when_full, overwritten, a_window,
                 a_trigger, sizes_that_cannot_be, another_program_reads], Lab(sys.argv[1])))
