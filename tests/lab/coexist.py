#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Look before writing: code that kprobes, ftrace, BPF or a livepatch own is refused by name, and stays theirs
"""
coexist - others who patch the same functions: kprobes, ftrace, BPF, livepatch

usage: coexist.py FLAVOUR

Who was first is respected by name; who comes later works beside us, and our
undo waits until the bytes are ours again. In the end text is as it was.
"""
import contextlib
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BRIEF, BUILD, GILK, PIPE_READ, PIPE_WRITE, Run, expect, name_there, wait_for
from gilkstorm import on_own_lab
from gilkweather import complaints, log_end, set_fair_server

TRACING = "/sys/kernel/tracing"
CALLS = 2000

# The text's checksum when no test had run, by lab.
pristine = {}


@contextlib.contextmanager
def untouched(lab):
  """Text after the block is the text before all blocks, and the kernel has not complained."""
  if lab.name not in pristine:
    lab.gilk("doctor", "--load")
    lab.wait_clean()
    pristine[lab.name] = lab.text_sum()
  log = log_end(lab)
  yield
  lab.wait_clean(120)
  wait_for("text is as before", lambda: lab.text_sum() == pristine[lab.name], 60)
  said = complaints(lab, log)
  expect(not said, f"the kernel said: {said[:3]}")


@contextlib.contextmanager
def recording(lab, *hooks):
  """A run with HOOKS live; killed if the block fails."""
  with tempfile.TemporaryDirectory() as folder:
    words = [word for hook in hooks for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "coexist.gilk"), *words, "--for", "10m")
    try:
      lab.wait_armed(seconds=120)
      yield run
    finally:
      if run.process.poll() is None:
        run.kill()


@contextlib.contextmanager
def kprobes(lab, *definitions):
  """Kernel probe events, enabled."""
  try:
    for definition in definitions:
      lab.run(f"echo '{definition}' >>{TRACING}/kprobe_events")
    lab.run(f"echo 1 >{TRACING}/events/gilkco/enable")
    yield
  finally:
    lab.run(f"echo 0 >{TRACING}/events/gilkco/enable; echo >{TRACING}/kprobe_events", check=False)


def probe_hits(lab, name):
  out = lab.run(f"grep -w {name} {TRACING}/kprobe_profile")
  return int(out.split()[1])


def middle_block(lab, function):
  """Offset of a block behind the first that a splice reaches."""
  points = lab.gilk("survey", "--function", function)["points"]
  for point in points:
    if point["block"] != "+0x0" and point["block"].startswith("+") and point["pre"] == "splice":
      return point["block"]
  return None


