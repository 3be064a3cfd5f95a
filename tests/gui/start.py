# SPDX-License-Identifier: GPL-2.0-or-later
"""
start - how long until there is a window, and until a kernel's functions can be searched

  run.sh with GILK_DRIVE=start.py LAB...

The first connection is one that nothing is known for: no boot of that kernel is kept. Prints a line of figures for each
start; seconds from the program's begin, by looks every 50 ms through the accessible tree, which cost the program
something, too.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from workbench import Missing, Workbench, looks, wait, walk

AGAIN = 3
WINDOW, FIRST, SECOND, MEMORY = 0.3, 5.0, 1.5, 200      # seconds, MiB: what was promised
LOOK = 0.05


def soon(what, func, seconds=120):
  end = time.monotonic() + seconds
  while time.monotonic() < end:
    value = func()
    if value:
      return value
    time.sleep(LOOK)
  raise Missing(f"no {what} within {seconds} s")


@looks
def functions_of(app):
  return next((n for n in walk(app) if n.get_name() == "Functions" and n.get_role_name() == "table"), None)


def resident(pid):
  with open(f"/proc/{pid}/status", encoding="ascii") as file:
    return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024


class Timed(Workbench):
  """Its window, seen by the server of windows, before anything asks for its accessible tree."""

  def _await_window(self):
    begun = time.monotonic()
    soon("window", lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Gilk"], check=False,
                                          capture_output=True).stdout)
    self.window_after = time.monotonic() - begun
    self.begun = begun
    super()._await_window()

  def connected_after(self):
    functions = wait("list of functions", lambda: functions_of(self.app))
    soon("functions", lambda: functions.get_child_count() > 1000)
    return time.monotonic() - self.begun


def once(lab, cache):
  os.environ["XDG_CACHE_HOME"] = cache
  bench = Timed("--target", "lab:" + lab)
  try:
    return bench.window_after, bench.connected_after(), resident(bench.process.pid)
  finally:
    bench.close()


def empty_cache(folder):
  """All that is cached, but for what boots told."""
  real = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "gilk")
  os.makedirs(os.path.join(folder, "gilk"), mode=0o700)
  for name in os.listdir(real):
    if name != "boots":
      os.symlink(os.path.join(real, name), os.path.join(folder, "gilk", name))
  return folder


def measure(lab):
  with tempfile.TemporaryDirectory() as folder:
    cache = empty_cache(os.path.join(folder, "cache"))
    first, *rest = [once(lab, cache) for _ in range(1 + AGAIN)]
  window, again = (statistics.median(figures[i] for figures in rest) for i in (0, 1))
  memory = max(figures[2] for figures in rest)
  figure = (f"window after {window:.2f} s (bar {WINDOW}), connected first after {first[1]:.2f} s ({FIRST}), again after "
            f"{again:.2f} s ({SECOND}), {memory:.0f} MiB ({MEMORY})")
  # Speeds of a machine that others use, too, are told and judged with room: what is kept must be worth its keep.
  print(f"{'ok' if again < first[1] and memory < MEMORY else 'not ok'} - {lab}: the workbench starts ({figure})", flush=True)
  return again < first[1] and memory < MEMORY


if __name__ == "__main__":
  sys.exit(0 if all([measure(lab) for lab in sys.argv[1:]]) else 1)
