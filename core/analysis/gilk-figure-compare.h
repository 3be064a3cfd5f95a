/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-compare.h - the two of an overlay against each other, for who shows the overlay
 *
 * Threads: making, that of the stores; then whoever's it is given to.
 */
#pragma once

#include "core/analysis/gilk-compare.h"
#include "core/analysis/gilk-figure.h"

G_BEGIN_DECLS

typedef struct {
  char         *words;            /* how far apart they are: a sentence */
  char         *names[2], *unit;  /* unit: of values; may carry a prefix */
  uint64_t      n[2], lost[2];
  double        mean[2];
  guint         n_at;
  double       *at;               /* which quantiles; of each: */
  double       *a, *b;
  GilkInterval *differences;      /* of the second's less the first's, with intervals of 95 % within these two
                                 * runs; NaN where the values do not support one */
} GilkFigureCompared;

/**
 * gilk_figure_compare:
 * Compares quantiles of the two: 0.5, 0.9, 0.99 and 0.999.
 * @compared: (out) (transfer full): NULL where there is no such thing: not two, not distributions, only some values
 *   looked at, or none there
 * Exact of however many samples, which takes longer than the figure. Ends soon after the stores' cancellable is cancelled.
 */
gboolean gilk_figure_compare       (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                                    GilkFigureCompared **compared, GError **error);
void     gilk_figure_compared_free (GilkFigureCompared *compared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFigureCompared, gilk_figure_compared_free)

G_END_DECLS
