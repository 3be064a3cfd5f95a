#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
check-promises.py [--list] - each rule that is never broken has a test that says so

A test says in one line near its top what it promises: "Promise: RULE: sentence", or without a rule
"Promise: sentence". ARCHITECTURE.md names the rules. --list prints all promises with their tests, sorted.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROMISE = re.compile(r"^(?:# |// |/\* | \* )Promise: (.*?)(?: \*/)?$", re.M)
TOP = 30                       # lines


def read(path):
  with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
    return file.read()


def rules():
  """The names in the first column of the table of rules."""
  section = read("ARCHITECTURE.md").split("\n## The rules that are never broken\n")[1].split("\n## ")[0]
  return re.findall(r"^\| \*\*(.+?)\*\* \|", section, re.M)


def promises():
  listing = subprocess.run(["git", "ls-files", "-z", "--", "tests"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
  for path in filter(None, listing.split("\0")):
    if re.search(r"\.(c|h|py|sh)$|tests/soak/run$", path) and path != "tests/check-promises.py":
      for match in PROMISE.finditer("\n".join(read(path).split("\n")[:TOP])):
        yield match.group(1), path


def main():
  found, names = sorted(promises()), rules()
  if "--list" in sys.argv[1:]:
    for promise, path in found:
      print(f"{promise}  [{path}]")
    return 0
  problems = [f"no test promises \"{name}\"" for name in names
              if not any(promise.startswith(name + ": ") for promise, _ in found)]
  if len(names) != 13:
    problems.append(f"ARCHITECTURE.md has {len(names)} rules, not 13")
  print("not ok - each rule has a test" if problems else f"ok - each rule has a test; {len(found)} promises")
  for problem in problems:
    print("    " + problem)
  return 1 if problems else 0


if __name__ == "__main__":
  sys.exit(main())
