#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: times of samples keep to the stated error
"""
clock - a run's times keep to the errors that its report tells

Samples of a hook have times by the counters of their processors; the program that
made the calls noted the target's clock around each. The one must lie between the others,
give or take what the report says of its times.
"""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Run, expect, lab_of_arguments, main

PLAN = """[gilk-plan]
version=2

[hook umask]
function=__x64_sys_umask
anchor=entry
where=pre
instrument=stamp
"""
CALLS = 2000


def sql(session, query):
  done = subprocess.run([GILK, "sql", "--json", session, query], stdout=subprocess.PIPE, text=True,
                        check=True)
  return json.loads(done.stdout)["rows"]


def record(lab, folder):
  plan = os.path.join(folder, "clock.plan")
  with open(plan, "w", encoding="utf-8") as file:
    file.write(PLAN)
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "control-clock"), "/tmp/control-clock")
  run = Run(lab, os.path.join(folder, "clock.gilk"), plan, "--for", "10m")
  try:
    lab.wait_armed()
    noted = lab.run(f"/tmp/control-clock {CALLS}")
  except BaseException:
    run.kill()
    raise
  expect(run.stop() == 0, f"gilk run failed: {run.output}")
  return run.session, [tuple(map(int, line.split())) for line in noted.splitlines()]


def clock_of(session):
  done = subprocess.run([GILK, "report", "--json", session], stdout=subprocess.PIPE, text=True,
                        check=True)
  return json.loads(done.stdout)["clock"]


class Steered:
  """
  By how much others steered this machine's clock meanwhile: the emulator makes clocks of both it and its counter. The
  rate of one against the other changes by as much (1.5 ppm within seconds was seen), and a run's report tells.
  """
  LOOK_S = 0.5

  def __init__(self):
    self.rates, self.over = [], threading.Event()
    self.thread = threading.Thread(target=self._look)

  @staticmethod
  def _clocks():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC), time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)

  def _look(self):
    clock, raw = self._clocks()
    while not self.over.wait(self.LOOK_S):
      (clock, raw), before = self._clocks(), (clock, raw)
      self.rates.append((clock - before[0]) / (raw - before[1]))

  def __enter__(self):
    self.thread.start()
    return self

  def __exit__(self, *error):
    self.over.set()
    self.thread.join()

  def ppm(self):
    return 1e6 * (max(self.rates) - min(self.rates)) if self.rates else 0.0


def samples_lie_between_readings_of_the_clock(lab):
  with tempfile.TemporaryDirectory() as folder:
    with Steered() as steered:
      session, noted = record(lab, folder)
    clock = clock_of(session)
    zero = sql(session, "SELECT zero_mono_ns AS zero FROM run")[0]["zero"]
    times = [row["t"] for row in sql(session, "SELECT t FROM samples_stamp ORDER BY t")]
  expect(clock["measured"], f"the rate was not measured: {clock}")
  expect(clock["error_ppm"] < 50, f"the rate is known to {clock['error_ppm']} ppm only")
  expect(abs(clock["gain_ppm"]) <= clock["error_ppm"] + clock["gain_error_ppm"] + steered.ppm(),
         f"over the run the rate was another one, and this machine's own changed by {steered.ppm():.2g} ppm: {clock}")
  expect(len(clock["cpus"]) == 2 and all(cpu["error_ns"] < 1e7 for cpu in clock["cpus"]), f"processors: {clock}")
  expect(len(times) == len(noted) == CALLS, f"{len(times)} samples, {len(noted)} calls")
  error = clock["end_error_ns"] + clock["order_error_ns"]
  off = [i for i, (t, (before, after)) in enumerate(zip(times, noted))
         if not before - zero - error <= t * 1e9 <= after - zero + error]
  expect(not off, f"{len(off)} of {CALLS} are off by more than {error:.0f} ns, the first "
         f"{times[off[0]] if off else 0} of {[n - zero for n in noted[off[0]]] if off else 0}")
  return (f"{CALLS} calls; {clock['ns_per_tick']:.9f} ns a tick to {clock['error_ppm']:.2g} ppm, at the end "
          f"{clock['end_error_ns']:.0f} ns; processors in order beyond {clock['order_error_ns']:.0f} ns")


if __name__ == "__main__":
  sys.exit(main([samples_lie_between_readings_of_the_clock], lab_of_arguments()))
