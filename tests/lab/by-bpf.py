#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Accounts: hooks by BPF count what hooks by the driver count, and need no module
"""
by-bpf - runs whose hooks go by kprobes and BPF programs

Known numbers of calls, maps and samples by both ways are equal. The driver is not loaded while a run
goes by BPF, and no kprobe is left behind.
"""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BRIEF, GILK, ROOT, Run, expect, lab_of_arguments, main, wait_for

CALLS = 4000 if BRIEF else 20000
STORM = 10 * CALLS
FILES = 200 if BRIEF else 1000
BAD = FILES // 2
ENTRY = "__x64_sys_fsync"
BYTES, WRITES, FROZEN = 5113, 1500, 700                 # nobody else writes as many bytes
READ, READS = 1234944, 5                                # 301.5 pages
SIZES = f"{ENTRY}:entry {{ map fds[64]; fds[arg0 & 0xff]++; sample(who = pid, name = comm, now = cpu) }}"


def record(lab, way, calls, *hooks, options=(), path="fsync"):
  """Runs CALLS calls under HOOKS by WAY."""
  with tempfile.TemporaryDirectory() as folder:
    words = [word for hook in hooks for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", way, *words, *options, "--for", "10m")
    try:
      if way == "bpf":
        wait_for("hooks", lambda: lab.links() >= len(hooks) or run.process.poll() is not None, 60)
      else:
        lab.wait_armed()
      if calls:
        out = lab.run(f"calls -o {path} -t 2 -n {calls}")
        expect(f"calls {calls}\n" in out, f"the workload said: {out}")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    return run.report()


def modules(lab):
  return sorted(lab.run("cut -d' ' -f1 /proc/modules").split())


def needs_no_module(lab):
  """What is loaded while hooks are live is what was loaded before."""
  before = modules(lab)
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", "bpf", "--hook", f"{ENTRY}@entry:pre:count", "--for", "10m")
    wait_for("a hook", lambda: lab.links() == 1 or run.process.poll() is not None, 60)
    expect(modules(lab) == before, f"loaded: {modules(lab)}, before: {before}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
  expect(not lab.links() and not lab.kprobes(), "a hook is left")
  return f"{len(before)} modules before and meanwhile"


def every_call(lab):
  """A count, a stamp, and a post-hook of the first block."""
  report = record(lab, "bpf", CALLS, f"{ENTRY}@entry:pre:count", f"{ENTRY}@entry:pre:stamp", f"{ENTRY}@entry:post:count")
  tactics = [hook["tactic"] for hook in report["hooks"]]
  expect(tactics == [lab.entry_tactic(), lab.entry_tactic(), "kprobe"], f"tactics: {tactics}")
  for hook in report["hooks"]:
    expect(hook["hits"] == CALLS, f"{hook['hits']} of {CALLS} calls: {hook}")
  expect(report["hooks"][1]["stored"] + report["hooks"][1]["lost"] == CALLS, f"samples: {report['hooks'][1]}")
  return f"{CALLS} calls, each of 3 hooks"


OTHERS = ("read", "write", "open", "openat", "close", "lseek", "pread64", "pwrite64", "dup", "dup2", "pipe2", "getpid", "getppid",
          "getuid", "getgid", "mincore", "newstat", "newfstat", "newlstat", "mprotect", "munmap", "brk", "ioctl", "access", "fcntl")


def entries_at_once(lab):
  """Programs of many functions are attached together, and each hook counts its own function. A hook
  that ends before the others counts no more."""
  others = OTHERS[:16] if BRIEF else OTHERS              # the least that share a link
  hooks = [f"__x64_sys_{name}@entry:pre:count" for name in others] + [f"{ENTRY}@entry:pre:{kind}" for kind in ("stamp", "count")]
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "many.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=2\n")
      for i, hook in enumerate(hooks):
        name, kind = hook.split("@")[0], hook.rsplit(":", 1)[1]
        file.write(f"[hook h{i}]\nfunction={name}\nanchor=entry\nwhere=pre\ninstrument={kind}\n")
      file.write(f"[hook early]\nfunction={ENTRY}\nanchor=entry\nwhere=pre\ninstrument=count\nstop=1ms\n")
    run = Run(lab, os.path.join(folder, "run.gilk"), plan, "--by", "bpf", "--for", "10m")
    lab.run("test -d /sys/kernel/tracing/events || mount -t tracefs tracefs /sys/kernel/tracing")
    joins = lab.has_symbol("register_fprobe_ips")
    entries = lambda: int(lab.run("grep -c sys_ /sys/kernel/tracing/enabled_functions; true"))
    alone = 1 if joins else len(hooks)                   # and that of the hook that ends early
    wait_for("hooks", lambda: entries() >= len(others) + 1 and len(lab.kprobes()) >= alone or run.process.poll() is not None)
    single = len(lab.kprobes())
    out = lab.run(f"calls -o fsync -t 2 -n {CALLS}")
    expect(f"calls {CALLS}\n" in out, f"the workload said: {out}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    found = run.report()["hooks"]
  expect(single in (alone, alone + 1), f"{single} kprobes")
  n = len(others)
  expect([found[i]["hits"] for i in (n, n + 1)] == [CALLS, CALLS], f"hits: {found}")
  expect(found[n]["stored"] + found[n]["lost"] == CALLS, f"samples: {found[n]}")
  expect(found[n + 2]["hits"] < CALLS, f"the hook that ended: {found[n + 2]}")
  expect(found[OTHERS.index("mincore")]["hits"] == 0, f"a function that nobody calls: {found}")
  expect(entries() == 0, "an entry is left")
  return f"{len(hooks)} hooks, {single} with a kprobe of their own"


def sums_of(run, name, of_keys):
  """{name of the key: sum} of a map."""
  rows = run.sql(f"select key, sum(value) as count from maps where name = '{name}' and kind = 'map' group by key")
  return {of_keys[int(row["key"]) % 2**64]: row["count"] for row in rows}


def functions_share_a_program(lab):
  """A program at all functions that match a pattern counts calls by function, and is one program where the kernel can do that."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", "bpf", "--for", "10m",
              "--hook", "__x64_sys_f*:entry { common map calls[256]; common map by[64]; calls[func]++; by[comm]++; count() }")
    run.wait_started(lab)
    single = len(lab.kprobes())
    lab.run(f"calls -o fsync -t 2 -n {CALLS}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hits = {hook["function"]: hook["hits"] for hook in run.report()["hooks"]}
    names = {row["address"] % 2**64: row["symbol"] for row in run.sql("select address, symbol from address")}
    texts = {row["value"] % 2**64: row["name"] for row in run.sql("select value, name from value_name where meaning = 'text'")}
    calls = sums_of(run, "calls", names)
    by = sums_of(run, "by", texts)
  expect(by["calls"] >= CALLS and sum(by.values()) == sum(calls.values()), f"by name {by}, by function {calls}")
  expect(single == (0 if lab.has_symbol("register_fprobe_ips") else len(hits)), f"{single} kprobes for {len(hits)} functions")
  expect(hits[ENTRY] == CALLS, f"hits {hits}")
  expect(calls == {name: count for name, count in hits.items() if count}, f"calls {calls}, hits {hits}")
  return f"{len(hits)} functions, {single} with a kprobe of their own"


def entries_read_arguments(lab):
  """Programs at entries of functions read arguments of 8 bytes, and can compute with pointers. For smaller arguments and for stacks
  they get a kprobe."""
  fields = "f = arg1, low = arg1 & 0xfff, twice = arg1 << 1, how = arg2"
  points = ((fields, lab.entry_tactic()), (f"{fields}, d = arg0", "kprobe"), (f"{fields}, s = stack()", "kprobe"))
  for told, tactic in points:
    with tempfile.TemporaryDirectory() as folder:
      run = Run(lab, os.path.join(folder, "run.gilk"), "--by", "bpf", "--hook", f"do_sys_openat2:entry {{ if (comm == \"calls\") sample({told}) }}",
                "--for", "10m")
      wait_for("a hook", lambda: lab.links() == 1 or run.process.poll() is not None, 60)
      lab.run(f"calls -o absent -t 1 -n {CALLS}")
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook = run.report()["hooks"][0]
      rows = run.sql('select low - (f & 4095) as low, twice - 2 * f as twice, count(*) as n '
                     'from "samples_do_sys_openat2_entry_pre" group by f, low, twice order by n desc')
    expect(hook["tactic"] == tactic, f"{told}: {hook['tactic']}")
    expect(not hook["missed"] and not hook["lost"], f"samples: {hook}")
    # The C library may open a file of its own.
    expect(rows[0] == {"low": 0, "twice": 0, "n": CALLS}, f"{told}: {rows}")
  return f"{CALLS} calls by each of {len(points)} programs"


def both_ways(lab):
  """Counters, maps and samples of a program; the same numbers."""
  by = {way: record(lab, way, CALLS, SIZES) for way in ("bpf", "ilk")}
  kept = {way: [program.get("maps") for program in report["programs"]] for way, report in by.items()}
  expect(kept["bpf"] == kept["ilk"] and kept["bpf"], f"maps: {kept}")
  hits = {way: report["hooks"][0]["stored"] + report["hooks"][0]["lost"] for way, report in by.items()}
  expect(hits == {"bpf": CALLS, "ilk": CALLS}, f"samples: {hits}")
  return f"{CALLS} samples by each way"


def programs_tell_the_same(lab):
  """A condition on the process, the CPU and the name; fields are those of the caller."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", "bpf", "--hook", SIZES, "--for", "10m")
    wait_for("a hook", lambda: lab.links() == 1 or run.process.poll() is not None, 60)
    lab.run("calls -o fsync -t 1 -n 50")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    rows = subprocess.run([GILK, "export", "--csv", run.session], text=True, check=True, stdout=subprocess.PIPE).stdout.splitlines()
  expect(len(rows) == 51, f"{len(rows) - 1} samples of 50 calls")
  expect(all("calls" in row for row in rows[1:]), f"a sample is {rows[1]}")
  return "50 samples name their process"


def opened(lab, way, hooks, loads):
  """What HOOKS at the opening of files record of LOADS, each a path of "calls" and a number: rows of the first, report, output."""
  with tempfile.TemporaryDirectory() as folder:
    words = [word for text in hooks for word in ("--hook", f"do_sys_openat2:entry {{ if (comm == \"calls\") {text} }}")]
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", way, *words, "--for", "10m")
    try:
      if way == "bpf":
        wait_for("hooks", lambda: lab.links() >= len(hooks) or run.process.poll() is not None, 60)
      else:
        lab.wait_armed()
      for path, calls in loads:
        out = lab.run(f"calls -o {path} -t 1 -n {calls}")
        expect(f"calls {calls}\n" in out and ("wrong" not in out or "wrong 0" in out), f"the workload said: {out}")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    report = run.report()["hooks"]
    done = subprocess.run([GILK, "export", "--csv", "--hook", report[0]["hook"], run.session], text=True, check=True, stdout=subprocess.PIPE)
    return list(csv.DictReader(done.stdout.splitlines())), report, run.output


def user_memory(lab):
  """Each name that a process passes is recorded, also where it ends in front of a page that is not mapped. Addresses that are
  not mapped, and pages that are not present, are bad each time. Without user() all of this is bad, and the remedy is named."""
  wanted = [f"/tmp/calls-{number}" for number in range(1, FILES + 1)]
  for way in ("bpf", "ilk"):
    rows, hooks, output = opened(lab, way, ("sample(address = (u64) filename, name = string(user(filename), 64))", "sample(first = *filename)"),
                                 (("create", FILES), ("badpath", BAD), ("absent", BAD)))
    names = [row["name"] for row in rows if row["name"].startswith("/tmp/calls-")]
    expect(names == wanted, f"{way}: {len(names)} of {FILES} names, {names[:3]} .. {names[-3:]}")
    for what, bad in (("not mapped", [row["bad"] for row in rows if int(row["address"]) == 8]),
                      ("not present", [row["bad"] for row in rows if int(row["address"]) % 4096 == 0])):
      expect(len(bad) == BAD and bad.count("2") == BAD, f"{way}, {what}: {bad.count('2')} of {len(bad)} bad, {BAD} expected")
    expect(hooks[0]["failed_reads"] == sum(row["bad"] != "0" for row in rows), f"{way}: {hooks[0]['failed_reads']} bad reads")
    expect(hooks[1]["failed_reads"] == hooks[1]["stored"] == len(rows), f"{way}, plain reads: {hooks[1]}")
    expect("user(filename)" in output, f"{way}: {output}")
  return f"{FILES} names and {2 * BAD} bad reads by each way"


SERVICES = {
  "vfs_read:entry": f"common table seen[64]; if (count == {READ}) {{ seen[tid] = 1 }}",
  "handle_mm_fault:entry": "common table seen[64]; if (seen[tid]) seen[tid] += 1",
  "vfs_read:return": "common table seen[64]; let n = take(seen, tid); if (n) sample(n = n - 1)",
  "vfs_write:entry": f"global frozen; map by[64]; if (count == {BYTES}) {{ by[stack()]++; frozen += 1; sample(s = stack(), frozen); "
                     f"if (frozen == {FROZEN}) freeze }}",
  "vfs_write@entry:post": "map post[64]; if (comm == \"dd\") post[stack()]++",
}


def stacks_of(report, name):
  """{(place, ...): value} of a map, from within outwards."""
  return {tuple(key["stack"]): key["value"] for program in report["programs"] for kept in program["maps"] if kept["name"] == name
          for key in kept["keys"]}


def use_services(lab, way):
  """Stacks of both maps, faults of each read, samples of the writes, and their flame graph, by WAY."""
  with tempfile.TemporaryDirectory() as folder:
    words = [word for at, program in SERVICES.items() for word in ("--hook", f"{at} {{ {program} }}")]
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", way, *words, "--for", "10m")
    try:
      if way == "bpf":
        wait_for("hooks", lambda: lab.links() >= len(SERVICES) or run.process.poll() is not None, 60)
      else:
        lab.wait_armed()
      lab.run(f"for i in $(seq {READS}); do taskset 2 dd if=/dev/zero of=/dev/null bs={READ} count=1 2>/dev/null; done; "
              f"dd if=/dev/zero of=/dev/null bs={BYTES} count={WRITES} 2>/dev/null")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    report = run.report()
    hooks = {hook["hook"]: hook for hook in report["hooks"]}
    faults = run.sql('select n from "samples_vfs_read_return_post"')
    writes = run.sql('select max(frozen) as last, count(*) as n, count(distinct s) as stacks, min(s) as least from "samples_vfs_write_entry_pre"')
    flame = subprocess.run([GILK, "export", run.session, "--stacks"], stdout=subprocess.PIPE, text=True, check=True).stdout
  return [stacks_of(report, name) for name in ("by", "post")], faults, writes[0], hooks["vfs_write-entry-pre"], flame


def services(lab):
  """Stacks of maps and samples, tables and a freeze: the same by both ways"""
  stacks, lines = {}, {}
  for way in ("bpf", "ilk"):
    stacks[way], faults, writes, hook, flame = use_services(lab, way)
    expect(len(faults) == READS and all(int(row["n"]) > 0 for row in faults), f"{way}: faults of {READS} reads: {faults}")
    expect(int(writes["last"]) == int(writes["n"]) == hook["stored"] == FROZEN and hook["lost"] == WRITES - FROZEN,
           f"{way}: frozen at {FROZEN} of {WRITES}: {writes}, {hook}")
    expect(writes["stacks"] == 1 and int(writes["least"]) > 0, f"{way}: stacks of samples: {writes}")
    lines[way] = sorted(line for line in flame.splitlines() if ";vfs_write " in line)
  expect(stacks["bpf"] == stacks["ilk"] and sum(stacks["ilk"][0].values()) == WRITES and all(len(stack) > 3 for stack in stacks["bpf"][1]),
         f"stacks: {stacks}")
  expect(lines["bpf"] == lines["ilk"] and lines["ilk"], f"flame graphs: {lines}")
  return f"{len(list(stacks['bpf'][0])[0])} calls, frozen at {FROZEN}"


def stacks_in_interrupts(lab):
  """Many stacks, in any context: each is kept or counted"""
  report = record(lab, "bpf", 100000, "update_process_times:entry { map by[1024]; counter all; all++; by[stack()]++ }")
  stacks = stacks_of(report, "by")
  kept = {one["name"]: one["value"] for one in report["programs"][0]["maps"] if "value" in one}
  missed = next(one["full"] for one in report["programs"][0]["maps"] if one["name"] == "by")
  expect(sum(stacks.values()) + missed == kept["all"] and kept["all"] > 20, f"{sum(stacks.values())} of {kept}, {missed} missed")
  expect(all(stack[0].split("+")[0] == "update_process_times" and len(stack) > 3 for stack in stacks), f"{list(stacks)[:5]}")
  return f"{kept['all']} interrupts, {len(stacks)} stacks"


def full_ring(lab):
  """A ring of the least size: stored + lost = calls."""
  report = record(lab, "bpf", STORM, f"{ENTRY}@entry:pre:stamp", options=("--ring", "64K"))
  hook = report["hooks"][0]
  expect(hook["stored"] + hook["lost"] == STORM, f"{hook['stored']} stored and {hook['lost']} lost")
  return f"{hook['lost']} of {STORM} lost"


def schedule(lab):
  """A hook that starts later and stops earlier has samples of that time alone."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "later.plan")
    session = os.path.join(folder, "later.gilk")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(f"[gilk-plan]\nversion=2\n[hook later]\nfunction={ENTRY}\nanchor=entry\nwhere=pre\ninstrument=stamp\nstart=300ms\nstop=800ms\n")
    lab.background("timeout 120 calls -o fsync -t 1 -n 1000000000")
    try:
      run = Run(lab, session, plan, "--by", "bpf", "--for", "2s")
      expect(run.wait() == 0, f"gilk run failed: {run.output}")
    finally:
      lab.run("killall calls; true")
    text = subprocess.run([GILK, "export", "--csv", session], text=True, check=True, stdout=subprocess.PIPE).stdout
  times = [int(row["t_ns"]) for row in csv.DictReader(text.splitlines())]
  expect(len(times) > 10 and min(times) >= 300_000_000, f"{len(times)} samples, the first at {min(times, default=None)} ns")
  return f"{len(times)} samples from {min(times) / 1e9:.3f} to {max(times) / 1e9:.3f} s"


def the_study_names_the_bottleneck(lab):
  """The first study of the README: its instrument is a kernel module by the driver, and a program by BPF"""
  said = {}
  with tempfile.TemporaryDirectory() as folder:
    for way in ("bpf", "ilk"):
      session = os.path.join(folder, f"{way}.gilk")
      lab.background("exec pipeline 60")
      try:
        run = Run(lab, session, os.path.join(ROOT, "data", "recipes", "pipeline.plan"), "--by", way, "--for", "20s")
        expect(run.wait() == 0, f"gilk run failed: {run.output}")
      finally:
        lab.run("killall pipeline cat tr sed grep; true")
      said[way] = subprocess.run([GILK, "report", session, "--stages", "cat,tr,sed,grep"], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
  expect(all("The bottleneck is sed." in text for text in said.values()), f"{said}")
  return "sed, by both ways"


def refused_by_name(lab):
  listing = subprocess.run([GILK, "cfg", "--target", lab.target, "vfs_write"], text=True, check=True, stdout=subprocess.PIPE).stdout
  push = re.search(r"^ *(\+0x[0-9a-f]+) +push +%rb[xp]$", listing, re.M).group(1)
  for hook, words in ((f"{ENTRY}@entry:pre:template", "bpf-module"), (f"{ENTRY}@entry:pre:count:clone", "bpf-tactic"),
                      (f"{ENTRY}:entry {{ marker(\"a call\") }}", "bpf-service"),
                      (f"vfs_write{push}:at {{ sample(s = stack()) }}", "bpf-stack"),
                      (f"{ENTRY}:entry {{ nullify((int) 0) }}", "bpf-change")):
    done = subprocess.run([GILK, "run", "--json", "--target", lab.target, "--by", "bpf", "--allow-changes", "--for", "1s", "--hook", hook],
                          text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect(done.returncode != 0, f"{hook} was accepted")
    error = json.loads(done.stdout)["error"]
    expect(error["refusal"] == words, f"{hook}: {error}")
  expect(not lab.links() and not lab.kprobes(), "a hook is left")
  return "5 hooks"


def a_dead_client(lab):
  """kill -9: the agent ends what it had, and the kernel is as before."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--by", "bpf", "--hook", f"{ENTRY}@entry:pre:count", "--for", "10m")
    wait_for("a hook", lambda: lab.links() == 1 or run.process.poll() is not None, 60)
    run.process.send_signal(signal.SIGKILL)
    run.process.wait()
    wait_for("no hook", lambda: not lab.links() and not lab.kprobes(), 60)
  return "nothing is left"


