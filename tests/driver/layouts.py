#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
layouts - a driver of other headers than the kernel's is refused by name, and nothing is changed

usage: layouts.py FLAVOUR

A kernel cannot be given other layouts, but the driver can be built for others: before the headers of the
kernel a folder is searched where one of them is changed. The drivers are loaded in a lab of its own, one
after the other. A run must say what differs, and the text must be as before.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import BUILD, GILK, expect
from gilkstorm import on_own_lab

CACHE = os.environ.get("GILK_CACHE", os.path.expanduser("~/.cache/gilk"))


def registers_swapped(text):
  """Unwind entries whose SP and BP have each other's numbers."""
  numbers = {name: re.search(rf"#define ORC_REG_{name}\s+(\d+)\n", text).group(1) for name in ("SP", "BP")}
  for name, other in (("SP", "BP"), ("BP", "SP")):
    text = re.sub(rf"(#define ORC_REG_{name}\s+)\d+\n", rf"\g<1>{numbers[other]}\n", text)
  return text


def warnings_longer(text):
  """Entries of the table of warnings with four bytes more."""
  begin = text.index("struct bug_entry {")
  return text[:begin] + re.sub(r"(\n\tunsigned short\s+flags;)", r"\n\tint strange;\1", text[begin:], count=1)


# header, what becomes of it, words of the refusal
LAYOUTS = [
  ("asm/orc_types.h", registers_swapped, "registers in unwind entries"),
  ("asm-generic/bug.h", warnings_longer, "bug table"),
]


class Builder:
  """Builds the driver for a kernel that a lab can boot."""

  def __init__(self, release, work):
    kernel = os.path.join(CACHE, "kernels", release)
    self.headers = os.path.join(kernel, "usr", "src", f"linux-headers-{release}")
    self.sources = os.path.join(BUILD, "lab", release, "src", "ilk")
    self.work, self.path = work, os.environ["PATH"]
    toolchain = os.path.join(kernel, ".toolchain")
    if os.path.exists(toolchain):
      with open(toolchain, encoding="utf-8") as file:
        self.path = f"{file.read().strip()}/usr/bin:{self.path}"

  def header(self, name):
    common = os.path.join(os.path.dirname(self.headers), "linux-headers-*-common")
    found = [path for path in glob.glob(f"{common}/arch/x86/include/{name}") + glob.glob(f"{common}/include/{name}")]
    expect(len(found) == 1, f"{name} is {found}")
    return found[0]

  def build(self, name, change):
    """Returns the driver's file."""
    include, folder = os.path.join(self.work, "include"), os.path.join(self.work, "ilk")
    for path in (include, folder):
      shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(self.sources, folder, ignore=lambda _, names: [n for n in names if not n.endswith((".c", ".h"))
                                                                   and not n.startswith("Kbuild")])
    with open(self.header(name), encoding="utf-8") as file:
      text = file.read()
    changed = change(text)
    expect(changed != text, f"{name} is as before")
    # With those beside it, which may name it without a folder.
    shutil.copytree(os.path.dirname(self.header(name)), os.path.join(include, os.path.dirname(name)))
    with open(os.path.join(include, name), "w", encoding="utf-8") as file:
      file.write(changed)
    done = subprocess.run(["make", "-C", self.headers, f"M={folder}", f"-j{os.cpu_count()}", "CONFIG_DEBUG_INFO_BTF_MODULES=",
                           f"NOSTDINC_FLAGS=-nostdinc -I{include}", "modules"],
                          env=dict(os.environ, PATH=self.path), capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"the driver does not build: {done.stderr[-2000:]}")
    return os.path.join(folder, "ilk.ko")


def refused_words(lab, session):
  """What a run says that arms nothing."""
  done = subprocess.run([GILK, "run", "--target", lab.target, "--hook", "vfs_read@entry:pre:count", "--for", "1s",
                         "-o", session], capture_output=True, text=True, timeout=600, check=False)
  expect(done.returncode != 0, f"{session}: the run says success: {done.stdout}")
  return done.stderr


def layouts_are_compared(lab):
  release = lab.run("uname -r").strip()
  before = lab.text_sum()
  with tempfile.TemporaryDirectory() as work:
    builder = Builder(release, work)
    for name, change, words in LAYOUTS:
      lab.push(builder.build(name, change), f"/lib/modules/{release}/extra/ilk.ko")
      said = refused_words(lab, os.path.join(work, f"{os.path.basename(name)}.gilk"))
      expect(words in said, f"{name}: {said}")
      lab.run("grep -qw ^ilk /proc/modules && rmmod ilk", check=False)
      expect(lab.text_sum() == before, f"{name}: the text is another one")
  return f"{len(LAYOUTS)} layouts"


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: layouts.py FLAVOUR   (6.1, 6.12, ...)")
  sys.exit(on_own_lab("layouts", sys.argv[1], [layouts_are_compared]))
