/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-figure.h - plots of a run that goes on, from what it told so far
 *
 * Threads: that of the history. (transfer full) all; one without anything to show has a message.
 */
#pragma once

#include "core/analysis/gilk-figure.h"
#include "core/run/gilk-run-history.h"
#include "core/run/gilk-value-history.h"

G_BEGIN_DECLS

typedef struct {
  guint       hook;
  const char *name;            /* in the legend */
} GilkLiveCurve;

/* Hits a second of these hooks over time, at most GILK_FIGURE_CURVES_MAX. */
GilkFigure *gilk_live_rates     (const GilkRunHistory *history, const GilkLiveCurve *curves, guint n);
/* Hits a second of all hooks, by processor and time. */
GilkFigure *gilk_live_cpus      (const GilkRunHistory *history);
/* The same of the samples that were lost. */
GilkFigure *gilk_live_losses    (const GilkRunHistory *history);
/* How full the rings were, and where samples were lost. */
GilkFigure *gilk_live_rings     (const GilkRunHistory *history);
/* How often which values came; @values is nullable: there are none. @name: of the hook; @field is nullable: nothing is chosen */
GilkFigure *gilk_live_histogram (const GilkSketch *values, const char *name, const char *field, const char *unit);
/* Median, high quantiles and greatest of them over time; alike. */
GilkFigure *gilk_live_values    (const GilkRunHistory *history, const GilkValueHistory *values, const char *name,
                                 const char *field, const char *unit);

G_END_DECLS
