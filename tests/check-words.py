#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
check-words.py [--list] [PATH...] - texts use plain English and the field's terms

Reads translatable texts and comments of C files, texts of .ui files, manual pages, the guide and the documents,
in the whole tree or below each PATH. Each pattern below names what to write instead. A sentence that is right
although it matches is an entry of words-allowed.txt, "file: fragment of the sentence"; an entry that no sentence
needs any more is a failure, so that the list only shrinks. --list prints new matches as entries for that file.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALLOWED = "tests/words-allowed.txt"

# (what to write instead, expression). Case counts: a capital letter is the start of a sentence.
PATTERNS = [(advice, re.compile(expression)) for advice, expression in [
  ("name the subject: a relative clause cannot be one",
   r"(?:^|[.:;] )(?:Who|Whoever|Whose|That which) (?!happens\b)\w+|(?:^|[.;] )What (?!is the\b|are the\b|if\b)\w+[^?]*?[.]"),
  ("start with the subject", r"(?:^|[.] )(?:Of|By) (?:a|all|each|its|such|that|the|their|these|those|what|which)\b"),
  ("not, without", r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b)[a-z]"),
  ("cannot be", r"\b(?:is|are) not to be \w+ed\b|\b(?:is|are) to be \w+ed\b|\bbe had\b"),
  ("an amount, or the new value", r"\b[Ss]o (?:much|many)\b(?! (?:as|that)\b)|\bby so much\b|\b[Aa]s many as\b(?= (?:it|they) )"),
  ("report, show, notify, send", r"\b(?:is|are|was|were|be|been) told\b|(?<!cannot )(?<!never )\b[Tt]ells? (?:how|of|what|when|where|which|who)\b|\btold by\b"),
  ("after, in front of", r"\bbehind (?:a|an|each|it|its|the|them|their) (?:block|branch|call|hook|instruction|jump|last|other|run)\b"),
  ("again, more; drop it", r"\banew\b|\b(?:goes|go|going|went) on\b(?! to\b)|\bmeanwhile\b"),
  ("start", r"(?<!@)(?<!\[)\b(?:[Bb]egins?|[Bb]egun)\b(?![_\]),])|\bbegan\b|\b[Bb]eginning with\b"),
  ("because", r", for (?:he|it|nobody|nothing|she|they|there|who) "),
  ("no program, another program", r"\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Ee]verybody)\b"),
  ("programs do not believe or know", r"\bbeliev(?:e|es|ed)\b"),
  ("is, lies, is written", r"\bstands? (?:at|behind|for itself|there|within)\b"),
  ("whether, even if", r"\bbe (?:it|they)\b"),
  ("again, before", r"\bas (?:they|it) came\b"),
  ("if, when", r"(?:^|[.] )(?:Be|Had|Were) (?:it|the|there|they)\b"),
  ("lowest, highest; at least, at most", r"\bare the (?:most|least)\b(?! \w+)|\bof (?:it|them) at (?:most|least)\b"),
]]

MARKED = re.compile(r"\b(?:_|N_|C_|NC_|ngettext|g_dngettext|g_dgettext)\s*\(((?:[^()\"]*\"(?:[^\"\\\n]|\\.)*\"\s*)+)", re.S)
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")
COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|/\*(.*?)\*/|//([^\n]*)", re.S)
UI = re.compile(r"translatable=\"yes\"[^>]*>([^<]+)<")
ROFF_MACRO = re.compile(r"^\.(?:B|I|BR|RB|IR|RI|BI|IB|SM|SB|SH|SS)\s+(.*)$")
ROFF_ESCAPE = re.compile(r"\\f[A-Z]|\\\(..|\\[&|^]")


def flow(text):
  return " ".join(text.split())


def of_c(text):
  for match in MARKED.finditer(text):
    yield match.start(), "".join(LITERAL.findall(match.group(1)))
  for match in COMMENT.finditer(text):
    for group in (1, 2):
      if match.group(group):
        yield match.start(), re.sub(r"(?m)^\s*\*(?: |$)", "", match.group(group))


def of_ui(text):
  for match in UI.finditer(text):
    yield match.start(), match.group(1)


