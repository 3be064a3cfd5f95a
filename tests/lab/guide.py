#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
guide LAB [--all] - the commands of the user's guide do in a lab what it says they do

The lessons, and with --all tour and recipes, are run as they are printed, but for their times, in
a shell that has nothing but what the pages tell to set. Their figures are of Linux 6.1, and so is
this test.
"""
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Run, expect, lab_of_arguments, main

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NS = "{http://projectmallard.org/1.0/}"
SECONDS = "2s"
COMPARED = "4s"                        # a comparison wants eight pairs of 100 ms


def tree(page):
  return ET.parse(os.path.join(ROOT, "data/help/C", page + ".page")).getroot()


def blocks(page):
  return [block.text for block in tree(page).iter(NS + "code")
          if block.get("mime") == "application/x-shellscript"]


def shell(lab, folder, script, time=SECONDS):
  """As a reader would, in a folder with the recipes; what is not of this lab is left out."""
  kept = [line for line in script.splitlines()
          if not re.match(r"\s*(lab/lab (boot|stop)|gilk-workbench|\./run|export |gilk report out/)", line)]
  if not "".join(kept).strip():
    return ""
  script = re.sub(r"--for \d+s", "--for " + time, "\n".join(kept))
  script = script.replace("lab/lab exec 6.1", "lab/lab exec " + lab.name)
  env = dict(os.environ, GILK_TARGET=lab.target, PATH=os.path.dirname(GILK) + ":" + os.environ["PATH"])
  done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=env, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
  expect(done.returncode == 0, f"{script.strip().splitlines()[-1]}: exit {done.returncode}: {done.stdout[-400:]}")
  return done.stdout


def fresh():
  folder = tempfile.TemporaryDirectory(prefix="gilk-guide.")
  for name in ("data", "lab", "build"):
    os.symlink(os.path.join(ROOT, name), os.path.join(folder.name, name))
  return folder


def listing(page, folder):
  for shown in tree(page).iter(NS + "listing"):
    with open(os.path.join(folder, shown.find(NS + "title").text), "w", encoding="utf-8") as out:
      out.write(shown.find(NS + "code").text)


def the_tour(lab):
  with fresh() as folder:
    said = "".join(shell(lab, folder, block) for block in blocks("tour"))
    expect("Ready: hooks can be armed" in said, "the doctor does not say what the tour says")
    expect(re.search(r"pipe_write-call-schedule-pre .* count +splice +[1-9]", said), "no writer slept")
    return "as told"


def the_recipes(lab):
  with fresh() as folder:
    listing("recipes", folder)
    lab.background("while pipeline 60; do :; done")
    said = ""
    for block in blocks("recipes"):
      # The first one is recorded several times, to be compared.
      for _ in range(8 if "-o who.gilk" in block else 1):
        said += shell(lab, folder, block)
    lab.run("killall pipeline cat tr sed grep; true")
    expect(re.search(r"^pipe_write +[1-9]", said, re.M), "no call of pipe_write was timed")
    expect("triggered by it-happened" in said, "the recorder was not triggered")
    expect("Cliff's delta" in said, "nothing was compared")
    return "as told"


def probe_programs(lab):
  with fresh() as folder:
    lab.background("while pipeline 60; do :; done; dd if=/dev/zero of=/tmp/large bs=64k count=64 2>/dev/null")
    said = "".join(shell(lab, folder, block) for block in blocks("programs"))
    lab.run("killall pipeline cat tr sed grep; rm -f /tmp/large; true")
    expect("sizes" in said and "by_pid" in said, f"nothing was kept: {said[-400:]}")
    expect(os.path.getsize(os.path.join(folder, "sizes.svg")) > 0, "no histogram was drawn")
    return "as told"


def where_a_pipe_sleeps(lab):
  with fresh() as folder:
    said = "".join(shell(lab, folder, block, "20s") for block in blocks("lesson-pipe"))
    expect("The bottleneck is sed." in said, "the bottleneck was not found")
    return "it is sed"


def what_a_system_call_executes(lab):
  with fresh() as folder:
    look, record, calls = blocks("lesson-syscall")
    make, arm = record.strip().splitlines()
    shell(lab, folder, look + make)
    expect(arm.startswith("gilk run call.plan "), f"the lesson records by {arm}")
    run = Run(lab, os.path.join(folder, "call.gilk"), os.path.join(folder, "call.plan"), "--for", "10m")
    lab.wait_armed()
    exec_line, report = calls.strip().splitlines()
    shell(lab, folder, exec_line)
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    said = shell(lab, folder, report)
    for line in ["+0x0   100000  hook     not-taken  +0x12  100000", "+0x41       0  hook"]:
      expect(line in said, f"the report has no line {line}")
    expect(not re.search(r"[1-9]\d* contradictions", said), "counts contradict each other")
    return "100000 times each"


def what_a_probe_costs(lab):
  with fresh() as folder:
    listing("lesson-cost", folder)
    said = "".join(shell(lab, folder, block, COMPARED if "ab.plan" in block else SECONDS)
                   for block in blocks("lesson-cost"))
    splice, trap = (float(re.search(rf"count by {tactic}, \d+ instructions: ([\d.]+) ns", said)[1])
                    for tactic in ("splice", "trap"))
    expect(trap > 20 * splice, f"a trap costs {trap} ns, a splice {splice} ns")
    expect(re.search(r"^on .* 95 % confidence", said, re.M), "the report tells no effect")
    return f"splice {splice} ns, trap {trap} ns"


def the_bytes_of_a_hook(lab):
  """What gilk cfg --patch shows is what a run writes, but for where the patch lies."""
  with fresh() as folder:
    session = os.path.join(folder, "bytes.gilk")
    place, tactics = "@call:pid_vnr:pre", ["splice", "trap"]
    program = " { map seen[64]; seen[cpu]++ }"
    for tactic, what in [(tactic, what) for tactic in tactics for what in (f":count:{tactic}", f":{tactic}{program}")]:
      shown = lab.gilk("cfg", "do_getpgid", "--patch", place + what)["patch"]
      expect(any("seen+0x" in line["text"] for line in shown["code"]) == (program in what), f"{what}: {shown['code']}")
      lab.gilk("run", "--hook", f"do_getpgid{place}{what}", "--for", "1s", "-o", session)
      with sqlite3.connect(session) as db:
        site, used, old, new = db.execute("SELECT site, tactic, old_bytes, new_bytes FROM patch "
                                          "ORDER BY run DESC").fetchone()
      before, after = ([(line["part"], bytes.fromhex(line["bytes"])) for line in shown[key]]
                       for key in ("before", "after"))
      expect((used, int(shown["site"], 16)) == (tactic, site % 2**64), f"{tactic}: {used} at {site % 2**64:#x}")
      footprint = b"".join(code for part, code in before if part == "footprint")
      expect(footprint[:len(old)] == old, f"{tactic}: {old.hex()} was there, {footprint.hex()} was shown")
      way_in = b"".join(code for part, code in after if part in ("jump", "filler"))
      where = slice(1, 5) if tactic == "splice" else slice(0, 0)
      expect(len(way_in) >= len(new) and len(new) == shown["footprint"], f"{tactic}: {new.hex()}, not {way_in.hex()}")
      expect(all(way_in[i] == new[i] for i in range(len(new)) if not where.start <= i < where.stop),
             f"{tactic}: {new.hex()} was written, {way_in.hex()} was shown")
    return ", ".join(tactics)


if __name__ == "__main__":
  tests = [the_bytes_of_a_hook, where_a_pipe_sleeps, what_a_system_call_executes, what_a_probe_costs]
  if "--all" in sys.argv:
    sys.argv.remove("--all")
    tests = [the_tour, the_recipes, probe_programs] + tests
  this = lab_of_arguments()
  if not this.run("uname -r").startswith("6.1."):
    print("ok - guide # skip: its figures are of Linux 6.1")
    sys.exit(0)
  sys.exit(main(tests, this))
