/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compare-runs.h - two sets of runs against each other, each run an observation; pure numerics
 *
 * What differs from run to run (where memory lies, which CPU, what else the machine does) is in no interval that one run
 * gives, however many samples it has. So a run counts once: intervals come from the spread between runs, and p
 * from all ways to deal the runs out to the two sides, exactly.
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-compare.h"

G_BEGIN_DECLS

#define GILK_RUN_GRID 1000

/* One run: @quantiles those asked for, @grid those of (i + 0.5) / GILK_RUN_GRID, ascending. */
typedef struct {
  double  mean;
  double *quantiles, *grid;
} GilkRunDigest;

/* Of pairs of a value of either run, how many more have @b's above than below, -1 to 1. */
double gilk_run_delta          (const GilkRunDigest *a, const GilkRunDigest *b);

/* The difference of the means of two sets of numbers, of runs each: Welch's interval, or Student's where a side has one
 * number; NaN where both have. */
GilkInterval gilk_runs_interval (const double *a, guint n_a, const double *b, guint n_b, double level);

typedef struct {
  double delta;               /* the mean of all pairs of runs */
  double p;                   /* the share of ways to deal the runs out that have as great a delta */
  double p_least;             /* that so many runs can have */
  gboolean counted;           /* FALSE: of too many ways some were drawn */
} GilkRunsDelta;

/* @runs: those of A, then those of B */
GilkRunsDelta gilk_runs_delta  (const GilkRunDigest *runs, guint n_a, guint n_b);

G_END_DECLS
