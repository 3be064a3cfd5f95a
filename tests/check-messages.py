#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
check-messages - do messages name only commands and options of gilk that there are?

Reads string literals of C sources, adjacent ones as one. "gilk WORD" must be a command where WORD is one word of small letters,
and each --OPTION behind it, up to the next command or the sentence's end, one that this command takes. An option that is named
without a command must be one of some command. What is another program's is named in OTHERS.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r'/\*.*?\*/|(?<![:"\\])//[^\n]*', re.S)
# Words that follow "gilk" in a sentence and are no command: the program itself is meant.
PROSE = {"as", "and", "or", "on", "is", "of", "to", "for", "in", "by", "from", "with", "cannot", "can", "help", "was", "needs",
         "has", "could", "did", "may", "itself", "not", "does", "only", "command"}
# Options of programs that are not gilk, by what they are called in messages.
OTHERS = {"--disable-validation", "--import",          # mokutil
          "--decompress-debug-sections",                # objcopy
          "--name",                     # lab/lab boot
          "--process"}                  # pkttyagent


def sources(*folders):
  files = subprocess.run(["git", "-C", ROOT, "ls-files"] + [f"{folder}/*.c" for folder in folders] + [f"{folder}/*.h" for folder in folders],
                         capture_output=True, text=True, check=True).stdout.split()
  for file in files:
    with open(os.path.join(ROOT, file), encoding="utf-8") as text:
      yield file, text.read()


def literals(text):
  """Each with its line; those that only blanks and PRI macros lie between are one."""
  text = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
  whole, begin, end = "", 0, None
  for found in LITERAL.finditer(text):
    if end is not None and re.fullmatch(r"\s*(?:PRI\w+|G_G\w+_FORMAT|G_G\w+_MODIFIER)?\s*", text[end:found.start()]):
      whole += found[1]
    else:
      if whole:
        yield text.count("\n", 0, begin) + 1, whole
      whole, begin = found[1], found.start()
    end = found.end()
  if whole:
    yield text.count("\n", 0, begin) + 1, whole


def commands():
  """Those of the tables in cli/main.c."""
  with open(os.path.join(ROOT, "cli", "main.c"), encoding="utf-8") as text:
    return set(re.findall(r'\{ "([a-z]+)",.*\bcmd_\w+ \}', text.read()))


def options_by_file():
  """What tables of cli/, gui/ and of formats have, and words that are looked for as they are, by the file that has it."""
  table = re.compile(r'\{ "([a-z][a-z0-9-]+)", (?:\'.\'|0), ')
  formats = re.compile(r'\{ \{ "([a-z]+)", "')
  return {file: {"--" + name for name in (formats if file.startswith("core/") else table).findall(text)} |
                set(re.findall(r'"(--[a-z-]+)=?"', text))
          for file, text in sources("cli", "gui", "agent", "core/export")}


def options_of(command, by_file):
  """What a command's own file has, and what files have that are no command's."""
  return set().union({"--help", "--version"}, *(options for file, options in by_file.items()
                     if not os.path.basename(file).startswith("cmd-") or os.path.basename(file) == f"cmd-{command}.c" or
                     command not in OWN_FILE))


# Others are in the file of a command beside theirs.
OWN_FILE = {name[len("cmd-"):-len(".c")] for _, _, names in os.walk(os.path.join(ROOT, "cli")) for name in names
            if name.startswith("cmd-") and name.endswith(".c")}


def check(file, line, said, known, by_file):
  """Returns: how many are wrong."""
  bad = 0
  for found in re.finditer(r'(?<![\w/.-])gilk ([a-z][a-z-]*)((?:(?!\. |\\"|\bgilk ).)*)', said):
    if found[1] not in known and found[1] not in PROSE:
      print(f"{file}:{line}: there is no command gilk {found[1]}")
      bad += 1
    for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", found[2]) if found[1] in known else ():
      if option not in options_of(found[1], by_file) and option not in OTHERS:
        print(f"{file}:{line}: gilk {found[1]} has no option {option}")
        bad += 1
  every = set().union({"--help", "--version"}, *by_file.values())
  for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", said):
    if option not in every and option not in OTHERS:
      print(f"{file}:{line}: there is no option {option}")
      bad += 1
  return bad


def main():
  known, by_file = commands(), options_by_file()
  if len(known) < 20 or sum(map(len, by_file.values())) < 80:
    print(f"only {len(known)} commands were found in cli/main.c")
    return 1
  return min(1, sum(check(file, line, said, known, by_file) for file, text in sources("core", "cli", "gui", "agent")
                    for line, said in literals(text)))


if __name__ == "__main__":
  sys.exit(main())
