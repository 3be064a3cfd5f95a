#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
locals LAB [--debug FOLDER] - debug data of a real kernel: what they place, what that takes, and that it is true

Without --debug the package linux-image-RELEASE-dbg is fetched into a folder that goes at the end (some 300 MB for a
cloud kernel, three times as much for another).
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, Lab, Run, expect, main

FUNCTIONS = ["pipe_write", "pipe_read", "vfs_write", "tcp_ack", "tcp_rcv_established", "ext4_map_blocks"]
BYTES, COUNT = 5113, 40

DEBUG = None


def fetch(release, folder):
  """The package, unpacked. Returns: where it is."""
  subprocess.run(["apt-get", "download", f"linux-image-{release}-dbg"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
  package = next(name for name in os.listdir(folder) if name.endswith(".deb"))
  subprocess.run(["dpkg-deb", "-x", package, "tree"], cwd=folder, check=True)
  os.remove(os.path.join(folder, package))
  return os.path.join(folder, "tree", "usr", "lib", "debug")


def listing(lab, *words):
  begin = time.monotonic()
  done = subprocess.run([GILK, "cfg", "pipe_write", "--target", lab.target, *words], stdout=subprocess.PIPE, text=True, check=True)
  return time.monotonic() - begin, done.stdout


def lines_are_there(lab):
  listing(lab)
  without, _ = listing(lab)
  took, said = listing(lab, "--lines", "--debug", DEBUG)
  lines = set(re.findall(r"fs/pipe\.c:(\d+)", said))
  inlined = set(re.findall(r" in (\w+), from fs/pipe\.c", said))
  expect(len(lines) > 30 and inlined, f"{len(lines)} lines, inlined: {inlined}")
  return f"pipe_write: {len(lines)} lines, {len(inlined)} functions inlined; {took:.2f} s, {without:.2f} s without"


def what_is_placed(lab):
  release = lab.run("uname -r").strip()
  kernel = next(path for path in (os.path.join(DEBUG, "boot", f"vmlinux-{release}"), os.path.join(DEBUG, "lib", "modules", release, "vmlinux"))
                if os.path.exists(path))
  sizes = {}
  for line in subprocess.run(["nm", "-S", kernel], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
    words = line.split()
    if len(words) == 4 and words[3] in FUNCTIONS:
      sizes[words[3]] = int(words[1], 16)
  asked = [f"{name}:{sizes[name]}" for name in FUNCTIONS if name in sizes]
  done = subprocess.run([os.path.join(BUILD, "tests", "bench", "debug-locals"), kernel, *asked], stdout=subprocess.PIPE, text=True, check=True)
  for line in done.stdout.splitlines():
    figures = dict(word.split("=") for word in line.split())
    kinds = {kind: int(figures[kind]) for kind in ("value", "memory", "gone", "parts", "computed")}
    there = sum(kinds.values()) - kinds["gone"]
    share = 100 * (kinds["value"] + kinds["memory"]) / max(there, 1)
    print(f"# {figures['function']}: {share:.1f} % of what is not optimized out has a place ({kinds}); first {figures['first_ms']} ms, "
          f"all {figures['bytes']} bytes {figures['all_ms']} ms, {int(figures['kib']) // 1024} MiB", flush=True)
    expect(share > 50, line)
    expect(int(figures["first_ms"]) < 5000, line)


def locals_are_true(lab):
  """What is copied into a pipe, by the local that holds it: behind copy_page_from_iter()."""
  said = listing(lab, "--debug", DEBUG)[1]
  behind = said[said.index("call     copy_page_from_iter"):]
  offset = re.search(r"\n +(\+0x[0-9a-f]+)  ", behind).group(1)
  with tempfile.TemporaryDirectory() as folder:
    run = Run(lab, os.path.join(folder, "locals.gilk"), "--debug", DEBUG, "--hook",
              f"pipe_write{offset}:at {{ sample(pid, copied, filp) }}",
              "--for", "10m")
    lab.wait_armed(1)
    pid = lab.run(f"sh -c 'dd if=/dev/zero bs={BYTES} count={COUNT} 2>/dev/null & echo $!; wait' | tr -d '\\0' | head -n 1").strip()
    expect(run.stop() == 0, f"gilk run failed: {run.output}")
    done = subprocess.run([GILK, "export", "--csv", run.session, "--if", f"pid == {pid}"], stdout=subprocess.PIPE, text=True, check=True)
  rows = [line.split(",") for line in done.stdout.splitlines()]
  column = rows[0].index("copied")
  copies = [int(row[column]) for row in rows[1:]]
  # The rest of a page may go into the page before, by another call than the one that is hooked.
  rest = BYTES % 4096
  merged = COUNT - copies.count(rest)
  expect(set(copies) == {4096, rest}, f"copies of {set(copies)} bytes")
  expect(copies.count(4096) == COUNT * (BYTES // 4096) and sum(copies) + merged * rest == BYTES * COUNT,
         f"{sum(copies)} bytes copied, {BYTES * COUNT} written, {merged} rests elsewhere")
  return f"{sum(copies)} bytes in {len(copies)} copies, {merged} rests by the other call"


def soak():
  global DEBUG
  parser = argparse.ArgumentParser()
  parser.add_argument("lab")
  parser.add_argument("--debug")
  options = parser.parse_args()
  lab = Lab(options.lab)
  with tempfile.TemporaryDirectory() as folder:
    DEBUG = options.debug or fetch(lab.run("uname -r").strip(), folder)
    return main([lines_are_there, what_is_placed, locals_are_true], lab)


if __name__ == "__main__":
  sys.exit(soak())
