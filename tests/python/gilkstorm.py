# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkstorm - random sets of hooks, armed and taken out under everything at once

A storm has a load and neighbours that patch text too (gilkweather.py), and rounds.
A round hooks a thousand random points and more through `gilk run`, half of them in
functions the load may execute, calls the witnesses a known number of times while the
hooks still change from traps to jumps, and ends the run by one of several ways.
Everything random follows from the seed.
"""
import collections
import contextlib
import csv
import io
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

import gilkchanges
import gilknmi
from gilknmi import Nmis
from gilklab import GILK, Failure, Lab, expect, folder_of, main, wait_for
from gilkweather import ASTRAY, Weather

# Functions of which the load runs many, by their names.
REACHED = re.compile(
  r"^(vfs|pipe|do|__do|tcp|__tcp|ip|unix|sock|skb|__skb|sk|futex|__futex|signal|send|__send|get|"
  r"dequeue|enqueue|update|pick|sched|try_to|wake|__wake|hrtimer|__hrtimer|timerfd|ep|eventfd|"
  r"shmem|filemap|folio|vma|mmap|unmap|anon_vma|handle_mm|copy|dup|exit|release|wait|ptrace|"
  r"link_path|path|walk|lookup|d|seq|proc|kmem_cache|rcu|run|tick|ksys|fd|fput|alloc|free|"
  r"mprotect|mremap|madvise|__x64_sys|bprm|exec|load_elf|set|task|put)(_|$)")

Point = collections.namedtuple("Point", "function block where tactic module", defaults=["kernel"])

# So many functions are asked whether they can be cloned; so many are in a round.
CANDIDATES, CLONES = 150, 12

# What a kernel slower than this, with its checkers, cannot take of a storm is left out:
# traps in its timer interrupt would leave it no time for anything else.
HOOKS_MIN, CALLS_MIN, CLONES_MIN = 100, 400, 2

# How a run ends: a word, and how often of ten. "Probed" is a stop while others have
# kprobes on our bytes, whose patches are put back when those are gone.
ENDINGS = ["stop"] * 6 + ["probed", "kill client", "kill agent", "disarm"]

# Whom a probe of others was in the way of asks again: most are gone within seconds.
TRIES = 4

# What the livepatch of tests/kmod/livepatch.c replaces.
LIVEPATCHED = "cmdline_proc_show"


def on_own_lab(kind, flavour, tests, *options):
  """TESTS on a lab of their own, booted with OPTIONS; exit code. Text is patched there all the time."""
  lab = Lab(f"{kind}-{flavour}")
  try:
    lab.boot(flavour, *options)
    return main(tests, lab)
  except subprocess.CalledProcessError as problem:
    print(f"not ok - {kind}: {problem}", flush=True)
    return 1
  finally:
    lab.stop()


def all_points(lab, module="kernel"):
  """Every point of the kernel itself, or MODULE, that is no refusal and whose function has a name of its own there."""
  asked = ["--kernel"] if module == "kernel" else ["--module", module]
  done = subprocess.run([GILK, "survey", "--blocks", *asked, "--quiet",
                         "--target", lab.target], stdout=subprocess.PIPE, text=True, check=True)
  rows = list(csv.DictReader(io.StringIO(done.stdout)))
  heads = collections.Counter(row["function"] for row in rows if row["block"] == "+0x0")
  points = collections.defaultdict(list)
  for row in rows:
    if heads[row["function"]] == 1:
      points[row["function"]] += [Point(row["function"], row["block"], where, row[where], module)
                                  for where in ("pre", "post") if row[where] != "refused"]
  return points


# What probe programs of a storm do, by name; at any point, so that most of what they look at is no pointer, and no
# word of theirs is an argument's name. Of so many functions one has them.
CERTAIN = "certain"         # counts each hit
PROGRAMS = {
  CERTAIN: "if (%rsp != 0) count()",
  "condition": "if (%rdi > 4096 && %rsi != %rdx) count()",
  "follow": "if (*(u64 *) %rdi > 1) count(); else count(); let p = *(u64 *) %rsp; let q = *(u8 *) p; count()",
  "keep": "map m[16]; histogram h(2); counter n; m[%rdx]++; h(*(u64 *) %rsi); n++",
  "stack": "map m[64]; m[stack()]++; if (limit(100)) sample(s = stack())",
  "marker": "if (%rdi > 4096) marker(\"storm\", %rdi)",
  "events": "counter clock; let c = event(task_clock); clock += c & 1; if (limit(1000)) sample(event(page_faults), event(context_switches))",
  "seldom": "if (every(100)) sample(%rdi, %rsp, *(u32 *) %rdi); if (limit(1000)) count()",
}
PROGRAMMED = 8

# A watch with a program, led from one variable to another while all else goes on, by a function that has no other hook.
LEADS = "ksys_read"
WATCHED = f"""[program roamed]
code=map m[16] of symbol; m[ip]++; if (limit(1000)) sample(value, before, address)
[watchpoint roams]
what=?:w8
program=roamed
[program leads]
code=if (every(20)) {{ if (now & 0x10000) watch(roams, variable(jiffies_64)); else watch(roams, variable(total_forks)) }}
[hook leads]
function=kernel:{LEADS}
anchor=entry
where=pre
program=leads""".split("\n")


def write_hooks(path, hooks, changes=()):
  """
  A plan of (point, tactic, instrument or program), labelled h0, h1, ...; modules that come have no part in it.
  CHANGES: more lines, of an experiment's hooks or others.
  """
  lines = ["[gilk-plan]", "version=2"] + (["changes=yes"] if any(line.startswith("[hook change") for line in changes) else [])
  for name in sorted({what for _, _, what in hooks} & PROGRAMS.keys()):
    lines += [f"[program {name}]", f"code={PROGRAMS[name]}"]
  for i, (point, tactic, what) in enumerate(hooks):
    lines += [f"[hook h{i}]", f"function={point.module}:{point.function}", f"block={point.block}",
              f"where={point.where}", f"{'program' if what in PROGRAMS else 'instrument'}={what}", f"tactic={tactic}"]
  lines += changes
  with open(path, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")


def clonable(lab, points):
  """Those of POINTS that the planner puts into a clone of their function, by function."""
  with tempfile.NamedTemporaryFile("w", suffix=".plan") as file:
    write_hooks(file.name, [(p, "clone", "count") for p in points])
    done = subprocess.run([GILK, "plan", "check", "--json", "--target", lab.target, file.name],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
  found = collections.defaultdict(list)
  for point, hook in zip(points, json.loads(done.stdout)["hooks"]):
    if hook.get("tactic") == "clone":
      found[point.function].append(point)
  return found


def kprobe_places(chance, points):
  return [f"{p.function}{p.block}" for p in chance.sample(points, 400) if p.block.startswith("+")]


class Storm:
  """One storm on one lab."""

  def __init__(self, lab, seed, hooks=1200, calls=4000, nmi=0, **weather):
    self.lab = lab
    self.nmis = Nmis(lab, nmi) if nmi else None
    self.interrupted = 0
    self.weather = Weather(lab, seed, **weather)
    self.random = random.Random(seed)
    self.hooks = hooks
    self.calls = calls
    self.cloned = CLONES
    self.written = {}                       # bytes of text by address, of all rounds
    self.rounds = self.armed = self.exact = 0
    self.refused = collections.Counter()    # rounds
    self.again = collections.Counter()      # tries before the last of a round
    self.by_tactic = collections.Counter()
    self.by_ending = collections.Counter()
    self.hit = self.programmed = self.changes = 0
    self.seed = seed

  # ---- begin and end ----

  def begin(self):
    self.weather.prepare()
    self.slow_down(self.weather.slow)
    self.lab.gilk("doctor", "--load")
    self.lab.wait_clean()
    gilkchanges.begin(self.lab)
    self.before = self.lab.text_sum()
    self.points = all_points(self.lab)
    self.marks = []
    if self.nmis:
      self.marks = all_points(self.lab, "gilk_nmi")[gilknmi.FUNCTION]
      self.nmis.hold_stacks_of("ilk")
      self.nmis.start()
    self.witnesses = [name for name in self.lab.run("/tmp/storm-load names").split()
                      if self.points.get(name)]
    expect(len(self.witnesses) >= 8, f"only {self.witnesses} can be witnesses")
    self.reached = [p for name in sorted(self.points.keys() - set(self.witnesses))
                    if REACHED.match(name) for p in self.points[name]]
    self.anywhere = [p for name in sorted(self.points.keys() - set(self.witnesses))
                     for p in self.points[name]]
    some = self.random.sample(sorted({p.function for p in self.reached}), CANDIDATES)
    some += [LIVEPATCHED] if LIVEPATCHED in self.points else []
    self.clones = clonable(self.lab, [p for name in some + self.witnesses if name != LEADS for p in self.points[name]])
    expect(len(self.clones) >= CLONES, f"only {sorted(self.clones)} can be cloned")
    # Kprobes go to points of ours, so that both meet now and then.
    self.weather.break_out(kprobe_places(self.random, self.reached))

  def slow_down(self, times):
    self.hooks = max(min(HOOKS_MIN, self.hooks), self.hooks // times)
    self.calls = max(CALLS_MIN, self.calls // times)
    self.cloned = max(CLONES_MIN, CLONES // times)

  def calm(self):
    """Ends load and neighbours; all text must be as before."""
    self.weather.calm()
    gilkchanges.end(self.lab)
    if self.nmis:
      self.nmis.stop()
    self.lab.wait_clean()
    wait_for("text is as before the storm", lambda: self.lab.text_sum() == self.before, 30)
    self.hold("in the end")

  def abandon(self):
    with contextlib.suppress(Failure):
      gilkchanges.end(self.lab)
    if self.nmis:
      self.nmis.stop()
    self.weather.abandon()

  # ---- a round ----

  def choose(self):
    """Points for one round: whole functions, points that run, points anywhere; no order."""
    chosen = set()
    some = self.hooks * 3 // 10
    while len(chosen) < some:
      chosen.update(self.points[self.random.choice(self.reached).function][:60])
    chosen.update(self.random.sample(self.reached, min(some, len(self.reached))))
    chosen.update(self.random.sample(self.anywhere, max(0, self.hooks - len(chosen))))
    return sorted(chosen)

  def with_room_for_programs(self, path, hooks):
    """
    A counter where no program can be: one sees registers, so that it cannot go where a clone has its point. The plan
    of these is left in PATH.
    """
    said = self.lab.gilk("plan", "check", path, check=False, timeout=600).get("hooks", [])
    refused = {f"h{i}" for i, hook in enumerate(said) if "error" in hook}
    hooks = [(p, tactic, "count" if f"h{i}" in refused and what in PROGRAMS else what)
             for i, (p, tactic, what) in enumerate(hooks)]
    self.programmed += sum(what in PROGRAMS for _, _, what in hooks)
    write_hooks(path, hooks)
    return hooks

  def what_at(self, point):
    """A program, of witnesses one that counts."""
    return CERTAIN if point.function in self.witnesses else self.random.choice(sorted(PROGRAMS))

  def write_plan(self, path):
    """Returns by label the hooks that must count exactly, and their functions."""
    cloned = set(self.random.sample(sorted(self.clones), self.cloned))
    cloned.update(name for name in self.witnesses
                  if name in self.clones and self.random.randrange(3) == 0)
    cloned.update({LIVEPATCHED}.intersection(self.clones) if self.random.randrange(2) else [])
    points = [p for p in self.choose() if p.function not in cloned and p.function != LEADS]
    for name in self.witnesses:
      if name not in cloned:
        points += self.points[name]
    # Where a program needs a clone, no other hook of the function may be told to be a trap in the original.
    functions = sorted({p.function for p in points})
    programmed = set(self.random.sample(functions, len(functions) // PROGRAMMED))
    hooks = [(p, "trap" if p.function not in programmed and self.random.randrange(12) == 0 else "auto",
              self.what_at(p) if p.function in programmed else "count") for p in points]
    # Elsewhere a clone may have the point in another place, where registers are others: no program can be told to be there.
    hooks += [(p, "clone", self.what_at(p) if (p.block, p.where) == ("+0x0", "pre") else "count")
              for name in sorted(cloned) for p in self.clones[name]]
    hooks += [(p, "auto", instrument) for p in self.marks for instrument in ("count", "stamp", CERTAIN)
              if instrument == "count" or p.block == "+0x0"]
    self.random.shuffle(hooks)
    write_hooks(path, hooks)
    hooks = self.with_room_for_programs(path, hooks)
    changes, count = gilkchanges.plan_lines(self.random)
    self.changes += count
    write_hooks(path, hooks, changes + WATCHED)
    return {f"h{i}": p.function for i, (p, _, _) in enumerate(hooks)
            if (p in self.marks or p.function in self.witnesses) and (p.block, p.where) == ("+0x0", "pre")}

  def round(self):
    self.rounds += 1
    # All stay with the lab's log, for whoever looks into a failure.
    plan, self.live, self.said = (os.path.join(folder_of(self.lab), name)
                                  for name in ("storm.plan", "storm.live", "storm.said"))
    exact = self.write_plan(plan)
    session = os.path.join(folder_of(self.lab), "storm.gilk")
    for left in reversed(range(TRIES)):
      if os.path.exists(session):
        os.remove(session)
      refusal = self.run([GILK, "run", "--json", "--allow-changes", "--target", self.lab.target, "--for", "10m",
                          "-o", session, plan], exact)
      self.remember(session)
      self.hold(f"round {self.rounds}")
      if not refusal:
        break
      (self.again if left else self.refused)[refusal] += 1

  def remember(self, session):
    """What was to be written in a round, by its journal."""
    if not os.path.exists(session):
      return
    with contextlib.closing(sqlite3.connect(session)) as db:
      if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'patch'").fetchone():
        for site, length in db.execute("SELECT site, length(old_bytes) FROM patch"):
          site &= (1 << 64) - 1
          self.written[site] = max(length, self.written.get(site, 0))

  def hold(self, when):
    """Fails if the kernel has complained, or a trap of ours stood where nobody can follow the stack."""
    strays = self.nmis.strays() if self.nmis else []
    ours = [hex(stray) for stray in strays for site, length in self.written.items()
            if site <= stray < site + length]
    expect(not ours, f"{when}: traps of ours on a stack that the kernel cannot follow: {ours}")
    self.weather.hold(when, *([ASTRAY] if strays else []))

  def run(self, command, exact):
    """One run under fire; the name of the refusal if it did not come to it."""
    self.evicted = self.last_eviction()
    self.agents_before = self.agents()
    self.unheard = 0
    # To a file: it is long, and nobody reads before the run has ended.
    with open(self.said, "w", encoding="utf-8") as out:
      process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
    try:
      return self.under_fire(process, exact)
    finally:
      if process.poll() is None:
        process.kill()
      process.wait()

  def what_it_said(self, process):
    process.wait(timeout=300)
    with open(self.said, encoding="utf-8") as file:
      return file.read()

  def patiently(self, look):
    """What LOOK sees; None if the agent had no time for a hello, but not ten times in a row."""
    try:
      seen = look()
    except Failure:
      self.unheard += 1
      if self.unheard == 10:
        raise
      return None
    self.unheard = 0
    return seen

  def wait_clean(self, seconds):
    wait_for("no hook left", lambda: self.patiently(self.lab.is_clean), seconds)

  def is_live(self, process):
    """True once all hooks are in text, as traps at least: a transaction arms whole."""
    if process.poll() is not None:
      return True
    hooks = self.patiently(self.lab.hooks)
    if hooks is None:
      return False
    self.hooks_now = hooks
    with open(self.live, "w", encoding="utf-8") as file:
      json.dump(self.hooks_now, file)
    return any(p["state"] in ("trapped", "armed") for p in self.hooks_now)

  def last_eviction(self):
    """
    What the kernel said when clones last made way for a livepatch; a run that it happened to has ended by
    itself. Not how often it said so: its log forgets the oldest lines, in a long round those before it.
    """
    return self.lab.run("dmesg | grep 'were disarmed for livepatch' | tail -n 1").strip()

  def agents(self):
    return sorted(self.lab.run("pidof gilkd", check=False).split())

  def made_way(self, process):
    """True if clones of this round have: then nothing of it is counted."""
    if self.last_eviction() in ("", self.evicted):
      return False
    if process.poll() is None:
      process.wait(timeout=120)
    self.wait_clean(120)
    self.by_ending["livepatch"] += 1
    return True

  def next_ending(self):
    """At random; the first is one that is counted, however short the storm."""
    ending = self.random.choice(ENDINGS)
    return ending if self.by_ending["stop"] else "stop"

  def under_fire(self, process, exact):
    ending = self.next_ending()
    wait_for(f"round {self.rounds}: hooks armed", lambda: self.is_live(process), 300)
    if process.poll() is not None:
      if self.made_way(process):
        return None
      return self.refusal_in(self.what_it_said(process))
    self.weather.show_sites(self.hooks_now)
    if self.nmis:
      self.nmis.open()
    if ending in ("stop", "probed"):
      out = self.lab.run(f"/tmp/storm-load witness {self.calls}")
      expect(f"calls {self.calls}\n" in out, f"the witness said: {out}")
    time.sleep(self.random.random() * 3)
    if self.nmis:
      self.interrupted = self.nmis.shut()
      self.nmis.hold()
    if ending == "stop":
      self.weather.hide_sites()
    self.end(process, ending)
    if ending == "stop" and self.made_way(process):
      return None
    self.by_ending[ending] += 1
    if ending == "stop":
      self.count(process, exact)
      return None
    process.wait(timeout=120)
    self.weather.hide_sites()
    wait_for("the agent is back", lambda: "patches" in self.lab.gilk("status", check=False))
    self.wait_clean(120)
    return None

  def end(self, process, ending):
    if ending in ("stop", "probed"):
      process.send_signal(signal.SIGINT)
    elif ending == "kill client":
      process.kill()
    elif ending == "kill agent":
      self.lab.kill_agents()
    else:
      # What others probe is put back when they are gone.
      done = self.lab.gilk("disarm", check=False)
      expect(done.get("error", {"code": "still-owned"})["code"] == "still-owned", f"gilk disarm: {done}")

  def refusal_in(self, text):
    """
    Another patcher was there first: refused whole, with a name. A busy emulator may have no time for
    the agent, which lives. Anything else is a failure.
    """
    error = json.loads(text).get("error", {}) if text.strip() else {}
    if error.get("code") == "target" and self.agents() == self.agents_before:
      return "no hello in time"
    expect(error.get("code") == "refused" or error.get("refusal"),
           f"round {self.rounds}: gilk run failed: {error or text}")
    with open(os.path.join(folder_of(self.lab), "storm.refused"), "a", encoding="utf-8") as file:
      file.write(f"round {self.rounds}: {error['refusal']}: {error['message']}\n")
    return error["refusal"] or "in the plan"

  def count(self, process, exact):
    report = json.loads(self.what_it_said(process))
    # A stop gives up after some seconds, if the kprobes of others are there for longer.
    if report.get("error", {}).get("code") == "still-owned":
      self.by_ending["of these kept by others"] += 1
      self.wait_clean(300)
    else:
      expect(process.returncode == 0, f"round {self.rounds}: gilk run failed: {report.get('error')}")
    self.armed += len(report["hooks"])
    for hook in report["hooks"]:
      self.by_tactic[hook["tactic"]] += 1
      self.hit += (hook["hits"] or 0) > 0
      if hook["hook"] in exact:
        self.exact += 1
        calls = self.interrupted if exact[hook["hook"]] == gilknmi.FUNCTION else self.calls
        expect(hook["hits"] == calls,
               f"round {self.rounds}: {hook['function']} by {hook['tactic']}: "
               f"{hook['hits']} counted of {calls}, {hook['missed']} missed")
        expect(hook["instrument"] != "stamp" or hook["stored"] + hook["lost"] == calls,
               f"round {self.rounds}: {hook['function']}: {hook['stored']} stored and "
               f"{hook['lost']} lost of {calls} samples")

  def figure(self):
    tactics = ", ".join(f"{n} {name}" for name, n in sorted(self.by_tactic.items()))
    refused, again = (", ".join(f"{n} {name}" for name, n in sorted(counter.items())) or "none"
                      for counter in (self.refused, self.again))
    endings = ", ".join(f"{n} {name}" for name, n in sorted(self.by_ending.items()))
    if self.nmis:
      endings += f"; {self.nmis.figure()}"
    return (f"seed {self.seed}, {self.rounds} rounds with {self.programmed} programs and {self.changes} "
            f"changes, {self.armed} hooks counted "
            f"({tactics}), {self.hit} of them hit, {self.exact} exact; ends: {endings}; refused: {refused}; "
            f"asked again: {again}")


def storm(lab, seconds, seed, progress=None, **options):
  """A whole storm; returns what happened. PROGRESS is called with a line after each round."""
  it = Storm(lab, seed, **options)
  it.begin()
  end = time.monotonic() + seconds
  try:
    while time.monotonic() < end or (not it.by_ending["stop"] and it.rounds < 10):
      it.round()
      if progress:
        progress(f"# {max(0, end - time.monotonic()):.0f} s left: {it.figure()}")
  except BaseException:
    it.abandon()
    raise
  it.calm()
  expect(it.by_ending["stop"] > 0, f"no run was counted: {it.figure()}")
  expect(it.rounds < 10 or sum(it.refused.values()) * 2 <= it.rounds, f"most rounds were refused: {it.figure()}")
  return f"{it.figure()}; {it.weather.forecast()}"


def control(lab, seconds, seed, progress, nmi=0, **options):
  """The same without hooks, nor the driver: what the kernel does by itself."""
  weather = Weather(lab, seed, **options)
  weather.prepare()
  nmis = Nmis(lab, nmi) if nmi else None
  if nmis:
    nmis.start()
  points = [p for name, some in sorted(all_points(lab).items()) if REACHED.match(name) for p in some]
  weather.break_out(kprobe_places(weather.random, points))
  end = time.monotonic() + seconds
  try:
    while time.monotonic() < end:
      time.sleep(10)
      weather.hold("without hooks")
      progress(f"# {max(0, end - time.monotonic()):.0f} s left: {weather.forecast()}")
  except BaseException:
    weather.abandon()
    raise
  finally:
    if nmis:
      nmis.stop()
  weather.calm()
  weather.hold("without hooks")
  return f"no hooks, seed {seed}; {weather.forecast()}"
