#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: a lost ssh connection disarms within its lease
"""
ssh - a kernel on another machine, through the user's own ssh

usage: ssh.py LAB [--rounds N]

A run as root, as a user with sudo, and through a jump host; what is refused, and with which
words; and connections that are cut in mid-run, on either side, or fall silent: text is as before within
seconds, and the session is whole up to the cut.
"""
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Run, expect, main, wait_for
from gilksystem import arguments, check_sentence, refused

RESTORED_SECONDS = 5.0
# The client takes what the agent sends each 20 ms, and commits some times a second.
FLUSH_SECONDS = 2.0
SAMPLED = "__x64_sys_getpgid@entry:pre:stamp"
HOOKS = [SAMPLED, "vfs_read@entry:pre:count", "pipe_write@entry:pre:count:clone",
         "do_getpgid@entry:post:count:bounce", "vfs_write@entry:pre:task:trap"]
PATCHES = "/sys/kernel/debug/ilk/patches"
CLOCK = "cut -d' ' -f1 /proc/uptime"
# Waits until nothing of ours is in text; the time then. A machine that is stuck ends it.
CLEAN = (f"i=0; while grep -qE 'trapped|armed|lending' {PATCHES} && [ $i -lt 1200 ]; "
         f"do sleep 0.05; i=$((i + 1)); done; {CLOCK}")


def words_of(hooks):
  return [word for hook in hooks for word in ("--hook", hook)]


def recorded(system, target):
  """A short run on TARGET counts; returns how many hits."""
  kept, system.target = system.target, target
  try:
    with tempfile.TemporaryDirectory() as folder:
      run = Run(system, os.path.join(folder, "r.gilk"), *words_of(HOOKS), "--for", "3s")
      expect(run.wait(120) == 0, f"gilk run failed: {run.output}")
      hits = [hook["hits"] for hook in run.report()["hooks"]]
  finally:
    system.target = kept
  expect(len(hits) == len(HOOKS) and hits[0] > 0 and hits[1] > 0, f"hits are {hits}")
  return f"{sum(hits)} hits"


def first_run_as_root(system):
  return recorded(system, system.target)


def run_as_a_user_with_sudo(system):
  system.sudo(True)
  try:
    return recorded(system, "ssh:user-of-lab")
  finally:
    system.sudo(False)


def run_with_an_address(system):
  target = f"ssh://root@127.0.0.1:{system.port()}"
  system.host("127.0.0.1")
  return recorded(system, target)


def run_through_a_jump_host(system):
  target = system.host("behind", ProxyJump="user-of-lab", Port=22,
                       HostKeyAlias=f"[127.0.0.1]:{system.port()}")
  return recorded(system, target)


def unknown_host_key_is_refused(system):
  refused(system.host("unknown", UserKnownHostsFile="/dev/null"), "host key of unknown", "\"ssh unknown\"")


def changed_host_key_is_refused(system):
  path = os.path.join(system.work.name, "changed")
  with open(os.path.join(system.folder, "key.pub"), encoding="utf-8") as key, \
       open(path, "w", encoding="utf-8") as file:
    file.write(f"[127.0.0.1]:{system.port()} {key.read()}")
  refused(system.host("changed", UserKnownHostsFile=path), "differs from the one that ssh knows",
          f'ssh-keygen -f "{path}" -R "[127.0.0.1]:{system.port()}"')


def key_is_refused(system):
  path = os.path.join(system.work.name, "other")
  subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
  refused(system.host("keyless", IdentityFile=path), "none of your ssh keys", "ssh-copy-id keyless")


def password_for_sudo_is_refused(system):
  system.sudo(False)
  refused("ssh:user-of-lab", "sudo asks for a password there", "ssh:root@user-of-lab", "NOPASSWD")


def no_sudo_there_is_refused(system):
  system.run("mv /usr/bin/sudo /usr/bin/sudo.away")
  try:
    refused("ssh:user-of-lab", "sudo is not installed on user-of-lab", "ssh:root@user-of-lab")
  finally:
    system.run("mv /usr/bin/sudo.away /usr/bin/sudo")


def no_agent_there_is_refused(system):
  where = system.run("dirname $(readlink -f /usr/local/libexec/gilk/gilkd)").strip()
  system.run(f"mv {where}/gilkd {where}/gilkd.away")
  try:
    refused(system.target, "gilkd is not installed on root-of-lab", "install")
  finally:
    system.run(f"mv {where}/gilkd.away {where}/gilkd")


