#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
moving_watchpoints - programs at the accesses that watches see, and watches that programs lead elsewhere

What a program counts at accesses is what is written, and what watches without a program see; it looks at any address
there, and each bad one is told. A watch that hooks lead to a variable sees its writers from then on; an address that
cannot be watched is refused and told; modules and processors come and go, and clients die.
"""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, expect, lab_of_arguments, main, wait_for
from watchpoints import FOLDER, LONG, MOST, Watched, load, n_cpus, opened, refused, symbol, write

LONG_W = f"{LONG}:w{MOST}"
TIMES = 200000
REFS = f"refs=?:w8{MOST}"


def kept(watched, name):
  """What programs keep of all processors, by key; None is that of what has none."""
  sums = {}
  for row in watched.run.sql(f"SELECT key, value FROM maps WHERE name = '{name}'"):
    sums[row["key"]] = sums.get(row["key"], 0) + int(row["value"] or 0)
  return sums


def number(value):
  return int(str(value), 0) % (1 << 64)


def told(watched, words):
  expect(words in watched.run.output, f"\"{words}\" is not in what the run said: {watched.run.output}")


def complaints(lab, log):
  return lab.run(f"dmesg | tail -n +{log + 1} | grep -iE 'stall|lockup|BUG|WARN|Call Trace|oops'", check=False).strip()


def log_end(lab):
  return int(lab.run("dmesg | wc -l"))


def a_program_sees_each_access(lab):
  program = ("counter steps; counter jumps; map by[16] of symbol; map grew[16]; by[ip]++; grew[value - before]++; "
             "if (value == before + 1) { steps++ } else { jumps++ } count(); sample(value, before, address, stack())")
  watched = Watched(lab, watches=[f"{LONG_W} {{ {program} }}"])
  cpus = n_cpus(lab)
  write(lab, "task 500", "both 50", "soft 30", "hard 20")
  watched.end()
  steps, jumps = 500 + 50 * cpus, 30 + 20 * (cpus - 1)
  total = steps + jumps
  expect((kept(watched, "steps")[None], kept(watched, "jumps")[None]) == (steps, jumps),
         f"{kept(watched, 'steps')}, {kept(watched, 'jumps')} of {steps}, {jumps}")
  expect(sorted(v for v in kept(watched, "by").values() if v) == sorted([steps, 30, 20 * (cpus - 1)]), f"{kept(watched, 'by')}")
  expect(sorted((int(k), v) for k, v in kept(watched, "grew").items() if v) == [(1, steps), (16, 30), (256, 20 * (cpus - 1))],
         f"{kept(watched, 'grew')}")
  hook = watched.hooks[0]
  expect((hook["hits"], hook["stored"]) == (total, total), f"{hook['hits']} hits, {hook['stored']} samples of {total}")
  table = "samples_" + hook["instrument"].replace("-", "_")
  addresses = {number(row["address"]) for row in watched.run.sql(f"SELECT DISTINCT address FROM {table}")}
  expect(addresses == {symbol(lab, LONG)},
         f"watched is {symbol(lab, LONG):#x}: {addresses}")
  return f"{total} writes"


def bad_addresses_are_reported(lab):
  log = log_end(lab)
  program = ("counter asked; counter good; let p = now * 0x9e3779b97f4a7c15; asked++; "
             "let v = *(u64 *) (%s); good++")
  hole, anywhere = "0xfffffc0000000000 | (p >> 23)", "p & 0xbfffffffffffffff | 0x8000000000000000"
  sums = {}
  total = 5 * (1000 + 500 + 500 * (n_cpus(lab) - 1))
  # One at a time: of two debug registers with one address QEMU tells of one.
  for hook, address in (("hole", hole), ("any", anywhere), ("user", "p >> 20")):
    watched = Watched(lab, watches=[f"{hook}={LONG_W} {{ {program % address} }}"])
    for _ in range(5):
      write(lab, "task 1000", "soft 500", "hard 500")
    watched.end()
    asked, good, bad = (kept(watched, name).get(None, 0) for name in ("asked", "good", "bad"))
    expect(asked == total and asked == good + bad, f"{hook}: {asked} asked, {good} good, {bad} bad of {total}")
    expect(hook == "any" or good == 0, f"{hook}: {good} could be read")
    sums[hook] = bad
  expect(not complaints(lab, log), f"the kernel said: {complaints(lab, log)}")
  return ", ".join(f"{hook} {bad} bad" for hook, bad in sums.items())


def programs_start_stop_and_end(lab):
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "watch.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(f"[gilk-plan]\nversion=2\n[program p]\ncode=if (value == 4097) start(reads); if (value == 4098) stop(reads); if (value == 9001) stop run\n"
                 f"[watchpoint sees]\nwhat={LONG_W}\nprogram=p\n[hook reads]\nfunction=gilk_watched_read\nanchor=entry\nwhere=pre\ninstrument=count\n")
    watched = Watched(lab, plan)
    write(lab, "read 7", "branch 4097", "read 5")
    write(lab, "branch 9001")
    wait_for("the run ends", lambda: watched.run.process.poll() is not None)
    watched.run.output = watched.run.read_output()
    hits = {hook["hook"]: hook["hits"] for hook in watched.run.report()["hooks"]}
  expect(hits == {"sees": hits["sees"], "reads": 5}, f"{hits}, of 5 reads")


def hook_moves_a_watchpoint(lab):
  watched = Watched(lab, "--hook", "gilk_watched_task:entry { if (once) watch(refs, arg0); sample(arg0) }", watches=[REFS])
  write(lab, "task 1")
  time.sleep(2)
  write(lab, "task 300", "soft 20", "hard 10", "both 50")
  watched.end()
  cpus = n_cpus(lab)
  total = 300 + 20 + 10 * (cpus - 1) + 50 * cpus
  expect(total <= watched.hits() <= total + 1, f"{watched.hits()} of {total}")
  expect(watched.of("gilk_watched_soft")[0] == 20 and watched.of("gilk_watched_hard")[0] == 10 * (cpus - 1), f"{watched.writers[0]}")
  values = watched.run.sql("select value, before, address from samples_watchpoint order by t, cpu")
  wrong = [v for v, w in zip(values[1:], values) if v["before"] != w["value"]]
  expect(not wrong, f"what was before is not what was written before: {wrong[:3]}")
  expect({number(v["address"]) for v in values} == {symbol(lab, LONG)}, f"{values[0]}")
  told(watched, "refs was moved to another address 1 time")
  return [line for line in watched.run.output.splitlines() if "was moved" in line][0]


def a_member_of_a_file(lab):
  """Who moves the position of one file: what writes that file, as often as it is written."""
  watched = Watched(lab, "--hook", "vfs_write:entry { if (count == 1234 && once) watch(pos, &file->f_pos) }",
                    watches=[f"pos=?:w8{MOST}"])
  lab.run("exec 5>/tmp/moves; head -c 1234 /dev/zero >&5; sleep 1; i=0; while [ $i -lt 40 ]; do i=$((i+1)); head -c 77 /dev/zero >&5; done")
  watched.end()
  expect(40 <= watched.hits() <= 41, f"{watched.hits()} of 40")
  writers = {w["function"] for w in watched.writers[0].values()}
  expect(len(writers) == 1 and "write" in list(writers)[0], f"{writers}")
  return f"{watched.hits()} by {list(writers)[0]}"


def watchpoint_can_be_cleared(lab):
  watched = Watched(lab, "--hook", "gilk_watched_task:entry { watch(refs, arg0) }", "--hook", "gilk_watched_read:entry { watch(refs, 0) }",
                    watches=[REFS])
  for _ in range(5):
    write(lab, "task 1")
    time.sleep(1)
    write(lab, "soft 10")
    write(lab, "read 1")
    time.sleep(1)
    write(lab, "soft 7")
  watched.end()
  expect(50 <= watched.hits() <= 56, f"{watched.hits()} of 50")
  told(watched, "10 times")
  return f"{watched.hits()} hits"


def watchpoint_moves_another(lab):
  """The first write of a value leads the other watch, and itself elsewhere."""
  other = symbol(lab, "gilk_watched_list") + 8
  watched = Watched(lab, watches=[f"{LONG_W} {{ if (once) watch(refs, {other:#x}) }}", REFS])
  write(lab, "task 1")
  time.sleep(2)
  write(lab, "branch 60")
  watched.end()
  expect(watched.hits(1) == 30, f"{watched.hits(1)} of 30")


def wrong_addresses_are_refused(lab):
  log = log_end(lab)
  bad = [("0x1000", "neither kernel data"), (f"{symbol(lab, LONG) + 1:#x}", "aligned to that size"),
         (f"{symbol(lab, 'vfs_read'):#x}", "neither kernel data"),
         ("%rsp - %rsp + 0xffffffffffffffff", "aligned to that size"), ("0xfffffe0000001000", "exception handling itself")]
  for address, words in bad:
    watched = Watched(lab, "--hook", f"gilk_watched_task:entry {{ watch(refs, {address}) }}", watches=[REFS])
    write(lab, "task 10")
    time.sleep(1)
    watched.end()
    told(watched, "unwatchable address")
    expect(words in watched.run.output or "neither kernel data" in watched.run.output, f"{address}: {watched.run.output}")
    expect(watched.hits() == 0, f"{address}: {watched.hits()} hits")
  expect(not complaints(lab, log), f"the kernel said: {complaints(lab, log)}")


def storms_of_moves_do_no_harm(lab):
  # No stack: QEMU loses an interrupt whose frame is pushed onto what is watched.
  log = log_end(lab)
  watched = Watched(lab, "--hook", "vfs_read:entry { watch(one, arg0 & ~7); watch(two, now * 8 | 0xffff800000000000) }",
                    "--hook", "vfs_write:entry { watch(one, &file->f_pos); watch(two, &task->utime) }", watches=["one=?:w8", "two=?:rw4"])
  lab.run("i=0; while [ $i -lt 60 ]; do i=$((i+1)); cat /proc/self/stat >/dev/null; done", timeout=900)
  for i in range(3):
    lab.run("echo 0 >/sys/devices/system/cpu/cpu1/online; cat /proc/self/stat; echo 1 >/sys/devices/system/cpu/cpu1/online")
  watched.end()
  expect(not complaints(lab, log), f"the kernel said: {complaints(lab, log)}")
  return "; ".join(line for line in watched.run.output.splitlines() if "was moved" in line)


def unloaded_module_ends_a_watchpoint(lab):
  load(lab)
  watched = Watched(lab, "--hook", f"vfs_write:entry {{ if (count == 1111) watch(refs, {symbol(lab, LONG):#x}); if (count == 2222) watch(refs, &file->f_pos) }}",
                    watches=[REFS])
  lab.run("head -c 1111 /dev/zero >/tmp/moves")
  time.sleep(1)
  write(lab, "soft 9")
  lab.run("rmmod gilk_watched")
  lab.run("exec 5>/tmp/moves; head -c 2222 /dev/zero >&5; sleep 1; head -c 77 /dev/zero >&5; head -c 77 /dev/zero >&5")
  watched.end()
  expect(11 <= watched.hits() <= 13, f"{watched.hits()} of 11")
  load(lab)


def new_cpu_watches_the_address(lab):
  watched = Watched(lab, "--hook", "gilk_watched_task:entry { if (once) watch(refs, arg0) }", watches=[REFS])
  lab.run("echo 0 >/sys/devices/system/cpu/cpu1/online")
  write(lab, "task 1")
  time.sleep(1)
  lab.run("echo 1 >/sys/devices/system/cpu/cpu1/online")
  time.sleep(2)                # the agent looks ten times a second
  write(lab, "both 100")
  watched.end()
  expect(200 <= watched.hits() <= 201, f"{watched.hits()} of 200")


def registers_are_free_after_deaths(lab):
  lab.push(os.path.join(os.path.dirname(os.path.dirname(GILK)), "tests", "lab", "programs", "watchpoint-perf"), "/tmp/watchpoint-perf")
  words = ["--hook", "gilk_watched_task:entry { watch(refs, arg0) }"]
  watches = [f"{LONG_W} {{ count() }}", REFS, "two=?:rw4 { count() }", "three=?:x"]
  load(lab)
  before = lab.text_sum()
  for how in ("client", "agent"):
    watched = Watched(lab, *words, watches=watches)
    write(lab, "task 10")
    expect(opened(lab) == 0, "we have not all four")
    if how == "client":
      watched.run.kill()
    else:
      lab.kill_agents()
      wait_for("the run has ended", lambda: watched.run.process.poll() is not None)
    wait_for("all are free", lambda: opened(lab) == 4)
    write(lab, "task 10")
  expect(lab.text_sum() == before, "text is not as before")


def impossible_moves_are_reported(lab):
  load(lab)
  for words, said in [
      (["--watchpoint", "?:w8"], "Write LABEL=?:w8"), (["--watchpoint", "a=?:w8,cpu=0"], "Remove cpu="),
      (["--watchpoint", f"{LONG}:w {{ %rdi = 3 }}", "--allow-changes"], "cannot change it"),
      (["--watchpoint", f"{LONG}:w {{ sample(arg0) }}"], "argument"), (["--watchpoint", f"{LONG}:w {{ sample(nothing) }}"], "Unknown name"),
      (["--watchpoint", f"a={LONG}:w {{ watch(a, 0) }}"], "is not a watchpoint whose address"), (["--watchpoint", f"{LONG}:w {{ count()"], "not closed")]:
    answer = refused(lab, *words)
    expect(said in answer, f"{words}: {answer}")


def measure_move_cost(lab):
  """Of an access, by the guest's clock: a sample, and a program."""
  load(lab)
  loop = f"cat /proc/uptime; for i in 1 2 3 4 5; do echo 'storm {TIMES // 5}' >{FOLDER}/write; done; cat /proc/uptime"
  took = {}
  for what, watch in (("nothing", None), ("sample", f"{LONG_W}"), ("program", f"{LONG_W} {{ counter c; if (value > before) c++ }}")):
    watched = Watched(lab, watches=[watch]) if watch else None
    begin, end = (float(line.split()[0]) for line in lab.run(loop).splitlines())
    took[what] = (end - begin) * 1e9 / TIMES
    if watched:
      watched.end()
  return ", ".join(f"{what} {ns:.0f} ns" for what, ns in took.items())


if __name__ == "__main__":
  sys.exit(main([a_program_sees_each_access, bad_addresses_are_reported, programs_start_stop_and_end, hook_moves_a_watchpoint,
                 a_member_of_a_file, watchpoint_can_be_cleared, watchpoint_moves_another, wrong_addresses_are_refused,
                 storms_of_moves_do_no_harm, new_cpu_watches_the_address, unloaded_module_ends_a_watchpoint, impossible_moves_are_reported,
                 measure_move_cost, registers_are_free_after_deaths], lab_of_arguments()))
