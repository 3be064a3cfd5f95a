/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-cache.h - cache of plots, for going back to one without reading samples again
 *
 * It holds a few reduced plots of at most some hundred kilobytes each.
 */
#pragma once

#include "gui/plot/gilk-plot-data.h"

G_BEGIN_DECLS

typedef struct _GilkPlotCache GilkPlotCache;

GilkPlotCache *gilk_plot_cache_new   (void);
void           gilk_plot_cache_free  (GilkPlotCache *shelf);
void           gilk_plot_cache_clear (GilkPlotCache *shelf);
/* @key: everything that the plot depends on. The cache takes a reference. */
void           gilk_plot_cache_put   (GilkPlotCache *shelf, const char *key, GilkPlotData *data);
/* Returns the plot that was stored, not zoomed. (transfer full) (nullable) */
GilkPlotData  *gilk_plot_cache_get   (GilkPlotCache *shelf, const char *key);

G_END_DECLS
