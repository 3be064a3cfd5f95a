/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-cache.h - keeps earlier plots, so that they can be shown again without reading samples
 * again
 *
 * It holds a few reduced plots, each of a few hundred kilobytes at most.
 */
#pragma once

#include "gui/plot/gilk-plot-data.h"

G_BEGIN_DECLS

typedef struct _GilkPlotCache GilkPlotCache;

GilkPlotCache *gilk_plot_cache_new   (void);
void           gilk_plot_cache_free  (GilkPlotCache *shelf);
void           gilk_plot_cache_clear (GilkPlotCache *shelf);
/* @key: everything that the plot depends on. The cache takes a reference to @data. */
void           gilk_plot_cache_put   (GilkPlotCache *shelf, const char *key, GilkPlotData *data);
/* Returns the plot stored under @key, with its zoom reset; NULL: none. (transfer full)
 * (nullable) */
GilkPlotData  *gilk_plot_cache_get   (GilkPlotCache *shelf, const char *key);

G_END_DECLS
