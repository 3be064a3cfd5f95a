#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
signing - kernels that take no module of ours say so by name, and so does gilk

usage: signing.py LAB

Systems of their own, of the release of LAB, are booted with signatures enforced, with each
kind of lockdown, and by firmware with Secure Boot, by which Debian's kernels lock themselves
down. A module whose signer is not known is refused as one without.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, Lab, expect, main
from gilksystem import System, arguments, check_sentence

ENFORCED = "module.sig_enforce=1"


class Booted:
  """A system booted with OPTIONS, and the agent in it, while the block runs."""

  def __init__(self, system, *options):
    self.lab = Lab(f"{system.name}-locked")
    self.release = system.release
    self.options = options

  def __enter__(self):
    self.lab.boot(self.release, "--system", *self.options)
    system = System(self.lab.name)
    system.install_agent()
    return system

  def __exit__(self, kind, value, trace):
    self.lab.stop()


def refusal(system, *words):
  """What gilk says when the driver is to be loaded; all WORDS in its one sentence."""
  done = subprocess.run([GILK, "run", "--quiet", "--target", system.target, "--for", "1s", "-o",
                         os.path.join(system.work.name, "no.gilk"), "--hook", "vfs_read@entry:pre:count"],
                        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
  expect(done.returncode != 0, f"a run went well: {done.stdout}")
  check_sentence(done.stdout.strip(), *words)


def doctor(system, name, value, *words):
  """What gilk doctor says of NAME, before anything fails."""
  answer = system.gilk("doctor", check=False)
  expect("checks" in answer, f"gilk doctor: {answer}")
  check = next((c for c in answer["checks"] if c["check"] == name), None)
  expect(check is not None, f"gilk doctor does not speak of {name}")
  expect(check["state"] == "bad" and value in check["value"], f"gilk doctor: {check}")
  missing = [word for word in words if word not in (check["remedy"] or "")]
  expect(not missing, f"{missing} not in: {check['remedy']}")


def unsigned_is_refused(system):
  with Booted(system, "--append", ENFORCED) as enforced:
    doctor(enforced, "signatures", "only signed", "module.sig_enforce")
    refusal(enforced, "only signed modules", "ilk.ko", "gilk doctor")
    foreign_signature(enforced)


def foreign_signature(system):
  """Signed, but by somebody the kernel does not know; how, is the kernel's own way."""
  system.run("cd /root && openssl req -new -x509 -newkey rsa:2048 -nodes -keyout key.pem -outform DER "
             "-out key.der -subj /CN=Stranger -days 2 2>/dev/null && "
             "for file in /usr/lib/gilk/modules/*/ilk.ko; do "
             "/usr/lib/linux-kbuild-*/scripts/sign-file sha256 key.pem key.der $file; "
             "modinfo -F signer $file | grep Stranger; done")
  refusal(system, "only signed modules", "a key that it trusts")


def lockdown_of_integrity_is_refused(system):
  with Booted(system, "--append", "lockdown=integrity") as locked:
    doctor(locked, "lockdown", "integrity", "command line", "lockdown=")
    refusal(locked, "locked down (integrity)", "without lockdown=")


def lockdown_of_confidentiality_is_refused(system):
  with Booted(system, "--append", "lockdown=confidentiality") as locked:
    doctor(locked, "lockdown", "confidentiality", "command line", "lockdown=")
    refusal(locked, "locked down (confidentiality)", "without lockdown=")


def secure_boot_is_refused(system):
  with Booted(system, "--secure-boot") as secure:
    said = secure.run("cat /sys/kernel/security/lockdown")
    expect("[integrity]" in said, f"Secure Boot has not locked the kernel down: {said}")
    doctor(secure, "lockdown", "integrity", "Secure Boot", "turn off the validation of Secure Boot")
    refusal(secure, "locked down (integrity)", "without Secure Boot")


if __name__ == "__main__":
  sys.exit(main([unsigned_is_refused, lockdown_of_integrity_is_refused,
                 lockdown_of_confidentiality_is_refused, secure_boot_is_refused], arguments()[0]))
