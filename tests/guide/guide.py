#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: what the guide shows is true of the programs
"""
guide.py GILK FIXTURE PROGRAMS PAGES - what the user's guide says holds

PAGES is a folder with all pages and pictures, those that the build makes among them. Each page
is valid, can be reached, and links to what is there; what it quotes is so: code from the file it
is of, plans, commands, options. Commands are run: those that read sessions on a fixture (that of
probe programs on their page), those
that want a kernel up to the point where there is none. So a word that gilk does not take, or a
plan that it does not read, fails.
"""
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NS = "{http://projectmallard.org/1.0/}"
USAGE, TARGET = 2, 8                   # exit codes of gilk, as in gilk.1
gilk, fixture, programs, folder = (os.path.realpath(word) for word in sys.argv[1:5])
failed = 0


def ok(name, faults):
  global failed
  failed += bool(faults)
  print(f"not ok - {name}" if faults else f"ok - {name}", flush=True)
  for fault in faults:
    print("   ", fault)


def read(*path):
  with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
    return file.read()


def pages():
  return sorted(name for name in os.listdir(folder) if name.endswith(".page"))


def tree(page):
  return ET.parse(os.path.join(folder, page)).getroot()


def blocks(page, mime):
  """Texts of the code blocks of that type; None: those without one."""
  return [(block.text or "").strip("\n") for block in tree(page).iter(NS + "code")
          if block.get("mime") == mime and "\n" in (block.text or "")]


SHELL = "application/x-shellscript"


# ---- form ----

def checked_by_yelp():
  if shutil.which("yelp-check") is None:
    print("ok - pages are valid # skip: yelp-check is not installed")
    return
  for what in ("validate", "links", "media", "ids", "orphans"):
    done = subprocess.run(["yelp-check", what, folder], capture_output=True, text=True, check=False)
    ok(f"pages: {what}", (done.stdout + done.stderr).splitlines() or ([] if done.returncode == 0 else ["failed"]))


def listed():
  """A page in the tree that meson does not know is in no installation."""
  known = read("data/help/meson.build")
  here = os.listdir(os.path.join(ROOT, "data/help/C"))
  return [f"data/help/meson.build does not list {name}" for name in here if f"'C/{name}'" not in known]


def refusals():
  """The page is made of ranges of numbers; all that the table has are in them."""
  table = read("core/base/gilk-refusal.c")
  names = re.findall(r'^  \{ (?:ILK|GILK)_REFUSAL_\w+, "([a-z-]+)"', table, re.M)
  shown = [title.text for item in tree("refusals.page").iter(NS + "item") for title in item.iter(NS + "code")]
  return [f"{name} is {shown.count(name)} times on the page" for name in names
          if shown.count(name) != (name != "none")] + ([] if len(names) > 50 else ["the table cannot be read"])


# ---- what is quoted ----

def c_code():
  template = read("instruments/template.c")
  return [f"instrument.page quotes what instruments/template.c has not: {block.splitlines()[0]}"
          for block in blocks("instrument.page", "text/x-csrc") if block not in template]


def paths():
  """Files of the tree that pages name, but for the placeholders of those that copy them."""
  faults = []
  for page in pages():
    for path in re.findall(r"\b(?:data|doc|ilk|instruments|lab)/[A-Za-z0-9_./-]*[A-Za-z0-9]",
                           "".join(tree(page).itertext())):
      if "NAME" not in path and not os.path.exists(os.path.join(ROOT, path)):
        faults.append(f"{page} names {path}")
  return faults


def man_pages():
  have = set(os.listdir(os.path.join(ROOT, "data/man")))
  faults = []
  for page in pages():
    text = "\n".join("".join(cmd.itertext()) for cmd in tree(page).iter(NS + "cmd"))
    for section, name in re.findall(r"^man (?:([1-8]) )?([a-z-]+)", text, re.M):
      if not any(file.startswith(name + ".") and (not section or file.endswith(section)) for file in have):
        faults.append(f"{page} names the manual page {name}")
  return faults


def commands_named():
  """In running text too: <cmd>gilk COMMAND --option</cmd>."""
  faults = []
  helped = {}
  for page in pages():
    for cmd in tree(page).iter(NS + "cmd"):
      words = "".join(cmd.itertext()).split()
      if len(words) < 2 or words[0] != "gilk":
        continue
      if words[1] not in helped:
        done = subprocess.run([gilk, words[1], "--help"], capture_output=True, text=True, check=False)
        helped[words[1]] = done.stdout if done.returncode == 0 else None
      if helped[words[1]] is None:
        faults.append(f"{page}: there is no command gilk {words[1]}")
        continue
      faults += [f"{page}: gilk {words[1]} has no {word}" for word in words[2:]
                 if word.startswith("--") and word.split("=")[0] not in re.findall(r"--[a-z-]+", helped[words[1]])]
  return faults


