/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-compared-rows.h - formats the results of a comparison as rows: quantiles and means of both
 * sides, and their differences
 *
 * Threads: any, one at a time. Nothing fails.
 */
#pragma once

#include "core/analysis/gilk-hook-compare.h"

G_BEGIN_DECLS

typedef struct {
  char        *name;           /* translated: "p99", "Median", "Mean" */
  double       a, b;
  GilkInterval difference;     /* b − a; its bounds are NaN unless they were computed and the values
                                * support them */
  /* formatted, with units: */
  char        *a_text, *b_text, *difference_text;
  char        *low, *high;     /* bounds of the difference; "-" if the values do not support bounds,
                                * "" if no bounds were computed */
  char        *share;          /* (b − a) / a, and the half-width of its interval: "+1.2 % ±0.3";
                                * "" if undefined */
  char        *explanation;    /* explains the interval; NULL if this row has none */
} GilkComparedRow;

/* @at: positions of the quantiles that @found has; @digits: significant digits of values. Returns a
 * row for each quantile, and one for the means. (transfer full) (element-type GilkComparedRow) */
GPtrArray *gilk_compared_rows (const GilkHookCompared *found, const double *at, guint n_at, const char *unit, int digits);

static inline const GilkComparedRow *
gilk_compared_row (const GPtrArray *rows, guint i)
{
  return g_ptr_array_index (rows, i);
}

/* Formats a change such as "+1.2 % ±0.3". @half: half-width of its interval; NaN: exact.
 * (transfer full) */
char      *gilk_format_change (double of, double difference, double half);

G_END_DECLS
