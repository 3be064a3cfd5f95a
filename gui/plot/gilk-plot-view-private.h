/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view-private.h - internals of the plot view: cached rendering, and descriptions of
 * positions
 */
#pragma once

#include <gtk/gtk.h>

#include "core/figure/gilk-figure.h"
#include "core/figure/gilk-selection.h"

/*
 * The cached rendering of a widget.
 *
 * Spreads the painting of a page of plots over several frames, so that none takes long. If a frame
 * has used its time, a stale widget shows its old rendering until the next frame.
 */

/* Paints all of @widget, at its allocated size, including the background. */
typedef void (*GilkPicturePaint) (GtkWidget *widget, cairo_t *cr);

/* Embed this in the widget's struct, initialized to zero. */
typedef struct {
  cairo_surface_t *surface;       /* the cached rendering; NULL: never painted */
  int              width, height, scale;
  gboolean         stale;         /* the rendering must be painted again */
  gboolean         waits;         /* painting waits for a frame that has time left */
  guint            tick;          /* id of the callback for the next frame; 0: none */
} GilkCachedPicture;

/* Draws the rendering, which @paint updates if it is stale. Must be called in the widget's
 * ::draw. */
void gilk_cached_picture_draw       (GilkCachedPicture *picture, GtkWidget *widget, cairo_t *cr, GilkPicturePaint paint);
/* Marks the rendering as stale and queues a redraw of @widget. */
void gilk_cached_picture_invalidate (GilkCachedPicture *picture, GtkWidget *widget);
/* Frees the rendering. Call it when something else is shown, and before destroying the widget. */
void gilk_cached_picture_clear      (GilkCachedPicture *picture);

/*
 * Describes a position of a figure in words.
 *
 * The keyboard moves the read-out from one stop to the next. A stop is a bin of a histogram, a
 * column of a heat map, or one of about a hundred points of the first curve.
 */

guint gilk_plot_readout_n_stops       (const GilkFigure *figure);
/* Sets @from and @to to the range of the x axis that stop number @stop covers. */
void  gilk_plot_readout_stop_range    (const GilkFigure *figure, guint stop, double *from, double *to);
/* Returns the number of the stop that covers @x on the x axis; -1: there is none. */
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
