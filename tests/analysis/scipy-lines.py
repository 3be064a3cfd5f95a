#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
scipy-lines - lines of spectra against SciPy's, on noise made up for it

usage: scipy-lines.py LINES

LINES is the program tests/analysis/lines.c. In noise without a line there is one in as many spectra as
gilk-peaks.h says, however many segments are averaged; a weak line shows where there are many; and which lines
are found, and how high, is as SciPy's distributions have it.
"""
import subprocess
import sys

import numpy
from scipy import signal, special, stats

FALSE, AROUND, NEXT = 0.01, 40, 3


def program(path, *args, values=b""):
  done = subprocess.run([path, *map(str, args)], input=values, stdout=subprocess.PIPE, check=True)
  return [line.split() for line in done.stdout.decode().splitlines()]


def found_in(path, runs, segment):
  """Shape, frequencies that are worth one, and (hz, times) of lines, of each run."""
  rows = program(path, runs.shape[1], segment, values=runs.astype("<f8").tobytes())
  rows = [[float(word) for word in row] for row in rows]
  return [(row[0], row[1], sorted(zip(row[2::2], row[3::2]))) for row in rows]


# ---- by SciPy ----

def independent(run, segment):
  """By the share of each segment and the windows of all pairs of them; and by the covariances of all
  frequencies with one."""
  step, window = segment - segment // 2, signal.get_window("hann", segment)
  begins = range(0, len(run) - segment + 1, step)
  periodograms = numpy.array([numpy.abs(numpy.fft.rfft((run[at:at + segment] - run[at:at + segment].mean()) * window))
                              for at in begins]) ** 2
  periodograms = periodograms[:, 1:(segment + 1) // 2]
  shares = (periodograms / periodograms.sum(axis=0)).mean(axis=1)
  windows = numpy.zeros((len(begins), len(run)))
  for row, at in zip(windows, begins):
    row[at:at + segment] = window / numpy.sqrt((window ** 2).sum())
  squares = numpy.abs(numpy.fft.fft(window ** 2)) ** 2
  return 1 / (shares @ (windows @ windows.T) ** 2 @ shares), squares.sum() / squares[0]


def chance_above(times, shape, together, h):
  """Of noise: that a power is above so many times the median of 2 h others."""
  log_odds = numpy.linspace(-60, 60, 601)
  below, above = special.expit(log_odds), special.expit(-log_odds)
  median = numpy.where(log_odds < 0, special.gammaincinv(shape, below), special.gammainccinv(shape, above))
  share = numpy.exp((numpy.log(below) * (h + 1) + numpy.log(above) * h) / together)
  return share @ special.gammaincc(shape, times * median) / share.sum()


def lines(run, segment, shape, together):
  """As gilk-peaks.h has it."""
  hz, power = signal.welch(run, 1.0, "hann", nperseg=segment, noverlap=segment // 2)
  hz, power, result = hz[1:], power[1:], []
  for i in range(1, len(power) - 1):
    h = min(i, len(power) - 1 - i, AROUND)
    median = numpy.sort(numpy.delete(power[i - h:i + h + 1], h))[h]
    if power[i] < power[max(i - NEXT, 0):i + NEXT + 1].max() or power[i] < median:
      continue
    if chance_above(power[i] / median, shape, together, h) <= 1 - (1 - FALSE) ** (1 / (len(power) - 2)):
      result.append((hz[i], power[i] / median / shape * special.gammaincinv(shape, (h + 1) / (2 * h + 1))))
  return result


# ---- tests ----

def gamma(path):
  wrong = []
  for kind, *words in program(path, "gamma"):
    shape, x, *got = map(float, words)
    right = (special.gammainc(shape, x), special.gammaincc(shape, x)) if kind == "tails" else \
        (special.gammaincinv(shape, x), special.gammainccinv(shape, x))
    # SciPy gives up on a tail below 1e-300, and inverts to 1e-9 or so.
    if not numpy.allclose(got, right, 2e-9, 1e-290):
      wrong.append(f"{kind} {shape:g} {x:g}: {got}, by SciPy {right}")
  return wrong


def same_lines(path):
  """Noise with a line that is found now and then; in the last runs it grows, and segments are not alike."""
  wrong, n = [], 0
  random = numpy.random.default_rng(1)
  for run, segment in ((512, 512), (1000, 301), (2048, 256), (4096, 128), (300, 20)):
    runs = random.normal(0, 1, (40, run))
    runs += 2.8 * numpy.sqrt(2 / segment) * numpy.sin(2 * numpy.pi * 0.2 * numpy.arange(run))
    runs[20:] *= numpy.exp(numpy.linspace(0, 2, run))
    for values, (shape, together, got) in zip(runs, found_in(path, runs, segment)):
      expected = independent(values, segment)
      right = lines(values, segment, *expected)
      n += len(right)
      if not numpy.allclose((shape, together), expected, 1e-9, 0) or len(got) != len(right) or \
         not numpy.allclose(got, right, 1e-7, 0):
        wrong.append(f"{run} by {segment}: {shape}, {together}, {got}; by SciPy {expected}, {right}")
  return wrong + ([] if n > 60 else [f"{n} lines in all"])


def false_ones(path, name, run, segment, n):
  random = numpy.random.default_rng(run + segment)
  runs = random.poisson(1, (n, run)) if name == "packets" else random.normal(0, 1, (n, run))
  false = sum(bool(peaks) for _, _, peaks in found_in(path, runs, segment))
  said = f"{100 * false / n:.2f} % of {n} spectra of noise have a line"
  # Of frequencies next to each other one tells what the other does: fewer than said, never more.
  low, high = stats.binom.ppf((1e-4, 1 - 1e-4), n, (0.3 * FALSE, FALSE))
  return said, [] if low <= false <= high else [f"{false}, expected {low:.0f} to {high:.0f}"]


def weak_line(path):
  """One and a half times the noise, of which 63 segments are averaged; and 3."""
  random, n, segment, at = numpy.random.default_rng(7), 400, 128, 20
  said, wrong = [], []
  for segments, least, most in ((63, 0.99, 1.0), (3, 0.0, 0.1)):
    run = segment // 2 * (segments + 1)
    amplitude = numpy.sqrt(1.5 * 4 * 1.5 / segment)   # Hann's window: 1.5 frequencies are one
    runs = random.normal(0, 1, (n, run)) + amplitude * numpy.sin(2 * numpy.pi * at / segment * numpy.arange(run))
    found = [[times for hz, times in peaks if abs(hz - at / segment) < 1e-9]
             for _, _, peaks in found_in(path, runs, segment)]
    share = sum(map(bool, found)) / n
    said.append(f"{100 * share:.0f} % of {segments} segments")
    if not least <= share <= most:
      wrong.append(f"{segments} segments: {share}")
    if segments > 3 and not 2.2 < numpy.mean(sum(found, [])) < 2.8:
      wrong.append(f"{numpy.mean(sum(found, []))} times the noise")
  return ", ".join(said), wrong


def main(path):
  results = [("Gamma's distribution", gamma(path)), ("the same lines as by SciPy", same_lines(path))]
  for name, run, segment, n in (("noise", 512, 512, 3000), ("noise", 1024, 512, 3000), ("noise", 2048, 256, 3000),
                                ("noise", 4096, 128, 2000), ("packets", 4096, 512, 2000), ("noise, Lomb", 256, 0, 2000)):
    said, wrong = false_ones(path, name, run, segment, n)
    results.append((f"{name}, {run} by {segment}: {said}", wrong))
  said, wrong = weak_line(path)
  results.append((f"a line of 2.5 times the noise is found: {said}", wrong))
  for number, (name, wrong) in enumerate(results, 1):
    print(f"{'not ok' if wrong else 'ok'} {number} - {name}{': ' if wrong else ''}{'; '.join(wrong[:3])}")
  print(f"1..{len(results)}")
  return 1 if any(wrong for _, wrong in results) else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1]))
