# SPDX-License-Identifier: GPL-2.0-or-later
"""ranges.py - what follows a range of time beside the plots: heat of a recorded graph, hits by value; and all plots in one picture"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fixtures  # noqa: E402
import suite  # noqa: E402
from exports import GILK, close_notice, command, picture, same, save  # noqa: E402
from page import drag, open_first  # noqa: E402
from results import choose, plot_named, row, rows, view  # noqa: E402
from workbench import box_of, has, looks, wait, walk  # noqa: E402


def hits_of(block):
  return int(re.search(r"([\d,]+) hits", block.get_name()).group(1).replace(",", ""))


def time_chip(bench):
  return bench.find("the time", lambda n: (n.get_name() or "").startswith("All views are limited to times from ") and has(n, "SHOWING"))


def zoom_time(bench):
  bench.click(plot_named(bench, "Hits over time"))
  bench.key("plus", "plus")
  time_chip(bench)


def graphed():
  """With a graph of the function of a hook whose samples have times."""
  path = fixtures.made("GILK_FIXTURE", "ranges.gilk")
  fixtures.add_graph(path, "writer-sleeps")
  return path


def heat(bench):
  """Of a graph: fewer hits in a part of the time, and all of them again without it."""
  hooks = bench.named("Hooks in this run", "table")
  bench.click(bench.named("Runs", "list box").get_child_at_index(1))
  wait("the first run's hooks", lambda: rows(hooks) >= 3)
  graphs = bench.named("Graphs of this run", "table")
  bench.click(row(graphs, 0))
  before = wait("the heat of all of it", lambda: hits_of(bench.graph().get_child_at_index(0)))
  bench.click(row(hooks, 1))
  view(bench, "Hits over time")
  zoom_time(bench)
  bench.click(row(graphs, 0))
  wait("the heat of a part", lambda: 0 < hits_of(bench.graph().get_child_at_index(0)) < before)
  bench.shot("range-graph")
  time_chip(bench).do_action(0)
  wait("the heat of all of it again", lambda: hits_of(bench.graph().get_child_at_index(0)) == before)


def graphed_values():
  """With a graph of the function of a hook whose samples have values."""
  path = fixtures.made("GILK_STUDIES", "studies-graph.gilk")
  fixtures.add_graph(path, "asleep")
  return path


def heat_of_values(bench):
  """Of a graph: fewer hits of some values, nothing where a hook's samples have none, and all of them again without."""
  open_first(bench)
  graphs = bench.named("Graphs of this run", "table")
  bench.click(row(graphs, 0))
  before = wait("the heat of all of it", lambda: hits_of(bench.graph().get_child_at_index(0)))
  bench.click(row(bench.named("Hooks in this run", "table"), 1))
  drag(plot_named(bench, "Distribution: asleep"), 0.4, 0.6)
  wait("the mark", lambda: chips(bench) == ["asleep"])
  bench.click(row(graphs, 0))
  wait("the heat of some values", lambda: 0 < hits_of(bench.graph().get_child_at_index(0)) < before)
  bench.shot("range-graph-values")
  assert chips(bench) == ["asleep"], chips(bench)
  bench.find("the values", lambda n: "are limited to asleep" in (n.get_name() or "") and has(n, "SHOWING")).do_action(0)
  wait("the heat of all values again", lambda: hits_of(bench.graph().get_child_at_index(0)) == before)


def by_value(bench):
  """Hits by value are those of the time that is looked at, and a command draws them alike."""
  open_first(bench)
  view(bench, "Hits by value")
  choose(bench, "Quantity", "comm")
  plot_named(bench, "Hits by comm")
  with tempfile.TemporaryDirectory() as folder:
    same(bench, folder, "all")
    view(bench, "Hits over time")
    zoom_time(bench)
    view(bench, "Hits by value")
    choose(bench, "Quantity", "comm")
    plot_named(bench, "Hits by comm")
    bench.label_with("--from")
    same(bench, folder, "part")
    assert picture(os.path.join(folder, "all.svg")) != picture(os.path.join(folder, "part.svg")), "of all of the time"


@looks
def chips(bench):
  return sorted(n.get_name().split(" are limited to ")[1].split(" from ")[0] for n in walk(bench.frame)
                if re.match("(All views|Plots of this value) are limited to ", n.get_name() or "") and has(n, "SHOWING"))


