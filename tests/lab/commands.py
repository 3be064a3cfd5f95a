#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: every command in the documents works
"""
commands LAB [SOURCE...] - every command that README, manual pages, guide, recipes and doc/ show, run in a lab

Commands are taken from the texts as they are printed and run in their order, in one folder for each text, so that
what one records the next one reads. Only the target and times are this test's. Each must end well and show
something: a session with hits, a table with a number that is not 0, a picture. What cannot be run here has a reason in
LEFT_OUT; a reason that no command needs any more is a failure as well. SOURCE: only texts whose path contains it.
"""
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, PATIENCE, ROOT, Failure, Lab, expect, main

NS = "{http://projectmallard.org/1.0/}"
PROGRAMS = r"(?:gilk|gilk-workbench|lab/\w+|\./\w+|sudo|sqlite3|man|ilk-fifo|meson|ninja|tests/\S+|cat|apt|export)"

# (what it looks like, why it is not run here)
LEFT_OUT = [
  (r"^\./(run|check)\b", "builds the tree and boots labs of its own: tests/soak/fresh.sh runs it"),
  (r"^lab/deb |^sudo apt |out/packages", "builds packages in a root: tests/soak/packages.sh runs it"),
  (r"^sudo install ", "changes this machine: tests/soak/packages.sh installs the modules"),
  (r"--target local\b", "needs the driver on this machine: tests/system/local.py runs it"),
  (r"clickhouse://", "needs a ClickHouse server: tests/remote runs it"),
  (r"^gilk instrument (test|install)\b", "builds modules: tests/lab/instrument.py and tests/soak/packages.sh run it"),
  (r"^gilk-workbench\b", "needs a display: tests/gui runs it"),
  (r"^lab/lab (boot|stop|ssh|push|pull|install|log|build)\b|debian13-system", "starts, ends or fills labs: ./check does, for each test"),
  (r"network\.gilk|packets\.gilk", "needs a capture beside the run: tests/lab/network.py runs it"),
  (r"^(meson|ninja|tests/soak/|tests/driver/|tests/lab/)", "builds or tests the tree, which is what runs this"),
  (r"^export ", "the test's environment has it"),
  (r"^man ", "tests/guide/manual.sh reads the pages"),
  (r"^sqlite3 ", "another program, which need not be installed; gilk sql asks the same"),
  (r"^gilk inject\b", "has a test of the reader's own to run: tests/lab/faults.py runs one"),
  (r"^ilk-fifo\b|--ring-mode fifo", "its program runs on the target: tests/lab/rings.py runs it"),
  (r"^gilk (run|coverage) .*(ext4:|veth:)", "the lab has no such module loaded: tests/lab/coverage.py hooks modules"),
  (r"^gilk report ext4\.gilk", "see the run before it"),
  (r"user:/proc/1234/", "its process is the reader's: tests/lab/user.py hooks one in a root of its own"),
  (r"fs/pipe\.c:538|:inlined\b", "needs debug data of the kernel: tests/lab/locals.py runs it"),
  (r" -i mine\b|^gilk export mine\.gilk --csv \| head", "needs the instrument that the command before it installs"),
  (r"counters\.(plan|gilk)", "an emulated processor has no counters of instructions: tests/lab/services.py has those that there are"),
  (r"^gilk layout ", "measures for long under counted load: tests/lab/code_layout.py runs it"),
]

# Not for the lab's kernel or its load, but taken: (what, why)
MAY_BE_EMPTY = [
  (r"readline", "nobody types into a shell here"),
  (r"^gilk status", "nothing is armed then, which is what it says"),
  (r"retval == ", "errors of disks do not happen here"),
]

# What must be in the output of some: (what, pattern)
SHOWS = [
  (r"^gilk doctor", r"Ready: hooks can be armed"),
  (r"^gilk plan check ", r"splice|trap|clone|user|watch"),
  (r"--stages cat,tr,sed,grep", r"The bottleneck is sed"),
  (r"^gilk report .*--accesses", r"[1-9]\d*"),
  (r"^gilk report .*--compare", r"Cliff's delta|effect"),
  (r"^gilk report span\.gilk --span", r"^pipe_write +[1-9]"),
]