def existing_kprobe(lab):
  function = name_there(lab, PIPE_WRITE)
  block = middle_block(lab, function)
  with untouched(lab), kprobes(lab, f"p:gilkco/first {function}{block}"):
    done = subprocess.run([GILK, "run", "--json", "--target", lab.target, "--for", "1s",
                           "--hook", f"{function}{block}:pre:count"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    error = json.loads(done.stdout)["error"]
    expect(done.returncode != 0 and error["code"] == "refused" and "kprobe" in error["message"],
           f"not refused by name: {error}")


def calls_of_fsync(lab):
  out = lab.run(f"calls -o fsync -t 2 -n {CALLS}")
  expect(f"calls {CALLS}\n" in out, f"the workload said: {out}")


def hits_of(run):
  return run.report()["hooks"][0]["hits"]


def later_kprobe(lab):
  """On our jump itself. The undo must not write over the probe's bytes."""
  with untouched(lab), recording(lab, "__x64_sys_fsync@entry:pre:count") as run:
    site = next(p["site"] for p in lab.hooks() if p["state"] == "armed")
    with kprobes(lab, f"p:gilkco/later {site}"):
      calls_of_fsync(lab)
      hits = probe_hits(lab, "later")
      expect(hits == CALLS, f"{CALLS} calls, the kprobe saw {hits}")
      run.stop()
      calls_of_fsync(lab)
      hits = probe_hits(lab, "later")
      expect(hits == 2 * CALLS, f"{2 * CALLS} calls, the kprobe saw {hits}")
    counted = hits_of(run)
    expect(counted >= CALLS, f"{CALLS} calls, {counted} counted")


def kprobe_removed_during_stop(lab):
  """A stop asks again for a while before it says that a place could not be put back."""
  with untouched(lab), recording(lab, "__x64_sys_fsync@entry:pre:count") as run:
    site = next(p["site"] for p in lab.hooks() if p["state"] == "armed")
    with kprobes(lab, f"p:gilkco/leaves {site}"):
      calls_of_fsync(lab)
      lab.background(f"usleep 1500000; echo 0 >{TRACING}/events/gilkco/enable; echo >{TRACING}/kprobe_events")
      code = run.stop()
    expect(code == 0, f"the run ended with {code}: {run.output}")
    expect(hits_of(run) == CALLS, f"{CALLS} calls, {hits_of(run)} counted")


def the_function_tracer(lab):
  with untouched(lab), recording(lab, "__x64_sys_fsync@entry:pre:count") as run:
    lab.run(f"cd {TRACING}; echo __x64_sys_fsync >set_ftrace_filter; echo >trace; "
            "echo function >current_tracer")
    try:
      calls_of_fsync(lab)
      seen = int(lab.run(f"grep -c '__x64_sys_fsync <-' {TRACING}/trace"))
    finally:
      lab.run(f"cd {TRACING}; echo nop >current_tracer; echo >set_ftrace_filter; echo >trace")
    calls_of_fsync(lab)
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect(seen == CALLS, f"{CALLS} calls, the tracer saw {seen}")
    expect(hits_of(run) == 2 * CALLS, f"{2 * CALLS} calls, {hits_of(run)} counted")


def returns_hooked_by_others(lab):
  """function_graph and a kretprobe hold the return while our hooks go."""
  with untouched(lab):
    load = lab.background("while :; do head -c 100000 /dev/zero | cat >/dev/null; done")
    try:
      with kprobes(lab, f"r:gilkco/back {name_there(lab, PIPE_READ)}"):
        lab.run(f"cd {TRACING}; echo '*pipe_*' >set_ftrace_filter; echo function_graph >current_tracer")
        for tactic in ("auto", "clone"):
          with recording(lab, f"{PIPE_READ}@entry:pre:count:{tactic}",
                         f"{PIPE_WRITE}@entry:pre:count:{tactic}") as run:
            lab.run("usleep 500000")
            expect(run.stop() == 0, f"gilk run failed: {run.output}")
            expect(hits_of(run) > 0, "nothing was counted")
        lab.run(f"cd {TRACING}; echo nop >current_tracer; echo >set_ftrace_filter; echo >trace")
        expect(probe_hits(lab, "back") > 0, "the kretprobe saw nothing")
    finally:
      lab.run(f"kill {load}", check=False)


def whose(lab, function):
  """Whom gilk names at the site of ftrace."""
  return next((row["owner"] for row in lab.gilk("cfg", "--now", function)["now"]), None)


def a_bpf_program_before_a_clone(lab):
  """It sits on the ftrace site, the clone behind it: both see every call, whoever came first."""
  if "yes" not in lab.run("[ -f /sys/kernel/btf/vmlinux ] && echo yes || echo no"):
    return "skipped: no BTF"
  lab.push(os.path.join(BUILD, "tests", "bench", "fentry"), "/tmp/fentry")
  lab.run("echo 1 >/proc/sys/kernel/bpf_stats_enabled")
  attached = f"/tmp/fentry -f __x64_sys_fsync calls -o fsync -t 2 -n {CALLS}"
  with untouched(lab):
    try:
      with recording(lab, "__x64_sys_fsync@entry:pre:count:clone") as run:
        lab.background("/tmp/fentry -f __x64_sys_fsync sleep 60")
        wait_for("the BPF program is told", lambda: whose(lab, "__x64_sys_fsync") == "BPF", 30)
        lab.run("killall fentry")
        out = lab.run(attached)
        expect(f"runs {CALLS}\n" in out, f"{CALLS} calls, the program said {out}")
        calls_of_fsync(lab)
        expect(run.stop() == 0, f"gilk run failed: {run.output}")
        expect(hits_of(run) == 2 * CALLS, f"{2 * CALLS} calls, {hits_of(run)} counted")
    finally:
      lab.run("echo 0 >/proc/sys/kernel/bpf_stats_enabled")
  return None


def a_kretprobe_on_a_clone(lab):
  """It takes the return address that the clone's own return goes to."""
  with untouched(lab), kprobes(lab, "r:gilkco/back __x64_sys_fsync"):
    with recording(lab, "__x64_sys_fsync@entry:pre:count:clone",
                   "__x64_sys_fsync@return:post:count:clone") as run:
      calls_of_fsync(lab)
      hits = probe_hits(lab, "back")
      expect(hits == CALLS, f"{CALLS} calls, the kretprobe saw {hits}")
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      expect(hits_of(run) == CALLS, f"{CALLS} calls, {hits_of(run)} counted")
    calls_of_fsync(lab)
    hits = probe_hits(lab, "back")
    expect(hits == 2 * CALLS, f"{2 * CALLS} calls, the kretprobe saw {hits}")


@contextlib.contextmanager
def one_cpu(lab):
  """
  For a transition a stock 6.12 patches 1,300 call sites of its scheduler, one by one, and
  emulated CPUs wait for each other at each of them: minutes on a busy machine.
  """
  switch = "/sys/devices/system/cpu/cpu1/online"
  set_fair_server(lab, "off")
  lab.run(f"echo 0 >{switch}")
  try:
    yield
  finally:
    lab.run(f"echo 1 >{switch}", check=False)


def a_livepatch(lab):
  """Replaces the function we hook; every task is switched though our patch is on its way."""
  module = "/lib/modules/$(uname -r)/extra/gilk_livepatch.ko"
  switch = "/sys/kernel/livepatch/gilk_livepatch"

  def switched():
    return lab.run(f"cat {switch}/transition 2>/dev/null || echo 0").strip() == "0"
  with untouched(lab), recording(lab, "cmdline_proc_show@entry:pre:count") as run:
    lab.run("cat /proc/cmdline >/dev/null")
    with one_cpu(lab):
      lab.run(f"insmod {module}")
      wait_for("the livepatch's transition", switched, 120)
      told = whose(lab, "cmdline_proc_show")
      shown = lab.run("cat /proc/cmdline").strip()
      lab.run(f"echo 0 >{switch}/enabled")
      wait_for("the way back", switched, 120)
      wait_for("the livepatch unloads", lambda: "gilk_livepatch" not in
               lab.run("rmmod gilk_livepatch 2>/dev/null; cat /proc/modules"), 30)
    lab.run("cat /proc/cmdline >/dev/null")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect(told == "livepatch", f"at the livepatched function {told} was told")
    expect(shown == "gilk was here", f"the livepatched function said: {shown}")
    expect(hits_of(run) == 2, f"the original ran 2 times, {hits_of(run)} counted")


def a_livepatch_of_a_clone(lab):
  """Old code runs in a clone: the livepatch waits; is refused; comes when the clone is empty."""
  modules = "/lib/modules/$(uname -r)/extra"
  nap = "/sys/module/gilk_clone/parameters"
  switch = "/sys/kernel/livepatch/gilk_livepatch"
  hook = "gilk_clone_nap@entry:pre:count:clone"

  def load():
    return lab.run(f"insmod {modules}/gilk_livepatch.ko 2>&1; echo code $?", check=False)

  def switched():
    return lab.run(f"cat {switch}/transition 2>/dev/null || echo 0").strip() == "0"
  with untouched(lab):
    lab.run(f"insmod {modules}/gilk_clone.ko")
    with recording(lab, hook) as run, one_cpu(lab):
      lab.run(f"echo 1 >{nap}/closed")
      lab.background(f"echo 5 >{nap}/nap")
      wait_for("a task sleeps in the clone", lambda: lab.run(f"cat {nap}/waiting").strip() == "1")
      said = load()
      if "code 0" in said:
        wait_for("the transition", switched, 120)
        expect(False, "the livepatch is complete, and a task runs the old code in a clone")
      status = lab.hooks()
      expect(any(p.get("waits_for") == "task" and p["wait_pid"] for p in status),
             f"status names nobody: {status}")
      expect(run.wait(60) > 0 and "livepatch" in run.output, f"gilk run does not tell: {run.output}")
      lab.run(f"echo 0 >{nap}/closed")
      lab.wait_clean(120)
      expect(lab.run(f"cat {nap}/nap").strip() == "10", "the sleeper did not come back from the clone")
      expect("code 0" in load(), "no livepatch though nobody is in a clone")
      wait_for("the livepatch's transition", switched, 120)
      lab.run(f"echo 5 >{nap}/nap")
      expect(lab.run(f"cat {nap}/nap").strip() == "15", "the livepatched function is not called")
      done = subprocess.run([GILK, "run", "--json", "--target", lab.target, "--for", "1s",
                             "--hook", hook], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True, check=False)
      expect(done.returncode != 0 and "livepatch" in done.stdout, f"not refused: {done.stdout}")
      lab.run(f"echo 0 >{switch}/enabled")
      wait_for("the way back", switched, 120)
      wait_for("the livepatch unloads", lambda: "gilk_livepatch" not in
               lab.run("rmmod gilk_livepatch 2>/dev/null; cat /proc/modules"), 30)
    lab.run("rmmod gilk_clone")


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: coexist.py FLAVOUR   (e.g. 6.1)")
  sys.exit(on_own_lab("coexist", sys.argv[1], [
    existing_kprobe, later_kprobe,
    kprobe_removed_during_stop, the_function_tracer,
    returns_hooked_by_others, a_bpf_program_before_a_clone, a_kretprobe_on_a_clone,
    a_livepatch, *([] if BRIEF else [a_livepatch_of_a_clone])]))
