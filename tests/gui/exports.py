# SPDX-License-Identifier: GPL-2.0-or-later
"""
exports.py - what the workbench writes of a session: pictures that its commands draw alike, samples, and notices of both
"""
import os
import re
import subprocess
import sys
import tempfile

import fixtures
import suite
from results import choose, plot_named, row, rows, view  # noqa: E402
from workbench import has, wait, walk  # noqa: E402

GILK = os.path.join(os.environ["GILK_BUILD"], "cli/gilk")


def write(bench, keys, path):
  """Exports what is in view to PATH, by the dialog; returns once the notice says that it is there."""
  bench.key(*keys)
  save(bench, path)


def save(bench, path):
  bench.focus_window("Export")
  entry = wait("the name's entry", bench.focused_entry)
  bench.key("ctrl+a")
  bench.type(path)
  wait("the name", lambda: entry.get_text(0, -1) == path)
  bench.key("Return")
  bench.label_with("Wrote " + os.path.basename(path))
  bench.focus_main()


def close_notice(bench):
  bar = bench.find("the notice", lambda n: n.get_role_name() == "info bar" and n.get_name().startswith("Wrote "))
  bench.shot("export-written")
  bench.click(wait("its button", lambda: next((n for n in walk(bar) if n.get_name() == "Close the message"), None)))
  wait("no notice", lambda: not any(n.get_role_name() == "info bar" and n.get_name().startswith("Wrote ")
                                    for n in walk(bench.frame)))


def command(bench):
  bench.click(bench.named("Copy command", "push button"))
  label = bench.label_with("gilk ")
  return wait("the command", lambda: label.get_description() if label.get_description().startswith("gilk ") else None)


def picture(path):
  """Its text, without the numbers that cairo gives to what it draws on."""
  with open(path, encoding="utf-8") as file:
    return re.sub(r'"#?(surface|source-|image|clip-|mask-|glyph-)[-\d]*"', r'"\1"', file.read())


def same(bench, folder, name):
  """The command draws what is exported."""
  words = command(bench)
  exported = os.path.join(folder, name + ".svg")
  write(bench, ["ctrl+e"], exported)
  subprocess.run(words.replace("gilk ", GILK + " ", 1), shell=True, check=True, cwd=folder, capture_output=True)
  assert picture(exported) == picture(os.path.join(folder, "plot.svg")), f"{name}: {words} draws another picture"
  close_notice(bench)


def commands(bench):
  """The same as a command is the same: kinds, axes, a zoom, a run that is not the last, two runs, bars."""
  hooks = bench.named("Hooks in this run", "table")
  wait("rows", lambda: rows(hooks) > 1)
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) == 10)
  bench.click(row(hooks, 1))
  choose(bench, "Quantity", "asleep")
  plot_named(bench, "Distribution: asleep")
  with tempfile.TemporaryDirectory() as folder:
    same(bench, folder, "histogram")
    bench.click(bench.named("y: log", "toggle button"))
    bench.label_with("--log xy")
    same(bench, folder, "histogram-log")
    view(bench, "Spectrum")
    bench.click(plot_named(bench, "Power spectrum: asleep"))
    bench.key("plus")
    bench.label_with("--show")
    same(bench, folder, "spectrum-zoomed")
    view(bench, "Time series")
    bench.click(plot_named(bench, "Over time: asleep"))
    bench.key("plus")
    wait("a zoom", lambda: has(bench.named("Show all", "push button"), "SENSITIVE"))
    same(bench, folder, "series-zoomed")
    bench.key("0")
    view(bench, "ECDF")
    choose(bench, "Overlay", "Run 2")
    plot = plot_named(bench, "Cumulative distribution: asleep")
    wait("how far the two are apart", lambda: "Kolmogorov" in (plot.get_description() or ""))
    same(bench, folder, "overlay")
    choose(bench, "Overlay", "no other run")
    view(bench, "Hits by value")
    choose(bench, "Quantity", "comm")
    plot_named(bench, "Hits by comm")
    same(bench, folder, "bars")


def register(case, lab):
  if lab is None:
    case("pictures that commands draw alike", commands, fixtures.studies)


if __name__ == "__main__":
  sys.exit(suite.run(register))