def all_narrowed(bench):
  """What is marked of a field narrows plots of others, hits, bars and the table, as a command does; its button drops it."""
  open_first(bench)
  drag(plot_named(bench, "Distribution: asleep"), 0.4, 0.6)
  wait("the mark", lambda: chips(bench) == ["asleep"])
  choose(bench, "Quantity", "Time between hits")
  between = plot_named(bench, "Distribution: time between hits")
  bench.label_with("--if 'asleep >= ")
  with tempfile.TemporaryDirectory() as folder:
    same(bench, folder, "intervals")
    drag(between, 0.3, 0.7)
    wait("both", lambda: chips(bench) == ["asleep", "time between hits"])
    bench.shot("range-narrowed")
    view(bench, "Hits over time")
    plot_named(bench, "Hits over time")
    same(bench, folder, "rate")
    view(bench, "Hits by value")
    choose(bench, "Quantity", "comm")
    plot_named(bench, "Hits by comm")
    same(bench, folder, "bars")
    view(bench, "Samples")
    subprocess.run(command(bench).replace("gilk ", GILK + " ", 1), shell=True, check=True, cwd=folder, capture_output=True)
    with open(os.path.join(folder, "samples.csv"), encoding="utf-8") as file:
      assert 1 < len(file.readlines()) < 30000, "not narrowed"
  view(bench, "Hits over time")
  zoom_time(bench)
  assert chips(bench) == ["asleep", "time between hits", "times"], chips(bench)
  bench.find("the button of values", lambda n: "are limited to asleep from " in (n.get_name() or "") and has(n, "SHOWING")).do_action(0)
  wait("one less", lambda: chips(bench) == ["time between hits", "times"])
  bench.click(bench.named("Show all", "push button"))
  wait("none left", lambda: chips(bench) == [])


def page_as(bench, item, path):
  bench.click(bench.named("Export ▾", None))
  bench.find(f'"{item}"', lambda n: n.get_name() == item and has(n, "SHOWING")).do_action(0)
  save(bench, path)
  close_notice(bench)


def page(bench):
  """All plots in one picture: as large as they lie there, each with its texts; a PDF has the same."""
  open_first(bench)
  plots = [plot_named(bench, title) for title in ("Distribution: asleep", "Over time: asleep", "Power spectrum: hits")]
  boxes = [box_of(plot) for plot in plots]
  with tempfile.TemporaryDirectory() as folder:
    svg, pdf = (os.path.join(folder, "all." + form) for form in ("svg", "pdf"))
    page_as(bench, "All Plots as One SVG…", svg)
    page_as(bench, "All Plots as One PDF…", pdf)
    root = xml.etree.ElementTree.parse(svg).getroot()
    width, height = (float(re.match("[0-9.]+", root.get(side)).group()) for side in ("width", "height"))
    assert width >= max(x + w for x, _, w, _ in boxes) - min(x for x, *_ in boxes), f"{width} wide, plots at {boxes}"
    assert height >= max(y + h for _, y, _, h in boxes) - min(y for _, y, *_ in boxes), f"{height} high, plots at {boxes}"
    alone = os.path.join(folder, "plot.svg")
    subprocess.run(command(bench).replace("gilk ", GILK + " ", 1), shell=True, check=True, cwd=folder, capture_output=True)
    assert len(glyphs(svg)) > len(glyphs(alone)) > 20, f"{len(glyphs(svg))} signs in all, {len(glyphs(alone))} in one"
    with open(pdf, "rb") as file:
      content = file.read()
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF"), "no PDF"


def glyphs(path):
  """What is written in a picture: each sign is a use of a glyph."""
  return [e for e in xml.etree.ElementTree.parse(path).iter() if e.tag.endswith("}use")]


def register(case, lab):
  if lab is None:
    case("heat of a graph in a range of time", heat, graphed)
    case("heat of a graph of some values", heat_of_values, graphed_values)
    case("hits by value in a range of time", by_value, fixtures.studies)
    case("one mark narrows all", all_narrowed, fixtures.studies)
    case("all plots in one picture", page, fixtures.studies)


if __name__ == "__main__":
  sys.exit(suite.run(register))
