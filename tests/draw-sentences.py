#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
draw-sentences - draws comments and user-visible strings, for a reader to judge

usage: draw-sentences.py SEED [COUNT [FOLDER...]]

Prints COUNT (100) comments, each with the line of code that it is about, and COUNT strings.
A reader who has not seen the code says of each whether it is understood at once.
"""
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("core", "gui", "cli", "agent", "ilk", "instruments", "tests", "lab")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
CONVERSION = re.compile(r"%[-+ #0-9.*]*(?:l|ll|z)?[a-zA-Z]|<\w+>")
LEAST_WORDS = 4


def is_sentence(text):
  return len(re.findall(r"[A-Za-z][A-Za-z'-]*", text)) >= LEAST_WORDS


def output_of(*command):
  return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def read(name):
  with open(os.path.join(ROOT, name), encoding="utf-8") as file:
    return file.read()


def code_beside(text, start, end):
  """The code that stands before a comment on its line, or the next line of code after it."""
  before = text[text.rfind("\n", 0, start) + 1:start].strip()
  if before:
    return before
  rest = TOKEN.sub(lambda token: "" if token[0].startswith("/*") else token[0], text[end:end + 3000])
  return next((line.strip() for line in rest.split("\n") if line.strip()), "")


def comments(folders):
  for name in output_of("git", "ls-files", *folders).splitlines():
    if not name.endswith((".c", ".h", ".S")):
      continue
    text = read(name)
    for token in TOKEN.finditer(text):
      if not token[0].startswith("/*") or "SPDX-License" in token[0]:
        continue
      body = " ".join(re.sub(r"^\s*\*(?!/)", "", token[0][2:-2], flags=re.M).split())
      if is_sentence(body):
        yield name, text.count("\n", 0, token.start()) + 1, body, code_beside(text, token.start(), token.end())


def strings(folders):
  pot = output_of("xgettext", "--from-code=UTF-8", "-k_", "-kN_", "-kC_:1c,2", "-kngettext:1,2", "-kNC_:1c,2",
                  "-f", "po/POTFILES.in", "-o", "-", "--no-wrap")
  for entry in pot.split("\n\n")[1:]:
    place = re.search(r"^#: (\S+):(\d+)", entry, re.M)
    lines = re.search(r'^msgid ((?:".*"\n?)+)', entry, re.M)
    if not place or not lines or place[1].split("/")[0] not in (*folders, "data"):
      continue
    text = "".join(re.findall(r'"(.*)"$', lines[1], re.M))
    if is_sentence(CONVERSION.sub(" ", text)):
      yield place[1], int(place[2]), text


def main():
  if len(sys.argv) < 2 or not all(word.isdigit() for word in sys.argv[1:3]):
    sys.exit(__doc__.strip())
  chance = random.Random(int(sys.argv[1]))
  count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
  folders = sys.argv[3:] or FOLDERS
  for title, found in (("comment", list(comments(folders))), ("string", list(strings(folders)))):
    for number, (name, line, text, *code) in enumerate(sorted(chance.sample(found, min(count, len(found)))), 1):
      print(f"{title} {number} of {len(found)}, {name}:{line}\n    {text}")
      if code:
        print(f"    > {code[0]}")


if __name__ == "__main__":
  main()
