#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
lists - the workbench and gilk report with a plan and a session of many hooks

  lists.py LAB [--hooks N] [--seed N]

Random blocks, drawn by the seed. The workbench opens the plan, runs it, and opens the session anew; what its main
thread takes of a processor for that is time in which it answers nobody. Without a display of its own: by Xvfb.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
import gilkblocks
from counters import is_counted
from gilklab import BUILD, GILK, Lab, expect, main, wait_for

SHARE = 0.1           # of a processor, by the main thread while hooks are live
OPENED = 3.0          # seconds of processor time by it until a plan, or a session, is there
REPORT = 3.0          # of processor time by gilk report
WORKBENCH = os.path.join(BUILD, "gui", "gilk-workbench")


class Display:
  """An Xvfb; what runs in it keeps to a folder of its own."""

  def __init__(self, folder):
    told, tell = os.pipe()
    self.server = subprocess.Popen(["Xvfb", "-displayfd", str(tell), "-screen", "0", "1290x796x24", "-nolisten", "tcp", "-noreset"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[tell])
    os.close(tell)
    with os.fdopen(told) as number:
      said = number.readline().strip()         # once it can be reached
    expect(said, "Xvfb did not start")
    self.env = dict(os.environ, DISPLAY=f":{said}", GDK_BACKEND="x11", GSETTINGS_BACKEND="memory",
                    NO_AT_BRIDGE="1", LC_ALL="C.UTF-8", GTK_THEME="Adwaita", XDG_DATA_HOME=f"{folder}/data",
                    XDG_CONFIG_HOME=f"{folder}/config", XDG_STATE_HOME=f"{folder}/state")

  def key(self, *keys):
    subprocess.run(["xdotool", "key", *keys], env=self.env, check=True)

  def end(self):
    self.server.terminate()
    self.server.wait()


class Workbench:
  def __init__(self, display, *words):
    self.display = display
    self.process = subprocess.Popen(["dbus-run-session", "--", WORKBENCH, *words], env=display.env,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    self.pid = wait_for("the workbench", self._find, 60)

  def _find(self):
    """It is a child of dbus-run-session's."""
    with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
      for pid in file.read().split():
        with open(f"/proc/{pid}/comm", encoding="utf-8") as name:
          if name.read().startswith("gilk-work"):
            return pid
    return None

  def seconds(self):
    """Of processor time, by the main thread."""
    with open(f"/proc/{self.pid}/task/{self.pid}/stat", encoding="ascii") as file:
      words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

  def all_seconds(self):
    with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
      words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

  def settle(self, what, seconds=600):
    """Until it has rested for two seconds: what its main thread took since it began, or was last asked."""
    looks = []

    def rests():
      looks.append(self.all_seconds())
      time.sleep(0.5)
      return len(looks) > 4 and looks[-1] - looks[-5] < 0.15
    wait_for(what, rests, seconds)
    return self.seconds()

  def end(self):
    subprocess.run(["kill", self.pid], check=False)
    self.process.wait()


def cpu_of(*words):
  before = os.times()
  subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
  after = os.times()
  return after.children_user + after.children_system - before.children_user - before.children_system


def start(display, folder):
  """The session of a run that began: until the kernel is read, which the workbench waits for idly, F5 does nothing."""
  def begun():
    display.key("F5")
    for _ in range(20):
      time.sleep(0.5)
      found = glob.glob(f"{folder}/data/**/*.gilk", recursive=True)
      if found:
        return found[0]
    return None
  return wait_for("the run to begin", begun, 300)


def run_plan(display, lab, plan, folder):
  """Opens and runs it: seconds until it is open, the share while it is live, and the session."""
  bench = Workbench(display, "--target", lab.target, plan)
  try:
    bench.settle("the plan to be open")
    display.key("ctrl+2")
    path = start(display, folder)
    opened = bench.seconds()
    wait_for("counters in the session", lambda: is_counted(path), 600)
    before, begin = bench.seconds(), time.monotonic()
    time.sleep(4)
    share = (bench.seconds() - before) / (time.monotonic() - begin)
    display.key("F5")
    lab.wait_clean(600)
    bench.settle("the run to be over")
  finally:
    bench.end()
  return opened, share, path


def lists_stay_fast_with_many_hooks(lab):
  """The workbench and gilk report with many hooks"""
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "many.plan")
    chosen = gilkblocks.draw(lab, plan, options.hooks, options.seed)
    expect(len(chosen) == options.hooks, f"only {len(chosen)} blocks bear each other")
    display = Display(folder)
    try:
      opened, share, session = run_plan(display, lab, plan, folder)
      bench = Workbench(display, session)
      shown = bench.settle("the session to be open")
      bench.end()
      report = cpu_of(GILK, "report", session)
    finally:
      display.end()
  figure = (f"{options.hooks} hooks: plan there in {opened:.1f} s of processor time, {100 * share:.0f} % while they are "
            f"live, session there in {shown:.1f} s, gilk report in {report:.1f} s")
  expect(opened <= OPENED and share <= SHARE and shown <= OPENED and report <= REPORT, figure)
  return figure


if __name__ == "__main__":
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--hooks", type=int, default=5000)
  parser.add_argument("--seed", type=int, default=1)
  options = parser.parse_args()
  if not shutil.which("Xvfb") or not shutil.which("xdotool") or not os.path.exists(WORKBENCH):
    print("ok - many hooks leave the lists fluent # skip: no workbench, Xvfb or xdotool")
    sys.exit(0)
  sys.exit(main([lists_stay_fast_with_many_hooks], Lab(options.lab)))
