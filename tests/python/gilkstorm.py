# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkstorm - random sets of hooks, armed and taken out under everything at once

A storm has a load (storm-load.c), neighbours that patch text too
(storm-disturb.sh) and rounds. A round hooks a thousand random points and more
through `gilk run`, half of them in functions the load may execute, calls the
witnesses a known number of times while the hooks still change from traps to
jumps, and ends the run by one of several ways. Everything random follows from
the seed.
"""
import collections
import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import time

import gilknmi
from gilknmi import Nmis
from gilklab import BUILD, GILK, ROOT, Failure, Lab, expect, folder_of, main, wait_for

# What a kernel may not say during a storm.
COMPLAINT = re.compile(
  r"Kernel panic|Oops|BUG|WARNING:|KASAN|INFO: (task|rcu|trying|possible|suspicious)|"
  r"possible (circular|recursive|irq lock)|suspicious RCU|inconsistent lock|invalid context|"
  r"scheduling while atomic|general protection|soft lockup|rcu.*stall|bad: |corrupted|"
  r"ftrace failed|Failed to (dis)?arm|livepatch transition hangs|refcount_t|ODEBUG|"
  r"ilk: defect")

# What a kernel says in storms of its own code, by flavour: soak/README.md, "Stacks".
EXCUSED = (
  (re.compile(r"6\.12\b"), re.compile(r"stack going in the wrong direction\? at return_to_handler\+")),
  (re.compile(r"6\.1\b"), re.compile(r"kernel/trace/rethook.c:\d+ rethook_find_ret_addr\+")),
)

# Functions of which the load runs many, by their names.
REACHED = re.compile(
  r"^(vfs|pipe|do|__do|tcp|__tcp|ip|unix|sock|skb|__skb|sk|futex|__futex|signal|send|__send|get|"
  r"dequeue|enqueue|update|pick|sched|try_to|wake|__wake|hrtimer|__hrtimer|timerfd|ep|eventfd|"
  r"shmem|filemap|folio|vma|mmap|unmap|anon_vma|handle_mm|copy|dup|exit|release|wait|ptrace|"
  r"link_path|path|walk|lookup|d|seq|proc|kmem_cache|rcu|run|tick|ksys|fd|fput|alloc|free|"
  r"mprotect|mremap|madvise|__x64_sys|bprm|exec|load_elf|set|task|put)(_|$)")

Point = collections.namedtuple("Point", "function block where tactic")

# So many functions are asked whether they can be cloned; so many are in a round.
CANDIDATES, CLONES = 150, 12

# What a kernel slower than this, with its checkers, cannot take of a storm is left out:
# traps in its timer interrupt would leave it no time for anything else. A stock one,
# emulated, makes a system call in 400 ns.
STOCK_NS = 500
HOOKS_MIN, CALLS_MIN, CLONES_MIN = 100, 400, 2

# How a run ends: a word, and how often of ten. "Probed" is a stop while others have
# kprobes on our bytes, whose patches are put back when those are gone.
ENDINGS = ["stop"] * 6 + ["probed", "kill client", "kill agent", "disarm"]

# Whom a probe of others was in the way of asks again: most are gone within seconds.
TRIES = 4

# What the livepatch of tests/kmod/livepatch.c replaces.
LIVEPATCHED = "cmdline_proc_show"

# What a kernel takes for a hang, a machine that is busy itself may do without fault of
# anybody: the seconds it may take.
PATIENCE = (("/proc/sys/kernel/hung_task_timeout_secs", 900),
            ("/proc/sys/kernel/watchdog_thresh", 60),
            ("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", 300))

# A long NMI is told by printk() in it, whose trace point 6.1 warns of in an NMI.
NMI_LONGEST_NS = ("/sys/kernel/debug/x86/nmi_longest_ns", 10 ** 10)

# Kernels from 6.12 on, before 6.17, count the scheduler's deadline server among the tasks
# of a CPU, and warn when it is queued while the CPU goes off: tests/soak/README.md.
FAIR_SERVER = "/sys/kernel/debug/sched/fair_server/cpu1"
COUNTED_IN = range(612, 617)


def set_fair_server(lab, how):
  """off, on or hasty, for the CPU that tests take off; what it is then."""
  major, minor = lab.run("uname -r").split(".")[:2]
  if int(major) * 100 + int(minor) not in COUNTED_IN:
    return "not counted here"
  if lab.run(f"ls -d {FAIR_SERVER}", check=False).strip() != FAIR_SERVER:
    return "on, a kernel without CONFIG_SCHED_DEBUG"
  for value in {"on": [], "off": ["0 >runtime"], "hasty": ["1000000 >runtime", "20000000 >period"]}[how]:
    lab.run(f"cd {FAIR_SERVER} && echo {value}")
  return how


def slowness(lab):
  """How many times slower than a stock one this kernel is, by itself; up to 2 counts as 1."""
  times = int(lab.run("/tmp/storm-load pace")) // STOCK_NS
  return times if times > 2 else 1


def complaints(lab, since=0, excused=()):
  """Lines of complaint in the console log from byte SINCE on."""
  with open(os.path.join(folder_of(lab), "console.log"), "rb") as file:
    file.seek(since)
    text = file.read().decode("utf-8", "replace").splitlines()
  return [line.strip() for line in text if COMPLAINT.search(line)
          and not any(pattern.search(line) for pattern in excused)]


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


def log_end(lab):
  return os.path.getsize(os.path.join(folder_of(lab), "console.log"))


def all_points(lab, *where):
  """Every point of the kernel, or WHERE, that is no refusal and whose function has a name of its own."""
  done = subprocess.run([GILK, "coverage", "--blocks", *(where or ["--kernel"]), "--quiet",
                         "--target", lab.target], stdout=subprocess.PIPE, text=True, check=True)
  rows = list(csv.DictReader(io.StringIO(done.stdout)))
  heads = collections.Counter(row["function"] for row in rows if row["block"] == "+0x0")
  points = collections.defaultdict(list)
  for row in rows:
    if heads[row["function"]] == 1:
      points[row["function"]] += [Point(row["function"], row["block"], where, row[where])
                                  for where in ("pre", "post") if row[where] != "refused"]
  return points


def write_hooks(path, hooks):
  """A plan of (point, tactic, instrument), labelled h0, h1, ..."""
  lines = ["[gilk-plan]", "version=1"]
  for i, (point, tactic, instrument) in enumerate(hooks):
    lines += [f"[hook h{i}]", f"function={point.function}", f"block={point.block}",
              f"where={point.where}", f"instrument={instrument}", f"tactic={tactic}"]
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


def all_kinds():
  """What there is of neighbours."""
  script = os.path.join(ROOT, "tests", "lab", "storm-disturb.sh")
  return subprocess.run(["sh", script, "kinds"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def kprobe_places(chance, points):
  return [f"{p.function}{p.block}" for p in chance.sample(points, 400) if p.block.startswith("+")]


class Weather:
  """Load and neighbours on one lab, and what the kernel says to them."""

  def __init__(self, lab, seed, workers=3, fair_server="off", kinds=None, without=()):
    self.lab = lab
    self.kinds = [kind for kind in kinds or all_kinds() if kind not in without]
    self.seed = seed
    self.random = random.Random(seed)
    self.workers = workers
    self.fair_server = fair_server
    self.slow = 1
    self.excused = []
    self.load = None

  def prepare(self):
    for name in ("storm-load", "storm-probes", "storm-disturb.sh"):
      folder = os.path.join(ROOT, "tests", "lab") if name.endswith(".sh") else os.path.join(BUILD, "tests", "lab")
      self.lab.push(os.path.join(folder, name), "/tmp/" + name)
    self.lab.run("chmod +x /tmp/storm-disturb.sh")
    for file, much in PATIENCE + (NMI_LONGEST_NS,):
      self.lab.run(f"[ ! -e {file} ] || echo {much} >{file}", check=False)
    self.lab.run("[ -e /sys/module/gilk_echo ] || insmod /lib/modules/$(uname -r)/extra/gilk_echo.ko")
    self.fair_server = set_fair_server(self.lab, self.fair_server)
    self.slow = slowness(self.lab)
    self.excused = [pattern for flavour, pattern in EXCUSED if flavour.match(self.lab.flavour())]
    self.log = log_end(self.lab)

  def break_out(self, places):
    """PLACES, FUNCTION+OFFSET, are where the kprobes go."""
    with tempfile.NamedTemporaryFile("w", suffix=".points") as file:
      file.write("\n".join(places) + "\n")
      file.flush()
      self.lab.push(file.name, "/tmp/storm.points")
    self.load = self.lab.background(f"exec /tmp/storm-load load {self.seed} {self.workers}")
    self.lab.run(f"/tmp/storm-disturb.sh start /tmp/storm.points {self.slow} {self.seed} "
                 + " ".join(self.kinds))

  def show_sites(self, hooks):
    """The bytes of live HOOKS are to be probed by others from now on."""
    if not {"kprobe-events", "perf"}.intersection(self.kinds):
      return
    with tempfile.NamedTemporaryFile("w", suffix=".sites") as file:
      for hook in hooks:
        file.write(f"{hook['site']} {hook['bytes']}\n")
      file.flush()
      self.lab.push(file.name, "/tmp/storm.sites.new")
    self.lab.run("mv /tmp/storm.sites.new /tmp/storm.sites")

  def hide_sites(self):
    """Nobody probes them any more when this returns."""
    self.lab.run("touch /tmp/storm.hush; rm -f /tmp/storm.sites")
    wait_for("no probe of others", lambda: not set(self.lab.run(
      "cat /tmp/storm.held.* 2>/dev/null", check=False).split()) - {"0"}, 300)
    self.lab.run("rm -f /tmp/storm.hush")

  def forecast(self):
    """What there is, and how often each neighbour got its way so far."""
    turns = ", ".join(self.lab.run("cat /tmp/storm.done.*", check=False).split("\n")).strip(", ")
    writes = self.lab.run("cat /sys/module/gilk_echo/parameters/writes", check=False).strip()
    return f"neighbours: {turns}; {writes} writes of text repeated; fair server: {self.fair_server}; {self.slow} times slower"

  def calm(self):
    self.lab.run(f"kill {self.load}; while [ -d /proc/{self.load} ]; do usleep 100000; done")
    self.lab.run("/tmp/storm-disturb.sh stop", timeout=900)
    self.lab.run("echo 1 >/sys/devices/system/cpu/cpu1/online", check=False)

  def abandon(self):
    """Like calm(), after a failure: as far as it goes."""
    self.lab.run("rm -f /tmp/storm.sites", check=False)
    self.lab.run(f"kill {self.load}", check=False)
    self.lab.run("/tmp/storm-disturb.sh stop", check=False)

  def hold(self, when):
    """Fails if the kernel has complained."""
    said = complaints(self.lab, self.log, self.excused)
    if said:
      raise Failure(f"{when}: the kernel said: {said[:4]}; {self.forecast()}; "
                    f"more in {folder_of(self.lab)}")


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
    self.rounds = self.armed = self.exact = 0
    self.refused = collections.Counter()    # rounds
    self.again = collections.Counter()      # tries before the last of a round
    self.by_tactic = collections.Counter()
    self.by_ending = collections.Counter()
    self.hit = 0
    self.seed = seed

  # ---- begin and end ----

  def begin(self):
    self.weather.prepare()
    self.slow_down(self.weather.slow)
    self.lab.gilk("doctor", "--load")
    self.lab.wait_clean()
    self.before = self.lab.text_sum()
    self.points = all_points(self.lab)
    self.marks = []
    if self.nmis:
      self.marks = all_points(self.lab, "--module", "gilk_nmi")[gilknmi.FUNCTION]
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
    self.clones = clonable(self.lab, [p for name in some + self.witnesses for p in self.points[name]])
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
    if self.nmis:
      self.nmis.stop()
    self.lab.wait_clean()
    wait_for("text is as before the storm", lambda: self.lab.text_sum() == self.before, 30)
    self.weather.hold("in the end")

  def abandon(self):
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

  def write_plan(self, path):
    """Returns by label the hooks that must count exactly, and their functions."""
    cloned = set(self.random.sample(sorted(self.clones), self.cloned))
    cloned.update(name for name in self.witnesses
                  if name in self.clones and self.random.randrange(3) == 0)
    cloned.update({LIVEPATCHED}.intersection(self.clones) if self.random.randrange(2) else [])
    points = [p for p in self.choose() if p.function not in cloned]
    for name in self.witnesses:
      if name not in cloned:
        points += self.points[name]
    hooks = [(p, "trap" if self.random.randrange(12) == 0 else "auto", "count") for p in points]
    hooks += [(p, "clone", "count") for name in sorted(cloned) for p in self.clones[name]]
    hooks += [(p, "auto", instrument) for p in self.marks for instrument in ("count", "stamp")
              if instrument == "count" or p.block == "+0x0"]
    self.random.shuffle(hooks)
    write_hooks(path, hooks)
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
      refusal = self.run([GILK, "run", "--json", "--target", self.lab.target, "--for", "10m",
                          "-o", session, plan], exact)
      self.weather.hold(f"round {self.rounds}")
      if not refusal:
        break
      (self.again if left else self.refused)[refusal] += 1

  def run(self, command, exact):
    """One run under fire; the name of the refusal if it did not come to it."""
    self.evicted = self.evictions()
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

  def evictions(self):
    """How often clones made way for a livepatch; a run that it happened to has ended by itself."""
    return int(self.lab.run("dmesg | grep -c 'were disarmed for livepatch' || true"))

  def agents(self):
    return sorted(self.lab.run("pidof gilkd", check=False).split())

  def made_way(self, process):
    """True if clones of this round have: then nothing of it is counted."""
    if self.evictions() == self.evicted:
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
      self.lab.run("kill -9 $(pidof gilkd)")
    else:
      # What others probe is put back when they are gone.
      done = self.lab.gilk("disarm", check=False)
      expect(done.get("error", {"code": "kept"})["code"] == "kept", f"gilk disarm: {done}")

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
    if report.get("error", {}).get("code") == "kept":
      self.by_ending["of these kept by others"] += 1
      self.wait_clean(300)
    else:
      expect(process.returncode == 0, f"round {self.rounds}: gilk run failed: {report.get('error')}")
    self.armed += len(report["hooks"])
    for hook in report["hooks"]:
      self.by_tactic[hook["tactic"]] += 1
      self.hit += hook["hits"] > 0
      if hook["hook"] in exact:
        self.exact += 1
        calls = self.interrupted if exact[hook["hook"]] == gilknmi.FUNCTION else self.calls
        expect(hook["hits"] == calls,
               f"round {self.rounds}: {hook['function']} by {hook['tactic']}: "
               f"{hook['hits']} counted of {calls}, {hook['dropped']} dropped")
        expect(hook["instrument"] == "count" or hook["stored"] + hook["lost"] == calls,
               f"round {self.rounds}: {hook['function']}: {hook['stored']} stored and "
               f"{hook['lost']} lost of {calls} samples")

  def figure(self):
    tactics = ", ".join(f"{n} {name}" for name, n in sorted(self.by_tactic.items()))
    refused, again = (", ".join(f"{n} {name}" for name, n in sorted(counter.items())) or "none"
                      for counter in (self.refused, self.again))
    endings = ", ".join(f"{n} {name}" for name, n in sorted(self.by_ending.items()))
    if self.nmis:
      endings += f"; {self.nmis.figure()}"
    return (f"seed {self.seed}, {self.rounds} rounds, {self.armed} hooks counted ({tactics}), "
            f"{self.hit} of them hit, {self.exact} exact; ends: {endings}; refused: {refused}; "
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
