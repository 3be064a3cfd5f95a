/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-time.c - makes figures over time: series, rates, heat maps
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"
#include "core/samples/gilk-samples-tiles.h"
#include "core/stats/gilk-loss-rule.h"

/* Width and height of a heat map's cells in pixels, large enough to be visible. */
#define PIXELS_PER_CELL 3
/* Maximum number of bins of a rate. The width of a bin is 1, 2 or 5 times a power of ten, in
 * seconds. The width does not depend on the size of the plot, because the maximum rate depends on
 * the width. */
#define BINS_MOST 250.0

static void
label_time (GilkFigure *figure, const GilkFigurePart *parts, guint n)
{
  figure->x = (GilkFigureAxis) { g_strdup (_("time")), g_strdup ("s"), GILK_SCALE_LINEAR, INFINITY, -INFINITY };
  for (guint i = 0; i < n; i++)
    {
      figure->x.from = fmin (figure->x.from, parts[i].from);
      figure->x.to = fmax (figure->x.to, parts[i].to);
    }
  if (!(figure->x.to > figure->x.from))
    figure->x.to = figure->x.from + 1e-9;
  /* Show gaps only for a single hook: in a plot of several hooks they would seem to be gaps of all
   * hooks. */
  if (n == 1)
    figure->gaps = g_array_ref (parts[0].gaps);
}

static void
finish_time_figure (GilkFigure *figure, const GilkFigureAsk *ask, GilkLossOf of)
{
  figure->caption = gilk_figure_loss (figure, of);
  if (figure->samples == 0)
    figure->message = gilk_figure_empty_reason (ask);
}

/* ---- figure of a time series ---- */

static void
add_to_columns (GilkColumn *columns, guint n_columns, double from, double to, const GilkHookBlock *block, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      double at = (block->times[i] - from) / (to - from) * n_columns;
      GilkColumn *column;

      if (!(at >= 0.0 && at <= n_columns) || !isfinite (block->values[i]))
        continue;
      column = &columns[MIN ((guint) at, n_columns - 1)];
      if (column->n++ == 0)
        column->min = column->max = block->values[i];
      column->min = MIN (column->min, block->values[i]);
      column->max = MAX (column->max, block->values[i]);
      column->last = block->values[i];
    }
}

/* Fills @columns from precomputed aggregates (tiles). Reads samples instead if there is a condition
 * or a range of values, or if the field is a duration. */
static gboolean
read_columns (const GilkFigurePart *part, const GilkFigureAsk *ask, double from, double to,
              GilkColumn *columns, guint n, uint64_t *cut, GError **error)
{
  g_autoptr(GilkHookStream) stream = NULL;
  GError *local = NULL;
  GilkHookBlock block;

  if (part->source->condition == NULL && isnan (ask->low) && isnan (ask->high) &&
      !gilk_field_is_duration (ask->field))
    return gilk_hook_columns (part->source->store, part->source->hook, ask->field, from, to, columns, n,
                              error);

  memset (columns, 0, n * sizeof *columns);
  stream = gilk_figure_part_stream (part, ask, TRUE, error);
  if (stream == NULL)
    return FALSE;
  while (gilk_hook_stream_next (stream, &block, &local))
    add_to_columns (columns, n, from, to, &block,
                    gilk_figure_filter_range (ask, block.times, block.values, block.n));
  *cut = gilk_hook_stream_cut (stream);
  return gilk_check_end (&local, error);
}

/* Extends each column to the last value of the previous column, so that the two columns connect,
 * unless there is a gap in between. */
static uint64_t
add_range (GilkFigure *figure, const GilkFigurePart *part, const GilkColumn *columns, guint n, gboolean above)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_RANGE, part->source->name, n);
  double step = (figure->x.to - figure->x.from) / n;
  uint64_t samples = 0;

  for (guint i = 0; i < n; i++)
    {
      double low = columns[i].min, high = columns[i].max;

      curve->x[i] = figure->x.from + (i + 0.5) * step;
      curve->y[i] = curve->y2[i] = NAN;
      if (columns[i].n == 0 || (above && !(high > 0.0)))
        continue;
      samples += columns[i].n;
      figure->y.to = fmax (figure->y.to, high);
      if (!above || low > 0.0)
        figure->y.from = fmin (figure->y.from, low);
      if (i > 0 && columns[i - 1].n > 0 && !gilk_gaps_touch (part->gaps, curve->x[i] - step, curve->x[i]))
        {
          low = MIN (low, columns[i - 1].last);
          high = MAX (high, columns[i - 1].last);
        }
      curve->y[i] = low;
      curve->y2[i] = high;
    }

  return samples;
}

