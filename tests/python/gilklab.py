# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilklab - what tests on live kernels share: a lab, the gilk program, results

A test prints "ok - NAME" and "not ok - NAME: why"; tests/runner sums them.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("GILK_BUILD", os.path.join(ROOT, "build"))
GILK = os.path.join(BUILD, "cli", "gilk")


# A deadline is for what never comes, not for a machine that does other work too.
PATIENCE = float(os.environ.get("GILK_SLOW", "4"))


# ./check wants what each test can tell in short; the whole of it is tests/soak/run matrix.
BRIEF = bool(os.environ.get("GILK_BRIEF"))


# What "gilk run" prints where its output is not a terminal, once all hooks work.
STARTED = "The run has started."


# What Linux 6.15 calls anon_pipe_*(), in the words of a hook, and as the kernel at hand has it.
PIPE_READ = "pipe_read|anon_pipe_read"
PIPE_WRITE = "pipe_write|anon_pipe_write"


def name_there(lab, names):
  """lab: a Lab. Returns: that of @names, between "|", which its kernel has."""
  there = [name for name in names.split("|") if lab.has_symbol(name)]
  expect(there, f"the kernel has none of {names}")
  return there[0]


class Failure(Exception):
  """An expectation that was not met; its text says which."""


def expect(condition, why):
  if not condition:
    raise Failure(why)


def wait_for(what, condition, seconds=60.0):
  """Polls until CONDITION returns something true, which is returned. What takes long is asked less often, as each answer takes
  processor time of client and lab."""
  begin = time.monotonic()
  end = begin + seconds * PATIENCE
  while True:
    result = condition()
    if result:
      return result
    if time.monotonic() > end:
      raise Failure(f"{what}: not within {seconds * PATIENCE:g} s{Run.last_words()}")
    time.sleep(min(max((time.monotonic() - begin) / 8, 0.1), 1))


def lab_folder(name):
  """Where a lab keeps its sockets and its log: as lab/lib.sh has it."""
  runtime = os.environ.get("XDG_RUNTIME_DIR")
  return os.path.join(os.environ.get("GILK_LAB_DIR") or (os.path.join(runtime, "gilk") if runtime else f"/tmp/gilk-{os.getuid()}"),
                      name)


def control(name, command, *options, check=False, **kwargs):
  """Runs a shell command in a lab, as "lab exec" does, whose script takes ten times as long for itself."""
  return subprocess.run([os.path.join(BUILD, "lab", "lab-ctl"), "-n", "3", *options, lab_folder(name), command], check=check, **kwargs)


