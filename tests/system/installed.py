#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
installed - the packages on a whole distribution, from apt to the first graph

usage: installed.py LAB

The commands are the README's, and nothing but the packages of lab/deb is there: DKMS builds the driver
for the kernel that runs, polkit asks for a password, the desktop file starts the workbench, and the pipeline
study is the one that the packages carry for autopkgtest. Before it, out/packages must have been
built: lab/deb build debian12 debian13.
"""
import glob
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Failure, ROOT, Run, expect, main, wait_for
from gilksystem import arguments
from local import asked, polkit_records_for_who_authenticates

OURS = ("gilk", "gilk-workbench", "gilkd", "ilk-dkms", "gilk-instruments-dkms")
WHERE = "/root/packages"
# An emulated processor compiles for 20 minutes what a real one does in some ten seconds.
BUILD_SECONDS = 3600
GRAPH = "gilk cfg pipe_read --target local"
# What a desktop does when its icon is clicked.
CLICKED = ("Xvfb :7 -screen 0 1280x800x24 -noreset >/dev/null 2>&1 & x=$!; sleep 3; export DISPLAY=:7; "
           "dbus-run-session -- sh -c 'gtk-launch org.gilk.Workbench & "
           "timeout 120 xdotool search --sync --onlyvisible --name Gilk getwindowname; pkill gilk-workbench'; "
           "code=$?; kill $x; exit $code")


def packages(release):
  found = sorted(glob.glob(os.path.join(ROOT, "out", "packages", release, "*.deb")))
  if len(found) != len(OURS):
    raise Failure(f"there are {len(found)} packages; build them: lab/deb build {release}")
  return found


def release_of(system):
  number = system.run(". /etc/os-release; echo $VERSION_ID").strip()
  return f"debian{number}"


def apt_installs_them(system):
  system.tar({f"{WHERE[1:]}/{os.path.basename(path)}": path for path in packages(release_of(system))})
  began = time.monotonic()
  # All they want is in the image; there is no way out of a lab.
  system.run(f"cd {WHERE} && DEBIAN_FRONTEND=noninteractive apt-get install -qy "
             f"--no-install-recommends ./*.deb", timeout=BUILD_SECONDS)
  seconds = time.monotonic() - began
  kernel = system.run("uname -r").strip()
  status = system.run("dkms status")
  for module in ("ilk", "gilk-instruments"):
    expect(any(line.startswith(module) and kernel in line and "installed" in line for line in status.splitlines()),
           f"DKMS: {status}")
  return f"{kernel}: {seconds:.0f} s on an emulated processor"


def first_graph_through_polkit(system):
  code, said = asked(system, "gilk doctor --target local --load", "user")
  expect(code == 0, f"gilk doctor: {said}")
  code, said = asked(system, GRAPH, "user")
  expect(code == 0 and "block" in said, f"gilk cfg: {said}")
  return polkit_records_for_who_authenticates(system)


def first_run_through_ssh(system):
  """From this machine: its agent is the package's."""
  session = os.path.join(system.work.name, "s.gilk")
  run = Run(system, session, "--hook", "vfs_read@entry:pre:count", "--for", "2s")
  expect(run.wait(300) == 0, f"gilk run failed: {run.output}")
  found = run.report()["hooks"][0]["hits"]
  expect(found > 0, "nothing was counted")
  return f"{found} hits"


def desktop_file_starts_the_workbench(system):
  code, said = system.desktop(CLICKED, timeout=300)
  expect("Gilk" in said, f"no window: {code} {said}")
  return said.splitlines()[-1]


def pipeline_study_of_the_packages(system):
  system.tar({"root/pipeline": os.path.join(ROOT, "debian", "tests", "pipeline")})
  said = system.run("cd /root && AUTOPKGTEST_TMP=$(mktemp -d) sh ./pipeline 2>&1", timeout=900)
  return said.strip().splitlines()[-1]


def purge_leaves_nothing(system):
  system.run(f"rmmod ilk 2>/dev/null; DEBIAN_FRONTEND=noninteractive apt-get purge -qy {' '.join(OURS)}", timeout=900)
  left = system.run("find / -xdev \\( -path /proc -o -path /root -o -path /var/lib/apt -o -path /var/lib/dpkg -o "
                    "-path /var/log -o -path /var/cache -o -path /tmp -o -path /run \\) -prune -o "
                    "\\( -iname '*gilk*' -o -name 'ilk*.ko*' \\) -print", check=False).split()
  expect(not left, f"it leaves {left}")
  wait_for("the agent is gone", lambda: not system.run("pgrep gilkd", check=False).strip(), 30)


if __name__ == "__main__":
  here = arguments()[0]
  try:
    packages(release_of(here))
  except (Failure, subprocess.SubprocessError) as problem:
    sys.exit(f"installed: {problem}")
  sys.exit(main([apt_installs_them, first_graph_through_polkit, first_run_through_ssh,
                 desktop_file_starts_the_workbench, pipeline_study_of_the_packages, purge_leaves_nothing], here))
