#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
watchpoints - who accesses a variable: all of them, exactly, by block, value and context

A module writes its variables a known number of times, from functions of its own, in tasks, softirqs and interrupts. Others
who want the debug registers keep theirs, we ours, and however a run ends they are free again. A variable that is in
each path of the kernel does not hold the machine up.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Run, expect, lab_of_arguments, main, wait_for

MODULE = "/lib/modules/$(uname -r)/extra/gilk_watched.ko"
FOLDER = "/sys/module/gilk_watched/parameters"
LONG = "gilk_watched_long"
MOST = ",limit=10000000"   # bursts of the workload are no reason to pause


def load(lab):
  lab.run(f"[ -d {FOLDER} ] || insmod {MODULE}")


def address(lab):
  load(lab)
  return int(lab.run(f"cat {FOLDER}/at"))


def symbol(lab, name):
  load(lab)
  if lab.has_symbol(name):
    return lab.symbol(name)
  of_modules = [at for at, _, known, _ in lab.kallsyms() if known == name]
  expect(of_modules, f"there is no symbol {name}")
  return of_modules[0]


def write(lab, *acts):
  lab.run("; ".join(f"echo '{act}' >{FOLDER}/write" for act in acts))


def n_cpus(lab):
  return int(lab.run("grep -c ^processor /proc/cpuinfo"))


class Watched:
  """A run of some watches, and what came of it."""

  def __init__(self, lab, *words, watches=()):
    load(lab)
    self.folder = tempfile.TemporaryDirectory()
    words = [word for watch in watches for word in ("--watchpoint", watch)] + list(words)
    self.run = Run(lab, os.path.join(self.folder.name, "watch.gilk"), *words, "--for", "10m")
    Run.wait_started(lab)
    expect(self.run.process.poll() is None, f"gilk run ended: {self.run.read_output()}")

  def end(self):
    expect(self.run.stop() == 0, f"gilk run failed: {self.run.output}")
    report = self.run.report()
    self.hooks = report["hooks"]
    for hook in self.hooks:
      expect(hook["instrument"] != "watchpoint" or hook["hits"] == hook["stored"] + hook["lost"], f"{hook['hits']} hits, {hook['stored']} stored, {hook['lost']} lost")
    self.writers = [{one["accessor"]: one for one in watchpoint["accessors"]} for watchpoint in report.get("accesses", [])]
    return self

  def hits(self, i=0):
    return self.hooks[i]["hits"]

  def of(self, function, i=0):
    """All blocks of a function together: how often, in which contexts, and the last value by block."""
    some = [w for w in self.writers[i].values() if w["function"] == function]
    return sum(w["count"] for w in some), {c for w in some for c, n in w["contexts"].items() if n}, some