# ---- what is run ----

def shell_syntax():
  faults = []
  for page in pages():
    for block in blocks(page, SHELL):
      done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
      if done.returncode != 0:
        faults.append(f"{page}: {done.stderr.strip()}")
  return faults


def logical_lines(block):
  """Without what is only for the lab: that is another program's test."""
  return [line for line in block.splitlines() if re.match(r"\s*gilk\s", line)]


def lab_commands():
  known = subprocess.run([os.path.join(ROOT, "lab/lab"), "help"], capture_output=True, text=True, check=True).stdout
  return [f"{page}: lab/lab has no command {word}" for page in pages() for block in blocks(page, SHELL)
          for word in re.findall(r"lab/lab ([a-z-]+)", block) if not re.search(rf"^  {word} ", known, re.M)]


def run_line(line, here):
  env = dict(os.environ, PATH=os.path.dirname(gilk) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8",
             GILK_TARGET="unix:/nonexistent/gilkd.sock")
  env.pop("GILK_LAB", None)
  line = re.sub(r" --target \S+| \| head", "", line)
  return subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=here, env=env, capture_output=True, text=True,
                        check=False)


def make_session(path):
  """The fixture without its second run, which only counts: reports are of the last one."""
  subprocess.run([fixture, path], check=True)
  with sqlite3.connect(path) as session:
    session.execute("DELETE FROM counts WHERE hook IN (SELECT id FROM hook WHERE run = 2)")
    session.execute("DELETE FROM count_point WHERE hook IN (SELECT id FROM hook WHERE run = 2)")
    session.execute("DELETE FROM hook WHERE run = 2")
    session.execute("DELETE FROM run WHERE id = 2")
  session.close()


def made_here(page, here):
  """Every session that the page names is the fixture; plans that it shows are as shown."""
  os.makedirs(os.path.join(here, "data"), exist_ok=True)
  shutil.copytree(os.path.join(ROOT, "data/recipes"), os.path.join(here, "data/recipes"))
  text = "".join(tree(page).itertext())
  for name in set(re.findall(r"\b[a-z-]+\.gilk\b", text)):
    if page == "programs.page":
      subprocess.run([programs, os.path.join(here, name)], check=True)
    else:
      make_session(os.path.join(here, name))
  for listing in tree(page).iter(NS + "listing"):
    with open(os.path.join(here, listing.find(NS + "title").text), "w", encoding="utf-8") as out:
      out.write(listing.find(NS + "code").text)


def may_be(line):
  """What a command line may end with here. The fixture is another recording: it lacks some hooks and spans."""
  if "--field call-time" in line:
    return (0, USAGE)
  if re.match(r"gilk (report|plot|export|sql)\b", line):
    return (0, 1, 3, 5, TARGET) if re.search(r"--(compare|edges|span|spectrum|perturbation|kind|coverage|accesses)|-r 2", line) else (0,)
  return (TARGET,) if re.match(r"gilk (run|cfg|find|status|plan|doctor|instruments|coverage|inject|layout)\b", line) else (0,)


# They boot a lab, or change the machine: tests/lab/instrument.py has the first.
NOT_HERE = re.compile(r"gilk instrument (test|install|remove)\b")


def write_plan(path):
  """One whose hooks work as long as the run, however long that is."""
  with open(os.path.join(ROOT, "data/recipes/pipeline.plan"), encoding="utf-8") as recipe, open(path, "w", encoding="utf-8") as out:
    out.writelines(line for line in recipe if not line.startswith(("start=", "stop=")))


def commands_run():
  faults = []
  n = 0
  for page in pages():
    with tempfile.TemporaryDirectory(prefix="gilk-guide.") as here:
      made_here(page, here)
      for line in [line.strip() for block in blocks(page, SHELL) for line in logical_lines(block)]:
        if NOT_HERE.match(line):
          continue
        # A plan that a command before it would have printed is not there without a kernel.
        for plan in re.findall(r"gilk run ([a-z]+\.plan)", line):
          if not os.path.exists(os.path.join(here, plan)) or os.path.getsize(os.path.join(here, plan)) == 0:
            write_plan(os.path.join(here, plan))
        done = run_line(line, here)
        n += 1
        if done.returncode not in may_be(line):
          faults.append(f"{page}: {line}: exit {done.returncode}: {done.stderr.strip()}")
  return faults if n > 40 else faults + [f"only {n} commands were found"]


checked_by_yelp()
ok("meson knows all pages", listed())
ok("every refusal is on its page, once", refusals())
ok("code is that of the file it is from", c_code())
ok("files that are named exist", paths())
ok("manual pages that are named exist", man_pages())
ok("commands and options that are named exist", commands_named())
ok("shell blocks are shell", shell_syntax())
ok("commands of the lab exist", lab_commands())
ok("commands are taken", commands_run())
sys.exit(failed > 0)