# What a text takes for granted: sessions that it does not record itself.
GIVEN = {
  "data/help/C/plots.page": ["gilk run data/recipes/pipeline.plan --for 20s -o tour.gilk", "cp tour.gilk other.gilk"],
  "data/man/gilk-session.5": [
    "gilk run --hook pipe_write@call:schedule:pre:task --for 2s -o sleeps.gilk",
    "gilk run --hook 'vfs_write:entry { histogram sizes; map by_pid[256]; sizes(count); by_pid[pid]++ }' --for 2s -o writes.gilk"],
}

# One pipeline at a time, and nothing beside it while it is recorded: on two processors that others use, too, sed never
# waits, and so is no stage that slept.
LOAD = ("while :; do pidof pipeline >/dev/null || pipeline 5; sleep 0.1; done", "while :; do dd if=/dev/zero of=/tmp/large bs=64k count=64; cat /tmp/large >/dev/null; "
        "sleep 0.1; done 2>/dev/null", "while :; do calls -n 20000 -t 1 -o getpgid >/dev/null; done")


def read(path):
  with open(os.path.join(ROOT, path), encoding="utf-8") as file:
    return file.read()


# ---- commands of a text ----

def whole_commands(text):
  """Lines of a block as commands: one may go on while a quote is open or behind a backslash."""
  found, pending = [], ""
  for line in text.splitlines():
    pending = f"{pending}\n{line}" if pending else line.strip()
    try:
      shlex.split(pending, comments=True)
    except ValueError:
      continue
    if not pending.endswith("\\"):
      found.append(pending)
      pending = ""
  return [command for command in found if re.match(rf"{PROGRAMS}(\s|$)", command)]


def of_markdown(path):
  """Indented blocks; `commands` with words behind them in a sentence."""
  text = read(path)
  blocks = re.findall(r"(?:^ {4}\S.*\n)+", text, re.M)
  commands = [command for block in blocks for command in whole_commands(re.sub(r"^ {4}", "", block, flags=re.M))]
  sentences = re.sub(r"^ {4}.*$", "", text, flags=re.M)
  named = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", sentences)]
  return commands + [span for span in named if re.match(r"(gilk [a-z]+ \S*[a-z]+\.gilk|sqlite3 |man )", span)]


def unescape(line):
  return re.sub(r"\\(-|&|~|\(aq|e|f.)", lambda m: {"-": "-", "(aq": "'", "e": "\\", "~": " "}.get(m[1], ""), line)


def of_program(text):
  """A plan of it, which is checked; a hook that it starts is there as well. What changes the kernel is agreed to first."""
  if "nullify" in text:
    consent = re.search(r"gilk run (--\S+) --hook 'pipe_read:entry", read("README.md"))[1]
    return ["gilk run " + consent + " --hook " + shlex.quote(f"vfs_write:entry {{ {text} }}") + " --for 2s"]
  place = "anchor=return\nwhere=post" if re.search(r"retval|take \(begin", text) else "anchor=entry\nwhere=pre"
  code = text.replace("\n", "\\n")
  plan = (f"[gilk-plan]\nversion=2\n\n[program example]\ncode={code}\n\n[hook example]\nfunction=vfs_write\n{place}\n"
          "program=example\n\n[hook detail]\nfunction=vfs_read\nanchor=entry\nwhere=pre\ninstrument=count")
  return [f"cat > program.plan <<'END'\n{plan}\nEND", "gilk plan check program.plan"]


def of_manual(path):
  """Blocks between .EX and .EE; one of a plan is checked, one of a program is compiled."""
  commands = []
  for block in re.findall(r"^\.EX\n(.*?)^\.EE", read(path), re.M | re.S):
    text = "\n".join(unescape(line) for line in block.splitlines())
    if text.startswith("[gilk-plan]"):
      commands += [f"cat > example.plan <<'END'\n{text}\nEND", "gilk plan check example.plan"]
    elif path.endswith("gilk-probes.7") and not text.startswith("gilk "):
      commands += of_program(text)
    else:
      commands += whole_commands(text)
  return commands