def refused(lab, *words):
  with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([GILK, "run", "--target", lab.target, *words, "--for", "1s", "-o", os.path.join(folder, "none.gilk")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
  expect(done.returncode != 0, f"{words} was not refused: {done.stdout}")
  return done.stdout


def opened(lab, want=4, cpu=0):
  """How many registers another user of them gets."""
  return int(lab.run(f"/tmp/watchpoint-perf {cpu} {symbol(lab, 'jiffies_64'):#x} {want} 1").split()[1])


def every_access_is_attributed(lab):
  watched = Watched(lab, watches=[f"{LONG}:w{MOST}"])
  cpus = n_cpus(lab)
  write(lab, "task 1000", "both 500", "soft 300", "hard 200", "branch 101")
  watched.end()
  task, soft, hard = (watched.of(f"gilk_watched_{who}") for who in ("task", "soft", "hard"))
  expect(task[:2] == (1000 + 500 * cpus, {"task"}), f"tasks: {task[:2]}")
  expect(soft[:2] == (300, {"softirq"}), f"softirqs: {soft[:2]}")
  expect(hard[:2] == (200 * (cpus - 1), {"hardirq"}), f"interrupts: {hard[:2]}")
  branch = sorted((w["count"], w["last"], w["min"], w["max"]) for w in watched.of("gilk_watched_branch")[2])
  expect(branch == [(50, 2, 2, 100), (51, 1, 1, 101)], f"two blocks: {branch}")
  total = 1000 + 500 * cpus + 300 + 200 * (cpus - 1) + 101
  expect(watched.hits() == total and len(watched.writers[0]) == 5, f"{watched.hits()} of {total} by {list(watched.writers[0])}")
  values = watched.run.sql("select value, before from samples_watchpoint order by t, cpu")
  wrong = [v for v, w in zip(values[1:], values) if v["before"] != w["value"]]
  expect(not wrong, f"what was before is not what was written before: {wrong[:3]}")
  return f"{total} writes"


def each_kind_of_access_is_seen(lab):
  watched = Watched(lab, watches=[f"gilk_watched_bytes:w1{MOST}", f"gilk_watched_own:w,cpu=each{MOST}", f"{LONG}:rw{MOST}",
                                   f"gilk_watched_read:x{MOST}"])
  cpus = n_cpus(lab)
  write(lab, "copy 20", "own 33", "read 44", "task 10")
  watched.end()
  expect(watched.of("gilk_watched_copy")[0] == 1, f"rep stosb: {watched.writers[0]}")
  expect(watched.of("gilk_watched_mine", 1)[0] == 33 * cpus, f"per-CPU: {watched.writers[1]}")
  expect(watched.of("gilk_watched_read", 2)[0] == 44, f"reads: {watched.writers[2]}")
  expect(watched.of("gilk_watched_task", 2)[0] == 20, f"a read and a write each: {watched.writers[2]}")
  expect(watched.of("gilk_watched_read", 3)[0] == 44, f"executed: {watched.writers[3]}")
  watched = Watched(lab, watches=[f"gilk_watched_own:w,cpu=1{MOST}", f"(struct list_head) gilk_watched_list.prev:w{MOST}"])
  write(lab, "own 7", "branch 10")
  watched.end()
  expect(watched.hits(0) == 7, f"CPU 1's copy: {watched.hits(0)}")
  expect(watched.of("gilk_watched_branch", 1)[0] == 5, f"a member: {watched.writers[1]}")


def start_and_stop_times_are_kept(lab):
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "watch.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(f"[gilk-plan]\nversion=2\n[watchpoint a]\nwhat={LONG}:w{MOST}\n[watchpoint b]\nwhat=(struct list_head) gilk_watched_list.prev:w{MOST}\nstart=6s\nstop=30s\n")
    watched = Watched(lab, plan)
    write(lab, "branch 100")
    time.sleep(8)
    write(lab, "branch 60")
    time.sleep(26)
    write(lab, "branch 14")
    watched.end()
  expect(watched.hits(0) == 174 and watched.hits(1) == 30, f"{watched.hits(0)} and {watched.hits(1)}, of 174 and 30")


def hooks_and_watchpoints_work_together(lab):
  watched = Watched(lab, "--hook", "gilk_watched_task:entry", watches=[f"{LONG}:w{MOST}"])
  write(lab, "task 1000")
  watched.end()
  counts = {hook["instrument"]: hook["hits"] for hook in watched.hooks}
  expect(counts == {"count": 1000, "watchpoint": 1000}, f"{counts}")
  expect(watched.of("gilk_watched_task")[0] == 1000, f"{watched.writers[0]}")


def others_keep_their_registers(lab):
  lab.run("kill $(pidof watchpoint-perf)", check=False)
  at = symbol(lab, LONG)
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "watchpoint-perf"), "/tmp/watchpoint-perf")
  expect(opened(lab) == 4, "registers are in use")
  lab.run(f"(setsid /tmp/watchpoint-perf 0 {at:#x} 3 600000 </dev/null >/tmp/perf.out 2>&1 &)")
  wait_for("perf has three", lambda: "opened 3" in lab.said("/tmp/perf.out"))
  said = refused(lab, "--watchpoint", f"{LONG}:w", "--watchpoint", "jiffies_64:w")
  expect("debug register" in said, f"slots used up: {said}")
  watched = Watched(lab, watches=[f"(struct list_head) gilk_watched_list.prev:w{MOST}"])
  expect(opened(lab) == 0, "more than four registers")
  write(lab, "both 50", "branch 50", "branch 50", "branch 50", "branch 50")
  watched.end()
  expect(watched.hits() == 100, f"ours: {watched.hits()}")
  lab.run("kill $(pidof watchpoint-perf)")
  wait_for("perf ends", lambda: "hits" in lab.said("/tmp/perf.out"))
  hits = sum(int(word) for word in lab.said("/tmp/perf.out").split()[3:])
  expect(hits >= 50, f"perf's: {hits}")
  expect(opened(lab) == 4 and opened(lab, cpu=1) == 4, "not all registers are free again")


def the_agent_sleeps_between_looks(lab):
  """With real-time priority, an agent that never slept would keep its CPU from all else."""
  watched = Watched(lab, watches=[f"{LONG}:w"])
  agent = lab.run("for p in $(pidof gilkd); do ls -l /proc/$p/fd | grep -q perf_event && echo $p; done; true").split()
  # The helper that opens breakpoints has none of them open.
  expect(len(agent) == 1, f"agents with breakpoints: {agent}")
  slept = lambda: int(lab.run(f"sed -n 's/^voluntary_ctxt_switches://p' /proc/{agent[0]}/status"))
  before = slept()
  wait_for("the agent has slept 100 times", lambda: slept() >= before + 100)
  watched.end()


def registers_are_free_after_a_death(lab):
  watched = Watched(lab, watches=[f"{LONG}:w", "gilk_watched_bytes:w", "jiffies_64:w", "gilk_watched_read:x"])
  expect(opened(lab) == 0, "we have not all four")
  watched.run.kill()
  wait_for("all are free", lambda: opened(lab) == 4)
  watched = Watched(lab, watches=[f"{LONG}:w", "gilk_watched_bytes:w", "jiffies_64:w", "gilk_watched_read:x"])
  lab.kill_agents()
  wait_for("the run has ended", lambda: watched.run.process.poll() is not None)
  watched.run.output = watched.run.read_output()
  wait_for("all are free", lambda: opened(lab) == 4)


