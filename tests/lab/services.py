#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
services - what programs ask of a machine by name: event counters, a crash; and maps of many keys

The kernel's own counts bound what its counters say from both sides; what a call makes of them is told by a second hook
where they are counted. The crash is of a lab of its own.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, ROOT, Lab, Run, expect, lab_of_arguments, main, wait_for

BYTES = 5119            # no other dd writes as many
TELL = f"dd if=/dev/zero of=/dev/null bs={BYTES} count=1 2>/dev/null"
READ = 1234944          # 301.5 pages
CPUS = 2


def started(lab, *words):
  folder = tempfile.TemporaryDirectory()
  run = Run(lab, os.path.join(folder.name, "services.gilk"), *words, "--for", "10m")
  run.folder = folder
  return run


def record(lab, words, workload, armed=1, kprobes=0):
  run = started(lab, *words)
  try:
    if kprobes:
      lab.wait_links(kprobes)
    else:
      lab.wait_armed(armed)
    said = lab.run(workload)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  return run, run.report(), said


def refused(lab, *words):
  """The sentence of a run that is refused."""
  with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([GILK, "run", "--target", lab.target, "--for", "1s", "-o", os.path.join(folder, "no.gilk"), *words],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
  expect(done.returncode != 0, f"not refused: {words}: {done.stdout}")
  expect(not lab.hooks(), f"refused, and hooks are left: {lab.hooks()}")
  return done.stdout


# ---- counters ----

def read_own_counts(lab):
  text = lab.run("cat /proc/stat /proc/vmstat")
  return {name: int(re.search(rf"^{name} (\d+)$", text, re.M).group(1)) for name in ("ctxt", "pgfault")}


def dump_counters(lab):
  for cpu in range(CPUS):
    lab.run(f"taskset {1 << cpu:x} {TELL}")


def counters_are_the_kernels(lab):
  """Told on each CPU before and behind the work; what the kernel says around those readings bounds each difference."""
  run = started(lab, "--hook", f"vfs_write:entry {{ if (count == {BYTES} && comm == \"dd\") sample(cpu, event(context_switches), "
                               "event(page_faults), event(task_clock), event(migrations), now) }")
  try:
    lab.wait_links(1)
    first = read_own_counts(lab)
    dump_counters(lab)
    second = read_own_counts(lab)
    lab.run("for i in $(seq 60); do (echo x; /bin/true) | cat >/dev/null; done; calls -o fsync -t 2 -n 2000 >/dev/null 2>&1 || true")
    third = read_own_counts(lab)
    dump_counters(lab)
    fourth = read_own_counts(lab)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  rows = run.sql('select cpu, context_switches as ctxt, page_faults as pgfault, task_clock, migrations, now, bad '
                 'from "samples_vfs_write_entry_pre" order by t_ns')
  expect(len(rows) == 2 * CPUS and not any(int(row["bad"]) for row in rows), f"{rows}")
  sums, told = {}, []
  for name, leeway in (("ctxt", 0), ("pgfault", 0.03)):
    before = sum(int(row[name]) for row in rows[:CPUS])
    sums[name] = sum(int(row[name]) for row in rows[CPUS:]) - before
    least, most = third[name] - second[name], fourth[name] - first[name]
    expect(least * (1 - leeway) <= sums[name] <= most * (1 + leeway), f"{name}: {sums[name]}, by the kernel {least} to {most}")
    told.append(f"{name} {sums[name]} of {least} to {most}")
  khz = run.sql("select tsc_khz from run")[0]["tsc_khz"]
  for cpu in range(CPUS):
    a, b = [row for row in rows if int(row["cpu"]) == cpu]
    clock = int(b["task_clock"]) - int(a["task_clock"])
    ticks = (int(b["now"]) - int(a["now"])) * 1e6 / float(khz)
    # An emulated kernel that boots on a busy machine takes its own counter for up to some per cent faster or slower.
    expect(abs(clock - ticks) < 0.05 * ticks + 50000, f"CPU {cpu}: {clock} ns of its clock, {ticks} by its counter")
  return ", ".join(told)


def a_call_s_share_is_exact(lab):
  """Faults of a read into memory that is not there yet: as many as a hook where they are handled counts in that call."""
  hooks = {
    "vfs_read:entry": f"common table at[64]; common table seen[64]; if (count == {READ}) {{ seen[tid] = 1; at[tid] = event(page_faults) }}",
    "handle_mm_fault:entry": "common table seen[64]; if (seen[tid]) seen[tid] += 1",
    "vfs_read:return": "common table at[64]; common table seen[64]; let n = take(seen, tid); "
                       "if (n) sample(n = n - 1, made = event(page_faults) - take(at, tid), cpu)",
  }
  words = [word for at, program in hooks.items() for word in ("--hook", f"{at} {{ {program} }}")]
  run, report, _ = record(lab, words, f"for i in 1 2 3 4 5; do taskset 2 dd if=/dev/zero of=/dev/null bs={READ} count=1 2>/dev/null; done", kprobes=3)
  tables = ["samples_" + re.sub(r"\W", "_", hook["instrument"]) for hook in report["hooks"] if hook["stored"]]
  rows = [row for name in tables for row in run.sql(f'select n, made from "{name}"')]
  expect(len(rows) == 5, f"5 calls, {rows}")
  for row in rows:
    expect(int(row["made"]) == int(row["n"]) > 0, f"{row}")
  return f"{[int(row['made']) for row in rows]} faults"


def missing_counters_are_named(lab):
  said = refused(lab, "--hook", "vfs_write:entry { sample(event(page_faults), event(instructions)) }")
  expect("event(instructions)" in said and "event-missing" in said and "gilk doctor" in said, said)
  said = refused(lab, "--hook", "vfs_write:entry { sample(event(0x1c2)) }")
  expect("event(0x1c2)" in said, said)
  said = refused(lab, "--hook", "vfs_write:entry { let a = " + " + ".join(f"event({i})" for i in range(1, 10)) + "; sample(a) }")
  expect("maximum of 8" in said, said)
  doctor = {check["check"]: check for check in lab.gilk("doctor", check=False)["checks"]}
  expect("no hardware counters" in doctor.get("counters", {}).get("value", ""), f"{doctor.get('counters')}: by the doctor, whom the refusal names")
  return "named"


def processors_come_and_go(lab):
  """The counter of a processor that comes again is bad; the others go on."""
  run = started(lab, "--hook", f"vfs_write:entry {{ if (count == {BYTES} && comm == \"dd\") sample(cpu, n = event(context_switches)) }}")
  try:
    lab.wait_links(1)
    dump_counters(lab)
    for _ in range(3):
      lab.run("echo 0 >/sys/devices/system/cpu/cpu1/online; sleep 0.2; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 1")
    dump_counters(lab)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  rows = run.sql('select cpu, n, bad from "samples_vfs_write_entry_pre" order by t_ns')
  of = [[int(row["n"]) for row in rows if int(row["cpu"]) == cpu] for cpu in range(CPUS)]
  expect([(int(row["cpu"]), int(row["bad"]) != 0) for row in rows] == [(0, False), (1, False), (0, False), (1, True)], f"{rows}")
  expect(of[0][1] > of[0][0], f"{of}")
  return f"{of}"


def a_recipe_works(lab):
  """That of counters, with those that any machine has."""
  with open(os.path.join(ROOT, "data", "recipes", "counters.plan"), encoding="utf-8") as file:
    text = file.read().replace("event(instructions)", "event(page_faults)").replace("event(cache_misses)", "event(context_switches)")
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "counters.plan")
    with open(path, "w", encoding="utf-8") as file:
      file.write(text)
    checked = {way: lab.gilk("plan", "check", path, *way)["partly_checked"] for way in ((), ("--by", "bpf"))}
    expect(checked == {(): True, ("--by", "bpf"): False}, f"partly checked: {checked}")
    run, report, _ = record(lab, [path], "taskset 2 dd if=/dev/zero of=/dev/null bs=64K count=500 2>/dev/null", kprobes=2)
  kept = {one["name"]: one.get("value") for program in report["programs"] for one in program["maps"]}
  found = {name: int(run.sql(f"select sum(value) as n from maps where name = '{name}'")[0]["n"] or 0) for name in ("instructions", "misses")}
  expect(kept["calls"] >= 500 and found["instructions"] == found["misses"] == kept["calls"], f"{kept}, {found}")
  return f"{kept['calls']} calls, {kept['moved']} moved"


