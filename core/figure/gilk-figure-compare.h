/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-compare.h - compares the two sources (hooks) of a figure numerically
 *
 * Threads: only the stores' thread during the comparison; then any, one at a time.
 */
#pragma once

#include "core/analysis/gilk-hook-compare.h"
#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

typedef struct {
  char      *words;               /* describes the distance between the distributions of the two
                                   * sources (hooks) */
  char      *names[2];
  uint64_t   n[2], lost[2];
  GPtrArray *rows;                /* (element-type GilkComparedRow): compared quantiles; their
                                   * confidence intervals apply only to these two runs */
} GilkFigureCompared;

/**
 * gilk_figure_compare:
 * @compared: (out) (transfer full) (nullable): NULL if the comparison is undefined: not two
 *   sources, no distributions, a selected range of values, or no values
 * Compares the 0.5, 0.9, 0.99 and 0.999 quantiles of the two sources. Exact for any number of
 * samples, but slower than the figure. Returns soon after the stores' cancellable is cancelled.
 */
gboolean gilk_figure_compare       (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                                    GilkFigureCompared **compared, GError **error);
void     gilk_figure_compared_free (GilkFigureCompared *compared);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFigureCompared, gilk_figure_compared_free)

G_END_DECLS
