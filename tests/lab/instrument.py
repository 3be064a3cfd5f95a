#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
instrument - one of a user's own, from the template to its first samples

Made, built for this lab's kernel, loaded, hit and taken out by the commands that a user has; one that does not
compile, and one that is never hit, are told by name and leave nothing behind.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import GILK, PATIENCE, expect, lab_of_arguments, main

NAME = "own-bytes"
FOLDER = tempfile.TemporaryDirectory()
CODE = os.path.join(FOLDER.name, NAME, f"{NAME}.c")


def instrument(lab, *words):
  return subprocess.run([GILK, "instrument", *words, "--target", lab.target], cwd=FOLDER.name, text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300 * PATIENCE)


def expect_nothing_left(lab):
  left = lab.run(f"grep ^ilk_own_bytes /proc/modules; ls /usr/lib/gilk/modules/*/ilk-{NAME}.ko 2>/dev/null; true").strip()
  expect(not left, f"the lab still has {left}")
  lab.wait_clean()


def from_the_template_to_its_first_samples(lab):
  made = instrument(lab, "new", NAME)
  expect(made.returncode == 0, made.stdout)
  before = lab.text_sum()
  tried = instrument(lab, "test", NAME)
  expect(tried.returncode == 0, tried.stdout)
  # HOOK POINT INSTRUMENT TACTIC HITS STORED ..
  row = next(words for words in map(str.split, tried.stdout.splitlines()) if len(words) > 5 and words[2] == NAME)
  expect(int(row[5]) > 0, f"no sample: {row}")
  expect_nothing_left(lab)
  expect(lab.text_sum() == before, "text differs")
  return f"{row[5]} samples"


def one_that_is_never_hit(lab):
  tried = instrument(lab, "test", NAME, "--hook", "do_coredump|vfs_coredump@entry:pre", "--for", "1s")
  expect(tried.returncode != 0 and "made no sample" in tried.stdout, tried.stdout)
  expect_nothing_left(lab)


def one_that_does_not_compile(lab):
  with open(CODE, "a", encoding="ascii") as code:
    code.write("nonsense;\n")
  tried = instrument(lab, "test", NAME)
  expect(tried.returncode != 0 and f"{NAME}.c:" in tried.stdout and "error" in tried.stdout, tried.stdout)
  expect_nothing_left(lab)


if __name__ == "__main__":
  sys.exit(main([from_the_template_to_its_first_samples, one_that_is_never_hit, one_that_does_not_compile],
                lab_of_arguments()))
