# SPDX-License-Identifier: GPL-2.0-or-later
"""
many.py - samples of which there are many: something is seen at once, and an axis is turned without reading them again

GILK_MANY names a session to go through instead of the one that is made: of 10^8 samples, by build/tests/bench/samples.
"""
import os
import sys

import fixtures
import suite
from results import choose, plot_named, row, rows, view  # noqa: E402
from workbench import checked, has, looks, wait, walk  # noqa: E402


@looks
def is_reading(bench):
  """What is read fast is not shown as being read, but has the text."""
  return any(n.get_name().startswith("Reading samples") for n in walk(bench.frame))


def be_read(bench):
  wait("samples to be read", lambda: not is_reading(bench), 60)


def turn(bench, axis):
  """What is seen is there, and needs no reading."""
  button = bench.named(axis, "toggle button")
  before = checked(button)
  bench.click(button)
  wait(f'"{axis}" turned', lambda: checked(button) != before)
  assert not is_reading(bench), f'"{axis}" has all samples read again'


def histogram(bench):
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  view(bench, "Histogram")
  for quantity, title in (("size", "Distribution: size"), ("Time between hits", "Distribution: time between hits")):
    what = title.rsplit(" ", maxsplit=1)[-1]
    choose(bench, "Quantity", quantity)
    plot_named(bench, title)
    bench.shot(f"many-{what}-first")
    be_read(bench)
    bench.find("figures", lambda n: n.get_name() == "Median" and has(n, "SHOWING"))
    bench.shot(f"many-{what}")
    for _ in range(2):
      turn(bench, "x: log")
      plot_named(bench, title)
      bench.shot(f"many-{what}-turned")


@looks
def cancel_buttons(bench):
  return [n for n in walk(bench.frame) if n.get_name() == "Cancel" and n.get_role_name() == "push button" and has(n, "SHOWING")]


@looks
def reading_label(bench):
  return next((n.get_name() for n in walk(bench.frame) if n.get_name().startswith("Reading samples") and has(n, "SHOWING")), "")


def views(bench):
  """Each view of them: what takes long says how far it is, and can be left for another."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  choose(bench, "Quantity", "size")
  for name in ("ECDF", "Hits over time", "Heat map", "Time series", "Spectrum", "Autocorrelation", "Hits by value", "Samples"):
    view(bench, name)
    words = reading_label(bench)
    bench.shot("many-" + name.lower().replace(" ", "-") + "-first")
    be_read(bench)
    bench.shot("many-" + name.lower().replace(" ", "-"))
    print(f"# {name}: {words or 'at once'}", flush=True)


def left(bench):
  """What is read is given up with its button, and with another view."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(row(hooks, 1))
  view(bench, "Heat map")
  view(bench, "Spectrum")
  view(bench, "ECDF")
  for button in cancel_buttons(bench):
    button.do_action(0)
  be_read(bench)
  view(bench, "Time series")
  be_read(bench)


def register(case, lab):
  if lab is not None:
    return

  def session():
    return os.environ.get("GILK_MANY") or fixtures.many()

  case("many samples", histogram, session)
  case("many samples, each view", views, session)
  case("many samples, given up", left, session)


if __name__ == "__main__":
  sys.exit(suite.run(register))
