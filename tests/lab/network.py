#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: packets at hooks are paired with those of tcpdump
"""
network - GILK's second case study: packets at the hooks beside tcpdump's, of the same run

Who saw a packet, and who did not, is told packet by packet; no time between packets at a hook
is nothing; what lies between packets, and how they pulse, is as tcpdump has it.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, ROOT, Run, expect, lab_of_arguments, main, wait_for

PLAN = os.path.join(ROOT, "data", "recipes", "network.plan")
SECONDS = 8
HOOKS = ["sent", "received", "ip", "tcp", "established"]
# A CPU of the emulator may be held up between a hook and the tap, so times between packets are
# not the same one by one; their distributions hardly notice. A quantile moves where few times are near it, so quantiles
# are compared only where nothing else runs (tests/soak/run matrix), not in a brief run.
KS_MOST = 0.05
QUANTILE_MOST = 0.10
# The same where nothing is between: tcpdump's stamp is taken right before ip_rcv() is called.
NEXT_TO_TAP = "ip"
# Requests a second of the clients that are paced: lines are at their multiples.
PACES = [45, 125]
# Decibels between the hook's spectrum and tcpdump's, of half the frequencies and of any: a line that stands out of one does of
# the other. Where the machine delays the clients, it delays packets between a hook and the tap as well; a line stands out by
# more than 3.
APART_MEDIAN, APART_MOST = 0.1, 1.0
APART_LATE_MEDIAN, APART_LATE_MOST = 0.5, 3.0
# Of a client's requests: where half are late its line is as high as the noise around it. That there is a line where
# the pace is kept, network-paced.py asks always, in a time that no host delays.
LATE_MOST = 0.25
# Seconds between hook and capture, at least; a CPU that stood still for longer made packets wait as long.
HELD_UP_LEAST = 0.1
# What is less likely than this is no chance.
CHANCE = 0.01
# Of packets, in the least that a busy machine leaves of the traffic.
INTERVALS_LEAST = 1000
# Of packets that wait for a socket in use the kernel joins some, which then come as one.
JOINED_MOST = 0.01


def background(lab, command):
  return lab.background(f"exec {command}")


def record(lab, folder, seconds):
  """Traffic from before the run until after it, and tcpdump from before the traffic until after it."""
  session, capture = (os.path.join(folder, name) for name in ("network.gilk", "network.pcap"))
  lab.command("install", lab.name, "tcpdump")
  lab.run("rm -f /tmp/test.*")
  tcpdump = background(lab, "tcpdump -i lo -n -s 96 -B 16384 -Z root --time-stamp-precision=nano "
                            "-w /tmp/test.pcap tcp port 7107 2>/tmp/test.log")
  wait_for("tcpdump listens", lambda: "listening" in lab.said("/tmp/test.log"))
  traffic = background(lab, "traffic -p 7107 600 >/tmp/test.traffic")
  try:
    run = Run(lab, session, PLAN, "--for", f"{seconds}s")
    expect(run.wait() == 0, f"gilk run failed: {run.output}")
  finally:
    lab.run(f"kill -INT {traffic}; while kill -0 {traffic} 2>/dev/null; do sleep 0.1; done; sleep 1; "
            f"kill -INT {tcpdump}; while kill -0 {tcpdump} 2>/dev/null; do sleep 0.1; done")
  lab.command("pull", lab.name, "/tmp/test.pcap", capture)
  words = lab.said("/tmp/test.log").split()
  dropped = int(words[words.index("dropped") - 2])
  said = lab.run("cat /tmp/test.traffic")
  segments = int(said.split()[-1])
  requests, late = re.search(r"client paced-125 requests (\d+) late (\d+)", said).groups()
  # A packet for a socket in use waits until it is not, which takes as long as a call whose thread lost its CPU.
  held_up = max(int(ns) for ns in re.findall(r"(?:held-up|in-use)-ns (\d+)", said)) / 1e9
  return session, capture, dropped, segments, int(late) / int(requests), held_up


def against(session, capture, *words):
  done = subprocess.run([GILK, "report", "--json", session, "--compare-capture", capture, *words],
                        stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)["compare_capture"]


def report(session):
  done = subprocess.run([GILK, "report", "--json", session], stdout=subprocess.PIPE, text=True, check=True)
  return json.loads(done.stdout)


def short_times(session, hook, most_ns):
  asked = ("SELECT count(*) FROM (SELECT t_ns - lag(t_ns) OVER (ORDER BY t_ns) AS d FROM samples_stamp "
           f"WHERE hook = '{hook}') WHERE d > 0 AND d <= {most_ns}")
  done = subprocess.run([GILK, "sql", session, asked], stdout=subprocess.PIPE, text=True, check=True)
  return int(done.stdout.split()[-1])


class Study:
  """One recording for all the tests."""
  seconds = SECONDS
  said = dropped = segments = order_ns = late = held_up = None
  short = {}                              # by hook: times above zero that are below the clock's bound

  @classmethod
  def of(cls, lab):
    if cls.said is None:
      with tempfile.TemporaryDirectory() as folder:
        session, capture, cls.dropped, cls.segments, cls.late, cls.held_up = record(lab, folder, cls.seconds)
        words = [word for hook in [NEXT_TO_TAP] + HOOKS for word in ("--hook", hook)]
        cls.said = against(session, capture, "--max-delay", f"{max(cls.held_up, HELD_UP_LEAST):.3f}s", *words)
        cls.order_ns = report(session)["clock"].get("order_error_ns", 0.0)   # one processor has nothing to put in order
        cls.short = {name: short_times(session, name, cls.order_ns) for name in HOOKS}
    return cls.said

  @classmethod
  def hooks(cls, lab):
    return {hook["hook"]: hook for hook in cls.of(lab)["hooks"]}


def both_saw_the_same_packets(lab):
  said = Study.of(lab)
  hooks = Study.hooks(lab)
  expect(sorted(hooks) == sorted(HOOKS), f"hooks {sorted(hooks)}")
  expect(Study.dropped == 0, f"tcpdump dropped {Study.dropped} packets, which this test does not expect")
  # The kernel's own count; a segment it found wrong would be in one and not in the other.
  expect(said["packets"] == Study.segments, f"{said['packets']} captured, {Study.segments} segments counted")
  for name, hook in hooks.items():
    expect(hook["lost"] == 0, f"{name}: {hook['lost']} samples lost")
    expect(hook["seconds"] > Study.seconds / 2, f"{name}: both watched for {hook['seconds']} s only")
    expect(hook["only_hook"] == 0, f"{name}: {hook['only_hook']} packets that the capture has not, {1000 * Study.held_up:.0f} ms held up")
    joined = JOINED_MOST * hook["matched"] if name == "established" else 0
    expect(hook["only_capture"] <= joined, f"{name}: {hook['only_capture']} packets not seen")
    expect(hook["matched"] == hook["intervals"]["packets"],
           f"{name}: {hook['matched']} of {hook['intervals']['packets']} packets matched")
  return (f"{hooks[NEXT_TO_TAP]['matched']} packets at each of {len(hooks)} hooks, {1000 * Study.held_up:.0f} ms "
          "held up at most")


def packets_pass_the_hooks_in_order(lab):
  hooks = Study.hooks(lab)
  after = [hooks[name]["delay_ns"] for name in HOOKS]
  expect(after == sorted(after) and len(set(after)) == len(after), f"medians {dict(zip(HOOKS, after))}")
  return f"{(after[-1] - after[0]) / 1000:.1f} us from the driver to the socket"


def by_chance(zero, short):
  """How likely it is that so many or more of all these are zero, if half of them are as a rule."""
  n = zero + short
  return sum(math.comb(n, k) for k in range(zero, n + 1)) / 2 ** n


def no_time_between_packets_of_a_processor_is_zero(lab):
  hooks = Study.hooks(lab)
  for name, hook in hooks.items():
    expect(hook["zero_on_one_cpu"] == 0, f"{name}: {hook['zero_on_one_cpu']} on one CPU")
    # Two processors may read the same from a counter that goes by steps, 10 ns on some machines. Such times
    # are no more likely than others that are too short for the clock to tell which packet was first. One
    # and none do not tell how likely they are.
    zero, short = hook["intervals"]["zero"], Study.short[name]
    expect(zero <= short or by_chance(zero, short) > CHANCE,
           f"{name}: {zero}, and {short} within the {Study.order_ns:.0f} ns that the clock tells")
  theirs = hooks[NEXT_TO_TAP]["capture"]["zero"]
  between = sum(h["intervals"]["zero"] for h in hooks.values())
  return (f"{sum(h['intervals']['intervals'] for h in hooks.values())} at the hooks, none on one processor, {between} "
          f"between two; tcpdump has {theirs}")


def no_time_between_packets_is_zero(lab):
  """For labs of one processor (network-onecpu.py)."""
  processors = lab.run("nproc").strip()
  expect(processors == "1", f"{processors} processors")
  hooks = Study.hooks(lab)
  for name, hook in hooks.items():
    zero, n = hook["intervals"]["zero"], hook["intervals"]["intervals"]
    expect(zero == 0, f"{name}: {zero} of {n}")
    expect(n >= INTERVALS_LEAST, f"{name}: {n} times between packets are no study")
  theirs = hooks[NEXT_TO_TAP]["capture"]["zero"]
  return f"{sum(hook['intervals']['intervals'] for hook in hooks.values())} at the hooks; tcpdump has {theirs}"


def distributions_are_near(lab):
  for name, hook in Study.hooks(lab).items():
    expect(hook["ks"] < KS_MOST, f"{name}: the distributions are {hook['ks']} apart")
  return f"D = {Study.hooks(lab)[NEXT_TO_TAP]['ks']:.4f} at {NEXT_TO_TAP}"


def quantiles_are_near(lab):
  for name, hook in Study.hooks(lab).items():
    for key in ("p10", "median", "p90", "p99"):
      ours, theirs = hook["intervals"][key], hook["capture"][key]
      expect(abs(ours - theirs) < QUANTILE_MOST * theirs, f"{name}: {key} {ours} s, tcpdump {theirs} s")
  return f"{len(HOOKS)} hooks"


def lines_are_where_the_clients_are_paced(lab):
  said = Study.of(lab)
  apart, most = said["spectra_difference_db"], said["spectra_difference_max_db"]
  bounds = (APART_LATE_MEDIAN, APART_LATE_MOST) if Study.late > LATE_MOST else (APART_MEDIAN, APART_MOST)
  expect(apart < bounds[0] and most < bounds[1], f"spectra {apart:.2f} dB apart, {most:.2f} at most")
  paced = [peak["hz"] for peak in said["peaks"]
           if any(abs(peak["hz"] - n * pace) < 1.5 for pace in PACES for n in range(1, 12))]
  expect(paced or Study.late > LATE_MOST,
         f"no line at a multiple of {PACES} Hz, but at {[peak['hz'] for peak in said['peaks']]}; {100 * Study.late:.0f} % late")
  for peak in said["peaks"]:
    expect(abs(peak["hook"] - peak["capture"]) < 0.25 * peak["hook"], f"at {peak['hz']} Hz: {peak}")
  return (f"lines at {', '.join(f'{hz:.0f}' for hz in paced) or 'no'} Hz, {100 * Study.late:.0f} % of the faster "
          f"client's requests late; spectra {apart:.2f} dB apart, {most:.2f} at most")


if __name__ == "__main__":
  tests = [both_saw_the_same_packets, packets_pass_the_hooks_in_order, no_time_between_packets_of_a_processor_is_zero,
           distributions_are_near, lines_are_where_the_clients_are_paced]
  sys.exit(main(tests if os.environ.get("GILK_BRIEF") else tests + [quantiles_are_near], lab_of_arguments()))
