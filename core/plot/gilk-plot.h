/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot.h - painters for a cairo_t: axes, histograms, bars, figures
 *
 * Draw functions only draw: data is reduced beforehand. The same painters serve the workbench and
 * the CLI's --svg, --png, --pdf. Colours come from a style, so that the caller chooses light, dark
 * or high contrast.
 *
 * Threads: only the cairo_t's thread; functions for files may be called in any thread, and paint in
 * that thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "core/base/gilk-format.h"
#include "core/figure/gilk-figure.h"
#include "core/layout/gilk-layout.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

typedef struct { double r, g, b, a; } GilkColour;

#define GILK_PLOT_RAMP 6

typedef struct {
  GilkColour background, surface, text, dim, grid, accent, accent2, warn, good, bad;
  GilkColour heat_low, heat_high;
  GilkColour series[GILK_FIGURE_CURVES_MAX];   /* colours of curves, distinguishable with colour
                                                * blindness; in greyscale, curves differ by
                                                * dashes */
  /* colours of a heat map, for few to many: in greyscale, each is darker than the one before
   * (lighter in the dark style) */
  GilkColour ramp[GILK_PLOT_RAMP];
  const char *font;              /* font family, e.g. "Cantarell" */
  const char *mono;              /* font family for code */
  double      size;              /* text size in px */
  double      header_reserve;    /* px that the caller reserves at the right of the header */
} GilkPlotStyle;

extern const GilkPlotStyle gilk_plot_light, gilk_plot_dark;

typedef struct {
  const char *title, *subtitle;  /* nullable; the painter appends the number of samples, median and
                                  * so on to the subtitle */
  const char *x_label, *x_unit, *y_label;
  gboolean    log_y;
  const char *loss_note;         /* (nullable): text such as "312 lost", shown in the plot */
  const struct _GilkBar *neighbour_bars; /* nullable: bars of the adjacent plot, with which
                                          * this plot shares its scale and label width */
  guint       n_neighbour_bars;
} GilkPlotText;

void gilk_plot_histogram (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          const GilkPlotText *text, const GilkHistogram *histogram);

typedef struct _GilkBar { const char *label; double value; GilkColour colour; const char *note; } GilkBar;
/* Draws horizontal bars, label left, value and note right. A bar with a NULL label starts a group,
 * and its note is the group's heading. A colour with a = 0 stands for the accent. */
void gilk_plot_bars   (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                       const GilkPlotText *text, const GilkBar *bars, guint n_bars);
/* Returns the bar at @y, including its label and its note; -1 if none. */
int  gilk_plot_bar_at (double width, double height, const GilkPlotStyle *style, const GilkPlotText *text,
                       const GilkBar *bars, guint n_bars, double y);

/* Draws a value with its confidence interval from @low to @high on one line that always includes
 * zero, without a background. A height of about three lines of text is enough. */
void gilk_plot_interval  (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          double low, double value, double high, const char *unit);

/* Draws everything that a figure describes: curves,
 * bars or cells, axes, gaps, legend and caption. */
void gilk_plot_figure    (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          const GilkFigure *figure);

/* The plot area in pixels, and the data values at its edges, for cursors; computed as the painters
 * do. */
typedef struct {
  double   x, y, width, height;
  double   from, to;
  gboolean log_x;
  double   y_from, y_to;          /* @y_from, @y_to and @log_y are set only for a figure */
  gboolean log_y;
} GilkPlotFrame;
/* Gets the frame of the figure's plot. Returns FALSE if nothing is plotted. */
gboolean gilk_plot_figure_frame  (double width, double height, const GilkPlotStyle *style,
                                  const GilkFigure *figure, GilkPlotFrame *frame);
void   gilk_plot_histogram_frame (double width, double height, const GilkPlotText *text,
                                  const GilkPlotStyle *style, const GilkHistogram *histogram, GilkPlotFrame *frame);
double gilk_plot_frame_x (const GilkPlotFrame *frame, double px);      /* returns the data value at
                                                                        * pixel @px */
double gilk_plot_frame_px (const GilkPlotFrame *frame, double x);      /* returns the pixel of data
                                                                        * value @x */
double gilk_plot_frame_y (const GilkPlotFrame *frame, double py);

/* ---- files ---- */

typedef enum { GILK_PLOT_SVG, GILK_PLOT_PNG, GILK_PLOT_PDF } GilkPlotFormat;
typedef void (*GilkPaintFunc) (cairo_t *cr, double width, double height, gpointer user_data);
/* Scales down a picture that is too large for a file of @format. Returns the factor, 1 if the
 * picture was small enough; an SVG file holds any graph. */
double   gilk_plot_fit     (GilkPlotFormat format, double *width, double *height);
/* Returns the contents of the file. @width and @height are in px (points for PDF); a PNG has twice
 * as many pixels in each direction. (transfer full) */
GByteArray *gilk_plot_to_bytes (GilkPlotFormat format, double width, double height,
                                GilkPaintFunc paint, gpointer user_data, GError **error);
/* Writes the file atomically. Returns FALSE on failure. Blocks on the disk. */
gboolean gilk_plot_write   (const char *path, const GByteArray *data, GError **error);
/* Makes the picture with @paint and writes the file. */
gboolean gilk_plot_to_file (const char *path, GilkPlotFormat format, double width, double height,
                            GilkPaintFunc paint, gpointer user_data, GError **error);

G_END_DECLS
