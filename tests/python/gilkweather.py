# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilkweather - load and neighbours on one lab, and what its kernel says to them

The load is storm-load.c, the neighbours are those of storm-disturb.sh, which patch text too.
Everything random follows from the seed.
"""
import os
import random
import re
import subprocess
import tempfile

from gilklab import BUILD, ROOT, Failure, folder_of, wait_for

# What a kernel may not say during a storm.
COMPLAINT = re.compile(
  r"Kernel panic|Oops|BUG|WARNING:|KASAN|INFO: (task|rcu|trying|possible|suspicious)|"
  r"possible (circular|recursive|irq lock)|suspicious RCU|inconsistent lock|invalid context|"
  r"scheduling while atomic|general protection|soft lockup|rcu.*stall|bad: |corrupted|"
  r"ftrace failed|Failed to (dis)?arm|livepatch transition hangs|refcount_t|ODEBUG|"
  r"ilk: defect")

# The function graph tracer, interrupted on its way back: soak/stacks.py has a kernel say it.
TURNED = re.compile(r"stack going in the wrong direction\? at return_to_handler\+")

# What a kernel says in storms of its own code, by release: soak/README.md, "Stacks". Of a WARN, the function, too.
EXCUSED = (
  (re.compile(r"(6\.12|7\.[23])\."), TURNED, None),
  (re.compile(r"6\.1\."), re.compile(r"kernel/trace/rethook.c:\d+ rethook_find_ret_addr\+"), "rethook_find_ret_addr"),
)

# A WARN is said by printk(), which must not be called under some locks: debug kernels say that before it.
LOCKING = re.compile(r"WARNING: possible circular locking dependency")
FRAME = re.compile(r"\]\s+(?:\? )?([\w.]+)\+0x")

# And what it says of an int3 that an NMI found on a stack it does not know, once a boot; whose int3
# it was, tests/kmod/nmi.c tells.
ASTRAY = re.compile(r"can't access iret registers at asm_exc_invalid_op\+")

# A stock kernel, emulated, makes a system call in 400 ns.
STOCK_NS = 500

# What a kernel takes for a hang, a machine that is busy itself may do without fault of
# anybody: what it may take, in seconds.
PATIENCE = (("/proc/sys/kernel/hung_task_timeout_secs", 900),
            ("/proc/sys/kernel/watchdog_thresh", 60),
            ("/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout", 300),
            # In nanoseconds. A long NMI is told by printk() in it, whose trace point 6.1 warns of in an NMI.
            ("/sys/kernel/debug/x86/nmi_longest_ns", 10 ** 10))

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


def be_patient(lab):
  """For labs that are slow by fault of the machine, or by what is asked of them."""
  for file, much in PATIENCE:
    lab.run(f"[ ! -e {file} ] || echo {much} >{file}", check=False)


def slowness(lab):
  """How many times slower than a stock one this kernel is, by itself; up to 2 counts as 1."""
  times = int(lab.run("/tmp/storm-load pace")) // STOCK_NS
  return times if times > 2 else 1


def is_of_warn(report, functions):
  """True if REPORT, of locking, is of printk() by a WARN in one of FUNCTIONS: by the stack that takes the last lock."""
  begin = next((i for i, line in enumerate(report) if "-> #0 (console_owner)" in line), len(report))
  end = next((i for i, line in enumerate(report) if "other info that might help" in line), 0)
  frames = [found.group(1) for found in map(FRAME.search, report[begin:end]) if found]
  said = [i for i, name in enumerate(frames) if name == "asm_exc_invalid_op"]
  if len(said) != 1:
    return False
  printing, warned = frames[:said[0]], frames[said[0] + 1:]
  return ("vprintk_emit" in printing and any(name.startswith("report_bug") for name in printing) and
          warned[:1] != [] and warned[0] in functions)


def complaints(lab, since=0, excused=(), warns=()):
  """Lines of complaint in the console log from byte SINCE on, but for EXCUSED ones and of locks under WARNS."""
  with open(os.path.join(folder_of(lab), "console.log"), "rb") as file:
    file.seek(since)
    text = file.read().decode("utf-8", "replace").splitlines()
  return [line.strip() for i, line in enumerate(text) if COMPLAINT.search(line)
          and not any(pattern.search(line) for pattern in excused)
          and not (LOCKING.search(line) and is_of_warn(text[i:], warns))]


def log_end(lab):
  return os.path.getsize(os.path.join(folder_of(lab), "console.log"))


def all_kinds():
  """What there is of neighbours."""
  script = os.path.join(ROOT, "tests", "lab", "programs", "storm-disturb.sh")
  return subprocess.run(["sh", script, "kinds"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


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
    self.excused = self.warns = []
    self.load = None

  def prepare(self):
    for name in ("storm-load", "storm-probes", "storm-disturb.sh"):
      root = ROOT if name.endswith(".sh") else BUILD
      self.lab.push(os.path.join(root, "tests", "lab", "programs", name), "/tmp/" + name)
    self.lab.run("chmod +x /tmp/storm-disturb.sh")
    be_patient(self.lab)
    self.lab.run("[ -e /sys/module/gilk_echo ] || insmod /lib/modules/$(uname -r)/extra/gilk_echo.ko")
    self.fair_server = set_fair_server(self.lab, self.fair_server)
    self.slow = slowness(self.lab)
    release = self.lab.run("uname -r")
    own = [(pattern, function) for kernels, pattern, function in EXCUSED if kernels.match(release)]
    self.excused = [pattern for pattern, _ in own]
    self.warns = [function for _, function in own if function]
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

  def hold(self, when, *excused):
    """Fails if the kernel has complained."""
    said = complaints(self.lab, self.log, [*self.excused, *excused], self.warns)
    if said:
      raise Failure(f"{when}: the kernel said: {said[:4]}; {self.forecast()}; "
                    f"more in {folder_of(self.lab)}")
