/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-map-figure.h - plots of the histograms that programs keep
 *
 * Their buckets have unequal widths, so bars as high as the counts would show the buckets instead
 * of the values. The plot shows a density, whose area is the count: per octave on a logarithmic
 * axis, per 1 on a linear one.
 *
 * Threads: any.
 */
#pragma once

#include "core/figure/gilk-figure.h"
#include "core/store/gilk-store-program.h"

G_BEGIN_DECLS

typedef struct {
  const char           *name;         /* in the legend */
  const GilkStoredMap *map;           /* of a histogram */
} GilkMapSource;

/* Returns TRUE if the values are so few and small that a linear axis shows each of them. */
gboolean    gilk_map_is_small (const GilkMapSource *sources, guint n);
/* @n: 1 to GILK_FIGURE_CURVES_MAX, else an error. With several, each is normalised; with one, the
 * subtitle has its statistics. (transfer full) */
GilkFigure *gilk_map_figure   (const GilkMapSource *sources, guint n, gboolean log_x, gboolean log_y,
                               GError **error);

G_END_DECLS
