# SPDX-License-Identifier: GPL-2.0-or-later
"""
workbench.py - the workbench seen from outside: its accessible tree, keys and pointer

Everything polls with a deadline for the state that a person would wait for: the
window active, a widget at rest under the pointer, the focus where it is to be, the
text as typed, the picture still. Nothing sleeps for luck and nothing is done twice.
The program is another process, as libatspi may deadlock with GDBus inside one.
"""
import functools
import os
import re
import shutil
import socket
import subprocess
import sys
import time

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from gilklab import Lab, control  # noqa: E402
from glance import Gone, itself, resolved, walk  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Stretches every deadline: one is for what never comes, not for a machine with twenty others.
SLOW = float(os.environ.get("GILK_SLOW", "6"))

# libatspi gives a program 0.8 s to answer and takes silence for an object that is not there.
Atspi.set_timeout(60_000, 60_000)


class Missing(Exception):
  """What was waited for did not come."""


def in_lab(lab, command):
  return control(lab, command, check=True, capture_output=True, text=True).stdout


def work(lab, rounds=400):
  """A pipe is written and read in the lab meanwhile, some 15 times a second. No process is started for it, which takes an emulated
  kernel ten times as long as all else here."""
  Lab(lab).background("pace=/tmp/pace.$$; mkfifo $pace; exec 3<>$pace; rm $pace; "
                      f"i=0; while [ $i -lt {rounds} ]; do echo x; i=$((i+1)); read -t 0.05 _ <&3; done | cat >/dev/null")


@functools.lru_cache
def pipe_write():
  """What the lab's kernel calls it: anon_pipe_write since 7.3."""
  return in_lab(sys.argv[1], "grep -owm1 -E '(anon_)?pipe_write' /proc/kallsyms").strip()


def tool(*words):
  return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def wait(what, func, seconds=15):
  """The first true value of @func, or Missing; objects in it are those of AT-SPI. On a busy machine one look may take all of the
  time: there are some in any case. What takes long is looked at less often, as looks take processor time of the program."""
  begin = time.monotonic()
  end = begin + seconds * SLOW
  looks_left = 5
  while time.monotonic() < end or looks_left > 0:
    looks_left -= 1
    try:
      value = resolved(func())
      if value:
        return value
    except GLib.Error:
      pass                                          # the object went away meanwhile
    time.sleep(min(max((time.monotonic() - begin) / 8, 0.1), 0.5))
  raise Missing(f"no {what} within {seconds * SLOW:.0f} s")


def move_to(x, y):
  tool("xdotool", "mousemove", str(x), str(y))
  wait("the pointer to arrive", lambda: f"x:{x} y:{y} " in tool("xdotool", "getmouselocation"))


def looks(func):
  """For a function that only looks: it looks again where what it looked at went away meanwhile."""
  @functools.wraps(func)
  def look(*args, **kwargs):
    answers = []

    def answered():
      answers[:] = [resolved(func(*args, **kwargs))]
      return True

    wait(f"answer to {func.__name__}()", answered)
    return answers[0]

  return look


def has(node, state):
  return node.get_state_set().contains(getattr(Atspi.StateType, state))


# GTK tells places in its own pixels; the pointer is on those of the screen.
SCALE = int(os.environ.get("GDK_SCALE", "1"))


def box_of(node):
  box = node.get_extents(Atspi.CoordType.SCREEN)
  return (SCALE * box.x, SCALE * box.y, SCALE * box.width, SCALE * box.height)


class Still:
  """Something that is looked at until it is what it was at the look before."""

  def __init__(self, look):
    self.look = look
    self.before = None

  def settled(self):
    now = self.look()
    same = now == self.before
    self.before = now
    return now if same else None


