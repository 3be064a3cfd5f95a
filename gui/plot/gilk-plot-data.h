/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-data.h - the content of a plot (a figure, bars, or a message that explains why there
 * is neither), and earlier plots that are kept
 *
 * Threads: the creating thread fills the data; from then on, only the thread of the view that shows
 * them uses them. Any thread may take and drop references.
 */
#pragma once

#include "core/figure/gilk-figure-compare.h"
#include "core/plot/gilk-plot.h"

typedef struct _GilkPlotData {
  GilkFigure *figure;          /* NULL: the plot has @bars or @message instead */
  GArray     *bars;            /* element-type GilkBar; labels and notes are owned */
  char       *title, *subtitle, *loss_note;   /* for bars */
  char       *message;         /* explains why there is nothing to draw */
  GilkFigureCompared *compared;   /* comparison of the figure's two series, if computed; nullable */
  struct _GilkPlotData *comparison;   /* the same plot of another session, on the same axes; nullable */
  GArray     *comparison_bars; /* bars of the plot that this one is compared with, used to give both
                                * plots the same scale; nullable */
} GilkPlotData;

GilkPlotData *gilk_plot_data_new  (void);
GilkPlotData *gilk_plot_data_ref  (GilkPlotData *data);
/* Drops one reference. */
void          gilk_plot_data_free (GilkPlotData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlotData, gilk_plot_data_free)
void          gilk_plot_data_add_bar (GilkPlotData *data, const char *label, double value, const char *note);

/*
 * Cache of earlier plots, which can be shown again without reading their samples again.
 *
 * The cache holds a few plots. A plot is computed from the samples and takes a few hundred
 * kilobytes at most.
 */

typedef struct _GilkPlotCache GilkPlotCache;

GilkPlotCache *gilk_plot_cache_new   (void);
void           gilk_plot_cache_free  (GilkPlotCache *shelf);
void           gilk_plot_cache_clear (GilkPlotCache *shelf);
/* Stores @data, and takes a reference to it. @key: text with all settings that the plot depends
 * on */
void           gilk_plot_cache_put   (GilkPlotCache *shelf, const char *key, GilkPlotData *data);
/* Returns the plot stored under @key, with its zoom reset; NULL: none. (transfer full)
 * (nullable) */
GilkPlotData  *gilk_plot_cache_get   (GilkPlotCache *shelf, const char *key);
