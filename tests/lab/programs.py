#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: what programs count, sample and keep is what the workload did
"""
programs - what probe programs count, sample and keep is what the workload did

Writes of known sizes by dd, on a path where other programs write little; calls without a pause from threads on all
CPUs. Conditions, members behind pointers, what is kept between hits, other hooks' gates, and addresses that nobody
may look at: each is compared with what is known of the workload, and nothing of it is an oops.
"""
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main

CALLS = 200_000
FSYNC = "__x64_sys_fsync:entry"
BYTES = 5113            # nobody else writes as many
WRONLY, LARGEFILE = 1, 0o100000

PLAN = "[gilk-plan]\nversion=2\n"


def dd(size, count, more=""):
  return f"dd if=/dev/zero of=/dev/null bs={size} count={count} {more} 2>/dev/null"


class Recorded:
  """A session: its report, and what SQL says of it."""

  def __init__(self, run):
    self.hooks = run.report()["hooks"]
    self.sql = run.sql
    self.output = run.output

  def kept(self, name, kind):
    """Sums over CPUs, by key."""
    sums = {}
    for row in self.sql(f"select key, value from maps where name = '{name}' and kind = '{kind}'"):
      if row["value"] is not None:
        key = None if row["key"] is None else int(row["key"])
        sums[key] = sums.get(key, 0) + int(row["value"])
    return sums

  def total(self, name, kind="counter"):
    return sum(self.kept(name, kind).values())


def record(lab, words, workload, armed=1, samples=False):
  """Runs WORKLOAD under what WORDS of gilk run have armed. Returns: (Recorded, what the workload said)."""
  folder = tempfile.TemporaryDirectory()
  run = Run(lab, os.path.join(folder.name, "programs.gilk"), *words, "--for", "10m")
  try:
    lab.wait_armed(armed)
    said = lab.run(workload)
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  recorded = Recorded(run)
  recorded.folder = folder
  for hook in recorded.hooks:
    if samples:
      expect(hook["hits"] == hook["stored"] + hook["lost"], f"{hook['hits']} hits, {hook['stored']} stored, {hook['lost']} lost")
  return recorded, said


def hooks(*points):
  return [word for point in points for word in ("--hook", point)]


def plan_in(folder, text):
  path = os.path.join(folder, "programs.plan")
  with open(path, "w", encoding="utf-8") as file:
    file.write(PLAN + text)
  return path


def log_of(lab):
  return lab.run("dmesg | grep -ciE 'BUG:|Oops|general protection|unable to handle' || true").strip()


# ---- conditions ----

def condition_on_an_argument(lab):
  recorded, _ = record(lab, hooks(f"vfs_write:entry {{ if (arg2 == {BYTES}) count(); }}"),
                       dd(BYTES, 1234) + "; " + dd(BYTES + 1, 777))
  hits = recorded.hooks[0]["hits"]
  expect(hits == 1234, f"1234 writes of {BYTES} bytes, {hits} counted")
  return f"{hits} of 2011"


def condition_by_each_tactic(lab):
  told = []
  for tactic in ("splice", "trap", "clone"):
    recorded, _ = record(lab, hooks(f"vfs_write:entry:{tactic} {{ if (arg2 == {BYTES}) count(); }}"), dd(BYTES, 500))
    hook = recorded.hooks[0]
    expect(hook["tactic"] == tactic, f"tactic is {hook['tactic']}, not {tactic}")
    expect(hook["hits"] == 500, f"500 writes, {hook['hits']} counted by {tactic}")
    told.append(tactic)
  return ", ".join(told)


# ---- samples ----

