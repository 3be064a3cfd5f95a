#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
ktests - the kernel's own tests of kprobes and ftrace, with our hooks live

usage: ktests.py LAB [TEST...]      default: the folders kprobe and ftrace

They come from Debian's source package of the same series (lab/lab source). What a
test says without ilk on this boot it must also say with ilk loaded and hooks live
in the functions it uses: passed is passed, and what this small lab cannot run is
not counted as ours.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
# pylint: disable=wrong-import-position
from gilklab import Lab, Run, expect, main
from gilkweather import complaints, log_end

RESULT = re.compile(r"^\[\d+\] (.*?)\s*\[([A-Z]+)\]", re.M)

# What these tests probe and trace themselves, hooked behind the ftrace site.
HOOKED = ["kernel_clone", "vfs_read", "vfs_write", "do_sys_openat2", "schedule", "ksys_write",
          "vfs_open", "wake_up_new_task", "__x64_sys_openat", "do_exit"]


def series(lab):
  release = lab.run("uname -r").strip()
  return "6.12" if release.startswith("6.12.") else "6.1"


def push_tests(lab):
  source = subprocess.run([Lab.PROGRAM, "source", series(lab)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()
  with tempfile.NamedTemporaryFile(suffix=".tar") as tar:
    subprocess.run(["tar", "-C", os.path.join(source, "tools/testing/selftests"), "-cf", tar.name,
                    "ftrace"], check=True)
    lab.push(tar.name, "/tmp/ftrace.tar")
  lab.run("cd /tmp && rm -rf ftrace && tar xf ftrace.tar && rm ftrace.tar")


def results(lab, tests):
  """Outcome by test. The exit code says only that one was not PASS."""
  words = " ".join("test.d/" + test for test in tests)
  out = lab.run(f"cd /tmp/ftrace && ./ftracetest --logdir /tmp/ftrace/logs {words} 2>&1", check=False,
                timeout=3600)
  found = dict(RESULT.findall(out))
  expect(found, f"no test ran: {out[-400:]}")
  return found


def same_with_hooks(tests):
  def kernel_tests_say_the_same(lab):
    push_tests(lab)
    log = log_end(lab)
    alone = results(lab, tests)
    lab.gilk("doctor", "--load")
    before = lab.text_sum()
    points = {name: lab.gilk("survey", "--function", name, check=False) for name in HOOKED}
    hooks = [f"{name}@entry:pre:count" for name, found in points.items()
             if found.get("points") and found["points"][0]["pre"] != "refused"]
    with tempfile.TemporaryDirectory() as folder:
      words = [word for hook in hooks for word in ("--hook", hook)]
      run = Run(lab, os.path.join(folder, "ktests.gilk"), *words, "--for", "2h")
      try:
        lab.wait_armed(len(hooks), 300)
        together = results(lab, tests)
        expect(run.stop() == 0, f"gilk run failed: {run.output}")
      finally:
        if run.process.poll() is None:
          run.kill()
    lab.wait_clean()
    differ = [f"{name}: {alone.get(name)} alone, {together.get(name)} with hooks"
              for name in sorted(alone.keys() | together.keys()) if alone.get(name) != together.get(name)]
    expect(not differ, "; ".join(differ))
    expect(lab.text_sum() == before, "text is not as before")
    said = complaints(lab, log)
    expect(not said, f"the kernel said: {said[:3]}")
    counts = {word: list(alone.values()).count(word) for word in sorted(set(alone.values()))}
    return f"{len(hooks)} hooks, " + ", ".join(f"{n} {word}" for word, n in counts.items())
  return kernel_tests_say_the_same


if __name__ == "__main__":
  if len(sys.argv) < 2:
    sys.exit("usage: ktests.py LAB [TEST...]")
  sys.exit(main([same_with_hooks(sys.argv[2:] or ["kprobe", "ftrace"])], Lab(sys.argv[1])))