class Workbench:
  """One running workbench; it knows nothing of the one before it, unless that is to be kept."""

  def __init__(self, *words, keep=False):
    if not keep and "XDG_STATE_HOME" in os.environ:
      shutil.rmtree(os.path.join(os.environ["XDG_STATE_HOME"], "gilk"), ignore_errors=True)
    # Who starts before the registry does is never seen in it.
    wait("accessibility registry", lambda: Atspi.get_desktop(0) is not None and
         Atspi.get_desktop(0).get_child_count() >= 0, 20)
    self.process = subprocess.Popen([os.environ["GILK_WORKBENCH"], *words])
    try:
      self._await_window()
    except Missing:
      self.process.kill()
      self.process.wait()
      raise

  def _await_window(self):
    self.found_app = wait("application on the accessibility bus", self._find_app, 20)
    self.window = wait("window", self._find_window)
    size = os.environ.get("GILK_WINDOW")
    if size:
      tool("xdotool", "windowsize", self.window, *size.split("x"))
    try:
      self.frame = wait("active window", self._take_keyboard)
    except Missing as missing:
      raise Missing(f"{missing} ({self._describe_focus()})") from None

  @property
  def app(self):
    """The program. libatspi may take it for gone while many of its objects go away; then it is looked for again."""
    try:
      self.found_app.get_process_id()
    except GLib.Error:
      self.found_app = self._find_app() or self.found_app
    return self.found_app

  def _find_app(self):
    if not self.alive():
      raise Missing(f"window: the workbench ended with code {self.process.returncode}")
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
      app = desktop.get_child_at_index(i)
      if app is not None and app.get_process_id() == self.process.pid and app.get_child_count() > 0:
        return app
    return None

  def _find_window(self):
    """
    Of this program: that of the case before may still be on the screen, as the X server takes it away in its own time. A
    tooltip under the pointer has the name of the program, too, and is above the window.
    """
    search = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name", "Gilk"],
                            check=False, capture_output=True, text=True)
    windows = search.stdout.split()
    return windows[0] if windows else None

  def _take_keyboard(self):
    """There is no window manager: a window that is asked for before it is there gets the keyboard from nobody later."""
    self.found_app = self._find_app() or self.found_app
    self.window = self._find_window() or self.window
    subprocess.run(["xdotool", "windowfocus", self.window], check=False, capture_output=True)
    return self._find_active()

  def _describe_focus(self):
    """Which window was given the keyboard, which has it, and the frames of the program, for a failure that says why."""
    focused = subprocess.run(["xdotool", "getwindowfocus"], check=False, capture_output=True, text=True).stdout.strip()
    found = subprocess.run(["xdotool", "search", "--pid", str(self.process.pid), "--name", ""], check=False,
                           capture_output=True, text=True).stdout.split()
    try:
      frames = [f"{frame.get_name()!r}{' showing' if has(frame, 'SHOWING') else ''}" for frame in
                (self.app.get_child_at_index(i) for i in range(self.app.get_child_count())) if frame is not None]
    except GLib.Error as error:
      frames = [str(error)]
    return f"asked for {self.window}, focus is at {focused}, windows {found}, frames {frames}"

  def _find_active(self):
    for i in range(self.app.get_child_count()):
      frame = self.app.get_child_at_index(i)
      if frame is not None and has(frame, "ACTIVE"):
        return frame
    return None

  def focus_window(self, title):
    """There is no window manager to give a window the keyboard. TITLE: a regular expression. Returns its number."""
    def windows():
      found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], check=False,
                             capture_output=True, text=True).stdout.split()
      return found[-1] if found else None

    window = wait(f'window "{title}"', windows)
    wait("the keyboard in it", lambda: tool("xdotool", "windowfocus", window) is not None and
         any(has(self.app.get_child_at_index(i), "ACTIVE") and re.fullmatch(title, self.app.get_child_at_index(i).get_name())
             for i in range(self.app.get_child_count())))
    return window

  def find(self, what, test, seconds=15):
    def found():
      node = next((itself(n) for n in walk(self.app) if test(n)), None)
      return node if node is not None and test(node) else None

    return wait(what, found, seconds)

  def named(self, name, role=None, seconds=15):
    return self.find(f'"{name}"', lambda n: n.get_name() == name and
                     (role is None or n.get_role_name() == role), seconds)

  def focus_main(self):
    """There is no window manager to give the keyboard back when another window has gone."""
    wait("the window active again", lambda: tool("xdotool", "windowfocus", self.window) is not None and
         has(self.frame, "ACTIVE"))

  def await_live(self):
    """Waits for the run's one hook. A run that is stopped before has nothing to show."""
    self.find("a run", lambda n: n.get_name() == "Stop" and n.get_role_name() == "push button", 60)
    self.label_with("1 hook live", 60)

  def label_with(self, text, seconds=15):
    return self.find(f'text "{text}"', lambda n: text in (n.get_name() or "") and
                     n.get_role_name() in ("label", "info bar"), seconds)

  def graph(self, seconds=20):
    return self.find("graph", lambda n: n.get_name() == "Control-flow graph" and n.get_child_count() > 0, seconds)

  def key(self, *keys):
    tool("xdotool", "key", *keys)
    self.settle()

  @looks
  def focused_entry(self):
    return next((n for n in walk(self.app) if has(n, "FOCUSED") and has(n, "EDITABLE")), None)

  def enter(self, entry, text):
    """Puts @text into @entry in place of what is there."""
    self.click(entry)
    wait("focus in the entry", lambda: has(entry, "FOCUSED"))
    self.key("ctrl+a")
    length = entry.get_character_count()
    wait("all of the entry selected", lambda: length == 0 or entry.get_n_selections() == 1 and
         entry.get_selection(0).end_offset - entry.get_selection(0).start_offset == length)
    if text:
      self.type(text)
    else:
      self.key("BackSpace")
    wait(f'"{text}" in the entry', lambda: entry.get_text(0, -1) == text)

  def type(self, text):
    tool("xdotool", "type", "--delay", "20", text)

  def sync(self):
    """Once all is laid out and drawn that there was to be: what is asked of places before that is over. Returns whether it is."""
    ours = os.path.join(os.environ["XDG_RUNTIME_DIR"], f"sync.{os.getpid()}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as asks:
      asks.settimeout(SLOW)
      try:
        asks.bind(ours)
        asks.sendto(b"?", f"{os.environ['GILK_HEALTH']}.{self.process.pid}")
        asks.recv(1)
      except OSError:                                 # it is busy, or gone
        return False
      finally:
        if os.path.exists(ours):
          os.unlink(ours)
    return True

  def settle(self):
    """What is read, pressed or clicked next is to find what the last key or click led to. The program may have ended by it."""
    wait("the key or click to be taken", lambda: self.sync() or not self.alive())

  def click(self, node):
    """A real press and release in the middle of @node, once it is in view and at rest under the pointer."""
    def pointed():
      place = Still(lambda: box_of(node))
      box = wait("a widget at rest", lambda: has(node, "SHOWING") and self.sync() and place.settled())
      at = box[0] + box[2] // 2, box[1] + box[3] // 2
      move_to(*at)
      return self.sync() and box_of(node) == box

    wait("a widget at rest under the pointer", pointed)
    tool("xdotool", "click", "1")
    self.settle()

  def shot(self, name):
    """
    The screen, once two looks at it are alike, with the pointer out of the way. The pictures are for people: where nobody will look at
    them (GILK_BRIEF) there are those of failures alone.
    """
    tool("xdotool", "mousemove", "2", "2")
    if "GILK_BRIEF" in os.environ and not name.startswith("failed-"):
      return
    path = os.path.join(os.environ["OUT"], name + ".png")
    picture = Still(lambda: subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], check=True,
                                           capture_output=True).stdout)
    try:
      wait("still picture", picture.settled, 3 / SLOW)
    except Missing:
      pass                                          # a run's figures never rest
    tool("import", "-window", "root", path)

  def describe_screen(self):
    """The texts that show, other than those of buttons and tables, for a failure that says why."""
    try:
      texts = [n.get_name() for n in walk(self.app) if n.get_role_name() in ("label", "info bar", "alert", "dialog", "frame") and
               n.get_name() and has(n, "SHOWING")]
    except Exception as error:  # pylint: disable=broad-except
      return repr(error)                              # it may have ended meanwhile
    return " | ".join(" ".join(text.split())[:100] for text in dict.fromkeys(texts))[-1500:]   # the status bar is last

  def look(self, name):
    """The screen as it is, with the pointer where it is."""
    tool("import", "-window", "root", os.path.join(os.environ["OUT"], name + ".png"))

  def alive(self):
    return self.process.poll() is None

  def _ask_to_end(self):
    """
    Presses Ctrl+Q, again where it had no effect, as there is no window manager: whoever closed a window may have left the keyboard
    to nobody. Answers the question whether a run may be stopped, which is asked where one is recorded.
    """
    if not self.alive():
      return True
    self.found_app = self._find_app() or self.found_app    # those of before may be closed
    answer = next((n for n in walk(self.app) if n.get_name() == "Stop and Close" and has(n, "SHOWING")), None)
    if answer is not None:
      answer.do_action(0)
      return True
    self.window = self._find_window() or self.window
    subprocess.run(["xdotool", "windowfocus", self.window], check=False, capture_output=True)
    subprocess.run(["xdotool", "key", "ctrl+q"], check=False, capture_output=True)
    try:
      self.process.wait(SLOW)
    except subprocess.TimeoutExpired:
      return False
    return True

  def close(self):
    if self.alive():
      try:
        wait("its end, or a question", self._ask_to_end, 20)
        self.process.wait(20 * SLOW)
      except (Missing, subprocess.TimeoutExpired):
        self.process.kill()
        self.process.wait()
    return self.process.returncode


def block_of(point):
  """The block of a point of a graph. Raises Gone where the point is not there any more."""
  parent = point.get_parent()
  if parent is None:
    raise Gone("the point went away")
  return parent


def checked(node):
  return has(node, "CHECKED")
