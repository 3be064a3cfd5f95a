/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.h - what a plan will cost, before it is armed: a hit of each hook times how often it comes
 *
 * What a hit takes is what a run measured, where there is one; how often it comes, what a run counted. "gilk plan check"
 * and the workbench tell the same.
 *
 * Threads: any. Nothing fails.
 */
#pragma once

#include "core/run/gilk-measured.h"

G_BEGIN_DECLS

/* Of one hook. */
typedef struct {
  double    ns;                /* a hit */
  GilkPrice price;
  double    per_second;        /* hits; negative: not known */
  double    share;             /* of a processor's time; negative: not known */
} GilkForecast;

/* @measured is nullable. @tactic: enum ilk_tactic, @per_second: negative if not known */
GilkForecast gilk_forecast_hook (const GilkMeasured *measured, const char *instrument, guint tactic, guint instructions,
                                 double per_second);

/* Of all of a plan; zero is a good beginning. */
typedef struct {
  guint  n, n_known;           /* hooks; of which share is known */
  guint  by_price[GILK_PRICE_MEASURED + 1];
  double share;
} GilkForecastSum;

void  gilk_forecast_add   (GilkForecastSum *sum, const GilkForecast *hook);
/* Where the figures are from, in a sentence or two. @now: seconds, since 1970. (transfer full) */
char *gilk_forecast_words (const GilkForecastSum *sum, const GilkMeasured *measured, gint64 now);

G_END_DECLS
