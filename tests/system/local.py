#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
local - the own kernel of a desktop user, by sudo and by polkit

usage: local.py LAB

gilk runs in the system, as the desktop user in the session that is local and active. polkit
asks for a password through its own agent for terminals, which a pseudo terminal answers.
What there is not, is said in one sentence with what mends it.
"""
import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import expect, main
from gilksystem import arguments, check_sentence

DISPLAY = ":0"          # nobody draws on it: that there is one means that a desktop may ask
STATUS = "gilk status --numeric --target local"
FORGET = "rm -f /tmp/l.gilk*"
RECORD = ("gilk run --quiet --target local --for 2s -o /tmp/l.gilk "
          "--hook vfs_read@entry:pre:count --hook pipe_write@entry:pre:stamp")

# The agent has to be there before pkexec asks, so what asks waits, under the same PID.
ASKED = """
rm -rf ~/ask; mkdir ~/ask; cd ~/ask; mkfifo go keys
(echo $BASHPID >pid; read go <go; exec sh -c %(command)s) >said 2>&1 &
asking=$!
while [ ! -s pid ]; do sleep 0.1; done
sleep 600 >keys & held=$!
setsid script -qfc "pkttyagent --process $(cat pid)" seen <keys >/dev/null 2>&1 & agent=$!
sleep 3; echo >go
i=0; while ! grep -qi 'password' seen && kill -0 $asking 2>/dev/null && [ $i -lt 600 ]; do
  sleep 0.2; i=$((i + 1)); done
grep -qi 'password' seen && echo %(password)s >keys
wait $asking; code=$?
kill $held; pkill -u user pkttyagent; cat said; exit $code
"""


def hits(system):
  """Of each hook, in the session that was just recorded there."""
  code, said = system.desktop("gilk report --json /tmp/l.gilk")
  expect(code == 0, f"gilk report: {said}")
  return [hook["hits"] for hook in json.loads(said)["hooks"]]


def asked(system, command, password):
  """COMMAND, which polkit asks a password for: code and output."""
  script = ASKED % {"command": shlex.quote(f"exec {command}"), "password": password}
  return system.desktop(f"bash -c {shlex.quote(script)}", DISPLAY=DISPLAY)


def away(system, *programs):
  system.run("; ".join(f"mv /usr/bin/{p} /usr/bin/{p}.away" for p in programs))


def back(system):
  system.run("for f in /usr/bin/*.away; do [ ! -e $f ] || mv $f ${f%.away}; done")


def says(system, command, *words, **env):
  code, said = system.desktop(command, **env)
  expect(code != 0, f"it went well: {said}")
  check_sentence(said, *words)


def without(programs, *words, **env):
  """A test: what gilk says where PROGRAMS are not installed."""
  def test(system):
    away(system, *programs)
    try:
      says(system, STATUS, *words, **env)
    finally:
      back(system)
  test.__name__ = f"no_{'_and_no_'.join(programs)}{'_on_a_desktop' if env else ''}"
  return test


def sudo_records(system):
  system.run(FORGET)
  system.sudo(True)
  try:
    code, said = system.desktop(RECORD)
    expect(code == 0, f"gilk run: {said}")
    found = hits(system)
  finally:
    system.sudo(False)
  expect(len(found) == 2 and found[0] > 0, f"hits are {found}")
  return f"{found[0]} hits"


def sudo_wants_a_password(system):
  says(system, STATUS, "sudo asks for a password", "sudo -v")


def polkit_records_for_who_authenticates(system):
  system.run(FORGET)
  code, said = asked(system, RECORD, "user")
  expect(code == 0, f"gilk run: {said}")
  found = hits(system)
  expect(len(found) == 2 and found[0] > 0, f"hits are {found}")
  return f"{found[0]} hits"


def polkit_refuses_a_wrong_password(system):
  code, said = asked(system, STATUS, "wrong")
  expect(code != 0, f"it went well: {said}")
  check_sentence(said, "polkit does not allow you to start the agent", "authenticate as an administrator")


def no_polkit_agent(system):
  says(system, STATUS, "no polkit authentication agent runs", "sudo -v", DISPLAY=DISPLAY)


def polkit_is_down(system):
  system.run("systemctl mask --now polkit 2>&1")
  try:
    says(system, STATUS, "pkexec cannot reach polkit", "apt install polkitd", DISPLAY=DISPLAY)
  finally:
    system.run("systemctl unmask polkit && systemctl start polkit")


if __name__ == "__main__":
  here = arguments()[0]
  here.install_agent()
  here.install_client()
  sys.exit(main([sudo_records, sudo_wants_a_password, polkit_records_for_who_authenticates,
                 polkit_refuses_a_wrong_password, no_polkit_agent, polkit_is_down,
                 without(["sudo"], "only on a desktop", "sudo is not installed"),
                 without(["pkexec"], "sudo -v", DISPLAY=DISPLAY),
                 without(["sudo", "pkexec"], "neither pkexec nor sudo was found", "apt install pkexec")], here))
