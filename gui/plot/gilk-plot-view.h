/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.h - plots: one with a read-out under the pointer, zoom and pan, its progress
 * overlay, and the sparkline of a rate
 */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

#include "core/figure/gilk-selection.h"
#include "gui/plot/gilk-plot-data.h"

/*
 * One plot.
 *
 * Owns the data it shows; core/plot does the painting. Signals: "read-out" (string). "zoomed" (two
 * doubles): the requested range of the x axis, NaN for all of it; the receiver should supply a
 * figure of that range, and until then the current one is drawn stretched. "marked" (two doubles):
 * the dragged range; the receiver confirms it with gilk_plot_view_set_mark(). "undo", "enter" (zoom
 * to the mark), "note": a key was pressed. "alone": a key was pressed, or a double click made above
 * the plot.
 *
 * Wheel: zoom at the pointer. Drag, or Shift and arrows: mark, or zoom where marks are disabled.
 * Middle button, or Shift and drag: pan. Double click, 0, Escape: show all; double click above the
 * plot, F: show it alone. Enter: zoom to the mark. Shift and Z: undo. + and -: zoom. Ctrl and
 * arrows: pan. Arrows: read-out. N: note.
 */

#define GILK_TYPE_PLOT_VIEW (gilk_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotView, gilk_plot_view, GILK, PLOT_VIEW, GtkDrawingArea)

/* Shows @data (transfer full). @whole: the data are not only those of a zoomed range, so their
 * range is the one at which zooming out ends */
void     gilk_plot_view_set_data (GilkPlotView *self, GilkPlotData *data, gboolean whole);
/* Zooms to the range from @from to @to of the x axis; NaN: shows all of the axis. Emits no
 * signal. */
void     gilk_plot_view_set_range      (GilkPlotView *self, double from, double to);
/* Highlights a range of the x axis and announces the number and percentage of samples in the range;
 * NaN: no range. */
void     gilk_plot_view_set_mark  (GilkPlotView *self, double from, double to);
/* Sets how many pixels at the right end of the heading other widgets cover. */
void     gilk_plot_view_set_header_reserve (GilkPlotView *self, double corner);
/* Sets whether a drag marks a range; otherwise a drag zooms. */
void     gilk_plot_view_set_can_mark (GilkPlotView *self, gboolean marks);
/* Returns the marked range, or else the position of the read-out or the pointer; NaN: none. */
GilkSelectionRange gilk_plot_view_position (GilkPlotView *self);
/* Sets the range of the whole x axis, at which zooming out ends. Call it if the range is known more
 * exactly than from the data. */
void     gilk_plot_view_set_full_range (GilkPlotView *self, double from, double to);
/* Sets the origin of the data; NULL: none. Only exported pictures show the origin, because they
 * lack the surrounding window. */
void     gilk_plot_view_set_source (GilkPlotView *self, const char *source);
/* Puts @words in front of the figure's caption. @words are also the accessible description of the
 * plot until a position is read out. */
void     gilk_plot_view_add_caption       (GilkPlotView *self, const char *words);
gboolean gilk_plot_view_has_plot  (GilkPlotView *self);
/* Returns the index of the bar at @y of the widget; -1: none. */
int      gilk_plot_view_bar_at    (GilkPlotView *self, double y);
/* Returns the data that are shown. (transfer none) (nullable) */
GilkPlotData *gilk_plot_view_data (GilkPlotView *self);
/* Redraws the plot. Must be called after the data were changed in place. */
void     gilk_plot_view_changed   (GilkPlotView *self);
/* Resets the zoom, like pressing 0. */
void     gilk_plot_view_show_all  (GilkPlotView *self);
/* Gets the approximate size of the plot area in device pixels. */
void     gilk_plot_view_pixel_size    (GilkPlotView *self, guint *columns, guint *rows);
/* Sets @width and @height to the size of an exported picture: the widget's size, but at least 100
 * by 80. */
void     gilk_plot_view_picture_size   (GilkPlotView *self, guint *width, guint *height);
/* Paints the plot in light colours, as for paper. */
void     gilk_plot_view_paint     (GilkPlotView *self, cairo_t *cr, double width, double height);

/*
 * Progress overlay of a plot while its samples are being read, with a cancel button.
 *
 * Shown only if reading takes longer than a moment. Signal "cancelled".
 */

#define GILK_TYPE_PLOT_PROGRESS (gilk_plot_progress_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotProgress, gilk_plot_progress, GILK, PLOT_PROGRESS, GtkBox)

GtkWidget *gilk_plot_progress_new            (void);
/* Starts to show progress. @read: (transfer full) (nullable): atomic counter of samples read so
 * far. @to_read: total number of samples; 0: unknown */
void       gilk_plot_progress_start          (GilkPlotProgress *self, gsize *read, uint64_t to_read);
/* Moves to the corner beside the caption, so that the partial plot can be read. */
void       gilk_plot_progress_move_to_corner (GilkPlotProgress *self);
void       gilk_plot_progress_stop           (GilkPlotProgress *self);

/* ---- sparkline of a rate during a run ---- */

#define GILK_TYPE_RATE_LINE (gilk_rate_line_get_type ())
G_DECLARE_FINAL_TYPE (GilkRateLine, gilk_rate_line, GILK, RATE_LINE, GtkDrawingArea)

/* Clears the line at the start of a run. */
void gilk_rate_line_clear (GilkRateLine *self);
/* Adds a point. @seconds: time since the start of the run; ignored if not later than the last
 * point */
void gilk_rate_line_add   (GilkRateLine *self, double seconds, double per_second);
