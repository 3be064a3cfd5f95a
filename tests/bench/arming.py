#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
arming - 1,000 hooks in one batch beside 1,000 kprobes, and many hooks live at once

  arming.py LAB [--hooks N] [--all] [--seed N]          hooks beside kprobes, on one boot
  arming.py LAB --live N [--seconds N]                  N hooks live at once

Random blocks, drawn by the seed. Both sides are timed within the guest. Of Gilk: the
whole ioctl() of RESERVE, PREPARE and ARM, by the function graph tracer on these alone;
with ARM's return every hook counts. Of kprobes: register_kprobe() of each, enabled,
one after the other, which is all that register_kprobes() does, and with the optimiser
off, which else would make them wait for it; with the last return every probe counts.
Without --all a fifth of the kprobes is tried first: if the hooks keep to their share of
the time of these, they keep to that of as many.
Not in the ratio, but printed, is what either does later to get from int3 to a jump.
"""
import argparse
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import gilkblocks
from gilklab import Failure, Lab, Run, expect

SHARE = 0.1         # of what the kprobes take
TRACING = "/sys/kernel/tracing"
CALLS = ("reserve", "prepare", "arm")
LATER = "ilk_patches_splice"


def load(lab, module):
  lab.run(f"lsmod | grep -q gilk_{module} || "
          f"insmod /lib/modules/$(uname -r)/extra/gilk_{module}.ko")


def trace(lab):
  names = " ".join([f"ilk_client_{call}" for call in CALLS] + ["ilk_ioctl", LATER])
  lab.run(f"cd {TRACING} && echo nop >current_tracer && echo {names} >set_ftrace_filter && "
          "echo function_graph >current_tracer && echo 1 >options/funcgraph-tail && echo >trace")


def untrace(lab):
  """{call: ns}: ilk_ioctl() as a whole, by what it called."""
  lines = lab.run(f"cd {TRACING} && cat trace && echo nop >current_tracer && "
                  "echo >set_ftrace_filter").splitlines()
  took = dict.fromkeys(CALLS + (LATER,), 0)
  inside = None
  for line in lines:
    match = re.search(r"(?:([\d.]+) us)?\s+\|\s+(?:\} /\* )?(ilk_\w+)", line)
    if not match:
      continue
    ns = int(float(match[1] or 0) * 1000)
    if match[2] == LATER:
      took[LATER] += ns
    elif match[2] == "ilk_ioctl" and ns:
      if inside:
        took[inside] += ns
      inside = None
    elif match[2] != "ilk_ioctl":
      inside = match[2][len("ilk_client_"):]
  return took


def kprobes(lab, folder, chosen):
  """What registering takes; those that it refuses are paid for like the others."""
  gilkblocks.tell_rival(lab, os.path.join(folder, "points"), chosen)
  lab.run("sysctl -qw debug.kprobes-optimization=0")
  lab.run(f"echo register >{gilkblocks.RIVAL}/act", timeout=1200)
  took = int(lab.run(f"cat {gilkblocks.RIVAL}/took_ns"))
  registered = int(lab.run(f"cat {gilkblocks.RIVAL}/registered"))
  lab.run(f"echo unregister >{gilkblocks.RIVAL}/act", timeout=1200)
  lab.run("sysctl -qw debug.kprobes-optimization=1")
  expect(registered >= 0.9 * len(chosen), f"only {registered} kprobes registered")
  return took


def record(lab, folder, plan, seconds):
  """A run of the plan; its report by hook, and how long all of gilk took."""
  begin = time.monotonic()
  run = Run(lab, os.path.join(folder, "many.gilk"), plan, "--for", f"{seconds}s")
  try:
    code = run.wait(1500)
  except BaseException:
    run.kill()
    raise
  expect(code == 0, f"gilk run failed: {run.output[-2000:]}")
  return run.report()["hooks"], time.monotonic() - begin


def measure_beside_kprobes(lab, folder, count, every, seed):
  load(lab, "rival")
  lab.gilk("doctor", "--load")
  plan = os.path.join(folder, "many.plan")
  chosen = gilkblocks.draw(lab, plan, count, seed)
  before = lab.text_sum()
  trace(lab)
  hooks, _ = record(lab, folder, plan, 2)
  took = untrace(lab)
  lab.wait_clean(300)
  expect(lab.text_sum() == before, "the text is not what it was")
  expect(len(hooks) == count and any(h["hits"] for h in hooks), "no counter advanced")
  ours = sum(took[call] for call in CALLS)
  expect(all(took[call] for call in CALLS), f"not every call was seen: {took}")
  for probes in [count] if every else [count // 5, count]:
    theirs = kprobes(lab, folder, chosen[:probes])
    if ours <= SHARE * theirs:
      break
  print(f"  {probes} kprobes registered in {theirs / 1e6:.1f} ms; {count} hooks "
        + ", ".join(f"{call} {took[call] / 1e6:.1f}" for call in CALLS)
        + f", together {ours / 1e6:.1f} ms; their jumps later {took[LATER] / 1e6:.1f} ms")
  expect(ours <= SHARE * theirs,
         f"{count} hooks took {ours / theirs:.3f} of the time of {probes} kprobes, not <= {SHARE}")
  return f"{count} hooks armed in {ours / theirs:.4f} <= {SHARE} of the time of {probes} kprobes"


def live(lab, folder, count, seed, seconds):
  """Holds COUNT hooks at once."""
  lab.gilk("doctor", "--load")
  plan = os.path.join(folder, "many.plan")
  chosen = gilkblocks.draw(lab, plan, count, seed)
  expect(len(chosen) == count, f"only {len(chosen)} blocks bear each other")
  before = lab.text_sum()
  trace(lab)
  hooks, whole = record(lab, folder, plan, seconds)
  took = untrace(lab)
  lab.wait_clean(900)
  expect(lab.text_sum() == before, "the text is not what it was")
  hit = sum(h["hits"] > 0 for h in hooks)
  print(f"  {len(hooks)} hooks: "
        + ", ".join(f"{call} {took[call] / 1e9:.2f}" for call in CALLS + (LATER,))
        + f" s; {hit} of them hit, {sum(h['hits'] for h in hooks)} times; gilk took {whole:.0f} s")
  expect(len(hooks) == count and hit > 0, "no counter advanced")
  return f"{count} hooks live at once for {seconds} s, text as before"


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--hooks", type=int, default=1000)
  parser.add_argument("--all", action="store_true")
  parser.add_argument("--live", type=int, default=0)
  parser.add_argument("--seconds", type=int, default=10)
  parser.add_argument("--seed", type=int, default=1)
  options = parser.parse_args()
  lab = Lab(options.lab)
  with tempfile.TemporaryDirectory() as folder:
    try:
      if options.live:
        figure = live(lab, folder, options.live, options.seed, options.seconds)
      else:
        figure = measure_beside_kprobes(lab, folder, options.hooks, options.all, options.seed)
    except Failure as problem:
      print(f"not ok - {options.lab}: {problem}")
      return 1
    finally:
      lab.run("rmmod gilk_rival 2>/dev/null", check=False)
  print(f"ok - {options.lab}: {figure}")
  return 0


if __name__ == "__main__":
  sys.exit(main())
