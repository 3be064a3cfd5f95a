/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-figure.h - plots of a run in progress
 *
 * Threads: that of the history. All are (transfer full); one without data has a message.
 */
#pragma once

#include "core/figure/gilk-figure.h"
#include "core/run/gilk-run-history.h"
#include "core/run/gilk-field-stats.h"

G_BEGIN_DECLS

typedef struct {
  guint       hook;
  const char *name;            /* in the legend */
} GilkLiveCurve;

/* Plots hits per second of these hooks over time, at most GILK_FIGURE_CURVES_MAX of them. */
GilkFigure *gilk_live_rates     (const GilkRunHistory *history, const GilkLiveCurve *curves, guint n);
/* Plots hits per second of all hooks, by processor and time. */
GilkFigure *gilk_live_cpus      (const GilkRunHistory *history);
/* Plots lost samples per second, by processor and time. */
GilkFigure *gilk_live_losses    (const GilkRunHistory *history);
/* Plots the fill of the fullest ring over time, with the times of losses. */
GilkFigure *gilk_live_rings     (const GilkRunHistory *history);
/* @values: (nullable): NULL if there are none; @name: of
 * the hook; @field: (nullable): NULL if none is selected */
GilkFigure *gilk_live_histogram (const GilkSketch *values, const char *name, const char *field, const char *unit);
/* Plots median, high quantiles and maximum over time; parameters as above. */
GilkFigure *gilk_live_values    (const GilkRunHistory *history, const GilkValueHistory *values, const char *name,
                                 const char *field, const char *unit);

G_END_DECLS
