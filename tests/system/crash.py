#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
crash - a kernel dies with hooks live, because a program of one says so, and its crash kernel's dump tells of each patch

usage: crash.py LAB

A system of its own, of the release of LAB, is booted with memory for a crash kernel; that is
the same kernel with the archive of a bare lab, whose command shells then read /proc/vmcore.
What is found there must be what the driver said before.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilkdump import patches_in
from gilklab import GILK, PIPE_READ, Lab, Run, expect, main, wait_for
from gilksystem import System, arguments

HOOKS = ("do_getpgid@entry:post:count:bounce", "vfs_read@entry:pre:count:splice",
         "vfs_write@entry:pre:count:trap", f"{PIPE_READ}@entry:pre:count:clone")
MEMORY = "1024"         # MiB: the dump is as large
# At the point of another hook, in the same patch; refused as long as there is no crash kernel.
BYTES = 5119            # nobody else reads as many
CRASH = f"vfs_read:entry:splice {{ if (count == {BYTES}) crash(\"found it\") }}"
INITRD = "/root/crash-initrd"
WORDS = "console=ttyS0 quiet loglevel=5 irqpoll nr_cpus=1 reset_devices no_timer_check gilk.lab=crash"


def load_crash_kernel(system):
  done = subprocess.run([system.PROGRAM, "initramfs", system.release], stdout=subprocess.PIPE,
                        text=True, check=True)
  system.push(done.stdout.strip(), INITRD)
  system.run(f"kexec -p /boot/vmlinuz-$(uname -r) --initrd={INITRD} --append='{WORDS}'")
  expect(system.run("cat /sys/kernel/kexec_crash_loaded").strip() == "1", "no crash kernel is loaded")


def ups(system):
  """How many kernels of this machine said that they are up."""
  with open(os.path.join(system.folder, "console.log"), "rb") as file:
    return file.read().count(b"gilk-lab: up")


def is_refused(system):
  done = subprocess.run([GILK, "run", "--target", system.target, "--for", "1s", "--allow-crash", "-o", os.path.join(system.folder, "no.gilk"),
                         "--hook", CRASH], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
  return done.returncode != 0 and "no-crash-kernel" in done.stdout


def console(system):
  with open(os.path.join(system.folder, "console.log"), encoding="utf-8", errors="replace") as file:
    return file.read()


def patches_are_in_the_dump(given):
  lab = Lab(f"{given.name}-crash")
  os.environ["GILK_LAB_MEMORY"] = MEMORY
  try:
    lab.boot(given.release, "--system", "--append", "crashkernel=256M")
    system = System(lab.name)
    system.install_agent()
    expect(is_refused(system), "a crash without a crash kernel was not refused")
    load_crash_kernel(system)
    with tempfile.TemporaryDirectory(dir=system.folder) as folder:
      words = [word for hook in (*HOOKS, CRASH) for word in ("--hook", hook)] + ["--allow-crash"]
      run = Run(system, os.path.join(folder, "c.gilk"), *words, "--for", "60m")
      system.wait_armed(len(HOOKS))
      told = {int(patch["site"], 16): patch for patch in system.hooks()}
      before = ups(system)
      system.background(f"sleep 1; dd if=/dev/zero of=/dev/null bs={BYTES} count=1")
      wait_for("the crash kernel is up", lambda: ups(system) > before, 120)
      path = os.path.join(folder, "vmcore")
      subprocess.run([system.PROGRAM, "pull", system.name, "/proc/vmcore", path], check=True)
      run.kill()
      expect("Kernel panic - not syncing: gilk: found it" in console(system), "the kernel said another last word")
      found = patches_in(path)
    expect(found is not None, "the driver was not found in the dump")
    sites = {p["site"]["addr"]: p for p in found.values() if p["site"]["form"] != "old"}
    expect(sites.keys() == told.keys(), f"in the dump {sites}, the driver said {told}")
    for site, patch in sites.items():
      expect(patch["tactic"] == told[site]["tactic"] and patch["state"] == "armed" and
             patch["site"]["old"] != patch["site"]["now"], f"{patch}, the driver said {told[site]}")
  finally:
    lab.stop()
    del os.environ["GILK_LAB_MEMORY"]
  return f"{len(sites)} patches"


if __name__ == "__main__":
  sys.exit(main([patches_are_in_the_dump], arguments()[0]))
