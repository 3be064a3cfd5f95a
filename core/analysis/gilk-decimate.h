/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-decimate.h - a series reduced to one minimum and maximum per column
 *
 * Cairo takes minutes for 200 000 points in a path; columns take milliseconds.
 *
 * Threads: any. Arrays are the caller's.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct { double min, max, last; guint n; } GilkColumn;

/* @columns: room for n_columns; empty ones have n = 0. @times ascending. */
void gilk_decimate (const double *times, const double *values, gsize count,
                    double from, double to, GilkColumn *columns, guint n_columns);

/* Events per second in each of @n_bins equal slices of [from, to), those among them whose
 * samples were lost. NaN where nothing was measured for the greater part of a slice.
 * @gaps: (nullable): tidy */
void gilk_rate     (const double *times, gsize count, double from, double to,
                    const GArray *gaps, double *rates, guint n_bins);
/* The same of events that were counted before; in place. */
void gilk_rate_of_counts (double *rates, guint n_bins, double from, double to, const GArray *gaps);

G_END_DECLS
