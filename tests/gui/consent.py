# SPDX-License-Identifier: GPL-2.0-or-later
# Promise: Consent: the workbench lists what a plan changes, and asks before it arms
"""consent.py LAB - a plan that changes what the kernel does asks first, in a dialog that lists what it would do"""
import sys

import fixtures
import suite
from workbench import has, in_lab, wait, walk

# The function is there on every kernel, and nothing calls it meanwhile.
PLAN = """[gilk-plan]
version=2
changes=yes
[program never]
code=if (pid == 1 && cpu == 4000) nullify(0)
[hook changes]
function=do_sys_openat2
anchor=entry
where=pre
program=never
stop=10m
"""


def armed(lab):
  return in_lab(lab, "cat /sys/kernel/debug/ilk/patches 2>/dev/null | grep -c armed; true").strip() not in ("", "0")


def dialog(bench):
  bench.focus_window("Allow Changes to the Kernel")
  return bench.find("what it would do", lambda n: n.get_name() == "Changes to the kernel" and has(n, "SHOWING"))


def press(bench, name):
  bench.click(bench.find(name, lambda n: n.get_name() == name and n.get_role_name() == "push button" and has(n, "SHOWING") and
                         has(n, "SENSITIVE")))


def gone(bench):
  wait("the dialog to go", lambda: not any(n.get_name() == "Allow Changes to the Kernel" for n in walk(bench.app)))
  bench.focus_main()


def asks(bench, lab):
  """Nothing is armed until it is allowed; Return declines; each run asks anew."""
  bench.key("ctrl+1")
  bench.named("Functions", "table", 120)
  bench.label_with("Plan · 1 hook", 60)
  bench.enter(bench.named("Run for", "text"), "11m")       # a busy machine may not be seen running for ten seconds
  bench.key("F5")
  text = dialog(bench).get_text(0, -1)
  assert "nullify(0)" in text and "do_sys_openat2" in text, text
  bench.shot("consent")
  assert not armed(lab), "armed before it was allowed"
  bench.key("Return")
  gone(bench)
  assert not armed(lab), "armed though it was declined"
  bench.key("F5")
  dialog(bench)
  press(bench, "Allow and Run")
  gone(bench)
  bench.find("Stop", lambda n: n.get_name() == "Stop" and n.get_role_name() == "push button" and has(n, "SENSITIVE"), 60)
  wait("the hook", lambda: armed(lab), 60)
  bench.key("F5")
  bench.label_with("The kernel is restored", 60)


def register(case, lab):
  if lab is not None:
    case("changes are allowed in a dialog", lambda bench: asks(bench, lab), "--target", "lab:" + lab,
         fixtures.written("consent.plan", PLAN))


if __name__ == "__main__":
  sys.exit(suite.run(register))
