/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-private.h - helpers shared by the painters: text, axes, plot area
 */
#pragma once

#include "core/plot/gilk-plot.h"

#include <pango/pangocairo.h>

/* ---- painter: a cairo context with a style and the means to measure text ---- */

typedef struct {
  cairo_t             *cr;        /* cairo context; NULL when only measuring */
  const GilkPlotStyle *style;
  PangoContext        *context;
  double               width, height;
  gboolean             both_ends; /* ellipsize text in the middle instead of at the end */
} GilkPainter;

void gilk_painter_init  (GilkPainter *p, cairo_t *cr, double width, double height,
                         const GilkPlotStyle *style);
void gilk_painter_clear (GilkPainter *p);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPainter, gilk_painter_clear)

void gilk_painter_colour (GilkPainter *p, const GilkColour *colour, double alpha);
/* Sets the source colour to a mix of @colour, with weight @share, and the background. The mix is
 * opaque, so that grid lines do not shine through. */
void gilk_painter_blend  (GilkPainter *p, const GilkColour *colour, double share);
void gilk_painter_line   (GilkPainter *p, double x1, double y1, double x2, double y2);

/* Returns the width of a text in px. @scale: size of the text, relative to the style's text size */
double gilk_painter_text_width (GilkPainter *p, const char *text, double scale, gboolean bold);
/* Draws a text. @align: 0 if @x is the left edge of the text, 0.5 if its middle, 1 if its right
 * edge; @y is the middle of the line. @scale: as in gilk_painter_text_width(); @max_width: wider
 * text is ellipsized; 0 or less: no limit */
void   gilk_painter_text (GilkPainter *p, double x, double y, double align, const char *text,
                          double scale, gboolean bold, double max_width,
                          const GilkColour *colour);

/* Draws background, title, subtitle and loss note; returns the y coordinate below them. */
double gilk_painter_header (GilkPainter *p, const GilkPlotText *text, const char *subtitle);
double gilk_painter_header_height (GilkPainter *p, const GilkPlotText *text, const char *subtitle);
void   gilk_painter_empty  (GilkPainter *p, double top, const char *message);

/* ---- axis: bounds, ticks and their labels ---- */

typedef struct {
  double value;
  char  *label;                   /* label of the tick; NULL for a minor tick */
} GilkTick;

typedef enum {
  GILK_AXIS_LINEAR,
  GILK_AXIS_WHOLE,                /* a linear axis without ticks between integers */
  GILK_AXIS_LOG,
} GilkAxisKind;

typedef struct {
  double   from, to;              /* values at the ends of the axis; from < to */
  gboolean log, whole;
  GArray  *ticks;                 /* GilkTick */
  double   widest;                /* width of the widest label, px */
} GilkAxis;

/* Finds ticks whose labels fit on @length px. The number of ticks is limited by the widths of their
 * labels on a horizontal axis, and by the height of a line of text on a vertical one. */
void   gilk_axis_init  (GilkAxis *axis, GilkPainter *p, double from, double to, GilkAxisKind kind,
                        const char *unit, double length, gboolean vertical);
void   gilk_axis_clear (GilkAxis *axis);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkAxis, gilk_axis_clear)
/* Returns the position of @value along the axis, 0 to 1. */
double gilk_axis_position (const GilkAxis *axis, double value);

/* ---- plot area: two axes and the rectangle between them ---- */

typedef struct {
  GilkAxis x, y;
  double   left, top, right, bottom;
} GilkPlotArea;

typedef struct {
  double      x_from, x_to, y_from, y_to;
  GilkAxisKind x_kind, y_kind;
  const char *x_unit, *y_unit, *x_label, *y_label;
  double      top;                /* y of the lower edge of the header */
  double      head_room;          /* px reserved above the area, for markers */
} GilkPlotBounds;

void   gilk_plot_area_init  (GilkPlotArea *area, GilkPainter *p, const GilkPlotBounds *bounds);
void   gilk_plot_area_clear (GilkPlotArea *area);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkPlotArea, gilk_plot_area_clear)
void   gilk_plot_area_draw  (const GilkPlotArea *area, GilkPainter *p, const GilkPlotBounds *bounds);
double gilk_plot_area_x (const GilkPlotArea *area, double value);
double gilk_plot_area_y (const GilkPlotArea *area, double value);

/* ---- gaps and notes: gilk-plot-marks.c ---- */

/* Returns a bit set of the kinds of gaps in [from, to]. */
guint  gilk_painter_gap_kinds (const GArray *gaps, double from, double to);
/* Draws a tint where the hook was off, and hatching where samples were lost. The two differ in
 * greyscale, too. */
void   gilk_painter_gaps      (GilkPainter *p, const GilkPlotArea *area, const GArray *gaps);
/* Draws the legend of the kinds of gaps, on the line of the y axis' label. */
void   gilk_painter_gap_legend (GilkPainter *p, const GilkPlotArea *area, guint kinds,
                                const char *y_label);

/* Draws the notes as numbered flags. */
void   gilk_painter_flags     (GilkPainter *p, const GilkPlotArea *area, const GilkFigure *figure);

/* ---- parts of a figure: gilk-plot-curves.c, gilk-plot-heat.c ---- */

/* Draws all curves and reference levels, inside the area. */
void   gilk_painter_curves      (GilkPainter *p, const GilkPlotArea *area, const GilkFigure *figure);
/* Draws a short sample of the line of curve @i, from @x on at @y. */
void   gilk_painter_curve_sign  (GilkPainter *p, guint i, double x, double y, double width);
void   gilk_painter_cells       (GilkPainter *p, const GilkPlotArea *area, const GilkFigure *figure);
/* gilk_painter_ramp_width() returns the width of the colour bar; gilk_painter_ramp() draws the bar
 * to the right of the area. */
double gilk_painter_ramp_width  (GilkPainter *p, const GilkFigure *figure);
void   gilk_painter_ramp        (GilkPainter *p, const GilkPlotArea *area, const GilkFigure *figure);
