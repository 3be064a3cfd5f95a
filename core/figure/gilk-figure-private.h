/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-private.h - helpers shared by the makers of figures
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/figure/gilk-figure.h"
#include "core/stats/gilk-loss-rule.h"

G_BEGIN_DECLS

/* A source of a figure (a hook, and which of its samples are drawn), with data derived from it;
 * cleared by gilk_figure_part_clear(). */
typedef struct {
  const GilkFigureSource *source;
  GArray   *gaps;                 /* (element-type GilkGap): times with incomplete data */
  char     *unit;                 /* unit of the requested field */
  gboolean  whole;                /* the field holds integers */
  double    from, to;             /* selected range, seconds */
  gboolean  is_repeat;                /* an earlier part of the figure has the same hook, and has
                                       * already counted the hook's lost samples */
} GilkFigurePart;

gboolean gilk_figure_part_init  (GilkFigurePart *part, const GilkFigureSource *source,
                                 const GilkFigureAsk *ask, GError **error);
void     gilk_figure_part_clear (GilkFigurePart *part);
/* Returns TRUE if the hook has counter readings but no samples. */
gboolean gilk_figure_only_counts (const GilkStoredHook *hook);
/* Returns a label for the values of @ask: "time between samples", or the field's name. */
const char *gilk_figure_value_label (const GilkFigureAsk *ask);
/* Returns a request for the values of the part's hook, with the ranges of @ask and the part's
 * gaps. */
GilkHookAsk gilk_figure_part_ask (const GilkFigurePart *part, const GilkFigureAsk *ask);
/* Returns a stream of the part's values in the selected range. */
GilkHookStream *gilk_figure_part_stream (const GilkFigurePart *part, const GilkFigureAsk *ask,
                                         gboolean in_order, GError **error);
/* Drops values outside the selected range of values from @times and @values. Returns the number
 * left. */
guint    gilk_figure_filter_range   (const GilkFigureAsk *ask, double *times, double *values, guint n);
/* Adds the counts of @part to the totals of @figure, and stores them in the figure's last curve if
 * there is one. */
void     gilk_figure_count      (GilkFigure *figure, const GilkFigurePart *part, uint64_t samples, uint64_t cut);

/* Describes the effect of lost samples on the figure or, if it has several curves, on the curve
 * with the largest loss. (transfer full) */
char *gilk_figure_loss         (const GilkFigure *figure, GilkLossOf of);
/* Returns the reason why there is nothing to draw: no values in the selected range, or none at all.
 * (transfer full) */
char *gilk_figure_empty_reason (const GilkFigureAsk *ask);

/* Adds to the caption that @ignored values were left out because they are not above zero; does
 * nothing if @ignored is 0. */
void     gilk_figure_note_ignored (GilkFigure *figure, uint64_t ignored);

/* Fill an empty figure with the data of @n parts. */
gboolean gilk_figure_make_histogram (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
/* Makes the preliminary histogram of @part. Returns FALSE without an error if none can be made. */
gboolean gilk_figure_make_histogram_preview (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part,
                                             GError **error);
gboolean gilk_figure_make_ecdf      (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
gboolean gilk_figure_make_series    (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
gboolean gilk_figure_make_rate      (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
gboolean gilk_figure_make_heat      (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
gboolean gilk_figure_make_spectrum  (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
gboolean gilk_figure_make_autocorrelation (GilkFigure *figure, const GilkFigureAsk *ask,
                                           const GilkFigurePart *parts, guint n, GError **error);

G_END_DECLS