/* Adds a margin to both ends of the axis. Extends the axis to zero if the values are positive and
 * not far from zero. */
static void
add_margin (GilkFigureAxis *axis)
{
  double low = axis->from, high = axis->to, span = high - low;

  if (axis->scale == GILK_SCALE_LOG)
    {
      axis->from = low / 1.2;
      axis->to = high * 1.2;
      return;
    }
  if (!(span > 0.0))
    span = high != 0.0 ? fabs (high) : 1.0;
  axis->to = high + 0.06 * span;
  axis->from = low >= 0.0 && low < 0.5 * high ? 0.0 : low - 0.06 * span;
  if (low == 0.0 && high == 0.0)
    axis->from = 0.0;
}

gboolean
gilk_figure_make_series (GilkFigure           *figure,
                         const GilkFigureAsk  *ask,
                         const GilkFigurePart *parts,
                         guint                 n,
                         GError              **error)
{
  guint n_columns = CLAMP (ask->columns, 16, 16384);
  g_autofree GilkColumn *columns = g_new (GilkColumn, n_columns);

  label_time (figure, parts, n);
  figure->y = (GilkFigureAxis) { g_strdup (gilk_figure_value_label (ask)), g_strdup (parts[0].unit),
                                 ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR, INFINITY, -INFINITY };
  for (guint i = 0; i < n; i++)
    {
      uint64_t cut = 0, samples;

      if (!read_columns (&parts[i], ask, figure->x.from, figure->x.to, columns, n_columns, &cut, error))
        return FALSE;
      samples = add_range (figure, &parts[i], columns, n_columns, ask->log_y);
      gilk_figure_count (figure, &parts[i], samples, cut);
    }
  if (figure->samples > 0)
    add_margin (&figure->y);
  finish_time_figure (figure, ask, GILK_LOSS_OF_TIMES);

  return TRUE;
}

/* ---- figure of rates ---- */

/* Draws rates from a counter's readings, of which there are a few per second. */
static gboolean
add_readings (GilkFigure *figure, const GilkFigurePart *part, GError **error)
{
  g_autoptr(GArray) times = NULL, counts = NULL, at_times = NULL, rates = NULL;
  GilkCurve *curve;

  if (!gilk_store_count_series (part->source->store, part->source->hook, &times, &counts, error))
    return FALSE;
  gilk_count_rates ((const double *) (gconstpointer) times->data,
                    (const double *) (gconstpointer) counts->data, times->len, part->gaps, &at_times, &rates);
  curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, part->source->name, rates->len);
  curve->n = 0;
  for (guint i = 0; i < rates->len; i++)
    {
      double at = g_array_index (at_times, double, i);

      if (at < figure->x.from || at > figure->x.to)
        continue;
      curve->x[curve->n] = at;
      curve->y[curve->n++] = g_array_index (rates, double, i);
    }
  gilk_figure_count (figure, part, curve->n, 0);

  return TRUE;
}

/* Hits per slice of time; all slices but the last have the same width. */
typedef struct {
  double   from, step;
  guint    n;
  double   to;
  double  *counts;
  uint64_t samples;
} Slices;

/* Returns the index of the slice that contains the time; G_MAXUINT if none does. The end of the
 * last slice belongs to that slice. */
static guint
find_slice (const Slices *slices, double seconds)
{
  double at = (seconds - slices->from) / slices->step;

  return at >= 0.0 && seconds <= slices->to ? MIN ((guint) at, slices->n - 1) : G_MAXUINT;
}

static void
add_hits (Slices *slices, double seconds, guint n)
{
  guint slice = find_slice (slices, seconds);

  if (slice == G_MAXUINT)
    return;
  slices->counts[slice] += n;
  slices->samples += n;
}

static gboolean
count_tile (const GilkSampleTile *tile, gpointer data)
{
  Slices *slices = data;
  double from = (double) tile->from_ns / 1e9, to = (double) tile->to_ns / 1e9;

  if (find_slice (slices, from) != find_slice (slices, to))
    return FALSE;
  add_hits (slices, from, tile->n);

  return TRUE;
}

static void
count_samples (const gint64 *t_ns, const double *values, guint n, gpointer data)
{
  for (guint i = 0; i < n; i++)
    add_hits (data, (double) t_ns[i] / 1e9, 1);
}

/* Counts hits per slice: from precomputed aggregates (tiles) or, if there is a condition, from
 * samples, because tiles do not support conditions. */
