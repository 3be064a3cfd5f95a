/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-data.h - what a plot shows: a figure, bars, or why there is neither
 *
 * Threads: any that makes it, then that of its view; references may be counted in any.
 */
#pragma once

#include "core/analysis/gilk-figure-compare.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef struct _GilkPlotData {
  GilkFigure *figure;          /* or: */
  GArray     *bars;            /* GilkBar with owned labels and notes */
  char       *title, *subtitle, *loss_note;   /* of bars */
  char       *message;         /* shown instead of bars */
  GilkFigureCompared *compared;   /* the two of the figure, once that is known; nullable */
  struct _GilkPlotData *beside;   /* the same of another session, on the same axes; nullable */
  GArray     *beside_bars;     /* those of the plot that this one is beside, or of the one beside it; nullable */
} GilkPlotData;

GilkPlotData *gilk_plot_data_new  (void);
GilkPlotData *gilk_plot_data_ref  (GilkPlotData *data);
/* One reference of it. */
void          gilk_plot_data_free (GilkPlotData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlotData, gilk_plot_data_free)
void          gilk_plot_data_add_bar (GilkPlotData *data, const char *label, double value, const char *note);

G_END_DECLS