def views_tell_of_kprobes(lab):
  """Graph, survey and plan have the tactic, the refusals and the costs of the way that --by names."""
  graph = lab.gilk("cfg", "--by", "bpf", "--no-insns", "vfs_read")
  points = [block[where] for block in graph["blocks"] for where in ("pre", "post")]
  expect(graph["way"] == "bpf" and all(("tactic" in point) != ("refusal" in point) for point in points), f"the graph: {points[:4]}")
  expect(points[0].get("tactic") == lab.entry_tactic(), f"the entry: {points[0]}")
  expect({point["tactic"] for point in points[1:] if "tactic" in point} == {"kprobe"}, f"tactics: {points[:4]}")
  costs = sorted({point["cost"] for point in points[1:] if "cost" in point})
  expect(300 < costs[0] < 400 and 700 < costs[-1] < 800, f"costs of a count: {costs}")
  survey = lab.gilk("survey", "--by", "bpf", "--function", "vfs_read")
  expect(survey["way"] == "bpf" and survey["all"]["kprobe"] == len(points) - survey["all"]["refused"] > 0, f"the survey: {survey['all']}")
  expect(lab.gilk("cfg", "--no-insns", "vfs_read")["way"] == "ilk", "without --by the graph is not the driver's")
  ways = {check["check"]: check["state"] for check in lab.gilk("doctor")["ways"]}
  expect(ways == {"ilk": "good", "bpf": "good", "features": "note"}, f"the doctor: {ways}")
  return f"{len(points)} points, costs {costs}"