def samples_are_what_was_written(lab):
  recorded, said = record(lab, hooks(f"vfs_write:entry {{ if (count == {BYTES}) sample(pid, comm, count, file->f_flags) }}"),
                          f"{dd(BYTES, 300)} & echo $!; wait", samples=True)
  pid = int(said.split()[0])
  rows = recorded.sql('select * from "samples_vfs_write_entry_pre"')
  expect(len(rows) == recorded.hooks[0]["stored"] == 300, f"300 writes, {len(rows)} samples")
  for row in rows:
    expect(int(row["count"]) == BYTES and row["comm"] == "dd", f"a sample is {row}")
    expect(int(row["pid"]) == pid, f"dd had the PID {pid}, a sample says {row['pid']}")
    expect(int(row["f_flags"]) & 3 == WRONLY and int(row["f_flags"]) & LARGEFILE, f"flags {row['f_flags']}")
    expect(int(row.get("bad", 0)) == 0, f"a sample is bad: {row}")
  return f"{len(rows)} samples"


def strings_are_read(lab):
  name = "a-file-whose-name-is-longer-than-the-field"
  recorded, _ = record(lab, hooks('vfs_open:entry { if (comm == "cat") sample(name = string(path->dentry->d_name.name), '
                                  'few = string(path->dentry->d_name.name, 8), none = string((char *) 8)) }'),
                       f"echo x >/tmp/{name}; cat /tmp/{name} /proc/version >/dev/null; head -c 1 /tmp/{name}", samples=True)
  rows = recorded.sql('select * from "samples_vfs_open_entry_pre"')
  found = sorted((row["name"], row["few"], row["none"], int(row["bad"])) for row in rows)
  wanted = sorted([(name[:32], name[:8], "", 4), ("version", "version", "", 4)])
  expect(found == wanted, f"{found}, not {wanted}")


def samples_without_a_pause(lab):
  recorded, said = record(lab, hooks(FSYNC + " { sample(pid, tid, cpu, %rsp, arg0) }"),
                          f"calls -o fsync -t 2 -n {CALLS}", samples=True)
  hook = recorded.hooks[0]
  expect(f"calls {CALLS}\n" in said and "wrong 0\n" in said, said)
  expect(hook["hits"] == CALLS, f"{CALLS} calls, {hook['hits']} samples produced")
  return f"{hook['stored']} stored + {hook['lost']} lost = {CALLS}"


# ---- what is kept ----

def map_sums_equal_the_calls(lab):
  text = "global all; counter each; histogram h(2); map m[16]; global seven = 7; all += 1; each++; h(4096); m[cpu]++; m[cpu + 100] += 3"
  recorded, said = record(lab, hooks(FSYNC + " { " + text + " }"), f"calls -o fsync -t 2 -n {CALLS}")
  expect(f"calls {CALLS}\n" in said, said)
  expect(recorded.total("all", "global") == CALLS, f"global {recorded.total('all', 'global')}")
  expect(recorded.total("seven", "global") == 7, f"a global that begins with 7 is {recorded.total('seven', 'global')}")
  expect(recorded.total("each") == CALLS, f"counter {recorded.total('each')}")
  buckets = recorded.kept("h", "histogram")
  expect(len(buckets) == 1 and sum(buckets.values()) == CALLS, f"buckets {buckets}")
  keys = recorded.kept("m", "map")
  expect(sum(n for key, n in keys.items() if key < 100) == CALLS, f"map {keys}")
  expect(sum(n for key, n in keys.items() if key >= 100) == 3 * CALLS, f"map {keys}")
  expect(recorded.hooks[0]["hits"] is None, f"a program that counts no hits has {recorded.hooks[0]['hits']}")
  expect(recorded.total("m", "full") == 0, "keys found no room")
  return f"{CALLS} calls, {len(keys)} keys"


