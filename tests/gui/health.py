# SPDX-License-Identifier: GPL-2.0-or-later
"""
health.py FILE - what health-module.c kept: pauses of the main thread, and complaints of GTK and GLib

Prints the longest pauses of each place and the complaints, with their stacks, and "ok" or "not ok". The promise is 50 ms,
and each longer pause is printed. Beside other work a pause fails by the processor time that the thread took in one turn:
how long it waits for a font, a disk or a processor says how busy the machine is. GILK_HEALTH_BAR=50, on a machine that does
nothing else, holds it to the promise, and counts waits too, but for those for the X server.
Any complaint fails that is not one of KNOWN.
"""
import collections
import os
import re
import subprocess
import sys

PROMISED = 50
BAR = int(os.environ.get("GILK_HEALTH_BAR", "200"))
SHOWN = 12
OURS = ("gilk-workbench", "libgilk")

# (what is said, what is in the stack, why it is not ours)
KNOWN = (
  ("atk_object_ref_state_set: ", "libatk-bridge-2.0", "GTK's cell of a table, asked for its state when the table is gone"),
  ("gtk_accessible_get_widget: ", "libatk-bridge-2.0", "the same cell"),
  ("gtk_window_set_transient_for: ", "libgtksourceview", "the source view's window of proposals, which follows a view that goes with its window"),
  ("gdk_window_get_window_type: ", "gtk_grab_add", "GTK, when AT-SPI takes an item from a list that is not open"),
)

# What is in the stack of a pause that is not ours, and why.
KNOWN_WAITS = (
  ("gtk_recent_manager_get_default", "GTK's dialog of files reads its own list of recent ones"),
  ("g_bookmark_file_to_file", "GTK writes that list when a file was chosen in its dialog"),
)

Pause = collections.namedtuple("Pause", "case wall cpu asleep server paged stacks")
Complaint = collections.namedtuple("Complaint", "text stacks")


def read(path):
  """(pauses, complaints)"""
  pauses, complaints, last, case = [], [], None, "?"
  for line in open(path, encoding="utf-8", errors="replace"):
    kind, _, rest = line.strip().partition(" ")
    if kind == "case":
      case = rest
    elif kind == "pause":
      last = Pause(case, *(int(w) for w in rest.split()[1:]), [])
      pauses.append(last)
    elif kind == "complaint":
      last = Complaint(rest.partition(" ")[2], [])
      complaints.append(last)
    elif kind == "at" and last is not None:
      ms, *frames = rest.split()
      last.stacks.append((int(ms), [w.split("@") for w in frames]))
  return pauses, complaints


def names(stacks):
  """{(program, offset): function and place}, from the debug data of our own programs."""
  wanted = collections.defaultdict(set)
  for stack in stacks:
    for program, offset, _ in stack:
      if os.path.basename(program).startswith(OURS):
        wanted[program].add(offset)
  found = {}
  for program, offsets in wanted.items():
    offsets = sorted(offsets)
    # The frame of a call is where it returns to, one behind its line.
    said = subprocess.run(["addr2line", "-f", "-e", program, *(hex(int(o, 16) - 1) for o in offsets)], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    for offset, func, place in zip(offsets, said[::2], said[1::2]):
      found[program, offset] = f"{func} ({os.path.basename(re.sub(r' .*', '', place))})"
  return found


def called(frame, known):
  program, offset, name = frame
  return known.get((program, offset)) or (name if name != "?" else os.path.basename(program))


def own_time(pause):
  """What cannot be laid at the door of who else runs on this machine."""
  named = {frame[2] for _, frames in pause.stacks for frame in frames}
  waited = 0 if any(func in named for func, _ in KNOWN_WAITS) else pause.asleep - min(pause.server, pause.asleep)
  # A page of a font or of GTK's is read when the machine has room for it; one that code of ours reads is ours to have ready.
  ours = any(len(frames) > 2 and os.path.basename(frames[2][0]).startswith(OURS) for _, frames in pause.stacks)
  return pause.cpu + waited + (pause.paged if ours else 0)


def failing_time(pause):
  return own_time(pause) if BAR <= PROMISED else pause.cpu


def place_of(pause, known):
  """The innermost function of ours in the middle stack, that pauses of one cause are told once."""
  if not pause.stacks:
    return "?"
  frames = pause.stacks[len(pause.stacks) // 2][1]
  ours = [called(f, known) for f in frames if (f[0], f[1]) in known]
  return re.sub(r" \(.*", "", ours[0]) if ours and ours[0] != "main" else called(frames[min(3, len(frames) - 1)], known)


def chain(frames, known):
  # The first are of who took the stack.
  return " < ".join([called(f, known) for f in frames][2:18])


def print_pauses(pauses, known):
  places = collections.defaultdict(list)
  for pause in pauses:
    places[place_of(pause, known)].append(pause)
  for place, found in sorted(places.items(), key=lambda p: -max(map(own_time, p[1])))[:SHOWN]:
    worst = max(found, key=own_time)
    print(f"# main thread away in {place}: {len(found)} times, at most {worst.wall} ms"
          f" ({worst.cpu} computing, {worst.asleep} asleep, {worst.server} of it for the X server, {worst.paged} for pages), in: {worst.case}")
    if own_time(worst) > PROMISED:
      for ms, frames in worst.stacks[:8]:
        print(f"#     at {ms} ms: {chain(frames, known)}")
  late = [p for p in pauses if failing_time(p) > BAR]
  print(f"# main thread: {sum(own_time(p) > PROMISED for p in pauses)} pauses of more than {PROMISED} ms")
  said = f"pauses of more than {BAR} ms"
  print(f"not ok - main thread: {len(late)} {said}" if late else f"ok - main thread: no {said}")
  return len(late)


def is_known(complaint, known):
  stack = [called(f, known) for _, frames in complaint.stacks for f in frames]
  return any(text in complaint.text and any(func in frame for frame in stack) for text, func, _ in KNOWN)


def print_complaints(complaints, known):
  bad = collections.Counter((c.text, *(chain(frames, known) for _, frames in c.stacks))
                            for c in complaints if not is_known(c, known))
  for (text, *chains), times in bad.items():
    print(f"not ok - {text} ({times} times)")
    for frames in chains:
      print(f"#     {frames}")
  if not bad:
    print("ok - no complaint of GTK or GLib" + (f" ({len(complaints)} that are their own)" if complaints else ""))
  return len(bad)


def main():
  if not os.path.exists(sys.argv[1]):
    print("not ok - health-module was not loaded")
    return 1
  pauses, complaints = read(sys.argv[1])
  known = names([frames for p in pauses + complaints for _, frames in p.stacks])
  return print_pauses(pauses, known) + print_complaints(complaints, known)


if __name__ == "__main__":
  sys.exit(1 if main() else 0)
