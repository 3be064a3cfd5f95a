#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: a code layout saves misses of an instruction cache
"""
positioning - the kernel's hot code laid out anew, through the eyes of an instruction cache

  code_layout.py FLAVOUR [--seconds N]

A lab of its own runs under a plugin with the model of an instruction cache (tests/witness/lines.c), with TCP over
the loopback device, pipes and files all at once, so that what runs in between drives code out of the cache as
in life. Functions of TCP's two ways, as in KernInst's case study, and of pipes are counted and positioned as one
group with those that they call most. What the emulator saw of them before, meanwhile and afterwards is compared,
by call: instructions, branches taken, misses.

The bar: branches taken and misses are both fewer by 20 % or more in three functions, and in all together.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, PATIENCE, Failure, Lab, expect, wait_for
from lines import Lines, Seen, less

# As the kernel has them, or with what a compiler adds.
FUNCTIONS = ["tcp_v4_rcv", "tcp_rcv_established", "tcp_ack", "ip_rcv", "__netif_receive_skb_core", "tcp_recvmsg_locked",
             "tcp_sendmsg_locked", "__tcp_transmit_skb", "tcp_write_xmit", "__ip_queue_xmit", "vfs_read", "vfs_write",
             "pipe_read|anon_pipe_read", "pipe_write|anon_pipe_write"]
CALLEES = 30
SECONDS = 20
COUNT = "8s"
GAIN = 0.20
ENOUGH = 3
SOME = 0.5              # a call: of less, nothing is said to have changed
CALLS_LEAST = 500       # in each of the times that are compared
SLOT_MAX = 65536        # ILK_SLOT_MAX
WORK = ["exec traffic -p 7107 3600 >/tmp/traffic",
        "while true; do head -c 200000 /dev/zero | cat | wc -c; done >/dev/null",
        "while true; do for f in /bin/* /lab/*; do cat $f; done >/dev/null 2>&1; ls -lR /proc/self /sys/kernel; done >/dev/null 2>&1"]


class Bench:
  """A lab with its plugin."""

  def __init__(self, flavour, folder):
    self.lab = Lab(f"positioning-{flavour}")
    self.folder = folder
    path = os.path.join(folder, "lines")
    os.environ["GILK_LAB_PLUGIN"] = f"{os.path.join(BUILD, 'tests', 'witness', 'liblines.so')},seen={path}"
    # A kernel that has one CPU from the start takes lock prefixes out, and such functions cannot be cloned.
    self.lab.boot(flavour, "--smp", "2", "--accel", "tcg")
    self.lab.run("echo 0 >/sys/devices/system/cpu/cpu1/online")
    self.lines = Lines(path)
    self.lab.gilk("doctor", "--load")
    self.extents = self.find_extents()
    self.going = None

  def find_extents(self):
    """{name: [(start, end)]} of all functions of the kernel proper."""
    symbols = []
    for line in self.lab.run("cat /proc/kallsyms").splitlines():
      addr, kind, *name = line.split()
      if kind in "tTwW":
        symbols.append((int(addr, 16), name))
    symbols.sort(key=lambda s: s[0])
    extents, starts = {}, sorted({addr for addr, _ in symbols})
    following = dict(zip(starts, starts[1:]))
    for addr, name in symbols:
      if len(name) == 1 and addr in following:
        extents.setdefault(name[0], []).append((addr, following[addr]))
    return extents

  def names(self):
    """Those of FUNCTIONS that this kernel has."""
    found = []
    for names in FUNCTIONS:
      fits = [name for name in self.extents
              if re.fullmatch(rf"(?:{names})(?:\.(?:constprop|isra|part)\.\d+)*", name) and len(self.extents[name]) == 1]
      found += sorted(fits, key=len)[:1]
    return found

  # ---- one time ----

  def watch(self, functions, patches):
    """Two numbers for each function: of its original, and of its clone if there is one."""
    slots = sorted(int(patch["slot"], 16) for patch in patches)
    slot_of = {}
    ranges = []
    for patch in patches:
      slot_of[int(patch["site"], 16)] = int(patch["slot"], 16)
    for number, function in enumerate(functions):
      start = int(function["address"], 16)
      name = function["function"].split("@")[0]
      for at, end in self.extents.get(name, []) + self.extents.get(name + ".cold", []):
        if at == start or len(self.extents[name]) == 1:
          ranges.append((at, end, 2 * number + 1, at == start))
      slot = next((s for site, s in slot_of.items() if start <= site < start + 32), None)
      if slot is not None:
        later = [s for s in slots if s > slot]
        ranges.append((slot, min(later + [slot + SLOT_MAX]), 2 * number + 2, True))
    self.lines.watch(ranges)

  def look(self, functions, patches, seconds):
    """What was seen of each function, its clone's included, and how often it was called."""
    self.watch(functions, patches)
    time.sleep(2)
    before = self.lines.seen()
    self.lines.count(True)
    time.sleep(seconds)
    self.lines.count(False)
    seen = [less(*pair) for pair in zip(self.lines.seen(), before)]
    result = {}
    for number, function in enumerate(functions):
      original, clone = seen[2 * number + 1], seen[2 * number + 2]
      calls = clone.entered if clone.entered and not function["callee"] else original.entered + clone.entered
      result[function["function"]] = (calls, Seen(*(a + b for a, b in zip(original, clone))))
    return result, seen[0]

  # ---- all of it ----

  def position(self, names, *words):
    """Of those that can be cloned; the others are told, and why. Changes NAMES."""
    while True:
      said = self.lab.gilk("layout", *names, *words, check=False, timeout=600)
      error = said.get("error")
      if error is None:
        return said
      left_out = [name for name in names if error["message"].startswith(f"Cannot clone {name}")]
      expect(error["code"] == "refused" and left_out and len(names) > ENOUGH, f"gilk layout: {error}")
      print(f"  {left_out[0]} is left out: {error['refusal']}", flush=True)
      names.remove(left_out[0])

  def keep(self, functions, session, run):
    self.going = subprocess.Popen(
      [GILK, "layout", *functions, "--group", "--callees", str(CALLEES), "--from", session, "--run", str(run), "--pairs",
       "0", "--target", self.lab.target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

  def armed(self):
    if self.going.poll() is not None:
      raise Failure(f"gilk layout ended: {self.going.stdout.read()}")
    patches = self.lab.hooks()
    return patches if patches and all(patch["state"] == "armed" for patch in patches) else None

  def put_back(self):
    self.going.send_signal(signal.SIGINT)
    said = self.going.communicate(timeout=120 * PATIENCE)[0]
    expect(self.going.returncode == 0, f"gilk layout: {said}")
    self.lab.wait_clean(120)


def share(seen, calls, what):
  return getattr(seen, what) / max(calls, 1)


def gain(before, after):
  return 1 - after / before if before else 0.0


def judge(good, text):
  print(f"{'ok' if good else 'not ok'} - {text}", flush=True)
  return good


def row(name, calls, before, after):
  cells = [f"  {name:<36} {calls:>8}"]
  for what in ("insns", "branches", "misses"):
    change = f"{-100 * gain(before[what], after[what]):>+6.1f} %" if before[what] >= SOME else f"{'-':>8}"
    cells.append(f"{before[what]:>8.2f} → {after[what]:>8.2f} {change}")
  print("  ".join(cells), flush=True)


def by_call(one, other=None):
  """Averages of the times before and afterwards."""
  calls = one[0] + (other[0] if other else 0)
  return {what: (getattr(one[1], what) + (getattr(other[1], what) if other else 0)) / max(calls, 1)
          for what in ("insns", "branches", "misses", "calls", "returns")}


def sum_of(times, names, per):
  """All functions together, by call of PER."""
  calls = times[per][0]
  return (calls, Seen(*(sum(times[name][1][i] for name in names) for i in range(len(Seen._fields)))))


def compare(flavour, functions, times):
  """TIMES: before, positioned, afterwards."""
  first, middle, last = times
  names = [function["function"] for function in functions]
  better = []
  print(f"  {'FUNCTION':<36} {'CALLS':>8}  {'INSTRUCTIONS':^28}  {'BRANCHES TAKEN':^28}  {'MISSES':^28}")
  for name in names:
    calls = min(time[name][0] for time in times)
    if calls < CALLS_LEAST:
      continue
    before, after = by_call(first[name], last[name]), by_call(middle[name])
    row(name, middle[name][0], before, after)
    if all(before[what] >= SOME and gain(before[what], after[what]) >= GAIN for what in ("branches", "misses")):
      better.append(name)
  root = names[0]
  before = by_call(sum_of(first, names, root), sum_of(last, names, root))
  after = by_call(sum_of(middle, names, root))
  row("total, per call of the first", middle[root][0], before, after)
  transfers = [one["branches"] + one["calls"] + one["returns"] for one in (before, after)]
  print(f"  with calls and returns {transfers[0]:.1f} → {transfers[1]:.1f} transfers of control a call")
  good = judge(len(better) >= ENOUGH, f"{flavour}: branches taken and misses both down by {100 * GAIN:.0f} % or more in "
               f"{len(better)} functions: {', '.join(better)}")
  good &= judge(gain(before["branches"], after["branches"]) >= GAIN,
                f"{flavour}: branches taken {before['branches']:.1f} → {after['branches']:.1f} a call of {root}, "
                f"{-100 * gain(before['branches'], after['branches']):+.1f} %")
  return good & judge(gain(before["misses"], after["misses"]) >= GAIN,
                      f"{flavour}: misses {before['misses']:.1f} → {after['misses']:.1f} a call of {root}, "
                      f"{-100 * gain(before['misses'], after['misses']):+.1f} %")


def counting_run(session):
  """The last one that counted: it has all callees."""
  done = subprocess.run([GILK, "runs", "--json", session], stdout=subprocess.PIPE, text=True, check=True)
  runs = [run for run in json.loads(done.stdout)["runs"] if not run["title"].startswith("layout:")]
  return runs[-1]["number"]


def measure(flavour, seconds):
  with tempfile.TemporaryDirectory() as folder:
    bench = Bench(flavour, folder)
    session = os.path.join(folder, "count.gilk")
    text = bench.lab.text_sum()
    workers = [bench.lab.background(work) for work in WORK]
    time.sleep(3)
    names = bench.names()
    said = bench.position(names, "--group", "--callees", str(CALLEES), "--for", COUNT, "--pairs", "0", "--keep", "1s",
                         "-o", session)
    functions = said["functions"]
    bench.lab.wait_clean(120)
    times = [bench.look(functions, [], seconds)[0]]
    bench.keep(names, session, counting_run(session))
    patches = wait_for("all clones armed", bench.armed, 180)
    times.append(bench.look(functions, patches, 2 * seconds)[0])
    bench.put_back()
    times.append(bench.look(functions, [], seconds)[0])
    for worker in workers:
      bench.lab.run(f"kill {worker}", check=False)
    print(f"  {len(functions)} functions, {sum(not f['callee'] for f in functions)} named; predicted: branches taken "
          f"{said['before']['taken_branches']:.1f} → {said['after']['taken_branches']:.1f}, lines "
          f"{said['before']['cache_lines']:.1f} → {said['after']['cache_lines']:.1f}", flush=True)
    good = compare(flavour, functions, times)
    return good & judge(bench.lab.text_sum() == text, f"{flavour}: text is what it was")


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("flavour")
  parser.add_argument("--seconds", type=float, default=SECONDS)
  options = parser.parse_args()
  try:
    return 0 if measure(options.flavour, options.seconds) else 1
  except Failure as problem:
    judge(False, f"{options.flavour}: {problem}")
    return 1
  finally:
    Lab(f"positioning-{options.flavour}").stop()


if __name__ == "__main__":
  sys.exit(main())