def of_page(path):
  """Plans that a page lists are written by a command of their own."""
  commands = []
  for part in ET.fromstring(read(path)).iter():
    if part.tag == NS + "listing" and part.find(NS + "title") is not None:
      commands.append(f"cat > {part.find(NS + 'title').text} <<'END'\n{part.find(NS + 'code').text.strip()}\nEND")
    elif part.tag == NS + "code" and part.get("mime") == "application/x-shellscript":
      commands += whole_commands(part.text)
  return commands


def of_recipe(path):
  """The plan itself, then what its comment says to do with it."""
  session = os.path.basename(path).replace(".plan", ".gilk")
  told = [line.lstrip("# ").replace(os.path.basename(path), path) for line in re.findall(r"^# {2,}gilk .*$", read(path), re.M)]
  return [f"gilk plan check {path}", f"gilk run {path} --for 20s -o {session}", f"gilk report {session}"] + told


def sources():
  """(path, commands) of each text that has some."""
  ways = {"README.md": of_markdown, "CONTRIBUTING.md": of_markdown}
  for folder, end, way in [("doc", ".md", of_markdown), ("data/man", "", of_manual), ("data/help/C", ".page", of_page),
                           ("data/recipes", ".plan", of_recipe)]:
    ways.update({f"{folder}/{name}": way for name in sorted(os.listdir(os.path.join(ROOT, folder))) if name.endswith(end)})
  every = [(path, way(path)) for path, way in ways.items()]
  return [(path, commands) for path, commands in every if commands]


# ---- one command ----

def reason_of(command, table):
  return next((reason for pattern, reason in table if re.search(pattern, command)), None)


def for_here(lab, command):
  """The lab's name, and times that a test has."""
  command = re.sub(r"--target lab:6\.\d+", f"--target {lab.target}", command)
  command = re.sub(r"lab/lab exec (6\.\d+|mine) ", f"lab/lab exec {lab.name} ", command)
  if command.startswith("gilk run") and "--for" not in command:
    command += " --for 2s"            # a reader ends it with Ctrl-C
  seconds = "20s" if "pipeline.plan" in command else "4s" if "ab.plan" in command else "2s"
  return re.sub(r"--for \d+m?s\b", f"--for {seconds}", command)


def environment(lab):
  return dict(os.environ, GILK_TARGET=lab.target, LC_ALL="C.UTF-8",
              PATH=f"{os.path.dirname(GILK)}:{BUILD}/gui:" + os.environ["PATH"])


def written(command):
  """Files that it writes, by its options or the shell."""
  return re.findall(r"(?:-o|--svg|--png|--out|--prometheus|--lcov|[^-]>) ?([\w.-]+\.[a-z-]+)", command)


def judge_session(path):
  """Something was hit, or kept."""
  with sqlite3.connect(path) as session:
    hits, stored = session.execute("SELECT coalesce(sum(hits), 0), coalesce(sum(stored), 0) FROM counts").fetchone()
    kept = session.execute("SELECT count(*) FROM map_value WHERE value <> 0").fetchone()[0]
  expect(hits + stored + kept > 0, "nothing was hit, sampled or kept")


def judge_text(command, text):
  """There is an answer, and it is not all zeros."""
  for pattern, shown in SHOWS:
    if re.search(pattern, command):
      expect(re.search(shown, text, re.M), f"its output has no {shown}: {text[-300:]}")
      return
  numbers = re.findall(r"(?<![\w.,+-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.,])", text)
  expect(text.strip(), "it shows nothing")
  expect(not numbers or any(float(n.replace(",", "")) != 0 for n in numbers), f"it shows zeros alone: {text[-300:]}")


def judge(command, folder, text):
  files = [os.path.join(folder, name) for name in written(command)]
  for path in files:
    expect(os.path.exists(path) and os.path.getsize(path) > 100, f"it wrote no {os.path.basename(path)}, or nothing into it")
    if path.endswith(".gilk") and command.startswith("gilk run"):
      judge_session(path)
  if not files or text.strip():
    judge_text(command, text)


def run_here(lab, folder, command):
  return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", for_here(lab, command)], cwd=folder, env=environment(lab),
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200 * PATIENCE, check=False)


