# SPDX-License-Identifier: GPL-2.0-or-later
"""
gilksystem - what tests on whole distributions share: ssh, gilk inside, a desktop session

A system is a lab that "lab/lab boot RELEASE --system" started. Its target is ssh, with a
configuration of the test's own: gilk calls the user's ssh by its name, so one that is told
where to read comes first in PATH.
"""
import argparse
import io
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile

from gilklab import BUILD, GILK, PATIENCE, Lab, expect, folder_of

LIBEXEC = "usr/local/libexec/gilk"
SUDOERS = "/etc/sudoers.d/gilk-test"
SSH = "/usr/bin/ssh"


class System(Lab):
  """A whole distribution that is up."""

  def __init__(self, name, user="root"):
    super().__init__(name)
    self.folder = folder_of(self)
    with open(os.path.join(self.folder, "system"), encoding="utf-8") as file:
      self.release = file.read().strip()
    self.work = tempfile.TemporaryDirectory(prefix="gilk-system-")
    self.config = os.path.join(self.work.name, "config")
    self.target = f"ssh:{user}-of-lab"
    for who in ("root", "user"):
      self.host(f"{who}-of-lab", User=who)
    path = os.path.join(self.work.name, "ssh")
    with open(path, "w", encoding="utf-8") as file:
      file.write(f"#!/bin/sh\nexec {SSH} -F {shlex.quote(self.config)} \"$@\"\n")
    os.chmod(path, 0o755)
    os.environ["PATH"] = f"{self.work.name}:{os.environ['PATH']}"

  def port(self):
    with open(os.path.join(self.folder, "ssh_config"), encoding="utf-8") as file:
      return next(line.split()[1] for line in file if line.split()[0] == "Port")

  def host(self, name, **options):
    """One more host in the test's own configuration: this system, but for the options."""
    said = {"HostName": "127.0.0.1", "Port": self.port(), "User": "root",
            "IdentityFile": os.path.join(self.folder, "key"), "IdentitiesOnly": "yes",
            "UserKnownHostsFile": os.path.join(self.folder, "known_hosts"),
            "StrictHostKeyChecking": "yes", "BatchMode": "yes", "ConnectTimeout": "60", **options}
    with open(self.config, "a", encoding="utf-8") as file:
      file.write(f"Host {name}\n" + "".join(f"  {key} {value}\n" for key, value in said.items()))
    return f"ssh:{name}"

  def tar(self, files):
    """FILES, of this machine by their path there, all of them root's."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
      for to, path in files.items():
        info = tar.gettarinfo(path, to)
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mode = 0o755 if info.mode & 0o111 else 0o644
        with open(path, "rb") as file:
          tar.addfile(info, file)
    subprocess.run([self.PROGRAM, "exec", self.name, "-i", "--", "tar -x -C / --no-overwrite-dir"],
                   input=raw.getvalue(), check=True)

  def modules(self):
    """The folder with the driver's modules for this system's kernel."""
    done = subprocess.run([self.PROGRAM, "build", self.release], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()

  def install_agent(self, *, modules=True):
    """gilkd, its policy and the driver, as "meson install" would put them there."""
    files = {f"{LIBEXEC}/gilkd": os.path.join(BUILD, "agent", "gilkd"),
             "usr/share/polkit-1/actions/org.gilk.policy": os.path.join(BUILD, "data", "org.gilk.policy")}
    if modules:
      kernel = self.run("uname -r").strip()
      where = self.modules()
      files |= {f"usr/lib/gilk/modules/{kernel}/{file}": os.path.join(where, file)
                for file in os.listdir(where) if file.startswith("ilk")}
    self.tar(files)

  def install_client(self):
    """gilk, with those of its libraries that another release has not."""
    self.tar({"usr/local/bin/gilk": GILK})
    own = dict(line.split(" => ") for line in
               subprocess.run(["ldd", GILK], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.split("\n\t") if " => " in line)
    missing = [line.split()[0] for line in self.run("ldd /usr/local/bin/gilk", check=False).splitlines()
               if "not found" in line]
    self.tar({f"usr/local/lib/{name}": os.path.realpath(own[name].split()[0])
              for name in missing if name in own})
    self.run("ldconfig")
    self.run("gilk --version")

  def sudo(self, allowed):
    """Lets the desktop user start the agent without a password, or not."""
    self.run(f"echo 'user ALL=(root) NOPASSWD: ALL' >{SUDOERS}" if allowed else f"rm -f {SUDOERS}")

  def desktop(self, command, timeout=300, **env):
    """Runs a shell command as the desktop user in the local session; code and output."""
    words = " ".join(f"{key}={shlex.quote(value)}" for key, value in env.items())
    done = subprocess.run([self.PROGRAM, "exec", self.name, "-t", str(timeout * PATIENCE), "--",
                           f"{words} desktop sh -c {shlex.quote(command)}"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.strip()


def refused(target, *words):
  """What gilk says of a target that cannot be reached, all of WORDS in it; one sentence."""
  done = subprocess.run([GILK, "status", "--numeric", "--target", target], text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120 * PATIENCE,
                        check=False)
  said = done.stdout.strip()
  expect(done.returncode != 0, f"{target} was reached: {said}")
  check_sentence(said, *words)
  return said


def check_sentence(said, *words):
  """One line, a cause and a remedy: it is for a person."""
  expect(len(said.splitlines()) == 1, f"not one line: {said}")
  missing = [word for word in words if word not in said]
  expect(not missing, f"{missing} not in: {said}")


def arguments():
  """The system that is to be tested, and how often what is done in rounds."""
  parser = argparse.ArgumentParser(description="A test on a whole distribution.")
  parser.add_argument("lab", help="a system that is up, e.g. debian13-system")
  parser.add_argument("--rounds", type=int, default=3)
  given = parser.parse_args()
  try:
    return System(given.lab), given.rounds
  except FileNotFoundError:
    sys.exit(f"The lab {given.lab} is no system. Boot one: lab/lab boot debian13 --system")
