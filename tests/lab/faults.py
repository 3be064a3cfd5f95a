#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Faults and traces: bad user pointers under hooks give the same error, and all counts are right
"""
faults - bad user pointers under hooks: the same error, every count right

Instructions that may fault are looked up by their address when they do. Here they
do, a known number of times, in clones of the kernel's own copying functions and in
splices over the very instruction: each call must fail with EFAULT as it does
without hooks, and blocks where faults go must have counted each of them.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main

CALLS = 5_000
STRING = "strncpy_from_user"
COPY = "_copy_to_user"
NOT_HERE = f"# skip: {COPY} has no fix-up inside on this kernel"


def graph_of(lab, function):
  return json.loads(subprocess.run([GILK, "cfg", "--json", "--target", lab.target, function],
                                   stdout=subprocess.PIPE, text=True, check=True).stdout)


def record(lab, hooks, path):
  """CALLS calls of PATH with HOOKS armed, none of them wrong; returns hits by block and edge."""
  with tempfile.TemporaryDirectory() as folder:
    words = [word for hook in hooks for word in ("--hook", hook)]
    run = Run(lab, os.path.join(folder, "f.gilk"), *words, "--for", "10m")
    try:
      lab.wait_armed()
      said = lab.run(f"calls -o {path} -t 2 -n {CALLS}")
    except BaseException:
      run.kill()
      raise
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    expect(f"calls {CALLS}\n" in said and "wrong 0\n" in said, f"the workload said: {said}")
    return {(hook["block"], hook["where"]): hook for hook in run.report()["hooks"]}


def plannable(lab, function, points, tactic):
  """Those of POINTS, "BLOCK:WHERE", that may be hooked by TACTIC."""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "f.plan")
    with open(plan, "w", encoding="utf-8") as file:
      file.write("[gilk-plan]\nversion=1\n")
      for number, point in enumerate(points):
        block, where = point.split(":")
        file.write(f"\n[hook h{number}]\nfunction={function}\nblock={block}\nwhere={where}\n"
                   f"instrument=count\ntactic={tactic}\n")
    answer = lab.gilk("plan", "check", plan, check=False)
  return [f"{function}{point}:count:{tactic}" for point, hook in zip(points, answer["hooks"])
          if "error" not in hook]


def faulting_and_fixing(lab, function):
  """Blocks with an instruction that may fault, and blocks that its faults go to."""
  edges = [edge for edge in graph_of(lab, function)["edges"] if edge["kind"] == "fixup"]
  expect(edges, f"{function} has no fix-up inside")
  return sorted({edge["from"] for edge in edges}), sorted({edge["to"] for edge in edges})


def all_blocks_cloned(lab, function, path):
  _, fixing = faulting_and_fixing(lab, function)
  blocks = [block["name"] for block in graph_of(lab, function)["blocks"]]
  hits = record(lab, plannable(lab, function, [f"{name}:pre" for name in blocks], "clone"), path)
  entry = hits["+0x0", "pre"]["hits"]
  fixed = sum(hits[name, "pre"]["hits"] for name in fixing if (name, "pre") in hits)
  expect({hook["tactic"] for hook in hits.values()} == {"clone"}, "not all hooks are in a clone")
  expect(entry >= CALLS, f"{CALLS} calls, the entry counted {entry}")
  expect(fixed >= CALLS, f"{CALLS} calls, where faults go counted {fixed}")
  return f"{len(hits)} blocks, {entry} calls, {fixed} times where faults go"


def splices_over_faults(lab, function, path):
  faulting, fixing = faulting_and_fixing(lab, function)
  points = [f"{name}:pre" for name in sorted({*faulting, *fixing})]
  hooks = plannable(lab, function, points, "splice")
  hits = record(lab, hooks, path)
  tried = sum(hits[name, "pre"]["hits"] for name in faulting if (name, "pre") in hits)
  fixed = [hits[name, "pre"]["hits"] for name in fixing if (name, "pre") in hits]
  expect(tried >= CALLS, f"{CALLS} calls, blocks that may fault ran {tried} times")
  return f"{len(hooks)} hooks, {tried} times tried, fixed {fixed}"


def string_that_runs_off_its_page_in_a_clone(lab):
  return all_blocks_cloned(lab, STRING, "edgepath")


def copies_inside(lab):
  """Up to 6.1 the copying loop is a function of its own, in assembly."""
  return any(edge["kind"] == "fixup" for edge in graph_of(lab, COPY)["edges"])


def copy_to_a_bad_address_in_a_clone(lab):
  return all_blocks_cloned(lab, COPY, "baduname") if copies_inside(lab) else NOT_HERE


def string_that_runs_off_its_page_under_splices(lab):
  return splices_over_faults(lab, STRING, "edgepath")


def copy_to_a_bad_address_under_splices(lab):
  return splices_over_faults(lab, COPY, "baduname") if copies_inside(lab) else NOT_HERE


if __name__ == "__main__":
  sys.exit(main([string_that_runs_off_its_page_in_a_clone, copy_to_a_bad_address_in_a_clone,
                 string_that_runs_off_its_page_under_splices, copy_to_a_bad_address_under_splices],
                lab_of_arguments()))