def run_beside_nothing(lab, folder, command):
  lab.run(f"kill -STOP {lab.others}")
  try:
    return run_here(lab, folder, command)
  finally:
    lab.run(f"kill -CONT {lab.others}")


def run_one(lab, folder, command):
  done = (run_beside_nothing if re.match(r"gilk run .*pipeline\.plan", command) else run_here)(lab, folder, command)
  expect(done.returncode == 0, f"exit {done.returncode}: {done.stdout.strip()[-400:]}")
  silent = re.match(r"(cat >|cp |lab/lab exec)", command)
  if not silent and reason_of(command, MAY_BE_EMPTY) is None:
    judge(command, folder, done.stdout)


# ---- a text ----

def prepare(folder):
  for name in ("data", "lab", "build", "doc"):
    os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))


def run_text(lab, path, commands):
  """Commands of one text, in its order. Returns how many were run; a failure names all that failed."""
  faults, ran = [], 0
  with tempfile.TemporaryDirectory(prefix="gilk-commands.") as folder:
    prepare(folder)
    for command in GIVEN.get(path, []):
      run_one(lab, folder, command)
    for command in commands:
      if reason_of(command, LEFT_OUT) is not None:
        continue
      ran += 1
      times = 8 if "-o who.gilk" in command else 1        # the recipe compares four runs with four
      try:
        for _ in range(times):
          run_one(lab, folder, command)
      except (Failure, subprocess.TimeoutExpired, sqlite3.Error, OSError, ValueError) as problem:
        faults.append(f"{command.splitlines()[0]}: {problem}")
        print(f"# {path}: {faults[-1]}", flush=True)
    if any("--bg 'pipeline" in command for command in commands):
      lab.run("killall pipeline cat", check=False)        # the next text starts its own
  expect(not faults, f"{len(faults)} of {ran} commands: " + " | ".join(faults)[:2000])
  return f"{ran} commands, {len(commands) - ran} left out"


def test_of(path, commands):
  def test(lab):
    return run_text(lab, path, commands)
  test.__name__ = f"commands_of_{path}"
  return test


def no_reason_is_stale(_lab):
  every = [command for _, commands in sources() for command in commands]
  stale = [pattern for pattern, _ in LEFT_OUT + MAY_BE_EMPTY + SHOWS if not any(re.search(pattern, c) for c in every)]
  expect(not stale, f"no command is like {stale}")
  gone = [path for _, reason in LEFT_OUT for path in re.findall(r"tests/[\w./]*\w", reason)
          if not os.path.exists(os.path.join(ROOT, path))]
  expect(not gone, f"reasons name what is not there: {gone}")
  return f"{sum(reason_of(c, LEFT_OUT) is not None for c in every)} of {len(every)} commands have a reason not to be run"


def with_load(lab, tests):
  pids = [lab.background(command) for command in LOAD]
  lab.command("install", lab.name, "bash", stdout=subprocess.DEVNULL)
  lab.run("mkdir -p /usr; ln -sfn /bin /usr/bin; ln -sfn /lib /usr/lib")      # as on Debian, whose /lib leads there
  pids.append(lab.background("while :; do /usr/bin/bash -c 'for i in 1 2 3; do x=$(echo $i); done'; done"))
  lab.others = " ".join(map(str, pids[1:]))
  try:
    return main(tests, lab)
  finally:
    lab.run(f"kill {' '.join(map(str, pids))}; killall pipeline cat tr sed grep dd calls; rm -f /tmp/large; true")


if __name__ == "__main__":
  if len(sys.argv) < 2:
    sys.exit("usage: commands.py LAB [SOURCE...]   (a lab that is up; --list instead of a lab prints all commands)")
  wanted = [(path, commands) for path, commands in sources() if not sys.argv[2:] or any(word in path for word in sys.argv[2:])]
  if sys.argv[1] == "--list":
    for where, shown in wanted:
      for one in shown:
        print(f"{where}: {reason_of(one, LEFT_OUT) or 'run'}: {one.splitlines()[0]}")
    sys.exit(0)
  tests_here = [test_of(path, commands) for path, commands in wanted] + ([] if sys.argv[2:] else [no_reason_is_stale])
  sys.exit(with_load(Lab(sys.argv[1]), tests_here))
