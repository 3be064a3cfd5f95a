/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-shelf.h - plots that were made, for who goes back to one: nothing is read again
 *
 * They are reduced, some hundred kilobytes each at most, and few.
 */
#pragma once

#include "gui/gilk-plot-data.h"

G_BEGIN_DECLS

typedef struct _GilkPlotShelf GilkPlotShelf;

GilkPlotShelf *gilk_plot_shelf_new   (void);
void           gilk_plot_shelf_free  (GilkPlotShelf *shelf);
void           gilk_plot_shelf_clear (GilkPlotShelf *shelf);
/* @key: all that it depends on. The shelf takes a reference. */
void           gilk_plot_shelf_put   (GilkPlotShelf *shelf, const char *key, GilkPlotData *data);
/* As it was put there, not zoomed. (transfer full) (nullable) */
GilkPlotData  *gilk_plot_shelf_get   (GilkPlotShelf *shelf, const char *key);

G_END_DECLS
