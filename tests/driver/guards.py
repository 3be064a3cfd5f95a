#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
guards - traps in all that takes in the events which a trap makes

usage: guards.py FLAVOUR

A trap calls notifiers, which is an event (notifier_run, in 6.12) or at least a call that the
function tracer sees. Whoever samples it with perf, records it, or hangs a trigger on it, runs on
the way to our handler. What comes before and behind the guards there, and what begins anew when a
second writer came between, must be denied (ilk/ilk-denied-rules.h): all else is hooked here
with traps, and the machine must live.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, Run, expect, wait_for
from gilkstorm import all_points, on_own_lab, write_hooks
from gilkweather import be_patient, complaints, log_end

TRACING = "/sys/kernel/tracing"

# Not the unwinder: a trap in each step of each stack of each event would take all the time there is.
TAKES_EVENTS = re.compile(
  r"^(perf_(tp|event_(output|account|update)|output|prepare|trace_run|swevent|misc|adjust|log|sample)|"
  r"__perf_event_|trace_(event_|buffer|call|array)|ring_buffer_|tracing_|event_(trigger|hist|enable)|"
  r"filter_|hist_|trigger_|irq_work|trace(on|off)_|snapshot_|stacktrace_)")
# One for each event there is; and what only files of tracefs call.
OTHER = re.compile(
  r"^(trace_event_(raw_event|get_offsets)|perf_trace)_|(^|_)(parse|print|show|write|read|open|release|init|register|"
  r"unregister|alloc|free|create|destroy|format|seq|debug|reset|resize|swap|iter|map|dump|sort|str|err)(_|$)")

TRIGGERS = ("enable_hist:sched:sched_switch", "enable_event:sched:sched_waking:9999999", "stacktrace",
            "stacktrace:100", "traceon", "snapshot", "hist:keys=common_pid",
            "hist:keys=common_pid:vals=hitcount:sort=hitcount if common_pid > 1")


def events_of_a_trap(lab):
  """What there is of them, and another that comes beside."""
  there = lab.run(f"ls -d {TRACING}/events/notifier/notifier_run", check=False)
  own = "notifier/notifier_run" if there.startswith(TRACING) else "ftrace/function"
  return own, "sched/sched_switch"


def sample(lab, events):
  for mode in ("full", "overwritten", "backward"):
    lab.run(f"/tmp/perf-ring 1 {mode} 1 {' '.join(events)}", timeout=60)


def record(lab, events):
  """With every trigger in turn, a filter, and stacks; ftrace/function has none of these."""
  for event in [event for event in events if event.split("/")[0] != "ftrace"]:
    folder = f"{TRACING}/events/{event}"
    for trigger in TRIGGERS:
      lab.run(f"cd {folder} && echo '{trigger}' >trigger && usleep 200000 && echo '!{trigger}' >trigger", timeout=60)
    lab.run(f"cd {folder} && echo 'common_pid > 1 && common_pid != 3' >filter && echo 1 >enable && usleep 300000 && "
            f"echo 1 >{TRACING}/options/stacktrace && usleep 100000 && echo 0 >{TRACING}/options/stacktrace && "
            "echo 0 >enable && echo 0 >filter", timeout=60)


def the_machine_lives(lab):
  log = log_end(lab)
  be_patient(lab)
  lab.push(os.path.join(BUILD, "tests", "lab", "programs", "perf-ring"), "/tmp/perf-ring")
  lab.gilk("doctor", "--load")
  before = lab.text_sum()
  events = events_of_a_trap(lab)
  points = [p for name, some in sorted(all_points(lab).items())
            if TAKES_EVENTS.match(name) and not OTHER.search(name) for p in some if p.where == "pre"]
  with tempfile.TemporaryDirectory() as folder:
    plan = os.path.join(folder, "guards.plan")
    write_hooks(plan, [(point, "trap", "count") for point in points])
    run = Run(lab, os.path.join(folder, "guards.gilk"), plan, "--for", "10m")
    try:
      lab.wait_armed(len(points), 180)
      sample(lab, events)
      record(lab, events)
      expect(run.stop() == 0, f"gilk run failed: {run.output}")
    finally:
      if run.process.poll() is None:
        run.kill()
    hit = [hook for hook in run.report()["hooks"] if hook["hits"]]
  lab.wait_clean()
  wait_for("text is as before", lambda: lab.text_sum() == before, 30)
  expect(len(hit) > 100, f"only {len(hit)} of {len(points)} hooks were hit")
  said = complaints(lab, log)
  expect(not said, f"the kernel said: {said[:3]}")
  return f"{len(points)} traps, {len(hit)} of them hit {sum(h['hits'] for h in hit)} times, by {events[0]}"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: guards.py FLAVOUR   (e.g. 6.12)")
  sys.exit(on_own_lab("guards", sys.argv[1], [the_machine_lives]))
