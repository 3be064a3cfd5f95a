/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-readout.h - describes a position of a figure in words
 *
 * A stop of the read-out is a bin of a histogram, a column of a heat map, or one of up to about a
 * hundred points of the first curve.
 */
#pragma once

#include "core/figure/gilk-figure.h"
#include "core/figure/gilk-selection.h"

G_BEGIN_DECLS

guint gilk_plot_readout_n_stops       (const GilkFigure *figure);
/* Sets @from and @to to the range of the x axis that @stop covers. */
void  gilk_plot_readout_stop_range    (const GilkFigure *figure, guint stop, double *from, double *to);
/* Returns the index of the stop at @x; -1: there is none. */
int   gilk_plot_readout_stop_at       (const GilkFigure *figure, double x);
/* (transfer full) */
char *gilk_plot_readout_describe      (const GilkFigure *figure, guint stop);
/* Returns a text about the position (@x, @y) of the figure. (transfer full) */
char *gilk_plot_readout_describe_at   (const GilkFigure *figure, double x, double y);
/* Returns a text about the marked range and its count; NULL: nothing is marked. (transfer full)
 * (nullable) */
char *gilk_plot_readout_describe_mark (const GilkFigure *figure, const GilkSelectionRange *mark);
/* Joins two texts; both are nullable. (transfer full) (nullable) */
char *gilk_plot_readout_join_texts    (const char *one, const char *other);

G_END_DECLS