static gboolean
count_hits (const GilkFigurePart *part, const GilkFigureAsk *ask, Slices *slices, GError **error)
{
  static const GilkSampleViewer viewer = { count_tile, count_samples };
  g_autoptr(GilkHookStream) stream = NULL;
  GilkFigureAsk times = *ask;
  GError *local = NULL;
  GilkHookBlock block;

  if (part->source->condition == NULL)
    return gilk_samples_view (part->source->store, part->source->hook, "time",
                              gilk_hook_ask_ns (ask->from, G_MININT64), gilk_hook_ask_ns (ask->to, G_MAXINT64),
                              &viewer, slices, error);
  times.field = NULL;
  stream = gilk_figure_part_stream (part, &times, FALSE, error);
  if (stream == NULL)
    return FALSE;
  while (gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      add_hits (slices, block.times[i], 1);
  return gilk_check_end (&local, error);
}

/* Returns the smallest of 1, 2 or 5 times a power of
 * ten that splits @span into at most BINS_MOST bins. */
static double
choose_bin_width (double span)
{
  double power = pow (10.0, floor (log10 (span / BINS_MOST)));

  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      {
        double width = power * (i == 0 ? 1.0 : 10.0) * (k == 0 ? 1.0 : k == 1 ? 2.0 : 5.0);

        if (span / width <= BINS_MOST * (1.0 + 1e-9))
          return width;
      }

  return 100.0 * power;
}

/* Returns the number of bins of about @width in @span. The last bin takes the remainder, and is
 * wide enough that a single hit does not make it the maximum. */
static guint
count_bins (double span, double width)
{
  return (guint) MAX (1.0, rint (span / width));
}

static gboolean
add_rates (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *part, double width, guint bins,
           GError **error)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, part->source->name, bins);
  Slices slices = { figure->x.from, width, bins, figure->x.to, curve->y, 0 };

  for (guint i = 0; i < bins; i++)
    curve->x[i] = figure->x.from + i * width;
  curve->x[bins] = figure->x.to;
  if (!count_hits (part, ask, &slices, error))
    return FALSE;
  gilk_rate_of_counts (curve->y, curve->x, bins, part->gaps);
  gilk_figure_count (figure, part, slices.samples, 0);

  return TRUE;
}

/* Returns a width such as "200 µs". (transfer full) */
static char *
format_width (double width)
{
  static const char *const units[] = { "s", "ms", "µs", "ns" };
  guint unit = 0;

  while (width < 0.9999 && unit + 1 < G_N_ELEMENTS (units))
    {
      width *= 1e3;
      unit++;
    }

  return g_strdup_printf ("%.4g %s", width, units[unit]);
}

/* Puts the width of the bins and the maximum rate in front of the caption about lost samples. */
static void
prepend_bins_caption (GilkFigure *figure, double width, double highest, gboolean readings)
{
  g_autofree char *loss = figure->caption, *of = format_width (width);
  g_autofree char *words = readings ? g_strdup_printf (_("Rate from one reading of the counter to the next; maximum "
                                                         "%.4g hits/s"), highest)
                                    : g_strdup_printf (_("Rate in bins of %s; maximum %.4g hits/s"), of, highest);

  figure->caption = loss != NULL ? g_strconcat (words, ". ", loss, NULL) : g_steal_pointer (&words);
}

/* Sets the y axis so that it covers all curves. Returns the largest y; NaN: the curves
 * are empty. */
static double
fit_rate_axis (GilkFigure *figure, gboolean log_y)
{
  double highest = NAN;

  for (guint i = 0; i < figure->curves->len; i++)
    {
      const GilkCurve *curve = g_ptr_array_index (figure->curves, i);

      for (guint k = 0; k < curve->n; k++)
        {
          if (log_y && !(curve->y[k] > 0.0))
            curve->y[k] = NAN;
          highest = fmax (highest, curve->y[k]);
          figure->y.from = fmin (figure->y.from, curve->y[k]);
        }
    }
  figure->y.from = log_y ? figure->y.from / 1.2 : 0.0;
  figure->y.to = highest > 0.0 ? highest * 1.06 : 1.0;

  return highest;
}

/* Replaces the figure's message if the @n parts have hits but no samples: the number of hits is
 * known, but not their times. */
