#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Accounts: the recipes of packets, waits and slow writes give the same answers by the driver and by BPF
"""
recipes LAB - recipes of data/recipes by both ways, on loads whose answers are known

Those of watchpoints and counters go by BPF alone, and that of pipelines is in by-bpf.py.
"""
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import ROOT, Run, expect, lab_of_arguments, main, wait_for

WAYS = ("ilk", "bpf")
PINGS = 200
WAITS, NAP = 8, 0.25
WRITES = 30000
OTHERS = 300                                            # calls of other programs, at most


def read_recipe(name):
  with open(os.path.join(ROOT, "data", "recipes", name), encoding="utf-8") as file:
    return file.read()


def record(lab, way, text, hooks, load):
  """Runs LOAD while the hooks of the plan TEXT are live: report, and what was kept by name."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "recipe.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write(text)
    run = Run(lab, os.path.join(folder, "run.gilk"), plan, "--by", way, "--for", "10m")
    try:
      if way == "bpf":
        wait_for("hooks", lambda: lab.links() >= hooks or run.process.poll() is not None)
      else:
        lab.wait_armed(hooks)
      lab.run(load)
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    report = run.report()
    kept = {one["name"]: one for program in report.get("programs", ()) for one in program["maps"]}
    sums = {row["name"]: int(row["n"]) for row in run.sql("select name, sum(value) as n from maps group by name")} if kept else {}
  return report, kept, sums


def packets(lab):
  """Each packet of ping, there and back, at each hook on its way; none comes to those of TCP."""
  found = {}
  lab.run("ip link set lo up")
  for way in WAYS:
    report, _, _ = record(lab, way, read_recipe("network.plan"), 5, f"ping -c {PINGS} -i 0.01 -q 127.0.0.1")
    found[way] = {hook["hook"]: hook["hits"] for hook in report["hooks"]}
    expect(all(hook["stored"] == hook["hits"] and not hook.get("missed") for hook in report["hooks"]), f"{way}: {report['hooks']}")
  wanted = {"sent": 2 * PINGS, "received": 2 * PINGS, "ip": 2 * PINGS, "tcp": 0, "established": 0}
  expect(found == {way: wanted for way in WAYS}, f"{found}, not {wanted}")
  return f"{2 * PINGS} packets at each of three hooks by each way"


def sum_waits_in_pipes(stacks):
  """Time waited in pipes, in ns, of stacks that lead to the scheduler."""
  total = 0
  for key in stacks["keys"]:
    names = [place.split("+")[0] for place in key["stack"]]
    if names[1:3] == ["__schedule", "schedule"] and any(name.endswith("pipe_read") for name in names):
      total += key["value"]
  return total


def waiting_reads(lab):
  """A reader waits a known time for its writer, in the pipe."""
  told = []
  for way in WAYS:
    _, kept, sums = record(lab, way, read_recipe("waiting.plan"), 3,
                           f"(for i in $(seq {WAITS}); do sleep {NAP}; echo; done) | dd of=/dev/null bs=1 2>/dev/null")
    elapsed, running, waiting = (kept[f"{name}_ns"]["value"] for name in ("elapsed", "running", "waiting"))
    expect(abs(elapsed - running - waiting) <= 2 * sums["elapsed"], f"{way}: {elapsed} ns, {running} running, {waiting} waiting")
    piped = sum_waits_in_pipes(kept["waited"])
    expect(piped >= WAITS * NAP * 1e9 * 0.98, f"{way}: {piped} ns in pipes, of {kept['waited']}")
    told.append(f"{piped / 1e9:.3f} s by {way}")
  return "waited in pipes " + ", ".join(told)


def slowest_writes(lab):
  """Each call is counted, and the share that was slow is near what the recipe learns. Ticks that interrupt
  a program of another hook are missed by BPF."""
  told = []
  for way in WAYS:
    _, kept, _ = record(lab, way, read_recipe("tail.plan"), 4, f"dd if=/dev/zero of=/dev/null bs=1 count={WRITES} 2>/dev/null")
    calls, slow, limit = kept["calls"]["value"], kept["slow_calls"]["value"], kept["limit"]["value"]
    expect(WRITES <= calls + 100 <= WRITES + OTHERS, f"{way}: {calls} and 100 calls, not {WRITES}")
    expect(0.004 <= slow / calls <= 0.03 and limit > 0, f"{way}: {slow} of {calls} calls were slow, beyond {limit} ns")
    told.append(f"{100 * slow / calls:.2g} % of {calls} by {way}")
  return ", ".join(told)


if __name__ == "__main__":
  sys.exit(main([packets, waiting_reads, slowest_writes], lab_of_arguments()))
