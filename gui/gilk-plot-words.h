/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-words.h - what a figure says at a place, in words
 *
 * The read-out stops at each bin of a histogram, each column of a heat map, or at points of the first
 * curve, at most some hundred.
 */
#pragma once

#include "core/analysis/gilk-figure.h"
#include "core/analysis/gilk-look.h"

G_BEGIN_DECLS

guint gilk_plot_words_n_stops  (const GilkFigure *figure);
/* What of the x axis a stop is about. */
void  gilk_plot_words_stop     (const GilkFigure *figure, guint stop, double *from, double *to);
/* -1: none is at @x. */
int   gilk_plot_words_stop_at  (const GilkFigure *figure, double x);
/* (transfer full) */
char *gilk_plot_words_describe (const GilkFigure *figure, guint stop);
/* Anywhere. (transfer full) */
char *gilk_plot_words_at       (const GilkFigure *figure, double x, double y);
/* What is marked of @figure, and how much that is. (transfer full) (nullable): nothing is */
char *gilk_plot_words_mark     (const GilkFigure *figure, const GilkLookSpan *mark);
/* Either may be NULL. (transfer full) (nullable) */
char *gilk_plot_words_join     (const char *one, const char *other);

G_END_DECLS
