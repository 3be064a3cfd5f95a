#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: a program adds fewer instructions to a hit than BPF on a kprobe
"""
program-costs - instructions that a probe program adds to a hit, beside a BPF program on a kprobe that does the same

Boots the given flavour under -icount shift=0, where the TSC counts executed instructions, and measures in
that one boot, on a compiled function of C (tests/kmod/bench.c): a condition that does not hold on a register and on a
member behind a pointer, a sample of three fields, a map by process and a histogram; and on a function of the kernel's
the time that its calls take, as a histogram, beside BPF on a kretprobe, and on fentry and fexit. BPF's are written by
hand, with maps of each CPU and without wakeups (tests/bench/bpf-programs.c); and beside bpftrace, where it has the same.
Gilk's own hooks by BPF add no more than either. The figures repeat.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkbench import CALLS, PARAMETERS, READINGS, cost_of, judge, main
from gilklab import BRIEF, Failure, Run, expect

BEGIN = "common table begin[4096]; begin[frame] = now"
TOOK = "common table begin[4096]; common histogram took; let since = take(begin, frame); if (since) took(ns(now - since))"

# What bpftrace is given, by name, and what of its output is a count.
BPFTRACE = {
  "bpftrace hist()": "kprobe:{0} {{ @ = hist(arg0); }}",
  "bpftrace count()": "kprobe:{0} {{ @[pid] = count(); }}",
  "bpftrace, a kretprobe": "kprobe:{0} {{ @since[tid] = nsecs; }} kretprobe:{0} /@since[tid]/ "
                           "{{ @ = hist(nsecs - @since[tid]); delete(@since[tid]); }}",
}
COUNTED = re.compile(r"^(?:\[.*\)|\[\d+\]|@\[\d+\]:) +(\d+)", re.M)

# name, program of BPF or of bpftrace and how much of its cost ours may have, function, programs of ours by point, hits
# (of each call; None: they are not counted), bound of the cost
CASES = [
  ("condition on a register, false", (("register", 0.1),), "c", {"entry": "if (arg0 > 4096) count()"}, 0, 5),
  ("condition on a member, false", (("member", 0.1),), "member",
   {"entry": "if (*(u32 *) (arg0 + 0x38) > 4096) count()"}, 0, 30),
  ("sample of three fields", (("ring", 0.25),), "member",
   {"entry": "if (*(u32 *) (arg0 + 0x38) == 7) sample(pid, arg0, size = *(u64 *) (arg0 + 0x40))"}, 1, None),
  ("map by process", (("map", 0.25), ("bpftrace count()", 0.25)), "c", {"entry": "map m[64]; m[pid]++"}, None, None),
  ("histogram, four buckets an octave", (("histogram", 0.25), ("bpftrace hist()", 0.25)), "c",
   {"entry": "histogram h(2); h(arg0)"}, None, None),
  ("time of a call, as a histogram", (("span", 0.15), ("bpftrace, a kretprobe", 0.15), ("span-fexit", 0.3)), "fentry",
   {"entry": BEGIN, "return": TOOK}, None, None),
]


def function_of(target):
  return "bpf_fentry_test1" if target == "fentry" else f"gilk_bench_{target}"


class Bench:
  def __init__(self, lab):
    self.lab = lab
    self.medians = {}        # by program: the bucket that the middle one is in, from and below

  def base(self, target):
    self.lab.run(f"echo {target} >{PARAMETERS}/target")
    return cost_of(self.lab.run(READINGS))

  def bpf(self, base, program, target):
    self.lab.run(f"echo {target} >{PARAMETERS}/target")
    out = self.lab.run(f"/tmp/bpf-programs {program} {function_of(target)} sh -c '{READINGS}'")
    for line in out.split("\n"):
      if line.startswith("median"):
        self.medians[program] = tuple(int(word) for word in line.split()[1:3])
    return cost_of(out) - base

  def bpftrace(self, base, name, target):
    self.lab.run(f"echo {target} >{PARAMETERS}/target")
    script = BPFTRACE[name].format(function_of(target))
    out = self.lab.run(f"cat >/tmp/readings <<'.'\n{READINGS}\n.\nbpftrace -e '{script}' -c '/bin/sh /tmp/readings'", timeout=600)
    counted = sum(int(count) for count in COUNTED.findall(out))
    expect(counted == 5 * CALLS, f"{name}: {counted} hits, not one of each call: {out}")
    return cost_of(out) - base

  def rival(self, base, program, target):
    return (self.bpftrace if program in BPFTRACE else self.bpf)(base[target], program, target)

  def wait_armed(self, way, hooks):
    if way == "ilk":
      self.lab.wait_armed(1, 240)
      return
    self.lab.wait_links(hooks, 240)

  def ours(self, base, target, programs, hits, way="ilk"):
    self.lab.run(f"echo {target} >{PARAMETERS}/target")
    with tempfile.TemporaryDirectory() as folder:
      words = [word for point, text in programs.items()
               for word in ("--hook", f"{function_of(target)}:{point} {{ {text} }}")]
      run = Run(self.lab, os.path.join(folder, "programs.gilk"), "--by", way, *words, "--for", "10m")
      try:
        self.wait_armed(way, len(programs))
        cost = cost_of(self.lab.run(READINGS)) - base
      except Failure:
        run.kill()
        print(run.read_output())
        raise
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
      hook = run.report()["hooks"][0]
      took = run.sql("select sum(value) as calls from maps where name = 'took'")[0]["calls"]
      if "return" in programs:
        self.medians["ours"] = self.median_of(run)
    expect(hook["lost"] == 0, f"{hook['lost']} samples lost: the figure is not the sample path's")
    expect("return" not in programs or int(took) == 5 * CALLS, f"{took} times, not one of each call")
    expect(hits is None or hook["hits"] == 5 * CALLS * hits, f"{hook['hits']} hits, not {hits} of each call")
    return cost


  @staticmethod
  def median_of(run):
    kept = next(one for program in run.report()["programs"] for one in program["maps"] if one["name"] == "took")
    return float(kept["median_in"]["from"]), float(kept["median_in"]["to"])


def measure_bpf(bench, flavour, base, name, beside, target, programs, hits, rivals):
  """The same programs by BPF: as many instructions as BPF by hand or bpftrace add, or fewer."""
  if BRIEF:
    return 0
  try:
    cost = bench.ours(base[target], target, programs, hits, "bpf")
  except Failure as problem:
    return judge(f"{flavour}: {name}, by BPF: {problem}", False)
  return sum(judge(f"{flavour}: {name} adds {cost:.3f} by BPF, {program} adds {rivals[program]:.3f}", cost <= rivals[program])
             for program, _ in beside)


def measure(bench, flavour):
  failed = 0
  bench.lab.run("insmod /lib/modules/$(uname -r)/extra/gilk_bench.ko")
  base = {target: bench.base(target) for target in ("c", "member", "fentry")}
  print(f"  instructions added per hit, stock {flavour} under -icount; a bare call takes {base['c']:.3f}\n"
        f"  {'':<36} {'Gilk':>9} {'BPF':>11}", flush=True)
  bench.lab.command("install", bench.lab.name, "bpftrace")
  rivals = {program: bench.rival(base, program, target) for _, beside, target, _, _, _ in CASES
            for program, _ in beside}
  bench.lab.gilk("doctor", "--load")
  for name, beside, target, programs, hits, bound in CASES:
    try:
      cost = bench.ours(base[target], target, programs, hits)
    except Failure as problem:
      failed += judge(f"{flavour}: {name}: {problem}", False)
      continue
    for program, share in beside:
      print(f"  {name:<36} {cost:>9.3f} {rivals[program]:>11.3f}  {program}", flush=True)
      failed += judge(f"{flavour}: {name} adds {cost:.3f}, BPF ({program}) {rivals[program]:.3f}, of which {share} may be",
                      cost <= share * rivals[program])
    for program in (program for program, _ in beside if program in bench.medians and "return" in programs):
      ours, theirs = bench.medians["ours"], bench.medians[program]
      failed += judge(f"{flavour}: {name}: median from {ours[0]:g} to {ours[1]:g} ns, BPF's ({program}) from {theirs[0]} to {theirs[1]}, "
                      "no further above than what it costs", ours[0] <= theirs[1] and theirs[0] - ours[1] <= rivals[program])
    if bound is not None:
      failed += judge(f"{flavour}: {name} adds {cost:.3f} <= {bound}", round(cost, 2) <= bound)
    failed += measure_bpf(bench, flavour, base, name, beside, target, programs, hits, rivals)
  return failed


if __name__ == "__main__":
  sys.exit(main("program-costs", ["tests/bench/bpf-programs"], lambda lab, flavour: measure(Bench(lab), flavour)))
