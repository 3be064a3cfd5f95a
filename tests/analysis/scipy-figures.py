#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
scipy-figures - figures of core/analysis against SciPy's and NumPy's on the same numbers

usage: scipy-figures.py FIGURES

FIGURES is the program tests/analysis/figures.c. What is a sum in another order may differ by
1e-9 of its size, Lomb's periodograms by 1e-9 and Welch's by 1e-7 of the greatest value; a bootstrap interval by a tenth of
its width, for its resamples are others.
"""
import os
import subprocess
import sys
import tempfile

import numpy
from scipy import signal, special, stats

SEEDS = 5 if os.environ.get("GILK_BRIEF") else 10      # of five kinds of columns
EXACT, SUMS, SPECTRA = 0.0, 1e-9, 1e-7
LOMB_HZ = {"lomb": 0.05 * numpy.arange(1, 201), "lomb-long": 0.037 + 0.011 * numpy.arange(400)}


def columns(seed):
  """Two columns of one kind; the second doubles as times."""
  random = numpy.random.default_rng(seed)
  kind = seed % 5
  n, m = 1500 + 37 * seed, 1400 + 51 * seed
  if kind == 0:
    return random.normal(5, 2, n), random.normal(5.2, 2.5, m)
  if kind == 1:
    return random.exponential(3, n), random.exponential(3, m)
  if kind == 2:
    return random.pareto(1.5, n), random.pareto(1.6, m)
  if kind == 3:
    return random.integers(0, 20, n).astype(float), random.integers(1, 22, m).astype(float)
  walk = numpy.cumsum(random.normal(0, 1, n))
  return walk, numpy.cumsum(random.exponential(0.02, m))


def figures(program, x, y):
  with tempfile.TemporaryDirectory() as folder:
    paths = [os.path.join(folder, name) for name in ("x", "y")]
    for path, column in zip(paths, (x, y)):
      column.astype("<f8").tofile(path)
    output = subprocess.run([program, *paths], stdout=subprocess.PIPE, check=True, text=True).stdout
  return {line.split()[0]: numpy.array([float(word) for word in line.split()[1:]])
          for line in output.splitlines()}


def hurst(x, figure):
  """The same definition in NumPy's words."""
  sizes, values, size = [], [], 10
  while len(x) // size >= 10:
    blocks = x[:len(x) // size * size].reshape(-1, size)
    value = figure(blocks)
    if value > 0:
      sizes.append(numpy.log10(size))
      values.append(numpy.log10(value))
    size *= 2
  return numpy.polyfit(sizes, values, 1)[0]


def rescaled(blocks):
  less = blocks - blocks.mean(axis=1, keepdims=True)
  sums = numpy.cumsum(less, axis=1)
  spread = numpy.maximum(sums.max(axis=1), 0) - numpy.minimum(sums.min(axis=1), 0)
  deviation = blocks.std(axis=1)
  ranges = spread[deviation > 0] / deviation[deviation > 0]
  return ranges[ranges > 0].mean()


def correlations(x, lags):
  less = x - x.mean()
  return numpy.array([less[:len(x) - lag] @ less[lag:] for lag in range(lags + 1)]) / (less @ less)


def bootstrap(x, y, p, seed):
  random = numpy.random.default_rng(seed)
  draws = [numpy.quantile(random.choice(column, (3000, len(column))), p, axis=1) for column in (y, x)]
  differences = draws[0] - draws[1]
  return numpy.quantile(differences, [0.025, 0.975])


def lomb(name, x, y):
  return signal.lombscargle(y, x, 2 * numpy.pi * LOMB_HZ[name], precenter=True)


def expected(x, y):
  """Name: what is right, and by how much of the greatest value it may differ."""
  n = min(len(x), len(y))
  z = stats.ks_2samp(x, y).statistic
  exact = max(len(x), len(y)) <= 2000
  greater, less = 0, 0
  for value in y:
    greater += numpy.sum(x < value)
    less += numpy.sum(x > value)
  turns = numpy.repeat(numpy.arange(8), n)
  result = {
    "quantiles": (numpy.quantile(x, [0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1]), SUMS),
    "moments": (numpy.array([x.mean(), x.std(ddof=1)]), SUMS),
    "autocorrelation": (correlations(x, 50), SUMS),
    "hurst": (numpy.array([1 + hurst(x, lambda blocks: blocks.mean(axis=1).var()) / 2,
                           hurst(x, rescaled)]), SUMS),
    "ks": (numpy.array([z, stats.ks_2samp(x, y, method="exact").pvalue if exact
                        else special.kolmogorov(z * numpy.sqrt(len(x) * len(y) / (len(x) + len(y))))]), SUMS),
    "delta": (numpy.array([(greater - less) / (len(x) * len(y))]), SUMS),
    "lomb": (lomb("lomb", x[:n], y[:n]), SUMS),
    "lomb-long": (lomb("lomb-long", numpy.tile(x[:n], 8) + turns, numpy.tile(y[:n], 8) + 1000 * turns), SUMS),
  }
  for i, window in enumerate(("boxcar", "hann", "hamming", "blackman")):
    _, power = signal.welch(x[:n], 50.0, window, nperseg=100 + i, noverlap=(100 + i) // 2)
    result["welch-" + window] = power, SPECTRA
  return result


def wrong_cells(found, x):
  """NumPy's counts in the cells whose edges are told; times as figures.c has them."""
  times = 10.0 * ((numpy.arange(len(x)) * 7919) % len(x) + 0.5) / len(x)
  wrong = []
  for name, values in (("heat", x), ("heat-log", x[x > 0])):
    at = times if name == "heat" else times[x > 0]
    edges = found[name + "-edges"].copy()
    edges[-1] = numpy.nextafter(edges[-1], -numpy.inf)     # NumPy's last one is closed
    cells, _, _ = numpy.histogram2d(at, values, [numpy.linspace(0, 10, 8), edges])
    if not numpy.array_equal(cells.ravel(), found[name]) or cells.sum() != len(values):
      wrong.append(name)
  return wrong


def wrong_steps(found, x):
  exact = "ecdf-exact" in found
  at = found["ecdf-exact" if exact else "ecdf-below"]
  right = numpy.searchsorted(numpy.sort(x), at, "right" if exact else "left") / len(x)
  return [] if numpy.allclose(right, found["ecdf-share"], 0, 1e-12) else ["ecdf"]


def wrong_pairs(found, x, y):
  """The paired t test; and at the ends of Fieller's interval the one of on - q off says 5 %."""
  wrong = []
  for name, n in (("pairs-few", 12), ("pairs", min(len(x), len(y)))):
    on, off = x[:n], y[:n]
    test = stats.ttest_rel(on, off)
    interval = (on - off).mean() + stats.t.ppf([0.025, 0.975], n - 1) * stats.sem(on - off)
    right = numpy.array([(on - off).mean(), *interval, test.statistic, test.pvalue])
    if not numpy.allclose(found[name][:5], right, 1e-9, 1e-12):
      wrong.append(name)
    relative, *ends = found[name][5:]
    if numpy.isnan(relative):
      # The mean of off is not apart from 0.
      if abs(stats.ttest_1samp(off, 0).statistic) > stats.t.ppf(0.975, n - 1):
        wrong.append(name + "-quotient")
    elif abs(relative - (on.mean() / off.mean() - 1)) > 1e-9 * max(1, abs(relative)) or \
        any(abs(stats.ttest_1samp(on - (1 + end) * off, 0).pvalue - 0.05) > 1e-8 for end in ends):
      wrong.append(name + "-quotient")
  return wrong


def compare(found, x, y, seed):
  wrong = []
  for name, (right, tolerance) in expected(x, y).items():
    if name in LOMB_HZ and seed % 5 == 3:
      # Times of whole seconds: each half Hz there is no sine, and SciPy divides rounding by rounding.
      seen = numpy.abs(2 * LOMB_HZ[name] - numpy.rint(2 * LOMB_HZ[name])) > 1e-6
      right, found[name] = right[seen], found[name][seen]
    if len(found[name]) != len(right) or \
       numpy.max(numpy.abs(found[name] - right)) > tolerance * max(1.0, numpy.max(numpy.abs(right))):
      wrong.append(name)
  counts, _ = numpy.histogram(x, found["edges"])
  if not numpy.array_equal(counts, found["counts"]):
    wrong.append("histogram")
  for name, p in (("median", 0.5), ("p90", 0.9)):
    value, low, high = found[name + "-difference"]
    right = bootstrap(x, y, p, seed)
    width = right[1] - right[0]
    if abs(value - (numpy.quantile(y, p) - numpy.quantile(x, p))) > 1e-9 * max(1, abs(value)) or \
       abs(low - right[0]) > 0.1 * width + 1e-9 or abs(high - right[1]) > 0.1 * width + 1e-9:
      wrong.append(name + "-difference")
  return wrong + wrong_cells(found, x) + wrong_steps(found, x) + wrong_pairs(found, x, y)


def main(program):
  failed = 0
  for seed in range(SEEDS):
    x, y = columns(seed)
    wrong = compare(figures(program, x, y), x, y, seed)
    failed += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {seed + 1} - columns {seed}, {len(x)} and {len(y)} numbers"
          f"{': ' + ', '.join(wrong) if wrong else ''}")
  print(f"1..{SEEDS}")
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1]))