def nobody_listens_is_refused(system):
  refused(system.host("silent", Port=1), "No ssh server answers on silent", "openssh-server")
  refused(system.host("nameless", HostName="no-such-host.invalid"), "cannot resolve the host name nameless")


class Cuts:
  """Connections that are cut; the sum of text without any hook is taken once."""

  def __init__(self, system):
    self.system = system
    system.gilk("doctor", "--load")
    self.before = system.text_sum()
    self.restored, self.lost = [], []

  def cut(self, run, side):
    """Returns the target's clock just before."""
    if side != "there":
      clock = float(self.system.run(CLOCK))
      # A program that is stopped keeps its connection open, and says nothing more on it.
      subprocess.run(["kill", "-KILL" if side == "here" else "-STOP", *self.ssh_of(run)], check=True)
      return clock
    return float(self.system.run(f"{CLOCK}; pkill -KILL -f '^sshd(-session)?: root@notty'"))

  def ssh_of(self, run):
    return subprocess.run(["pgrep", "-P", str(run.process.pid), "-x", "ssh"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.split()

  def judge(self, session, clock):
    """What was sampled is there, up to the cut, and all of it can be read."""
    for words in (["session", "verify"], ["report"]):
      done = subprocess.run([GILK, *words, session], capture_output=True, text=True, check=False)
      expect(done.returncode == 0, f"gilk {words[0]}: {done.stdout} {done.stderr}")
    with sqlite3.connect(f"file:{session}?mode=ro", uri=True) as db:
      expect(db.execute("pragma integrity_check").fetchone() == ("ok",), "the session is damaged")
      zero, reason = db.execute("SELECT zero_mono_ns, end_reason FROM run").fetchone()
      last = db.execute("SELECT max(last_ns) FROM chunk").fetchone()[0]
      patches = db.execute("SELECT count(*) FROM patch").fetchone()[0]
    expect(patches >= len(HOOKS), f"the journal has {patches} patches of {len(HOOKS)} hooks")
    expect(reason not in ("stopped", "time is up"), f"a run that was cut off ended: {reason}")
    self.lost.append(clock - (zero + (last or 0)) / 1e9)
    expect(self.lost[-1] < FLUSH_SECONDS, f"the last {self.lost[-1]:.1f} s of samples are lost")

  def round(self, side):
    with tempfile.TemporaryDirectory() as folder:
      run = Run(self.system, os.path.join(folder, "r.gilk"), *words_of(HOOKS), "--for", "10m")
      wait_for("hooks work", lambda: run.process.poll() is not None or
               int(self.system.run(f"grep -cE 'trapped|armed' {PATCHES}", check=False)) >= len(HOOKS))
      time.sleep(1.0)
      clock = self.cut(run, side)
      self.restored.append(float(self.system.run(CLEAN)) - clock)
      if side == "silent":
        subprocess.run(["kill", "-CONT", *self.ssh_of(run)], check=True)
      expect(run.wait(60) != 0, "gilk run says success though its connection was cut")
      said = [line for line in run.output.splitlines() if "onnection" in line]
      expect(said, f"the message does not tell: {run.output}")
      check_sentence(said[-1], "restored")
      expect(self.restored[-1] < RESTORED_SECONDS, f"restored after {self.restored[-1]:.1f} s")
      self.judge(run.session, clock)
    self.system.wait_clean()
    expect(self.system.text_sum() == self.before, "text differs after the connection was cut")


def cut_connections_leave_nothing(system):
  cuts = Cuts(system)
  for number in range(rounds):
    cuts.round(("here", "there", "silent")[number % 3])
  return (f"{rounds} cuts: restored after {max(cuts.restored):.2f} s at most, "
          f"{max(cuts.lost):.2f} s of samples lost at most")


if __name__ == "__main__":
  here, rounds = arguments()
  here.install_agent()
  here.tar({"usr/local/bin/calls": os.path.join(BUILD, "lab", "lab-calls")})
  load = here.background("while :; do calls -o getpgid -t 1 -n 500; sleep 0.02; done >/dev/null")
  code = main([first_run_as_root, run_as_a_user_with_sudo, run_with_an_address, run_through_a_jump_host,
               unknown_host_key_is_refused, changed_host_key_is_refused, key_is_refused,
               password_for_sudo_is_refused, no_sudo_there_is_refused, no_agent_there_is_refused,
               nobody_listens_is_refused, cut_connections_leave_nothing], here)
  here.run(f"kill {load}")
  sys.exit(code)
