/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot.h - painters: axes, histograms, bars, figures, graphs, on a cairo_t
 *
 * Draw functions only draw: data is reduced before. The same painters serve the
 * workbench and the CLI's --svg, --png, --pdf. Colours come from a style, so
 * light, dark and high contrast are the caller's choice.
 *
 * Threads: that of the cairo_t; those of files are for any, and paint in the caller's.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "core/analysis/gilk-figure.h"
#include "core/analysis/gilk-histogram.h"
#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

typedef struct { double r, g, b, a; } GilkColour;

#define GILK_PLOT_RAMP 6

typedef struct {
  GilkColour background, surface, text, dim, grid, accent, accent2, warn, good, bad;
  GilkColour heat_low, heat_high;
  GilkColour series[GILK_FIGURE_CURVES_MAX];   /* apart for colour-blind eyes; dashes keep them so in grey */
  GilkColour ramp[GILK_PLOT_RAMP];             /* few to many: ever darker (or lighter, on dark) in grey */
  const char *font;              /* family, e.g. "Cantarell" */
  const char *mono;              /* family for code */
  double      size;              /* text size in px */
  double      corner;            /* px at the right of the head that are somebody else's */
} GilkPlotStyle;

extern const GilkPlotStyle gilk_plot_light, gilk_plot_dark;

typedef struct {
  const char *title, *subtitle;  /* nullable; number of samples, median and such are added */
  const char *x_label, *x_unit, *y_label;
  gboolean    log_y;
  const char *loss_note;         /* "312 lost", shown in the plot; NULL if none */
  const struct _GilkBar *beside; /* bars of a plot beside: either has the scale and the room for labels that both need */
  guint       n_beside;
} GilkPlotText;

void gilk_plot_histogram (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          const GilkPlotText *text, const GilkHistogram *histogram);

typedef struct _GilkBar { const char *label; double value; GilkColour colour; const char *note; } GilkBar;
/* Horizontal bars, label left, value and note right. A bar with a NULL label begins a
 * group, its note is the group's heading. A colour with a = 0 stands for the accent. */
void gilk_plot_bars      (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          const GilkPlotText *text, const GilkBar *bars, guint n_bars);
/* Which of them is at @y, with its label and what is beside it; -1: none. */
int  gilk_plot_bar_at    (double width, double height, const GilkPlotStyle *style, const GilkPlotText *text,
                          const GilkBar *bars, guint n_bars, double y);

/* A value between @low and @high on one line, zero always beside it; nothing is painted behind. A
 * line of text and about two more are high enough. */
void gilk_plot_interval  (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          double low, double value, double high, const char *unit);

/* All that a figure describes: its curves, bars or cells, axes, gaps, legend and caption. */
void gilk_plot_figure    (cairo_t *cr, double width, double height, const GilkPlotStyle *style,
                          const GilkFigure *figure);

/* Position in the plot area <-> data, for cursors; same geometry as the painters use. */
typedef struct {
  double   x, y, width, height;
  double   from, to;
  gboolean log_x;
  double   y_from, y_to;          /* of a figure alone, as is log_y */
  gboolean log_y;
} GilkPlotFrame;
/* FALSE: nothing is plotted. */
gboolean gilk_plot_figure_frame  (double width, double height, const GilkPlotStyle *style,
                                  const GilkFigure *figure, GilkPlotFrame *frame);
void   gilk_plot_histogram_frame (double width, double height, const GilkPlotText *text,
                                  const GilkPlotStyle *style, const GilkHistogram *histogram, GilkPlotFrame *frame);
double gilk_plot_frame_x (const GilkPlotFrame *frame, double px);      /* data value at pixel */
double gilk_plot_frame_px (const GilkPlotFrame *frame, double x);      /* and back */
double gilk_plot_frame_y (const GilkPlotFrame *frame, double py);

/* "2.31 µs", "1.28 M": value with SI prefix and unit, @digits significant digits; @unit may
 * be NULL, or carry a prefix itself ("ns"). (transfer full) */
char  *gilk_format_si    (double value, const char *unit, int digits);
/* "1,204,331", alike in every locale; exact up to 2^53. (transfer full) */
char  *gilk_format_count (double value);

/* ---- files ---- */

typedef enum { GILK_PLOT_SVG, GILK_PLOT_PNG, GILK_PLOT_PDF } GilkPlotFormat;
typedef void (*GilkPaintFunc) (cairo_t *cr, double width, double height, gpointer user_data);
/* Makes a picture that can be scaled smaller where a file of that format could not hold it. Returns: by how much, 1: not
 * at all, as in SVG, which holds any graph. */
double   gilk_plot_fit     (GilkPlotFormat format, double *width, double *height);
/* The file, in memory. @width and @height in px (points for PDF); a PNG has twice as many pixels each way. (transfer full) */
GByteArray *gilk_plot_to_bytes (GilkPlotFormat format, double width, double height,
                                GilkPaintFunc paint, gpointer user_data, GError **error);
/* It appears complete or not at all; FALSE if it could not be written. Waits for the disk. */
gboolean gilk_plot_write   (const char *path, const GByteArray *data, GError **error);
/* Both. */
gboolean gilk_plot_to_file (const char *path, GilkPlotFormat format, double width, double height,
                            GilkPaintFunc paint, gpointer user_data, GError **error);

G_END_DECLS