def runs_compare(lab):
  """Two runs of one session, one by each way: the list of runs and the comparison say which was which."""
  lab.background("timeout 300 calls -o fsync -t 1 -n 1000000000")
  with tempfile.TemporaryDirectory() as folder:
    session = os.path.join(folder, "both.gilk")
    try:
      for way in ("ilk", "bpf"):
        subprocess.run([GILK, "run", "--target", lab.target, "--by", way, "--hook", f"{ENTRY}@entry:pre:stamp", "--for", "1s", "-o", session],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
      lab.run("killall calls; true")
    runs = json.loads(subprocess.run([GILK, "runs", "--json", session], check=True, text=True, stdout=subprocess.PIPE).stdout)["runs"]
    expect([run["way"] for run in runs] == ["ilk", "bpf"], f"runs: {runs}")
    label = json.loads(subprocess.run([GILK, "report", "--json", session], check=True, text=True, stdout=subprocess.PIPE).stdout)["hooks"][0]["hook"]
    found = json.loads(subprocess.run([GILK, "report", "--json", session, "--compare", f"{label}@1", f"{label}@2"], check=True, text=True,
                                      stdout=subprocess.PIPE).stdout)["compare"]
    said = subprocess.run([GILK, "report", session, "--compare", f"{label}@1", f"{label}@2"], check=True, text=True, stdout=subprocess.PIPE).stdout
  expect(found["a"]["way"] == "ilk" and found["b"]["way"] == "bpf", f"compared: {found['a']} and {found['b']}")
  expect("by ilk" in said and "by bpf" in said and "A hit costs more by bpf" in said, f"in words: {said}")
  return "by ilk and by bpf"


if __name__ == "__main__":
  SHORT = [every_call, entries_at_once, functions_share_a_program, entries_read_arguments, both_ways, user_memory, services, refused_by_name, a_dead_client]
  LONG = [needs_no_module, programs_tell_the_same, stacks_in_interrupts, full_ring, schedule, views_tell_of_kprobes, runs_compare, the_study_names_the_bottleneck]
  sys.exit(main(SHORT if BRIEF else SHORT + LONG, lab_of_arguments()))
