/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-private.h - what the makers of figures share
 */
#pragma once

#include "core/analysis/gilk-figure.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/analysis/gilk-loss-rule.h"

G_BEGIN_DECLS

/* A source with what is known of it; cleared by gilk_figure_part_clear(). */
typedef struct {
  const GilkFigureSource *source;
  GArray   *gaps;                 /* GilkGap */
  char     *unit;                 /* of the field asked for */
  gboolean  whole;                /* it has whole numbers */
  double    from, to;             /* seconds looked at */
  gboolean  again;                /* a part before is of the same hook, and has counted its loss */
} GilkFigurePart;

gboolean gilk_figure_part_init  (GilkFigurePart *part, const GilkFigureSource *source,
                                 const GilkFigureAsk *ask, GError **error);
void     gilk_figure_part_clear (GilkFigurePart *part);
/* There are readings of its counter, and no samples. */
gboolean gilk_figure_only_counts (const GilkStoredHook *hook);
/* What @ask says of a value, in words: "time between samples", a field's name. */
const char *gilk_figure_value_label (const GilkFigureAsk *ask);
/* What to ask its hook for; gaps are the part's. */
GilkHookAsk gilk_figure_part_ask (const GilkFigurePart *part, const GilkFigureAsk *ask);
/* Its values, in the range asked for. */
GilkHookStream *gilk_figure_part_stream (const GilkFigurePart *part, const GilkFigureAsk *ask,
                                         gboolean in_order, GError **error);
/* Drops values out of the range asked for; how many are left. */
guint    gilk_figure_in_range   (const GilkFigureAsk *ask, double *times, double *values, guint n);
/* Sums up what is told beside all figures. */
void     gilk_figure_count      (GilkFigure *figure, const GilkFigurePart *part, uint64_t samples, uint64_t cut);

/* What loss does, in words; of several curves for the one that lost most. (transfer full) */
char    *gilk_figure_loss       (const GilkFigure *figure, GilkLossOf of);
/* Why there is nothing to draw: nothing in the range that is asked for, or nothing at all. (transfer full) */
char    *gilk_figure_why_none   (const GilkFigureAsk *ask);

/* Says that values that are not above zero were left out, if any were. */
void     gilk_figure_say_ignored (GilkFigure *figure, uint64_t ignored);

/* Each fills in what is empty yet; @n parts. */
gboolean gilk_figure_make_histogram (GilkFigure *figure, const GilkFigureAsk *ask,
                                     const GilkFigurePart *parts, guint n, GError **error);
/* Of the one part, before all is read. FALSE without an error: there is no such thing. */
gboolean gilk_figure_make_histogram_soon (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part,
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

/* Flags for the notes of its source's run, if it is over time. */
gboolean gilk_figure_add_notes (GilkFigure *figure, const GilkFigureSource *source, GError **error);

G_END_DECLS
