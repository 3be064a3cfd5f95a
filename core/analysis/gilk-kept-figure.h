/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept-figure.h - histograms that programs kept, as a plot
 *
 * Their buckets are of unequal widths, so that bars as high as counts would show the buckets, not the
 * values: what is drawn is a density, and its area is the count. On a logarithmic axis it is of an octave,
 * on a linear one of a step of 1.
 *
 * Threads: any.
 */
#pragma once

#include "core/analysis/gilk-figure.h"
#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

typedef struct {
  const char           *name;         /* in the legend */
  const GilkStoredKept *kept;         /* a histogram's */
} GilkKeptSource;

/* The values are so few and small that a linear axis shows each of them. */
gboolean    gilk_kept_small  (const GilkKeptSource *sources, guint n);
/* @n: 1 to GILK_FIGURE_CURVES_MAX, else an error. Several are shares of each; of one the subtitle has its figures.
 * (transfer full) */
GilkFigure *gilk_kept_figure (const GilkKeptSource *sources, guint n, gboolean log_x, gboolean log_y,
                              GError **error);

G_END_DECLS
