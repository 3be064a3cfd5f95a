#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
attach - the time to attach to the entries of many functions by BPF, beside one kprobe_multi link

  attach.py LAB [--entries N] [--most SHARE]

Both sides count the same functions of the kernel, on one boot. Of Gilk: all calls of bpf(2) that
the agent makes for a run (maps, programs and links). Of the rival (lab/workloads/attach.c): the
fewest calls that do the same. Both are timed in the guest by the function graph tracer. Fails if Gilk
takes more than SHARE times as long, 1.1 by default. The kernel needs CONFIG_FPROBE.
"""
import argparse
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Failure, Lab, Run, expect

TRACING = "/sys/kernel/tracing"
ENDBR = 4       # what may be in front of the call of ftrace


def draw_functions(lab, count, seed):
  """{name: address} of functions that have one name and one address each."""
  lab.run(f"test -d {TRACING}/events || mount -t tracefs tracefs {TRACING}")
  lines = [line.split() for line in lab.run(f"cat {TRACING}/available_filter_functions_addrs").splitlines()]
  named = {}
  for words in lines:
    if len(words) == 2 and re.fullmatch(r"\w+", words[1]):
      named.setdefault(words[1], []).append(words[0])
  symbols = lab.run("grep -w '[tT]' /proc/kallsyms").splitlines()
  starts = {}
  for line in symbols:
    address, _, name, *module = line.split()
    if not module:                                       # which may be unloaded before the rival's turn
      starts.setdefault(address, []).append(name)
  single = sorted((names[0], address) for address, names in starts.items() if len(names) == 1 and len(named.get(names[0], ())) == 1 and
                  0 <= int(named[names[0]][0], 16) - int(address, 16) <= ENDBR)
  return dict(random.Random(seed).sample(single, min(count, len(single))))


def write_plan(path, functions):
  with open(path, "w", encoding="utf-8") as file:
    file.write("[gilk-plan]\nversion=2\n")
    for i, name in enumerate(functions):
      file.write(f"[hook h{i}]\nfunction={name}\nanchor=entry\nwhere=pre\ninstrument=count\n")


def trace_calls(lab):
  lab.run(f"cd {TRACING} && echo nop >current_tracer && echo __x64_sys_bpf >set_ftrace_filter && "
          "echo 1 >options/funcgraph-tail && echo function_graph >current_tracer && echo >trace")


def traced_ns(lab):
  """Sum of the calls of bpf(2) since the tracer was started."""
  total = 0
  for line in lab.run(f"cat {TRACING}/trace && echo nop >{TRACING}/current_tracer && echo >{TRACING}/set_ftrace_filter").splitlines():
    match = re.search(r"([\d.]+) us\s+\|\s+(?:__x64_sys_bpf\(\);|\} /\* __x64_sys_bpf)", line)
    total += int(float(match[1]) * 1000) if match else 0
  return total


def time_gilk(lab, functions):
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "entries.plan")
    write_plan(plan, functions)
    trace_calls(lab)
    run = Run(lab, os.path.join(folder, "run.gilk"), plan, "--by", "bpf", "--partial", "--for", "10m")
    # The guest is left alone until then: reading enabled_functions takes the lock that attaching needs.
    Run.wait_started(lab, 600)
    took = traced_ns(lab)
    armed = int(lab.run(f"wc -l <{TRACING}/enabled_functions"))
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
  return took, armed


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--entries", type=int, default=1000)
  parser.add_argument("--most", type=float, default=1.1)
  parser.add_argument("--seed", type=int, default=7)
  args = parser.parse_args()
  lab = Lab(args.lab)
  functions = draw_functions(lab, args.entries, args.seed)
  took, armed = time_gilk(lab, functions)
  with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
    file.write("".join(f"{address}\n" for address in functions.values()))
    file.flush()
    lab.push(file.name, "/tmp/addresses")
  trace_calls(lab)
  said = lab.run("attach </tmp/addresses")
  match = re.search(r"functions (\d+) ", said)
  expect(match, f"the rival said: {said}")
  rival = traced_ns(lab)
  print(f"  {args.lab}: Gilk {armed} entries in {took / 1e6:.1f} ms of bpf(2); one link {match[1]} entries in {rival / 1e6:.1f} ms; "
        f"ratio {took / rival:.2f}")
  expect(took <= args.most * rival, "Gilk takes longer than its share")


if __name__ == "__main__":
  try:
    main()
  except Failure as failure:
    sys.exit(f"attach: {failure}")