static void
set_counts_message (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigurePart *parts, guint n)
{
  uint64_t hits = 0;

  for (guint i = 0; i < n; i++)
    hits += parts[i].source->hook->hits;
  if (figure->samples > 0 || hits == 0)
    return;
  g_free (figure->message);
  if (!isnan (ask->from) || !isnan (ask->to))
    {
      figure->message = g_strdup (_("Hits are counted, but the counter was not read in this range. Zoom out."));
      return;
    }
  figure->message = g_strdup_printf (ngettext ("%" PRIu64 " hit, counted only. Record for some seconds to see the "
                                               "rate; to see the time of each hit, use an instrument that takes "
                                               "samples, such as “stamp”.",
                                               "%" PRIu64 " hits, counted only. Record for some seconds to see the "
                                               "rate; to see the time of each hit, use an instrument that takes "
                                               "samples, such as “stamp”.",
                                               hits), hits);
}

gboolean
gilk_figure_make_rate (GilkFigure           *figure,
                       const GilkFigureAsk  *ask,
                       const GilkFigurePart *parts,
                       guint                 n,
                       GError              **error)
{
  gboolean readings = TRUE;
  double span, width, highest;
  guint bins;

  label_time (figure, parts, n);
  span = figure->x.to - figure->x.from;
  width = ask->bins > 0 ? span / ask->bins : choose_bin_width (span);
  bins = ask->bins > 0 ? ask->bins : count_bins (span, width);
  figure->y = (GilkFigureAxis) { g_strdup (_("hits per second")), NULL,
                                 ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR, INFINITY, 0.0 };
  for (guint i = 0; i < n; i++)
    {
      gboolean counts = gilk_figure_only_counts (parts[i].source->hook);

      if (!(counts ? add_readings (figure, &parts[i], error) : add_rates (figure, ask, &parts[i], width, bins, error)))
        return FALSE;
      readings &= counts;
    }
  highest = fit_rate_axis (figure, ask->log_y);
  finish_time_figure (figure, ask, GILK_LOSS_OF_RATES);
  if (readings)
    set_counts_message (figure, ask, parts, n);
  if (highest > 0.0)
    prepend_bins_caption (figure, width, highest, readings);

  return TRUE;
}

/* ---- figure of a heat map ---- */

/* Widens the axis by @times its length on either side, so that a heat map with few rows has them in
 * the middle. */
static void
widen_axis (GilkFigureAxis *axis, double times)
{
  double ratio = axis->to / axis->from, span = axis->to - axis->from;

  if (axis->scale == GILK_SCALE_LOG)
    {
      axis->from /= pow (ratio, times);
      axis->to *= pow (ratio, times);
      return;
    }
  axis->to += times * span;
  axis->from = axis->from >= 0.0 ? MAX (axis->from - times * span, 0.0) : axis->from - times * span;
}

gboolean
gilk_figure_make_heat (GilkFigure           *figure,
                       const GilkFigureAsk  *ask,
                       const GilkFigurePart *parts,
                       guint                 n,
                       GError              **error)
{
  const GilkFigurePart *part = parts;
  guint columns = CLAMP (ask->columns, 48, 16384) / PIXELS_PER_CELL;
  guint rows = CLAMP (ask->rows, 48, 8192) / PIXELS_PER_CELL;
  GilkScale scale = ask->log_y ? GILK_SCALE_LOG : part->whole ? GILK_SCALE_WHOLE : GILK_SCALE_LINEAR;
  g_autoptr(GilkHookStream) stream = gilk_figure_part_stream (part, ask, FALSE, error);
  GError *local = NULL;
  GilkHookBlock block;

  if (stream == NULL)
    return FALSE;
  label_time (figure, parts, n);
  figure->heat = gilk_heat_new (columns, rows, figure->x.from, figure->x.to, scale);
  while (gilk_hook_stream_next (stream, &block, &local))
    gilk_heat_add (figure->heat, block.times, block.values,
                   gilk_figure_filter_range (ask, block.times, block.values, block.n));
  if (!gilk_check_end (&local, error))
    return FALSE;

  figure->y = (GilkFigureAxis) { g_strdup (gilk_figure_value_label (ask)), g_strdup (part->unit),
                                 ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR, 0.0, 1.0 };
  gilk_figure_count (figure, part, figure->heat->n, gilk_hook_stream_cut (stream));
  gilk_heat_widen_single_value (figure->heat);
  if (figure->heat->rows > 0)
    {
      figure->y.from = gilk_heat_edge (figure->heat, 0);
      figure->y.to = gilk_heat_edge (figure->heat, figure->heat->rows);
      if (figure->heat->rows < 8)
        widen_axis (&figure->y, 5);
    }
  finish_time_figure (figure, ask, GILK_LOSS_OF_TIMES);
  gilk_figure_note_ignored (figure, figure->heat->ignored);

  return TRUE;
}