def all_memory_is_freed(lab):
  """Counters flip the kernel's own switches in text: back at the end, and behind a death."""
  before = lab.text_sum()
  words = ["--hook", "vfs_write:entry { sample(event(page_faults), event(context_switches), event(migrations)) }"]
  record(lab, words, TELL, kprobes=1)
  wait_for("text as before", lambda: lab.is_clean() and lab.text_sum() == before)
  run = started(lab, *words)
  lab.wait_links(1)
  run.kill()
  wait_for("text as before a death", lambda: lab.is_clean() and lab.text_sum() == before)
  return "text as before"


# ---- maps ----

def large_maps_are_exact(lab):
  """Keys of two CPUs that are the same, and many: map, counter and hits."""
  program = "vfs_write:entry { map by[4096]; map few[2048]; counter all; if (count < 3000) { all++; by[count]++; few[count & 7] += 1 } }"
  work = "for i in $(seq 1 2 1200); do dd if=/dev/zero of=/dev/null bs=$i count=3 2>/dev/null; done"
  run, report, _ = record(lab, ["--hook", program], f"(taskset 1 sh -c '{work}') & taskset 2 sh -c '{work}'; wait; "
                                                    "calls -o write -t 2 -n 20000 >/dev/null 2>&1 || true")
  kept = {one["name"]: one for one in report["programs"][0]["maps"]}
  total = kept["all"]["value"]
  for name in ("by", "few"):
    found = sum(key["value"] for key in kept[name]["keys"]) + kept[name].get("full", 0)
    expect(found == total, f"{name}: {found} of {total}")
  keys = {int(row["key"]): int(row["value"]) for row in run.sql("select key, sum(value) as value from maps where name = 'by' and key is not null group by key")}
  odd = [key for key in range(1, 1201, 2) if keys.get(key, 0) < 6]
  expect(not odd, f"6 writes of each size were made; of {odd[:5]} there are fewer")
  return f"{total} writes of {len(keys)} sizes"