def every_limit_and_once(lab):
  text = "counter a; counter b; counter c; if (every(100)) a++; if (limit(5)) b++; if (once) c++"
  recorded, _ = record(lab, hooks(FSYNC + " { " + text + " }"), f"calls -o fsync -t 2 -n {CALLS}")
  expect(recorded.total("a") == CALLS // 100, f"every(100) was {recorded.total('a')} times")
  expect(recorded.total("b") == 10, f"limit(5) on two CPUs was {recorded.total('b')} times")
  expect(recorded.total("c") == 1, f"once was {recorded.total('c')} times")


def a_value_returned(lab):
  recorded, _ = record(lab, hooks(f"vfs_write:return {{ map sizes[64]; if (retval == {BYTES}) sizes[retval]++ }}"),
                       dd(BYTES, 400))
  sizes = recorded.kept("sizes", "map")
  expect(sizes == {BYTES: 400}, f"400 writes, returned: {sizes}")
  return f"{len(recorded.hooks)} returns"


def one_program_at_several_hooks(lab):
  with tempfile.TemporaryDirectory() as folder:
    text = "[program p]\ncode=counter n;\\n n++; sample(cpu)\n"
    for name in ("fsync", "getpgid"):
      text += f"[hook {name}]\nfunction=__x64_sys_{name}\nanchor=entry\nwhere=pre\nprogram=p\n"
    recorded, _ = record(lab, [plan_in(folder, text)], "calls -o fsync -t 1 -n 700; calls -o getpgid -t 1 -n 300", 2,
                         samples=True)
  rows = {row["hook"]: int(row["value"]) for row in
          recorded.sql("select hook, sum(value) as value from maps where name = 'n' group by hook")}
  expect(rows == {"fsync": 700, "getpgid": 300}, f"kept {rows}")
  expect(len(recorded.sql("select * from samples_p")) == 1000, "samples are missing")


def functions_by_pattern(lab):
  text = "common map calls[256]; calls[func]++; count()"
  recorded, _ = record(lab, hooks(f"__x64_sys_*pgid:entry {{ {text} }}", f"__x64_sys_fsyn?:entry {{ {text} }}"),
                       "calls -o getpgid -t 2 -n 700; calls -o fsync -t 1 -n 300", 3)
  expect("__x64_sys_*pgid matches 2 functions." in recorded.output and "__x64_sys_fsyn? matches 1 function." in recorded.output,
         recorded.output)
  names = {row["address"] % 2**64: row["symbol"] for row in recorded.sql("select address, symbol from address")}
  calls = {names[key % 2**64]: count for key, count in recorded.kept("calls", "map").items()}
  hits = {hook["function"]: hook["hits"] for hook in recorded.hooks}
  expect(calls["__x64_sys_getpgid"] == 700 and calls["__x64_sys_fsync"] == 300, f"calls {calls}")
  expect(calls == {name: count for name, count in hits.items() if count}, f"calls {calls}, hits {hits}")
  done = subprocess.run([GILK, "run", "--hook", "no_such_*:entry", "--for", "1s", "--target", lab.target], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True, check=False)
  expect(done.returncode == 3 and "No function matches no_such_*." in done.stderr, f"{done.returncode}: {done.stderr}")
  return f"{len(hits)} functions"


def keys_are_text(lab):
  """Maps by thread's name and by a string that a process passed; bytes of names that are no text are shown escaped."""
  odd = "odd\\033[31mname"
  recorded, _ = record(lab, hooks("__x64_sys_getpgid:entry { map by[64]; by[comm]++ }",
                                  "do_sys_openat2:entry { map files[256]; files[string(user(filename), 32)]++ }"),
                       f"cp $(command -v calls) /tmp/other; cp /tmp/other \"/tmp/$(printf '{odd}')\"; calls -o getpgid -t 2 -n 700; "
                       f"/tmp/other -o getpgid -t 1 -n 300; \"/tmp/$(printf '{odd}')\" -o getpgid -t 1 -n 20; "
                       "for i in 1 2 3 4 5; do cat /etc/a-name-that-is-longer-than-32-bytes /etc/passwd >/dev/null 2>&1; done; true", 2)
  names = {row["value"] % 2**64: row["name"] for row in recorded.sql("select value, name from value_name where meaning = 'text'")}
  by = {names[key % 2**64]: count for key, count in recorded.kept("by", "map").items()}
  files = {names[key % 2**64]: count for key, count in recorded.kept("files", "map").items()}
  expect([by[name] for name in ("calls", "other", "odd\033[31mname")] == [700, 300, 20], f"by name: {by}")
  expect([files[name] for name in ("/etc/a-name-that-is-longer-than-", "/etc/passwd")] == [5, 5], f"files: {files}")
  said = subprocess.run([GILK, "report", os.path.join(recorded.folder.name, "programs.gilk"), "--map", "by"], stdout=subprocess.PIPE, text=True, check=True).stdout
  expect("other" in said and "\033" not in said, f"reported: {said!r}")
  return f"{len(by)} names, {len(files)} files"


# ---- what hooks have in common ----

BEGIN = "common table begin[4096]; begin[frame] = now"
TOOK = ("common table begin[4096]; common histogram took; common counter strays; "
        "let since = take(begin, frame); if (since) took(ns(now - since)); else strays++")


def times_of(lab, function, workload, armed):
  recorded, said = record(lab, hooks(f"{function}:entry {{ {BEGIN} }}", f"{function}:return {{ {TOOK} }}"), workload,
                          armed)
  expect(recorded.total("begin", "full") == 0, "keys found no room")
  expect(not any(recorded.kept("begin", "map").values()), f"calls under way at the end: {recorded.kept('begin', 'map')}")
  return recorded, said


def times_of_all_calls(lab):
  recorded, said = times_of(lab, "__x64_sys_fsync", f"calls -o fsync -t 2 -n {CALLS}", 2)
  expect(f"calls {CALLS}\n" in said and "wrong 0\n" in said, said)
  expect(recorded.total("took", "histogram") == CALLS, f"{CALLS} calls, times of {recorded.total('took', 'histogram')}")
  expect(recorded.total("strays") == 0, f"{recorded.total('strays')} exits had no entry")
  owners = recorded.sql("select distinct hook from maps where name in ('took', 'begin')")
  expect(len(owners) == 2, f"what is common stands at {owners}")
  return f"{CALLS} calls"


def times_of_recursive_calls(lab):
  depth, reads = 8, 2000
  lab.run("test -c /dev/gilk_recurse || insmod /lib/modules/$(uname -r)/extra/gilk_recurse.ko")
  reader = f"dd if=/dev/gilk_recurse of=/dev/null bs={depth} count={reads} 2>/dev/null"
  recorded, _ = times_of(lab, "gilk_recurse_step", f"{reader} & {reader}; wait", 1)
  lab.wait_clean()
  lab.run("rmmod gilk_recurse")
  took = recorded.total("took", "histogram")
  expect(took == 2 * reads * depth, f"{2 * reads * depth} calls, times of {took}, {recorded.total('strays')} strays")
  return f"{took} calls within calls, of threads that change CPUs"


def full_maps_count_missed_keys(lab):
  recorded, _ = record(lab, hooks(FSYNC + " { table t[8]; t[now] = 1 }"), "calls -o fsync -t 2 -n 5000")
  expect(len(recorded.kept("t", "map")) == 8, f"keys {recorded.kept('t', 'map')}")
  missed = recorded.total("t", "full")
  expect(4000 < missed <= 5000 - 8, f"5000 keys, 8 found room, {missed} did not")
  return f"{missed} of 5000"


# ---- bad addresses ----

def bad_addresses_are_reported(lab):
  before = log_of(lab)
  told = []
  for address in ("0", "8", "0x7fffffffe000", "0x0000800000000000", "0xdead000000000000", "0xffffffffff600000",
                  "0xffffffffffffff80", "0xffff800000000000"):
    text = f"if (*(u64 *) {address} == 1) count(); else count(); let x = *(u32 *) ({address} + 4); count()"
    recorded, said = record(lab, hooks(FSYNC + " { " + text + " }"), "calls -o fsync -t 2 -n 5000")
    expect("calls 5000\n" in said and "wrong 0\n" in said, said)
    bad = sum(int(row["value"]) for row in recorded.sql("select value from maps where kind = 'failed_reads'"))
    expect(recorded.hooks[0]["hits"] == 0, f"{address} was read {recorded.hooks[0]['hits']} times")
    expect(bad == 10000, f"{address}: bad {bad} times")
    told.append(address)
  recorded, _ = record(lab, hooks(FSYNC + " { sample(x = *(u64 *) 8, y = arg0, z = *(u8 *) 0xdead000000000000) }"),
                       "calls -o fsync -t 2 -n 5000", samples=True)
  rows = recorded.sql('select distinct x, z, bad from "samples___x64_sys_fsync_entry_pre"')
  expect([(int(row["x"]), int(row["z"]), int(row["bad"])) for row in rows] == [(0, 0, 5)], f"samples {rows}")
  bad = sum(int(row["value"]) for row in recorded.sql("select value from maps where kind = 'failed_reads'"))
  expect(bad == recorded.hooks[0]["hits"] > 0 and f"all {bad} of its memory reads failed" in " ".join(recorded.output.split()),
         f"{bad} samples were bad: {recorded.output}")
  expect(log_of(lab) == before, "the kernel's log has an oops: " + lab.run("dmesg | tail -30"))
  return f"{len(told)} addresses"


# ---- other hooks ----

def one_hook_starts_and_stops_another(lab):
  with tempfile.TemporaryDirectory() as folder:
    code = f"if (arg2 == {BYTES}) start(reads); if (arg2 == {BYTES + 1}) stop(reads)"
    text = (f"[program switch]\ncode={code}\n[program some]\ncode=if (arg2 == 3001) count()\n"
            "[hook writes]\nfunction=vfs_write\nanchor=entry\nwhere=pre\nprogram=switch\n"
            "[hook reads]\nfunction=vfs_read\nanchor=entry\nwhere=pre\nprogram=some\n")
    reads = "dd if=/dev/zero of=/dev/null bs=3001 count=50 2>/dev/null"
    work = f"{reads}; {dd(BYTES, 1)}; {reads}; {reads}; {dd(BYTES + 1, 1)}; {reads}"
    recorded, _ = record(lab, [plan_in(folder, text)], work, 2)
  hits = {hook["hook"]: hook["hits"] for hook in recorded.hooks}
  expect(hits["reads"] == 100, f"100 reads between start and stop, {hits['reads']} counted")


# ---- what is refused, and what is put back ----

def errors_are_shown(lab):
  def refused(point):
    done = subprocess.run([GILK, "run", "--target", lab.target, "--hook", point], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    expect(done.returncode != 0, f"{point} was not refused")
    return done.stdout
  said = refused("vfs_write:entry { if (cout > 4096) sample(pid) }")
  expect("Line 1, column 5" in said and "Did you mean count?" in said, said)
  expect("\n    if (cout > 4096) sample(pid)\n        ^~~~\n" in said, said)
  said = refused("vfs_write:entry { sample(file->f_flag) }")
  expect("f_flags" in said and "^" in said, said)
  said = refused("vfs_write:return { sample(count) }")
  expect("entry" in said, said)
  said = refused("vfs_write:entry { start(nobody) }")
  expect("nobody" in said, said)
  said = refused("vfs_write:entry { map m[65536]; m[pid]++ }")
  expect("32768" in said, said)


def death_puts_text_back(lab):
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "dead.gilk"),
              *hooks(FSYNC + " { map m[64]; m[tid]++; sample(pid, comm) }", "vfs_write:entry { counter n; n++ }"),
              "--for", "10m")
    lab.wait_armed(2)
    lab.run("calls -o fsync -t 2 -n 20000")
    run.process.send_signal(signal.SIGKILL)
    run.process.wait()
  lab.wait_clean()
  expect(lab.text_sum() == before, "text differs after the client was killed")


if __name__ == "__main__":
  sys.exit(main([condition_on_an_argument, condition_by_each_tactic, samples_are_what_was_written,
                 strings_are_read, samples_without_a_pause, map_sums_equal_the_calls, every_limit_and_once, a_value_returned,
                 one_program_at_several_hooks, functions_by_pattern, keys_are_text, times_of_all_calls, times_of_recursive_calls, full_maps_count_missed_keys,
                 bad_addresses_are_reported, one_hook_starts_and_stops_another, errors_are_shown,
                 death_puts_text_back], lab_of_arguments()))
