/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare-runs.h - compares two sets of runs, each run an observation; pure numerics
 *
 * A single run, however many samples it has, shows nothing of the variation between runs (memory
 * layout, choice of CPU, other load). So each run counts once: intervals come from the spread
 * between runs, and p from a permutation test over all assignments of the runs to the two sides.
 *
 * Threads: any.
 */
#pragma once

#include "core/stats/gilk-compare.h"

G_BEGIN_DECLS

#define GILK_RUN_GRID 1000

/* One run. @quantiles: as requested; @grid: quantiles at (i + 0.5) / GILK_RUN_GRID, ascending. */
typedef struct {
  double  mean;
  double *quantiles, *grid;
} GilkRunDigest;

/* Returns Cliff's delta of two runs: P(b > a) - P(b < a), -1 to 1. */
double gilk_run_delta          (const GilkRunDigest *a, const GilkRunDigest *b);

/* Returns the difference of the means of two sets of numbers, one number per run, with its
 * confidence interval. The interval is Welch's, or Student's if one side has a single number; it is
 * NaN if both sides have a single number. */
GilkInterval gilk_runs_interval (const double *a, guint n_a, const double *b, guint n_b, double level);

typedef struct {
  double delta;             /* mean of Cliff's delta over all pairs of runs */
  double p;                   /* p-value: share of assignments of the runs to two sides whose
                               * |delta| is at least the |delta| of the actual assignment */
  double p_min;             /* smallest p that this number of runs can give */
  gboolean exact;           /* all assignments were evaluated; FALSE: a random sample of them */
} GilkRunsDelta;

/* @runs: the runs of A, then the runs of B */
GilkRunsDelta gilk_runs_delta  (const GilkRunDigest *runs, guint n_a, guint n_b);

G_END_DECLS