def of_manual(text):
  """Paragraphs; examples between .nf and .fi, and comments, are left out."""
  at, start, words, shown = 0, 0, [], True
  for line in text.splitlines(keepends=True):
    macro = ROFF_MACRO.match(line)
    if line.startswith((".nf", ".EX")):
      shown = False
    elif line.startswith((".fi", ".EE")):
      shown = True
    if macro and shown and not line.startswith(".S"):
      line_words = macro.group(1).replace('"', "")
    elif line.startswith((".", "'")):
      if words:
        yield start, " ".join(words)
      words, line_words = [], ""
    else:
      line_words = line if shown else ""
    if line_words.strip():
      start = start if words else at
      words.append(ROFF_ESCAPE.sub("", line_words).replace("\\-", "-").strip())
    at += len(line)
  if words:
    yield start, " ".join(words)


def blank(match):
  return re.sub(r"[^\n]", " ", match.group(0))


def of_page(text):
  text = re.sub(r"<!--.*?-->|<(code|screen)\b[^>]*\bmime=.*?</\1>", blank, text, flags=re.S)
  for match in re.finditer(r"<(p|title|desc|cite)\b[^>]*>(.*?)</\1>", text, re.S):
    yield match.start(), re.sub(r"<[^>]+>", "", match.group(2))


def of_document(text):
  text = re.sub(r"(?ms)^```.*?^```", blank, text)
  text = re.sub(r"(?m)^(?:    |\t).*$", lambda match: blank(match) if not re.match(r" +[-*\d]", match.group(0)) else match.group(0), text)
  for match in re.finditer(r"(?:[^\n]+\n?)+", text):
    for piece in re.finditer(r"(?:^|\|)[^|]+", match.group(0)):
      yield match.start() + piece.start(), re.sub(r"`[^`]*`", "X", piece.group(0)).strip("|#*- \n")


def reader_of(path):
  """Returns what reads the texts of a file, or None."""
  if path.endswith((".c", ".h", ".S")):
    return of_c
  if path.endswith(".ui"):
    return of_ui
  if re.match(r"data/man/.*\.[1-8]$", path):
    return of_manual
  if path.endswith(".page"):
    return of_page
  if path.endswith(".md"):
    return of_document
  return None


def allowed_entries():
  with open(os.path.join(ROOT, ALLOWED), encoding="utf-8") as file:
    for line in file:
      if line.strip() and not line.startswith("#"):
        path, _, fragment = line.rstrip("\n").partition(": ")
        yield path, fragment


def main():
  words = sys.argv[1:]
  paths = [word for word in words if word != "--list"]
  listing = subprocess.run(["git", "ls-files", "-z", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=True).stdout
  allowed, used, problems, seen = set(allowed_entries()), set(), [], 0
  for path in filter(None, listing.split("\0")):
    read = reader_of(path)
    if not read or not os.path.isfile(os.path.join(ROOT, path)):
      continue
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
      text = file.read()
    here = [entry for entry in allowed if entry[0] == path]
    for at, piece in read(text):
      piece = flow(piece)
      seen += 1
      for advice, pattern in PATTERNS:
        for match in pattern.finditer(piece):
          excerpt = piece[max(match.start() - 20, 0):match.end() + 40]
          reasons = [entry for entry in here if entry[1] in piece and re.search(pattern, entry[1])]
          used.update(reasons)
          if not reasons:
            fragment = piece[match.start():match.end() + 20].strip()
            problems.append(f"{path}: {fragment}" if "--list" in words else
                            f"{path}:{text.count(chr(10), 0, at) + 1}: {advice}: {excerpt}")
  if "--list" in words:
    print("\n".join(dict.fromkeys(problems)))
    return 0
  if not paths:
    problems += [f"{ALLOWED} allows what no sentence needs: {path}: {fragment}" for path, fragment in sorted(allowed - used)]
  print("not ok - texts are in plain English" if problems else f"ok - {seen} texts are in plain English")
  for problem in problems:
    print("    " + problem)
  return 1 if problems else 0


if __name__ == "__main__":
  sys.exit(main())
