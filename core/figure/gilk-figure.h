/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure.h - description of a plot, drawn by the command line and the workbench alike
 *
 * A figure holds reduced data: bins, columns, cells and a few thousand points, never samples. For
 * another range, or another number of pixels, make another figure.
 *
 * Threads: only the stores' thread while a figure is made; then any, one at a time.
 */
#pragma once

#include "core/analysis/gilk-capture-comparison.h"
#include "core/cost/gilk-hook-cost.h"
#include "core/run/gilk-field-stats.h"
#include "core/run/gilk-run-history.h"
#include "core/stats/gilk-gaps.h"
#include "core/stats/gilk-heat.h"
#include "core/stats/gilk-histogram.h"
#include "core/store/gilk-store-program.h"
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

/* Returns the kind's name on the command line: "histogram", "heat", ... */
const char *gilk_figure_kind_name  (GilkFigureKind kind);
/* Gets the kind called @name. Returns FALSE if there is none. */
gboolean    gilk_figure_kind_parse (const char *name, GilkFigureKind *kind);

typedef struct {
  char     *label, *unit;         /* @unit may have an SI prefix ("ns"); it is NULL or "" for plain
                                   * numbers */
  GilkScale scale;
  double    from, to;             /* ends of the axis; @from < @to */
} GilkFigureAxis;

typedef enum {
  GILK_CURVE_LINE,                /* a line through the points; it is broken where y is NaN */
  GILK_CURVE_STEPS,               /* each y holds over [x, next x): n values of y, n + 1 of x; NaN:
                                   * no data */
  GILK_CURVE_STAIR,               /* jumps to y at x, and stays at y until the next x */
  GILK_CURVE_RANGE,               /* vertical line from y to y2 at each x; successive x are one
                                   * pixel apart; NaN: no data */
  GILK_CURVE_STEMS,               /* a vertical line from 0 to y at each x */
} GilkCurveKind;

typedef struct {
  char         *name;             /* name shown in the legend */
  GilkCurveKind kind;
  gboolean      open_ended;       /* for steps: outside the curve's range the value is unknown, not
                                   * zero */
  guint         n;
  double       *x, *y, *y2;
  uint64_t      samples, lost;
} GilkCurve;

/* A note on a point or a range of time; @number is its position in the list of the run's notes,
 * from 1. */
typedef struct {
  guint  number;
  double from, to;                /* seconds */
  char  *text;
} GilkFigureFlag;

typedef struct _GilkFigure {
  GilkFigureKind kind;
  char          *title, *subtitle;
  char          *caption;           /* method, and effect of lost samples: a sentence or two; nullable */
  uint64_t       neighbour_max;     /* maximum cell count of the heat map shown next to this one:
                                   * both have the same colour scale; 0: this one is shown alone */
  char          *neighbour_caption; /* caption of the figure shown next to this one: both reserve
                                     * space for the longer caption; nullable */
  char          *message;           /* reason why there is nothing to draw, shown instead of the
                                     * plot; nullable */
  char          *loss_note;         /* note on lost samples, such as "312 lost"; nullable */
  GilkFigureAxis x, y;
  GPtrArray     *curves;            /* GilkCurve */
  GilkHistogram *histogram;         /* (nullable): a single histogram, which is drawn instead of
                                     * curves */
  GilkHeat      *heat;              /* (nullable): a heat map, which is drawn instead of curves */
  GArray        *gaps;              /* gaps in the data, on the x axis (element-type GilkGap);
                                     * nullable */
  char          *counted;           /* name of the things that the heat map's cells count; NULL:
                                     * samples */
  gboolean       share_band;        /* y is a share, drawn as a band of the shares that are possible
                                     * if samples were lost */
  GArray        *flags;             /* notes to mark on the x axis (element-type GilkFigureFlag);
                                     * nullable */
  GArray        *levels;            /* reference levels to draw (element-type double); nullable */
  uint64_t       samples, lost, cut;
  gboolean       is_preview;        /* the figure is preliminary: it was made without reading all
                                     * samples */
  struct _GilkFigure *other;        /* the same figure with the other scale (linear or logarithmic)
                                     * of the x axis, if requested; nullable */
} GilkFigure;

/* Maximum number of curves in a figure; more cannot be distinguished. */
#define GILK_FIGURE_CURVES_MAX 8

/* A source of a figure: a hook, and which of its samples are drawn. All pointers are borrowed. */
typedef struct {
  GilkStore            *store;
  const GilkStoredHook *hook;
  double                duration; /* duration of the hook's run, seconds */
  const char           *name;     /* name shown in the legend */
  const char           *condition;   /* condition that samples must meet, as in
                                      * gilk_samples_add_condition(); nullable */
  GilkHookCost         *cost;     /* measured cost of the hook, which is subtracted from durations,
                                   * with a note in the caption; nullable */
} GilkFigureSource;

typedef struct {
  GilkFigureKind kind;
  const char    *field;           /* numeric field, or "interval" for the times between samples;
                                   * NULL: hits (for a rate, spectrum or autocorrelation) */
  gboolean       log_x, log_y;    /* whether the axis is drawn with a logarithmic scale */
  guint          bins;            /* number of bins; 0: chosen from the data */
  double         from, to;        /* selected range of the run, seconds; NaN: the whole run */
  double         low, high;       /* selected range of values; NaN: all values */
  guint          columns, rows;   /* size of the plot in pixels */
  gsize         *read;            /* number of samples read so far, see GilkHookAsk.read; nullable,
                                   * borrowed */
  gboolean       both;            /* for a single histogram: also compute it for the
                                   * other scale of x, linear or logarithmic */
} GilkFigureAsk;

