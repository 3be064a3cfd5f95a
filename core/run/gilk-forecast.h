/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.h - cost of a plan, forecast before it is armed: cost of a hit times hit rate
 *
 * Both factors are those measured by an earlier run, if there is one. "gilk plan check" and the
 * workbench show the same figures.
 *
 * Threads: any. Nothing fails.
 */
#pragma once

#include "core/run/gilk-cost-history.h"

G_BEGIN_DECLS

/* Forecast of a single hook. */
typedef struct {
  double    ns;                /* per hit */
  GilkCostSource source;
  double    per_second;        /* hit rate; negative: unknown */
  double    share;             /* share of one CPU's time; negative: unknown */
} GilkForecast;

/* @measured is nullable. @tactic: enum ilk_tactic; @per_second: hit rate, negative if unknown */
GilkForecast gilk_forecast_hook (const GilkCostHistory *measured, const char *instrument, guint tactic, guint instructions,
                                 double per_second);

/* Total of a plan. Initialize to zero. */
typedef struct {
  guint  n, n_known;           /* hooks; those with a known share */
  guint  by_source[GILK_COST_SOURCE_MEASURED + 1];
  double share;
} GilkForecastSum;

void  gilk_forecast_add             (GilkForecastSum *sum, const GilkForecast *hook);
/* Describes the source of the figures. @now: seconds since 1970. (transfer full) */
char *gilk_forecast_describe_source (const GilkForecastSum *sum, const GilkCostHistory *measured, gint64 now);

G_END_DECLS
