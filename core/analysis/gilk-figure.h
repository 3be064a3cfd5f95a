/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure.h - the description of a plot: what the command line and the workbench both draw
 *
 * All of it is reduced: bins, columns, cells and some thousand points, never samples. Who shows
 * another part of it, or has more pixels, makes another one.
 *
 * Threads: making, that of the stores; else any, one at a time.
 */
#pragma once

#include "core/analysis/gilk-gaps.h"
#include "core/analysis/gilk-heat.h"
#include "core/analysis/gilk-histogram.h"
#include "core/analysis/gilk-hook-cost.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FIGURE_HISTOGRAM,
  GILK_FIGURE_ECDF,
  GILK_FIGURE_SERIES,
  GILK_FIGURE_RATE,
  GILK_FIGURE_HEAT,
  GILK_FIGURE_SPECTRUM,
  GILK_FIGURE_AUTOCORRELATION,
  GILK_FIGURE_N_KINDS,
} GilkFigureKind;

/* "histogram", "heat", ...; as the command line has them. */
const char *gilk_figure_kind_name   (GilkFigureKind kind);
/* FALSE: no kind is called so. */
gboolean    gilk_figure_kind_parse  (const char *name, GilkFigureKind *kind);

typedef struct {
  char     *label, *unit;         /* unit: may carry a prefix ("ns"); NULL or "": plain numbers */
  GilkScale scale;
  double    from, to;             /* from < to */
} GilkFigureAxis;

typedef enum {
  GILK_CURVE_LINE,                /* through points; NaN ends it */
  GILK_CURVE_STEPS,               /* y over [x, next x): n of y, n + 1 of x; NaN: nothing there */
  GILK_CURVE_STAIR,               /* jumps to y at x, and stays */
  GILK_CURVE_RANGE,               /* from y to y2 at x, which lie one pixel apart; NaN: nothing there */
  GILK_CURVE_STEMS,               /* from 0 to y */
} GilkCurveKind;

typedef struct {
  char         *name;             /* in the legend */
  GilkCurveKind kind;
  gboolean      goes_on;          /* steps: what is before and behind them is not nothing, but not known */
  guint         n;
  double       *x, *y, *y2;
  uint64_t      samples, lost;
} GilkCurve;

/* A note on a moment, or on a time; its number is that in the list of the run's notes. */
typedef struct {
  guint  number;
  double from, to;                /* seconds */
  char  *text;
} GilkFigureFlag;

typedef struct _GilkFigure {
  GilkFigureKind kind;
  char          *title, *subtitle;
  char          *caption;         /* method, and what loss does: a sentence or two; nullable */
  uint64_t       most_beside;     /* in a cell of the heat map that lies beside it: both have one scale of colours; 0: none does */
  char          *beside;          /* the caption of one that lies beside it: there is as much room for either; nullable */
  char          *message;         /* shown instead of a plot: why there is none; nullable */
  char          *loss_note;       /* "312 lost"; nullable */
  GilkFigureAxis x, y;
  GPtrArray     *curves;          /* GilkCurve */
  GilkHistogram *histogram;       /* of a single one, instead of curves */
  GilkHeat      *heat;            /* instead of curves */
  GArray        *gaps;            /* GilkGap, over x; nullable */
  char          *counted;         /* what cells of the heat map are numbers of; NULL: samples */
  gboolean       share_band;      /* y is a share: what is lost makes it a band */
  GArray        *flags;           /* GilkFigureFlag, over x; nullable */
  GArray        *levels;          /* double: level lines to compare with; nullable */
  uint64_t       samples, lost, cut;
  gboolean       rough;           /* something to look at until all samples are read */
  struct _GilkFigure *other;      /* the same with the other x axis, if that was asked for; nullable */
} GilkFigure;

/* More curves than this cannot be told apart. */
#define GILK_FIGURE_CURVES_MAX 8

typedef struct {
  GilkStore            *store;    /* borrowed, as are all */
  const GilkStoredHook *hook;
  double                duration; /* of its run, seconds */
  const char           *name;     /* in the legend */
  const char           *condition;   /* which samples, as of gilk_samples_add_condition(); nullable */
  GilkHookCost         *cost;     /* taken off intervals, counts, and is said; nullable */
} GilkFigureSource;

typedef struct {
  GilkFigureKind kind;
  const char    *field;           /* of numbers, "interval"; NULL: hits (rate, spectrum, autocorrelation) */
  gboolean       log_x, log_y;    /* of the axis as it is drawn */
  guint          bins;            /* 0: as the data asks for */
  double         from, to;        /* seconds of the run looked at; NaN: all */
  double         low, high;       /* values looked at; NaN: all */
  guint          columns, rows;   /* pixels there are */
  gsize         *read;            /* as of GilkHookAsk; nullable, borrowed */
  gboolean       both;            /* of one histogram: with either x axis, see GilkFigure.other */
} GilkFigureAsk;

/* All of everything, in 1000 by 400 pixels. */
GilkFigureAsk gilk_figure_ask (GilkFigureKind kind, const char *field);

/**
 * gilk_figure_make:
 * @n: 1 to GILK_FIGURE_CURVES_MAX; heat maps are of one
 * A figure without a value has a message. What cannot be told for loss is refused with an error that
 * says so. Ends soon after the stores' cancellable is cancelled. (transfer full)
 */
GilkFigure *gilk_figure_make (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                              GError **error);
/**
 * gilk_figure_soon:
 * The same in some 10 ms, of however many samples; rough, if it is not all that gilk_figure_make() would make. NULL without
 * an error: there is no such thing. (transfer full)
 */
GilkFigure *gilk_figure_soon (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, GError **error);
/**
 * gilk_figure_distance:
 * How far apart the two are that a figure of the same shows: Kolmogorov and Smirnov's distance and Cliff's delta,
 * exact of however many samples, which takes longer than the figure: of 10^8 some seconds to a minute. NULL without
 * an error where there is no such thing: not two, not distributions, only some values looked at, or none there. Ends
 * soon after the stores' cancellable is cancelled. (transfer full)
 */
gboolean    gilk_figure_distance (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, char **words,
                                  GError **error);
/**
 * gilk_figure_make_beside:
 * Two figures to be compared by eye, of the first @n_left sources and of the others: on the same axes, distributions
 * in the same bins. (out) (transfer full)
 */
gboolean    gilk_figure_make_beside (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, guint n_left,
                                     GilkFigure **left, GilkFigure **right, GError **error);
/* @words come first in its caption. */
void        gilk_figure_say  (GilkFigure *figure, const char *words);
/* Without anything in it, for whoever has curves of another making. (transfer full) */
GilkFigure *gilk_figure_new  (GilkFigureKind kind);
void        gilk_figure_free (GilkFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFigure, gilk_figure_free)
/* Room for @n points (and one edge more). (transfer none) */
GilkCurve  *gilk_figure_add_curve (GilkFigure *figure, GilkCurveKind kind, const char *name, guint n);

G_END_DECLS
