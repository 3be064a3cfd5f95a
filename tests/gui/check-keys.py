#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
check-keys.py - every key that the workbench advertises is pressed by a test

The keys are those of gui/base/gilk-actions-table.h, from which the window of keys and the guide's page are made, with
those that a row's title names besides ("Zoom in (−: zoom out, 0: fit)"). PRESSED says which module of tests/gui presses
each one; the module must have the key as a word of its own. A row that nobody presses, and an entry for no row, are failures.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "gui", "base", "gilk-actions-table.h")

# Group: module: keys as xdotool calls them.
PRESSED = {
  "Find": {
    "find": "ctrl+k ctrl+shift+p alt+Down",
    "calls": "alt+Left ctrl+shift+g",
    "opening": "ctrl+1 ctrl+2 ctrl+3",
    "keys": "ctrl+g alt+Right",
  },
  "Graph": {
    "folds": "z shift+z",
    "canvas": "Home ctrl+Down ctrl+f space j k Return",
    "keys": "Up Down Left Right h bracketright bracketleft t f ctrl+Up g",
  },
  "Points and blocks": {
    "hooking": "b shift+b",
    "canvas": "ctrl+a Escape ctrl+b ctrl+shift+b",
    "callees": "ctrl+alt+b",
    "keys": "x shift+Up shift+Down shift+Left shift+Right",
  },
  "View of the graph": {
    "folds": "alt+4 alt+5 alt+0 ctrl+9",
    "drawing": "alt+1 alt+2 alt+3",
    "keys": "ctrl+plus ctrl+equal ctrl+KP_Add ctrl+minus ctrl+KP_Subtract ctrl+0 ctrl+m alt+6",
  },
  "Probe program": {
    "programs": "ctrl+Return",
    "keys": "ctrl+space",
  },
  "Run": {
    "hooking": "F5 ctrl+shift+r",
    "stops": "ctrl+l ctrl+shift+e",
    "opening": "Escape",
    "keys": "ctrl+r ctrl+shift+d",
  },
  "Plan and files": {
    "plan_files": "ctrl+z ctrl+shift+z ctrl+o ctrl+s",
    "accesses": "ctrl+shift+w",
    "targets": "ctrl+shift+o",
    "page": "ctrl+d",
    "exports": "ctrl+e",
    "keys": "ctrl+y ctrl+shift+c ctrl+shift+s",
  },
  "Schedule": {
    "schedule": "Up Down ctrl+Left shift+Left shift+Right plus minus 0 Delete",
    "keys": "Left Right ctrl+Right Return",
  },
  "Plots": {
    "results": "shift+z",
    "keys": "Left Right ctrl+Left ctrl+Right plus minus 0",
  },
  "Accesses": {
    "accesses": "ctrl+f Return Escape",
    "keys": "ctrl+c",
  },
  "Window": {
    "opening": "F1 ctrl+question ctrl+n ctrl+w",
    "panes": "F6 ctrl+shift+i",
    "targets": "ctrl+comma",
    "workbench": "ctrl+q",
    "keys": "ctrl+shift+l F9 ctrl+F1",
  },
}

NAMES = {"-": "minus", "−": "minus", "+": "plus"}
ARROWS = {"four": ("Up", "Down", "Left", "Right"), "Left and": ("Left", "Right")}


def called(words):
  """xdotool's name of a key: of "<Control><Shift>p" as of "Ctrl+Up"."""
  *held, key = [w for w in re.split(r"[<>]+|(?<=\w)\+", words) if w]
  held = ["ctrl" if h in ("Control", "Ctrl") else h.lower() for h in held]
  key = NAMES.get(key, key.lower() if len(key) == 1 else key)
  return "+".join((*held, key))


def of_title(key, title):
  """Keys that the title of @key's row names besides."""
  yield from map(called, re.findall(r"(?:; |, |\()(\S+):", title))
  if "Enter does the same" in title:
    yield "Return"
  for word, arrows in ARROWS.items():
    if word in title and key.endswith(arrows):
      yield from (re.sub(r"\w+$", arrow, key) for arrow in arrows)


def advertised():
  """{(group, key)}"""
  with open(TABLE, encoding="utf-8") as file:
    rows = re.findall(r'\{ N_\("([^"]+)"\), (?:NULL|"[^"]+"), \{ ([^}]*) \},\s+N_\("([^"]+)"\) \}', file.read())
  if len(rows) < 70:
    raise SystemExit(f"not ok - {len(rows)} rows are read of {TABLE}")
  keys = set()
  for group, accels, title in rows:
    for key in map(called, re.findall(r'"([^"]+)"', accels)):
      keys.update({(group, key)}, ((group, other) for other in of_title(key, title)))
  return keys


def words_of(module):
  """What stands in quotes in a module: keys among it."""
  with open(os.path.join(HERE, module + ".py"), encoding="utf-8") as file:
    return set(re.findall(r'"([^"\n]*)"', file.read()))


def main():
  pressed = {(group, key): module for group, modules in PRESSED.items() for module, keys in modules.items() for key in keys.split()}
  wrong = [f"{group}: no test presses {key}; add a case, and it to PRESSED" for group, key in sorted(advertised() - set(pressed))]
  wrong += [f"{group}: {key} is no advertised key" for group, key in sorted(set(pressed) - advertised())]
  words = {module: words_of(module) for module in set(pressed.values())}
  wrong += [f"{group}: {module}.py does not press {key}" for (group, key), module in sorted(pressed.items()) if key not in words[module]]
  for text in wrong:
    print("not ok - " + text)
  print(f"{'not ok' if wrong else 'ok'} - {len(pressed)} keys are pressed by tests")
  return 1 if wrong else 0


if __name__ == "__main__":
  sys.exit(main())