/* Returns a request for the whole run and all values, in 1000 by 400 pixels. */
GilkFigureAsk gilk_figure_ask (GilkFigureKind kind, const char *field);

/**
 * gilk_figure_make:
 * @n: 1 to GILK_FIGURE_CURVES_MAX; 1 for heat maps
 * A figure without values has a message. Fails with an explanation if lost samples make the figure
 * meaningless. Returns soon after the stores' cancellable is cancelled. (transfer full)
 */
GilkFigure *gilk_figure_make (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                              GError **error);
/**
 * gilk_figure_preview:
 * Makes a preliminary figure in about 10 ms, however many samples there are. Sets is_preview if
 * gilk_figure_make() would make a different figure. Returns NULL without an error if none can be
 * made. (transfer full)
 */
GilkFigure *gilk_figure_preview (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, GError **error);
/**
 * gilk_figure_distance:
 * @words: (out) (transfer full) (nullable): distance of the two sources' distributions:
 *   Kolmogorov-Smirnov distance and Cliff's delta. NULL if the distance is undefined: not two
 *   sources, no distributions, a selected range of values, or no values.
 * Exact for any number of samples, but slower than the figure: from seconds to a minute for 10^8.
 * Returns soon after the stores' cancellable is cancelled.
 */
gboolean    gilk_figure_distance (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, char **words,
                                  GError **error);
/**
 * gilk_figure_make_pair:
 * @left: (out) (transfer full): figure of the first @n_left sources
 * @right: (out) (transfer full): figure of the other sources
 * Makes two figures to be compared by eye. They have the same axes; distributions have the same
 * bins.
 */
gboolean    gilk_figure_make_pair (const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n, guint n_left,
                                   GilkFigure **left, GilkFigure **right, GError **error);
/* Prepends @words to the figure's caption. */
void        gilk_figure_prepend_caption  (GilkFigure *figure, const char *words);
/* Returns an empty figure, to which the caller can add curves. (transfer full) */
GilkFigure *gilk_figure_new  (GilkFigureKind kind);
void        gilk_figure_free (GilkFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFigure, gilk_figure_free)
/* Adds a curve with @n points; steps have one more value of x, the end of the last step. (transfer
 * none) */
GilkCurve  *gilk_figure_add_curve (GilkFigure *figure, GilkCurveKind kind, const char *name, guint n);

/*
 * Makes figure 3 of the GILK paper, which compares a hook and a capture of the same packets, in
 * four panels
 *
 * Threads: any thread. Figures are (transfer full); one without a value has a message.
 */

typedef enum {
  GILK_CAPTURE_INTERVALS,               /* times between packets: histograms of hook and capture */
  GILK_CAPTURE_SPECTRA,
  GILK_CAPTURE_INTERVALS_DIFFERENCE,    /* difference of the distributions of times between packets,
                                         * capture minus hook */
  GILK_CAPTURE_SPECTRA_DIFFERENCE,      /* ratio of the powers: capture divided by hook */
  GILK_CAPTURE_N_PANELS,
} GilkCapturePanel;

/* Returns the figure for @panel. Of several hooks, only the first is shown. (transfer full) */
GilkFigure *gilk_capture_figure (const GilkCaptureComparison *comparison, GilkCapturePanel panel);

/*
 * Plots of a run in progress
 *
 * Threads: only the history's thread. Plots are (transfer full); one without data has a message.
 */

typedef struct {
  guint       hook;
  const char *name;            /* name shown in the legend */
} GilkLiveCurve;

/* Plots hits per second of the hooks of @curves over time, at most GILK_FIGURE_CURVES_MAX. */
GilkFigure *gilk_live_rates     (const GilkRunHistory *history, const GilkLiveCurve *curves, guint n);
/* Plots hits per second of all hooks, by processor and time. */
GilkFigure *gilk_live_cpus      (const GilkRunHistory *history);
/* Plots lost samples per second, by processor and time. */
GilkFigure *gilk_live_losses    (const GilkRunHistory *history);
/* Plots the fill level of the fullest ring over time, with the times of losses. */
GilkFigure *gilk_live_rings     (const GilkRunHistory *history);
/* Plots a histogram. @values: (nullable): NULL if there are none; @name: name of the hook;
 * @field: (nullable): NULL if none is selected */
GilkFigure *gilk_live_histogram (const GilkSketch *values, const char *name, const char *field, const char *unit);
/* Plots median, high quantiles and maximum over time; parameters as in gilk_live_histogram(). */
GilkFigure *gilk_live_values    (const GilkRunHistory *history, const GilkValueHistory *values, const char *name,
                                 const char *field, const char *unit);

/*
 * Plots of the histograms that programs keep
 *
 * The buckets have unequal widths, so bars as high as the counts would mainly show these widths.
 * Instead, the area of a bar shows the count: its height is the count per octave on a logarithmic
 * axis, or per unit of the value on a linear axis.
 *
 * Threads: any thread.
 */

typedef struct {
  const char           *name;         /* name shown in the legend */
  const GilkStoredMap *map;           /* the map, which must be a histogram */
} GilkMapSource;

/* Returns TRUE if all values are so small that a linear axis can show each integer separately. */
gboolean    gilk_map_is_small (const GilkMapSource *sources, guint n);
/* Plots @n histograms, 1 to GILK_FIGURE_CURVES_MAX. Several histograms are normalised; for a single
 * histogram, the subtitle has its statistics. (transfer full) */
GilkFigure *gilk_map_figure   (const GilkMapSource *sources, guint n, gboolean log_x, gboolean log_y,
                               GError **error);

G_END_DECLS
