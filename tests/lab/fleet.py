#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: one plan on two kernels starts together, and each keeps its own counts
"""
fleet - one plan on two machines at once: each counts its own, they begin together, and one that dies ends no other

The second machine is a lab of the test's own, of the same kernel.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Lab, Run, expect, lab_of_arguments, main, wait_for

APART_S = 0.5           # time zeros, at most: machines here share two processors
HOOK = "__x64_sys_sync@entry:pre:stamp"


class Fleet:
  """gilk run on several targets, in the background."""

  def __init__(self, labs, *words):
    targets = [word for lab in labs for word in ("--target", lab if isinstance(lab, str) else lab.target)]
    self.process = subprocess.Popen([GILK, "run", "--json", *targets, *words], stdout=subprocess.PIPE, text=True)
    self.output = None
    self.lab = None                 # no one lab's: it prints JSON, so nothing tells when it has started
    Run.going.append(self)

  def document(self):
    self.output = self.process.communicate(timeout=300)[0]
    return json.loads(self.output), self.process.returncode

  def stop(self):
    self.process.terminate()
    return self.document()

  def kill(self):
    self.process.kill()
    self.process.wait()


def sync(lab, times):
  lab.run(f"i=0; while [ $i -lt {times} ]; do sync; i=$((i+1)); done")


def tests_with(second):
  """The tests, each of the lab that it is given and SECOND."""

  def each_records_its_own(lab):
    with tempfile.TemporaryDirectory() as folder:
      fleet = Fleet([lab, second], "--hook", HOOK, "-o", os.path.join(folder, "sync.gilk"))
      for each in (lab, second):
        each.wait_armed()
      sync(lab, 30)
      sync(second, 70)
      told, code = fleet.stop()
      expect(code == 0, f"exit code {code}: {told.get('error')}")
      for target, least in zip(told["targets"], (30, 70)):
        hits = target["hooks"][0]["hits"]
        expect(target["lost"] == 0 and target["hooks"][0]["stored"] == hits, f"{target['target']}: {target['hooks']}")
        expect(least <= hits < least + 10, f"{target['target']}: {hits} hits of {least} calls")
        expect(os.path.exists(target["session"]), f"no session {target['session']}")
      apart = max(target["start_delay_s"] for target in told["targets"])
      off = max(target["start_delay_error_s"] for target in told["targets"])
      expect(apart - off < APART_S, f"they began {apart} s apart, known to {off} s")
      compared = json.loads(subprocess.run(
        [GILK, "report", "--json", told["targets"][0]["session"], "--compare", told["targets"][0]["hooks"][0]["hook"],
         f"{told['targets'][1]['hooks'][0]['hook']}@{told['targets'][1]['session']}"],
        stdout=subprocess.PIPE, text=True, check=True).stdout)
      expect("error" not in compared, f"{compared}")
      return f"began {1e3 * apart:.2f} ms apart, known to {1e3 * off:.2f} ms"

  def each_ends_by_its_own_condition(lab):
    with tempfile.TemporaryDirectory() as folder:
      fleet = Fleet([lab, second], "--hook", HOOK, "--until", "samples >= 25", "-o", os.path.join(folder, "until.gilk"))
      for each in (lab, second):
        each.wait_armed()
      sync(lab, 40)
      wait_for("the first one's text is restored", lab.is_clean)
      expect(not second.is_clean(), "the second ended with the first")
      told, code = fleet.stop()
      first, other = told["targets"]
      expect(code == 0 and first["ended"].startswith("condition met: samples >= 25"), f"exit code {code}: {first}")
      expect(other["ended"] == "stopped" and other["samples"] < 25, f"{other}")
      told, code = Fleet([lab, second], "--hook", HOOK, "--until", "hits nobody >= 1", "-o",
                         os.path.join(folder, "s.gilk")).document()
      expect(code != 0 and "names hook nobody" in told["error"]["message"], f"exit code {code}: {told['error']}")

  def nothing_begins_where_one_cannot(lab):
    with tempfile.TemporaryDirectory() as folder:
      told, code = Fleet([lab, "unix:/nowhere/at/all"], "--hook", HOOK, "--for", "1s", "-o",
                         os.path.join(folder, "s.gilk")).document()
      expect(code != 0 and not os.listdir(folder), f"exit code {code}, {os.listdir(folder)}")
      expect([t["run"] for t in told["targets"]] == [None, None], f"{told}")

  def partial_says_what_is_left_out(lab):
    with tempfile.TemporaryDirectory() as folder:
      told, code = Fleet([lab, second, "unix:/nowhere/at/all"], "--partial", "--hook", HOOK, "--hook", "no_such_function:entry",
                         "--for", "1s", "-o", os.path.join(folder, "s.gilk")).document()
      expect(code != 0 and told["error"]["code"] == "target", f"exit code {code}: {told['error']}")
      for target in told["targets"][:2]:
        expect([r["point"].split("@")[0] for r in target["refusals"]] == ["no_such_function"], f"{target['refusals']}")
        expect(len(target["hooks"]) == 1 and target["run"] == 1, f"{target}")
      expect(told["targets"][2]["error"]["code"] == "target", f"{told['targets'][2]}")

  def one_that_dies_ends_no_other(lab):
    with tempfile.TemporaryDirectory() as folder:
      fleet = Fleet([lab, second], "--hook", HOOK, "-o", os.path.join(folder, "s.gilk"))
      for each in (lab, second):
        each.wait_armed()
      second.kill_agents()
      wait_for("the second one's text is restored", second.is_clean)
      sync(lab, 20)
      told, code = fleet.stop()
      first, dead = told["targets"]
      expect(code != 0 and dead["error"]["code"] == "target", f"exit code {code}: {dead}")
      expect(first["hooks"][0]["hits"] >= 20 and "error" not in first, f"{first}")
    lab.wait_clean()

  return [each_records_its_own, each_ends_by_its_own_condition, nothing_begins_where_one_cannot, partial_says_what_is_left_out, one_that_dies_ends_no_other]


def all_of(lab):
  second = Lab(f"{lab.name}-second")
  second.boot(lab.flavour())
  try:
    return main(tests_with(second), lab)
  finally:
    second.stop()


if __name__ == "__main__":
  sys.exit(all_of(lab_of_arguments()))