# ---- crashes ----

def a_crash_is_asked_for(lab):
  hook = ["--hook", f"vfs_write:entry {{ if (count == {BYTES} && comm == \"dd\") crash(\"found it\") }}"]
  said = refused(lab, *hook)
  expect("--allow-crash" in said, said)
  said = refused(lab, "--allow-crash", *hook)
  expect("no-crash-kernel" in said and "kdump-tools" in said, said)
  return "refused twice"


def a_program_crashes(lab):
  own = Lab(f"{lab.name}-crash")
  own.boot(lab.flavour())
  try:
    run = started(own, "--allow-crash-without-dump", "--hook", f"vfs_write:entry {{ if (count == {BYTES} && comm == \"dd\") crash(\"found it\") }}")
    own.wait_armed(1)
    own.background(f"sleep 1; {TELL}")
    wait_for("the run has ended", lambda: run.process.poll() is not None, 120)
    run.process.wait()
    status = run.stop()
    log = subprocess.run([Lab.PROGRAM, "log", own.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    expect("Kernel panic - not syncing: gilk: found it" in log, log[-2000:])
    expect(status != 0, f"the run ended as if nothing were: {run.output}")
    patches = run.sql("select armed_ns, restored_ns from patch")
    expect(len(patches) == 1 and patches[0]["armed_ns"] is not None and patches[0]["restored_ns"] is None, f"the journal has {patches}")
    expect("crash=without-dump" in run.sql("select plan from run")[0]["plan"], "the session does not say that it might crash")
    return run.output.strip().splitlines()[-1][:160]
  finally:
    own.stop()


if __name__ == "__main__":
  sys.exit(main([counters_are_the_kernels, a_call_s_share_is_exact, missing_counters_are_named, processors_come_and_go,
                 a_recipe_works, all_memory_is_freed,
        large_maps_are_exact, a_crash_is_asked_for, a_program_crashes], lab_of_arguments()))
