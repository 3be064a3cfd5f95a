# SPDX-License-Identifier: GPL-2.0-or-later
"""
workbench.py - the workbench seen from outside: its accessible tree, keys and pointer

Everything polls with a deadline; nothing sleeps for luck. The program is
another process, as libatspi may deadlock with GDBus inside one.
"""
import os
import subprocess
import time

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

SLOW = float(os.environ.get("GILK_SLOW", "1"))      # stretches every deadline


class Missing(Exception):
  """What was waited for did not come."""


def tool(*words):
  return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def wait(what, func, seconds=15):
  """The first true value of @func, or Missing."""
  end = time.monotonic() + seconds * SLOW
  while time.monotonic() < end:
    try:
      value = func()
      if value:
        return value
    except GLib.Error:
      pass                                          # the object went away meanwhile
    time.sleep(0.1)
  raise Missing(f"no {what} within {seconds * SLOW:.0f} s")


def walk(node, limit=60):
  yield node
  for i in range(min(node.get_child_count(), limit)):
    child = node.get_child_at_index(i)
    if child is not None:
      yield from walk(child, limit)


class Workbench:
  """One running workbench."""

  def __init__(self, *words):
    self.process = None
    for attempt in (1, 2):                          # a first launch may be lost, see ux notes
      self.process = subprocess.Popen([os.environ["GILK_WORKBENCH"], *words])
      try:
        self.app = wait("application on the accessibility bus", self._find_app, 20)
        break
      except Missing:
        self.process.kill()
        self.process.wait()
        if attempt == 2:
          raise
    self.window = wait("window", lambda: tool("xdotool", "search", "--onlyvisible", "--name", "Gilk").split())[-1]
    size = os.environ.get("GILK_WINDOW")
    if size:
      tool("xdotool", "windowsize", self.window, *size.split("x"))
    tool("xdotool", "windowfocus", self.window)

  def _find_app(self):
    if not self.alive():
      raise Missing(f"window: the workbench ended with code {self.process.returncode}")
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
      app = desktop.get_child_at_index(i)
      if app is not None and app.get_process_id() == self.process.pid and app.get_child_count() > 0:
        return app
    return None

  def find(self, what, test, seconds=15):
    return wait(what, lambda: next((n for n in walk(self.app) if test(n)), None), seconds)

  def named(self, name, role=None, seconds=15):
    return self.find(f'"{name}"', lambda n: n.get_name() == name and
                     (role is None or n.get_role_name() == role), seconds)

  def label_with(self, text, seconds=15):
    return self.find(f'text "{text}"', lambda n: text in (n.get_name() or "") and
                     n.get_role_name() in ("label", "info bar"), seconds)

  def graph(self, seconds=20):
    return self.find("graph", lambda n: n.get_name() == "Control-flow graph" and n.get_child_count() > 0, seconds)

  def key(self, *keys):
    tool("xdotool", "key", *keys)

  def type(self, text):
    tool("xdotool", "type", "--delay", "20", text)

  def click(self, node):
    """A real press and release in the middle of @node."""
    box = node.get_extents(Atspi.CoordType.SCREEN)
    tool("xdotool", "mousemove", str(box.x + box.width // 2), str(box.y + box.height // 2))
    time.sleep(0.1)
    tool("xdotool", "click", "1")

  def shot(self, name):
    tool("xdotool", "mousemove", "2", "2")
    time.sleep(0.6)                                 # lets tooltips and transitions end
    tool("import", "-window", "root", os.path.join(os.environ["OUT"], name + ".png"))

  def alive(self):
    return self.process.poll() is None

  def close(self):
    if self.alive():
      self.key("ctrl+q")
      try:
        self.process.wait(20 * SLOW)
      except subprocess.TimeoutExpired:
        self.process.kill()
        self.process.wait()
    return self.process.returncode


def checked(node):
  return node.get_state_set().contains(Atspi.StateType.CHECKED)