def unloading_a_module_ends_its_watchpoint(lab):
  watched = Watched(lab, watches=[f"{LONG}:w", "jiffies_64:w"])
  write(lab, "task 9")
  lab.run("rmmod gilk_watched")
  time.sleep(2)
  watched.end()
  expect(watched.hits(0) == 9 and watched.hits(1) > 100, f"{watched.hits(0)} and {watched.hits(1)}")


def new_cpu_is_watched(lab):
  watched = Watched(lab, watches=[f"{LONG}:w{MOST}"])
  lab.run("echo 0 >/sys/devices/system/cpu/cpu1/online")
  write(lab, "both 10")
  lab.run("echo 1 >/sys/devices/system/cpu/cpu1/online")
  time.sleep(2)                # the agent looks ten times a second
  write(lab, "both 100")
  watched.end()
  expect(watched.hits() == 210, f"{watched.hits()} of 210")


def programs(lab):
  began = time.monotonic()
  lab.run("i=0; while [ $i -lt 100 ]; do i=$((i+1)); cat /proc/self/stat >/dev/null; done", timeout=1200)
  return time.monotonic() - began


def a_hot_variable_does_not_stop_the_machine(lab):
  log = int(lab.run("dmesg | wc -l"))
  watched = Watched(lab, watches=[f"{LONG}:w,limit=1000"])
  write(lab, "task 3000")
  time.sleep(1)
  write(lab, "task 1")
  watched.end()
  few, pauses = watched.hits(), watched.hooks[0]["missed"]
  expect(few < 3001 and pauses > 0, f"{few} taken, {pauses} pauses")
  name = "__preempt_count" if lab.has_symbol("__preempt_count") else LONG
  alone = programs(lab)
  watched = Watched(lab, watches=[f"{name}:rw,cpu=each" if name != LONG else f"{name}:w"])
  took = programs(lab)
  time.sleep(2)
  watched.end()
  said = lab.run(f"dmesg | tail -n +{log + 1} | grep -iE 'stall|lockup|BUG|WARN|Call Trace'", check=False)
  expect(not said.strip(), f"the kernel said: {said}")
  return f"{few} of 3001 at 1000/s; {name}: {watched.hits()} hits, {watched.hooks[0]['missed']} pauses, 100 programs in {took:.1f} s, else {alone:.1f}"


def unsupported_watchpoints_are_reported(lab):
  for words, said in [
      ("vfs_read:w", "neither kernel data"), ("jiffies_64:x", "no function"), ("0x1000:w8", "neither kernel data"),
      (f"{address(lab) + 1:#x}:w8", "aligned to that size"), ("asm_exc_int3:x", "exception handling itself"), ("gilk_watched_own:w", "cpu=each"),
      (f"{LONG}:w,cpu=0", "not a per-CPU variable"), ("no_such_thing:w", "no variable of that name"),
      ("jiffies_64:w3", "not a kind of access"), ("jiffies_64", "kind of access is missing"), ("cpu_dr7:rw,cpu=0", "exception handling itself"),
      ("(struct no_such) jiffies_64.x:w", "no type"), ("(struct list_head) gilk_watched_list.fourth:w", "no member"),
      ("(struct task_struct) init_task.comm[16]:w", "past the end of the array"),
      ("gilk_watched_own:w,cpu=9999", "release")]:
    answer = refused(lab, "--watchpoint", words)
    expect(said in answer, f"{words}: {answer}")
  # What the path of a debug exception reads or executes, where a kernel has it.
  for words in ("x86_pred_cmd:rw", "cpu_current_top_of_stack:rw,cpu=0", "__stack_chk_guard:rw,cpu=0", "pcpu_hot:rw8,cpu=0",
                f"{symbol(lab, '__x86_return_thunk'):#x}:x"):
    if words.startswith("0x") or lab.has_symbol(words.split(":")[0]):
      answer = refused(lab, "--watchpoint", words)
      expect("exception handling itself" in answer, f"{words}: {answer}")
  five = [word for i in range(5) for word in ("--watchpoint", f"{LONG}:w")]
  expect("debug register" in refused(lab, *five), "five at once")


if __name__ == "__main__":
  sys.exit(main([every_access_is_attributed, each_kind_of_access_is_seen, start_and_stop_times_are_kept, hooks_and_watchpoints_work_together,
                 others_keep_their_registers, new_cpu_is_watched, a_hot_variable_does_not_stop_the_machine,
                 unsupported_watchpoints_are_reported, unloading_a_module_ends_its_watchpoint,
                 registers_are_free_after_a_death, the_agent_sleeps_between_looks], lab_of_arguments()))