class Lab:
  """One running lab, by name."""

  PROGRAM = os.path.join(ROOT, "lab", "lab")

  def __init__(self, name):
    self.name = name
    self.target = f"lab:{name}"
    self.symbols = {}

  @staticmethod
  def command(*args, **kwargs):
    return subprocess.run([os.path.join(ROOT, "lab", "lab"), *args],
                          text=True, check=True, **kwargs)

  def boot(self, flavour, *args):
    self.symbols = {}
    self.command("boot", flavour, "--name", self.name, *args, stdout=subprocess.DEVNULL)

  def stop(self):
    self.command("stop", self.name)

  def flavour(self):
    """What it was booted with, which is its name unless that was given another."""
    lines = self.command("status", stdout=subprocess.PIPE).stdout.splitlines()
    return next(words[1] for words in map(str.split, lines) if words[0] == self.name)

  def push(self, path, to):
    mode = os.stat(path).st_mode & 0o777
    with open(path, "rb") as file:
      control(self.name, f"cat >'{to}' && chmod {mode:o} '{to}'", "-i", stdin=file, check=True)

  def run(self, command, check=True, timeout=300):
    """Runs a shell command in the guest; returns its output."""
    done = control(self.name, command, "-t", f"{timeout * PATIENCE:.0f}", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode != 0:
      raise Failure(f"in the lab: {command}: exit code {done.returncode}: {done.stdout.strip()[-600:]}")
    return done.stdout

  def said(self, path):
    """What a background command has written to a file in the guest; nothing, as long as there is no file."""
    return self.run(f"cat {path} 2>/dev/null; true")

  def kallsyms(self):
    """[(address, type, name, module or "")]. They are searched here: for grep, an emulated machine takes seconds."""
    lines = (line.split() for line in self.run("cat /proc/kallsyms").splitlines())
    return [(int(words[0], 16), words[1], words[2], words[3].strip("[]") if len(words) > 3 else "") for words in lines]

  def has_symbol(self, name):
    """Whether the kernel itself has a symbol that is called so. Symbols stay where they are until the next boot."""
    if not self.symbols:
      for address, _, known, module in self.kallsyms():
        if not module:
          self.symbols.setdefault(known, address)
    return name in self.symbols

  def symbol(self, name):
    """The address of the first symbol of the kernel itself that is called so."""
    expect(self.has_symbol(name), f"the kernel has no symbol {name}")
    return self.symbols[name]

  def background(self, command):
    """Starts a shell command in the guest; returns its PID there."""
    quoted = command.replace("'", "'\\''")
    done = control(self.name, f"(setsid sh -c '{quoted}') >/tmp/bg.log 2>&1 </dev/null & echo $!", text=True, stdout=subprocess.PIPE,
                   check=True)
    return int(done.stdout)

  # ---- gilk on this lab ----

  def gilk(self, *args, check=True, timeout=300):
    """Runs gilk --json; returns its document."""
    done = subprocess.run([GILK, args[0], "--json", "--target", self.target, *args[1:]],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=timeout * PATIENCE, check=False)
    if check and done.returncode != 0:
      raise Failure(f"gilk {' '.join(args)}: exit code {done.returncode}: "
                    f"{done.stderr.strip()} {done.stdout.strip()}")
    return json.loads(done.stdout) if done.stdout.strip() else {}

  def kill_agents(self):
    """Kills each gilkd. What one of them had started may be gone before its turn."""
    self.run("killall -9 gilkd", check=False)

  def is_preemptible(self):
    """By what it was booted with: a hit looks at its end whether a reschedule became due."""
    self.run("grep -q ' /sys/kernel/debug ' /proc/mounts || mount -t debugfs none /sys/kernel/debug")
    text = self.run("uname -v; cat /sys/kernel/debug/sched/preempt 2>/dev/null || true")
    return any(word in text for word in ("(full)", "(lazy)", "PREEMPT_RT"))

  def text_sum(self):
    """SHA-256 over all live kernel and module text but ilk's own."""
    return self.gilk("doctor", "--text-sum")["text_sum"]

  def status(self):
    """Without names: reading all symbols takes an emulated kernel seconds."""
    return self.gilk("status", "--numeric")

  def hooks(self):
    return self.status()["patches"]

  def wait_armed(self, count=1, seconds=60.0):
    """Waits until COUNT patches have their final tactic, none is on the way there, and each run knows that it has started."""
    Run.wait_started(self, seconds)

    def armed():
      states = [p["state"] for p in self.hooks()]
      return states.count("armed") >= count and "trapped" not in states
    wait_for(f"{count} hooks armed", armed, seconds)

  def wait_traps(self, count=1, seconds=60.0):
    """Waits until COUNT patches work, be it as traps."""
    Run.wait_started(self, seconds)
    wait_for(f"{count} hooks work", lambda: sum(p["state"] in ("trapped", "armed")
                                                for p in self.hooks()) >= count, seconds)

  def kprobes(self):
    """The kernel's lines of the kprobes that are there."""
    self.run("test -d /sys/kernel/debug/kprobes || mount -t debugfs none /sys/kernel/debug")
    return self.run("cat /sys/kernel/debug/kprobes/list").splitlines()

  def entry_tactic(self):
    """How BPF hooks the entry of a function, if the hook reads only arguments. A kernel that does not tell how it is preempted
    gets kprobes."""
    known = any(word in self.run("cat /sys/kernel/debug/sched/preempt 2>/dev/null || true") for word in ("(none)", "(voluntary)"))
    return "kprobe" if self.is_preemptible() or "PREEMPT" in self.run("uname -v") and not known else "fentry"

  def links(self):
    """How many links of BPF programs to points there are: one a hook, or one for many hooks at entries of functions."""
    return len(set(self.run("grep -h '^link_id' /proc/[0-9]*/fdinfo/* 2>/dev/null", check=False).splitlines()))

  def wait_links(self, count, seconds=60.0):
    Run.wait_started(self, seconds)
    wait_for(f"{count} links", lambda: self.links() >= count, seconds)

  def wait_clean(self, seconds=60.0):
    """Waits until no hook is in text, nor a bounce that a thread may stand on."""
    wait_for("no hook left", self.is_clean, seconds)

  def is_clean(self):
    status = self.status()
    return not status["pending"] and not [p for p in status["patches"]
                                          if p["state"] in ("trapped", "armed", "lending") or
                                          p.get("jump_in_text")]


def folder_of(lab):
  """Where the lab keeps its sockets and its log."""
  return lab_folder(lab.name)


class Run:
  """A gilk run in the background, recording into SESSION."""

  going = []

  def __init__(self, lab, session, *args):
    if os.path.exists(session):
      os.remove(session)
    self.lab = lab
    self.session = session
    self.output = None
    self.printed = tempfile.TemporaryFile("r+", encoding="utf-8")
    self.process = subprocess.Popen([GILK, "run", "--target", lab.target, "-o", session, *args], stdout=self.printed,
                                    stderr=subprocess.STDOUT)
    Run.going.append(self)

  def read_output(self):
    """What it has printed so far. The program writes to the same file, at its end."""
    return os.pread(self.printed.fileno(), os.fstat(self.printed.fileno()).st_size, 0).decode(errors="replace")

  def has_started(self):
    """Whether it said so, or never will: a run that prints JSON says nothing before its end."""
    return "--json" in self.process.args or self.process.poll() is not None or STARTED in self.read_output()

  @classmethod
  def wait_started(cls, lab, seconds=60.0):
    """Waits until each run on @lab has started or ended: Ctrl-C while hooks are being armed cancels a run."""
    wait_for("the runs start", lambda: all(run.has_started() for run in cls.going if run.lab is lab), seconds)

  @classmethod
  def last_words(cls):
    """Of those that ended when nobody expected it."""
    ended = [run for run in cls.going if run.process.poll() is not None and run.output is None]
    return "".join(f"; a run ended: {run.read_output().strip()}" for run in ended)

  @classmethod
  def end_all(cls):
    """What a failed test left would fail the next ones, too."""
    for run in cls.going:
      if run.process.poll() is None:
        run.kill()
    cls.going.clear()

  def stop(self, timeout=120):
    """Ctrl-C, and waits; returns the exit code."""
    self.process.send_signal(signal.SIGINT)
    return self.wait(timeout)

  def wait(self, timeout=120):
    self.process.wait(timeout=timeout * PATIENCE)
    self.output = self.read_output()
    return self.process.returncode

  def kill(self):
    self.process.kill()
    self.process.wait()

  def report(self):
    done = subprocess.run([GILK, "report", "--json", self.session],
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)

  def sql(self, query):
    """Rows, each a dictionary, of what was recorded."""
    done = subprocess.run([GILK, "sql", "--json", self.session, query], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["rows"]


def report_death(lab):
  """What the lab said before it died, if it did: a client has booted it anew since, with other addresses."""
  lab.symbols = {}
  try:
    with open(os.path.join(folder_of(lab), "died.log"), encoding="utf-8", errors="replace") as file:
      for line in file.read().splitlines()[-40:]:
        print(f"# died: {line}", flush=True)
  except (OSError, subprocess.SubprocessError):
    pass


def main(tests, lab):
  """Runs test functions, each given the lab; prints and returns results."""
  failed = 0
  for test in tests:
    name = test.__name__.replace("_", " ")
    try:
      figure = test(lab)
      print(f"ok - {name}" + (f" ({figure})" if figure else ""), flush=True)
    except (Failure, subprocess.SubprocessError, LookupError, ValueError, OSError) as problem:
      failed += 1
      print(f"not ok - {name}: {type(problem).__name__}: {problem}", flush=True)
      report_death(lab)
    Run.end_all()
  return 1 if failed else 0


def lab_of_arguments():
  if len(sys.argv) != 2:
    sys.exit(f"usage: {os.path.basename(sys.argv[0])} LAB   (a lab that is up, e.g. 6.1)")
  return Lab(sys.argv[1])
