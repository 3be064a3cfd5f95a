/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-shelf.h - cache of plots, for going back to one without reading samples again
 *
 * It holds a few reduced plots of at most some hundred kilobytes each.
 */
#pragma once

#include "gui/gilk-plot-data.h"

G_BEGIN_DECLS

typedef struct _GilkPlotShelf GilkPlotShelf;

GilkPlotShelf *gilk_plot_shelf_new   (void);
void           gilk_plot_shelf_free  (GilkPlotShelf *shelf);
void           gilk_plot_shelf_clear (GilkPlotShelf *shelf);
/* @key: everything that the plot depends on. The cache takes a reference. */
void           gilk_plot_shelf_put   (GilkPlotShelf *shelf, const char *key, GilkPlotData *data);
/* Returns the plot as it was stored, not zoomed. (transfer full) (nullable) */
GilkPlotData  *gilk_plot_shelf_get   (GilkPlotShelf *shelf, const char *key);

G_END_DECLS
