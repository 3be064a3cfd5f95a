#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
metrics - what Prometheus is told of a run that goes on, on a live kernel

  metrics.py LAB

Hits of a path that nothing else in the lab uses: none before the workload, growing while it
runs, and all of them a second behind it, as the report tells them in the end.
"""
import os
import re
import sys
import tempfile
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Run, expect, lab_of_arguments, main, wait_for

CALLS = 200_000
POINT = "__x64_sys_fsync@entry:pre:"


def place_of(run):
  """Where the run says that it can be asked."""
  found = wait_for("the run to say its place", lambda: re.search(r"http://127\.0\.0\.1:\d+/metrics", run.read_output()))
  return found[0]


def ask(place):
  """Of each hook's instrument: hits, samples stored and lost."""
  with urllib.request.urlopen(place, timeout=60) as answer:
    families = text_string_to_metric_families(answer.read().decode())
    found = {}
    for family in families:
      for sample in family.samples:
        if "instrument" in sample.labels:
          found[sample.labels["instrument"], family.name] = sample.value
    return found


def metrics_are_live(lab):
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "metrics.gilk"), "--hook", POINT + "count", "--hook", POINT + "stamp",
              "--metrics", "0", "--for", "10m")
    place = place_of(run)
    lab.wait_armed()

    def told_hits():                    # before it is armed none is known
      hits = ask(place).get(("count", "gilk_hook_hits"))
      return None if hits is None else [hits]

    before = wait_for("hits of armed hooks", told_hits)
    expect(before == [0], f"{before} hits before the workload")
    lab.background(f"calls -o fsync -t 2 -n {CALLS}")
    seen = []

    def all_told():
      found = ask(place)
      seen.append(found["count", "gilk_hook_hits"])
      samples = sum(found.get(("stamp", f"gilk_hook_samples_{what}"), 0) for what in ("stored", "lost"))
      return found if min(seen[-1], found["stamp", "gilk_hook_hits"], samples) >= CALLS else None

    after = wait_for(f"{CALLS} hits and samples told", all_told)
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect(seen == sorted(seen), f"hits went back: {seen}")
    for hook in run.report()["hooks"]:
      told = {key: after[hook["instrument"], name] for key, name in
              (("hits", "gilk_hook_hits"), ("stored", "gilk_hook_samples_stored"), ("lost", "gilk_hook_samples_lost"))
              if (hook["instrument"], name) in after}
      recorded = {key: hook[key] for key in told}
      expect(told == recorded and hook["hits"] == CALLS, f"told {told}, recorded {recorded}")
    return f"{CALLS} hits, {len(set(seen))} steps seen"


if __name__ == "__main__":
  sys.exit(main([metrics_are_live], lab_of_arguments()))
