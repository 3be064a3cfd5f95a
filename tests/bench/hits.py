#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: a hook adds fewer instructions to a hit than the kernel's own means
"""
hits - instructions that a hook adds to a hit, beside the kernel's own means

Boots the given flavour under -icount shift=0, where the TSC counts
executed instructions, and measures in that one boot: Gilk's tactics and
instruments, beside what a run measures of their cost; kprobes
(jump-optimised, int3, as a trace event) and a BPF fentry program on the same
functions. The figures are integers and repeat.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkbench import CALLS, PARAMETERS, READINGS, cost_of, judge, main
from gilklab import BRIEF, Failure, Run, expect, wait_for

TRACING = "/sys/kernel/tracing"

KPROBE, KPROBE_INT3 = 300, 720    # core/base/gilk-tactic.h
FENTRY_SHARE = 1.5      # of an empty program at a function's entry, what a count by BPF may add there
PREDICTED_SHARE = 0.2    # by which the prediction for a kprobe may be off: kernels differ
TRAP_SHARE = 0.6    # of what an int3 kprobe takes in the same boot

# name, instrument, function, tactic, floor. "live": a flag lives through the point;
# "dead": none does, but nothing tells that assembly keeps to C's rules; "c": it is C;
# "short": the first instruction there writes them all, and the block has four bytes.
OURS = [
  ("count, entry of a C function", "count", "c", None, 3),
  ("count, assembly", "count", "dead", None, 5),
  ("count, flags live", "count", "live", None, 5),
  ("count by bounce", "count", "short", "bounce", 3 + 1),
  ("stamp, entry of a C function", "stamp", "c", None, 30),
  ("stamp, flags live", "stamp", "live", None, 30),
  ("module instrument, one increment", "gilk-tally", "live", None, 36),
  ("task (samples pid, comm)", "task", "live", None, None),
  ("args (samples six registers)", "args", "live", None, None),
  ("count by trap", "count", "live", "trap", TRAP_SHARE),
  ("span, entry and exit of a C function", "span", "c", None, 60),
]


class Bench:
  def __init__(self, lab):
    self.lab = lab

  def set(self, name, value):
    self.lab.run(f"echo {value} >{PARAMETERS}/{name}")

  def cost(self):
    """Instructions a call of the chosen function takes; least of five readings."""
    return cost_of(self.lab.run(READINGS))

  def base(self, target):
    self.set("target", target)
    return self.cost()

  def ours(self, base, instrument, target, tactic):
    """Instructions that it adds, and what the run measured that its hooks cost, in ns: of the same size here."""
    self.set("target", target)
    if target == "c":
      point = "gilk_bench_c@entry"
    else:
      point = f"gilk_bench_{target}" + self.lab.run(f"cat {PARAMETERS}/point").strip()
    hooks = ["--hook", f"{point}:pre:{instrument}" + (f":{tactic}" if tactic else "")]
    if instrument == "span":
      hooks += ["--hook", "gilk_bench_c@return:post:span"]
    with tempfile.TemporaryDirectory() as folder:
      run = Run(self.lab, os.path.join(folder, "hits.gilk"), *hooks, "--for", "10m")
      try:
        self.lab.wait_armed(1, 240)
        cost = self.cost() - base
      except Failure:
        run.kill()
        print(run.read_output())
        raise
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook_report = run.report()["hooks"][0]
      expect(hook_report["lost"] == 0, f"{hook_report['lost']} samples lost: the figure is not the sample path's")
      hits = self.tally() if instrument == "gilk-tally" else hook_report["hits"]
      expect(hits == 5 * CALLS, f"{hits} hits, not {5 * CALLS}")
      return cost, run.report()["costs"]

  def tally(self):
    """The tally instrument takes no samples; its own count is the witness."""
    return int(self.lab.run("cat /sys/module/gilk_tally/parameters/hits"))

  def by_bpf(self, base, optimised):
    """Instructions that a count by BPF adds, and what the plan said it would: where the kernel optimises the kprobe, and not."""
    self.set("target", "c")
    self.lab.run("test -d /sys/kernel/debug/kprobes || mount -t debugfs none /sys/kernel/debug")
    self.lab.run(f"sysctl -qw debug.kprobes-optimization={int(optimised)}")
    with tempfile.TemporaryDirectory() as folder:
      run = Run(self.lab, os.path.join(folder, "bpf.gilk"), "--by", "bpf", "--hook", "gilk_bench_c@entry:pre:count", "--for", "10m")
      try:
        wait_for("the kprobe", lambda: [line for line in self.lab.run("cat /sys/kernel/debug/kprobes/list").splitlines()
                                        if "gilk_bench" in line and ("[OPTIMIZED]" in line) == optimised], 60)
        cost = self.cost() - base
      except Failure:
        run.kill()
        raise
      finally:
        self.lab.run("sysctl -qw debug.kprobes-optimization=1")
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook_report = run.report()["hooks"][0]
      expect(hook_report["hits"] == 5 * CALLS, f"{hook_report['hits']} hits, not {5 * CALLS}")
      return cost, hook_report["cost"]

  def entry_by_bpf(self, base):
    """Instructions that a count by BPF adds at the entry of a function of the kernel itself."""
    self.set("target", "fentry")
    with tempfile.TemporaryDirectory() as folder:
      run = Run(self.lab, os.path.join(folder, "bpf.gilk"), "--by", "bpf", "--hook", "bpf_fentry_test1@entry:pre:count", "--for", "10m")
      try:
        self.lab.wait_links(1)
        cost = self.cost() - base
      except Failure:
        run.kill()
        raise
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook_report = run.report()["hooks"][0]
      expect(hook_report["hits"] == 5 * CALLS and hook_report["tactic"] == self.lab.entry_tactic(), f"not {5 * CALLS} hits of a function's entry: {hook_report}")
      return cost

  def kprobe(self, base, target, optimised):
    self.lab.run(f"sysctl -qw debug.kprobes-optimization={int(optimised)}")
    self.set("target", target)
    self.set("probe", "kprobe")
    try:
      if optimised:
        wait_for("optimised kprobe", lambda: "[OPTIMIZED]" in
                 self.lab.run("cat /sys/kernel/debug/kprobes/list"), 60)
      return self.cost() - base
    finally:
      self.set("probe", "none")
      self.lab.run("sysctl -qw debug.kprobes-optimization=1")

  def kretprobe(self, base):
    """Entry and return of a function; its handler has one increment."""
    self.set("target", "c")
    self.set("probe", "kretprobe")
    try:
      return self.cost() - base
    finally:
      self.set("probe", "none")

  def kprobe_event(self, base):
    """A trace event that stores a record, on the fentry site (its fastest place)."""
    self.set("target", "fentry")
    self.lab.run(f"echo 'p:gilk bpf_fentry_test1' >{TRACING}/kprobe_events && "
                 f"echo 1 >{TRACING}/events/kprobes/gilk/enable")
    try:
      return self.cost() - base
    finally:
      self.lab.run(f"echo 0 >{TRACING}/events/kprobes/gilk/enable; echo >{TRACING}/kprobe_events")

  def fentry(self, base):
    self.set("target", "fentry")
    out = self.lab.run(f"/tmp/fentry sh -c 'for i in 1 2 3 4 5; do cat {PARAMETERS}/cost; done'")
    ticks, calls = min((int(t), int(n)) for t, n in (l.split() for l in out.split("\n") if l.strip()))
    return ticks / calls - base


def row(name, cost, floor=None):
  bar = f"<= {floor:g}" if floor is not None else ""
  print(f"  {name:<34} {cost:>9.3f}  {bar}", flush=True)


def measure(bench, flavour):
  failed = 0
  bench.lab.run("insmod /lib/modules/$(uname -r)/extra/gilk_bench.ko")
  base = {target: bench.base(target) for target in ("dead", "live", "short", "c", "fentry")}
  print(f"  instructions added per hit, stock {flavour} under -icount; a bare call takes "
        f"{base['dead']:.3f}")
  rivals = {"int3 kprobe": bench.kprobe(base["live"], "live", False), "BPF fentry, empty program": bench.fentry(base["fentry"])}
  if not BRIEF:
    rivals |= {
      "optimised kprobe": bench.kprobe(base["live"], "live", True),
      "kretprobe": bench.kretprobe(base["c"]),
      "kprobe event (stores a record)": bench.kprobe_event(base["fentry"]),
    }
  for name, cost in rivals.items():
    row(name, cost)
  cost = bench.entry_by_bpf(base["fentry"])
  floor = None if bench.lab.is_preemptible() else FENTRY_SHARE * rivals["BPF fentry, empty program"]    # there it is a kprobe
  row("count by BPF, entry of a function", cost, floor)
  if floor is not None:
    failed += judge(f"{flavour}: count by BPF at an entry adds {cost:.3f} <= {floor:g}", cost <= floor)
  for optimised in (True, False):
    name = f"count by BPF, {'optimised' if optimised else 'int3'} kprobe"
    cost, predicted = bench.by_bpf(base["c"], optimised)
    row(name, cost)
    if not optimised:                               # as the plan says where the kernel does not optimise
      predicted += KPROBE_INT3 - KPROBE
    failed += judge(f"{flavour}: {name} adds {cost:.3f}; the plan says {predicted}", abs(cost - predicted) <= PREDICTED_SHARE * cost)
  bench.lab.gilk("doctor", "--load")
  loaded = {target: bench.base(target) for target in ("dead", "live", "short", "c")}
  preempts = bench.lab.is_preemptible()
  armed_none = max(loaded[target] - base[target] for target in loaded)
  row("ilk loaded, nothing armed", armed_none, 0)
  failed += judge(f"{flavour}: nothing armed adds {armed_none:.3f} instructions", armed_none == 0)
  for name, instrument, target, tactic, floor in OURS:
    try:
      cost, costs = bench.ours(base[target], instrument, target, tactic)
    except Failure as problem:
      failed += judge(f"{flavour}: {name}: {problem}", False)
      continue
    if floor == TRAP_SHARE:
      floor = TRAP_SHARE * rivals["int3 kprobe"]
    if instrument == "gilk-tally":
      floor += preempts                           # the look whether a reschedule became due
    row(name, cost, floor)
    if floor is not None:
      failed += judge(f"{flavour}: {name} adds {cost:.3f} <= {floor:g}",
                      round(cost, 2) <= floor)    # a difference of fractions
    # A pair shares what is between its two. The tally takes no samples, so it may not be called to be timed.
    expected = [] if instrument == "gilk-tally" else [round(cost)]
    if instrument != "span":
      told = [[round(measured[key], 1) for key in ("low_ns", "ns", "high_ns")] for measured in costs]
      failed += judge(f"{flavour}: {name}: the run's own measurements say so, and their interval holds it: {told}",
                      [ns for _, ns, _ in told] == expected and
                      all(low <= exact <= high for (low, _, high), exact in zip(told, expected)) and
                      all(measured["measurements"] >= 2 for measured in costs))
  return failed


if __name__ == "__main__":
  sys.exit(main("hits", ["tests/bench/fentry"], lambda lab, flavour: measure(Bench(lab), flavour)))
