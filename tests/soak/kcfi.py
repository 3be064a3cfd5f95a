#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
kcfi LAB - on a kernel that checks indirect calls, the driver is refused by name, and hooks by BPF count all
"""
import importlib
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lab"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main

CALLS = 4000
ENTRY = "__x64_sys_fsync"
SIZES = f"{ENTRY}:entry {{ map fds[64]; fds[arg0 & 0xff]++; sample(who = pid, name = comm) }}"


def gilk(lab, *words):
  done = subprocess.run([GILK, words[0], "--target", lab.target, *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        text=True, timeout=240, check=False)
  return done.returncode, done.stdout


def the_driver_is_refused_by_name(lab):
  code, said = gilk(lab, "doctor", "--load")
  expect("kCFI" in said, f"gilk doctor: {said}")
  with tempfile.TemporaryDirectory() as folder:
    code, said = gilk(lab, "run", "--by", "ilk", "--hook", f"{ENTRY}@entry:pre:count", "--for", "1s", "-o", os.path.join(folder, "s.gilk"))
  expect(code != 0 and "kCFI" in said, f"gilk run --by ilk: {said}")
  expect("ilk " not in lab.run("cat /proc/modules"), "the driver is loaded")


def hooks_without_a_word_on_how_are_by_bpf(lab):
  """And one sentence says so."""
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "run.gilk"), "--hook", f"{ENTRY}@entry:pre:count", "--hook", f"{ENTRY}@entry:post:count",
              "--hook", SIZES, "--for", "10m")
    lab.wait_links(3)
    lab.run(f"calls -o fsync -t 2 -n {CALLS}")
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    hooks = run.report()["hooks"]
  expect("kCFI" in run.output, f"nothing says why: {run.output}")
  hits = [hook["hits"] or hook["stored"] + hook["lost"] for hook in hooks]
  expect(hits == [CALLS] * 3, f"hits: {hooks}")
  return f"{CALLS} calls, each of 3 hooks: {', '.join(hook['tactic'] for hook in hooks)}"


if __name__ == "__main__":
  by_bpf = importlib.import_module("by-bpf")
  sys.exit(main([the_driver_is_refused_by_name, hooks_without_a_word_on_how_are_by_bpf, by_bpf.needs_no_module, by_bpf.every_call,
                 by_bpf.entries_at_once, by_bpf.entries_read_arguments], lab_of_arguments()))
