#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
again - a kernel that was opened before says the same the second time, and modules that came or went are seen

What a boot told is kept (core/image/gilk-boot-cache.h), here in a folder of the test's own, and so is its text
(core/image/gilk-text-cache.h).
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, expect, lab_of_arguments, main

MODULE, FUNCTION = "gilk_clone", "gilk_clone_nap"
KEPT = {"functions", "jumps", "orc", "symbols", "text", "types"}
OF_ANY_MODULES = ("-types", "-text", "-orc", "-entries")


class Cache:
  def __init__(self, lab, home):
    self.lab, self.home = lab, home

  def files(self):
    """Their inodes by name: who writes one anew gives it another."""
    folder = os.path.join(self.home, "gilk", "boots")
    return {entry.name: entry.inode() for entry in os.scandir(folder)} if os.path.isdir(folder) else {}

  def boots(self):
    """Types are kept by the kernel's build, and what ends like OF_ANY_MODULES by the boot, whatever modules there are."""
    return {name.split("-")[0] for name in self.files() if not name.endswith(OF_ANY_MODULES)}

  def cfg(self, function):
    """Returns: (what gilk cfg said, or None if there is no such function; seconds)"""
    begin = time.monotonic()
    done = subprocess.run([GILK, "cfg", "--json", "--target", self.lab.target, function], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "XDG_CACHE_HOME": self.home})
    expect(done.returncode == 0 or function in done.stdout + done.stderr, f"gilk cfg: {done.stdout}{done.stderr}")
    return done.stdout if done.returncode == 0 else None, time.monotonic() - begin


def reports_agree(lab):
  with tempfile.TemporaryDirectory() as home:
    cache = Cache(lab, home)
    first, took = cache.cfg("vfs_read")
    files = cache.files()
    again = [cache.cfg("vfs_read") for _ in range(2)]
    expect(first and all(said == first for said, _ in again), "the graph is another one the second time")
    expect(len(cache.boots()) == 1, f"{len(cache.boots())} boots are kept")
    # Before Linux 6.5 the kernel tells the names of functions with ftrace sites alone, whose bytes are looked at.
    tells = lab.run("test -e /sys/kernel/tracing/available_filter_functions_addrs && echo yes", check=False).strip() == "yes"
    expect({name.split("-")[1] for name in files} == (KEPT if tells else KEPT | {"entries"}), f"kept {files}")
    expect(cache.files() == files, f"kept {files}, then written anew: {cache.files()}")
    share = min(seconds for _, seconds in again) / took
  return f"{took:.1f} s, then {100 * share:.0f} % of it"


def modules_are_seen(lab):
  with tempfile.TemporaryDirectory() as home:
    cache = Cache(lab, home)
    lab.run(f"rmmod {MODULE} 2>/dev/null", check=False)
    expect(cache.cfg(FUNCTION)[0] is None, f"there is {FUNCTION} without its module")
    lab.run(f"insmod /lib/modules/$(uname -r)/extra/{MODULE}.ko")
    try:
      came = [cache.cfg(FUNCTION)[0] for _ in range(2)]
    finally:
      lab.run(f"rmmod {MODULE}")
    expect(came[0] and came[0] == came[1], f"{FUNCTION} is not found, or is another one the second time")
    expect(cache.cfg(FUNCTION)[0] is None, f"there still is {FUNCTION}, and its module went")
    expect(len(cache.boots()) == 2, f"{len(cache.boots())} boots are kept, where a module came and went")
    types = [name for name in cache.files() if name.endswith("-types")]
    expect(len(types) == 1, f"types of one kernel are kept {len(types)} times")


if __name__ == "__main__":
  sys.exit(main([reports_agree, modules_are_seen], lab_of_arguments()))
