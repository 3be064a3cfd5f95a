/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-figure.c - makes plots of a run in progress
 */
#include "core/figure/gilk-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/stats/gilk-histogram.h"

#define BINS_FEW    20           /* number of bins of a histogram if the cells of the sketch
                                  * (summary of the values) are too wide for the usual number of
                                  * bins */
#define LOG_FROM    16.0         /* the axis is logarithmic if the maximum value divided by the
                                  * minimum value is at least this */
#define SHORTEST    2.0          /* minimum length of a time axis, seconds */

/* ---- plots over time ---- */

static void
set_time (GilkFigure *figure, const GilkRunHistory *history)
{
  figure->x = (GilkFigureAxis) { g_strdup (_("time")), g_strdup ("s"), GILK_SCALE_LINEAR, 0,
                                 MAX (gilk_run_history_n_full (history) * gilk_run_history_length (history), SHORTEST) };
  if (gilk_run_history_n (history) == 0)
    figure->message = g_strdup (_("No data yet."));
}

/* Marks the slices in which samples were lost. */
static void
mark_losses (GilkFigure *figure, const GilkRunHistory *history)
{
  double length = gilk_run_history_length (history);

  figure->gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  for (guint i = 0; i < gilk_run_history_n (history); i++)
    {
      uint64_t lost = gilk_run_history_lost (history, i);
      GilkGap gap = { i * length, (i + 1) * length, GILK_GAP_LOST, (double) lost };

      if (lost > 0 && gap.to <= figure->x.to)
        g_array_append_val (figure->gaps, gap);
      figure->lost += lost;
    }
  if (figure->lost > 0)
    {
      g_autofree char *count = g_strdup_printf ("%'" G_GUINT64_FORMAT, (guint64) figure->lost);

      figure->loss_note = g_strdup_printf (_("%s lost"), count);
    }
}

/* Adds a curve with a step for each complete slice of time. */
static GilkCurve *
add_steps (GilkFigure *figure, const GilkRunHistory *history, const char *name)
{
  guint n = gilk_run_history_n_full (history);
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, name, n);

  curve->open_ended = TRUE;
  for (guint i = 0; i <= n; i++)
    curve->x[i] = i * gilk_run_history_length (history);

  return curve;
}

GilkFigure *
gilk_live_rates (const GilkRunHistory *history,
                 const GilkLiveCurve  *curves,
                 guint                 n)
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_RATE);

  figure->title = g_strdup (_("Hits per second"));
  figure->y = (GilkFigureAxis) { g_strdup (_("hits per second")), NULL, GILK_SCALE_LINEAR, 0, 1 };
  set_time (figure, history);
  mark_losses (figure, history);
  for (guint c = 0; c < MIN (n, GILK_FIGURE_CURVES_MAX); c++)
    {
      GilkCurve *curve = add_steps (figure, history, curves[c].name);

      for (guint i = 0; i < curve->n; i++)
        {
          curve->y[i] = gilk_run_history_rate (history, i, curves[c].hook);
          figure->y.to = fmax (figure->y.to, 1.08 * curve->y[i]);        /* curve->y[i] may be NaN,
                                                                          * which fmax() ignores */
        }
    }
  if (n == 0 && figure->message == NULL)
    figure->message = g_strdup (_("No hits yet."));

  return figure;
}

/* Makes a heat map of a rate by processor and time. */
static GilkFigure *
make_cpus (const GilkRunHistory *history, const char *title, const char *counted,
           double (*rate_of) (const GilkRunHistory *history, guint slice, guint cpu))
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_HEAT);
  guint n = gilk_run_history_n_full (history), n_cpus = gilk_run_history_n_cpus (history);

  figure->title = g_strdup (title);
  figure->y = (GilkFigureAxis) { g_strdup (_("CPU")), NULL, GILK_SCALE_WHOLE, -0.5, MAX (n_cpus, 1) - 0.5 };
  figure->counted = g_strdup (counted);
  set_time (figure, history);
  if (n_cpus == 0 || n == 0)
    {
      g_clear_pointer (&figure->message, g_free);
      figure->message = g_strdup (_("No data yet."));
      return figure;
    }
  figure->heat = gilk_heat_new (n, n_cpus, 0, n * gilk_run_history_length (history), GILK_SCALE_WHOLE);
  figure->heat->per_unit = 1;
  figure->heat->rows = n_cpus;
  figure->heat->min = 0;
  figure->heat->max = n_cpus - 1;
  for (guint i = 0; i < n; i++)
    for (guint cpu = 0; cpu < n_cpus; cpu++)
      {
        double rate = rate_of (history, i, cpu);
        uint64_t cell = isnan (rate) || rate <= 0 ? 0 : (uint64_t) MAX (rint (rate), 1);

        figure->heat->cells[(gsize) i * figure->heat->room + cpu] = cell;
        figure->heat->n += cell;
      }

  return figure;
}

GilkFigure *
gilk_live_cpus (const GilkRunHistory *history)
{
  return make_cpus (history, _("Hits by CPU"), _("hits/s"), gilk_run_history_cpu_rate);
}

GilkFigure *
gilk_live_losses (const GilkRunHistory *history)
{
  GilkFigure *figure = make_cpus (history, _("Lost by CPU"), _("lost/s"), gilk_run_history_cpu_lost);

  if (figure->message == NULL && figure->heat->n == 0)
    figure->subtitle = g_strdup (_("No samples lost."));

  return figure;
}

GilkFigure *
gilk_live_rings (const GilkRunHistory *history)
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_SERIES);
  GilkCurve *curve;

  figure->title = g_strdup (_("Rings"));
  figure->y = (GilkFigureAxis) { g_strdup (_("fill level of the fullest ring")), g_strdup ("%"), GILK_SCALE_LINEAR, 0, 1 };
  set_time (figure, history);
  mark_losses (figure, history);
  curve = add_steps (figure, history, _("fill level of the fullest ring"));
  for (guint i = 0; i < curve->n; i++)
    {
      curve->y[i] = 100 * gilk_run_history_fill (history, i);
      figure->y.to = fmax (figure->y.to, MIN (1.08 * curve->y[i], 100));
    }

  return figure;
}

/* ---- histogram of a field's values ---- */

/* Makes a histogram. Its axis is logarithmic if all values are positive, and a linear axis could
 * not resolve the small ones. */
static GilkHistogram *
place_values (const GilkSketch *values)
{
  gboolean exact, log = values->min > 0 && values->max / values->min >= LOG_FROM;
  GilkHistogram *h = gilk_histogram_of_sketch (values, NAN, NAN, 0, log, &exact, NULL);

  return h != NULL ? h : gilk_histogram_of_sketch (values, NAN, NAN, BINS_FEW, log, &exact, NULL);
}

GilkFigure *
gilk_live_histogram (const GilkSketch *values,
                     const char       *name,
                     const char       *field,
                     const char       *unit)
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_HISTOGRAM);

  figure->title = field != NULL ? g_strdup_printf (_("%s of %s"), field, name) : g_strdup (_("Values"));
  figure->x = (GilkFigureAxis) { g_strdup (field), g_strdup (unit), GILK_SCALE_LINEAR, 0, 1 };
  figure->y = (GilkFigureAxis) { g_strdup (_("samples")), NULL, GILK_SCALE_WHOLE, 0, 1 };
  if (values != NULL && values->n > 0)
    figure->histogram = place_values (values);
  if (figure->histogram == NULL)
    {
      figure->message = g_strdup (field != NULL ? _("No samples yet.")
                                                : _("No hook of this run takes samples."));
      return figure;
    }
  figure->samples = values->n;
  figure->x.scale = figure->histogram->log ? GILK_SCALE_LOG : GILK_SCALE_LINEAR;
  figure->x.from = figure->histogram->edges[0];
  figure->x.to = figure->histogram->edges[figure->histogram->n_bins];

  return figure;
}

/* ---- quantiles of a field's values over time ---- */

static const struct { double p; const char *name; } shown[] = {
  { 0.5, N_("median") }, { 0.9, N_("90 %") }, { 0.99, N_("99 %") }, { 1.0, N_("maximum") },
};

/* Sets both ends of the y axis, so that the axis covers all curves. */
static void
set_values (GilkFigure *figure, double least, double greatest)
{
  gboolean log = least > 0 && greatest / least >= LOG_FROM;

  figure->y.scale = log ? GILK_SCALE_LOG : GILK_SCALE_LINEAR;
  figure->y.from = log ? least / 1.2 : MIN (0, 1.08 * least);
  figure->y.to = log ? greatest * 1.2 : MAX (1.08 * greatest, figure->y.from + 1);
}

GilkFigure *
gilk_live_values (const GilkRunHistory   *history,
                  const GilkValueHistory *values,
                  const char             *name,
                  const char             *field,
                  const char             *unit)
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_SERIES);
  double length = values != NULL ? gilk_value_history_length (values) : 1;
  guint n = values != NULL ? (guint) MIN (gilk_value_history_n (values), floor (gilk_run_history_end (history) / length)) : 0;
  double least = INFINITY, greatest = -INFINITY;

  figure->title = field != NULL ? g_strdup_printf (_("%s over time"), field) : g_strdup (_("Values over time"));
  figure->subtitle = field != NULL ? g_strdup (name) : NULL;
  figure->y = (GilkFigureAxis) { g_strdup (field), g_strdup (unit), GILK_SCALE_LINEAR, 0, 1 };
  set_time (figure, history);
  figure->x.to = MAX (figure->x.to, n * length);
  mark_losses (figure, history);
  for (guint c = 0; c < G_N_ELEMENTS (shown) && n > 0; c++)
    {
      GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, _(shown[c].name), n);

      curve->open_ended = TRUE;
      for (guint i = 0; i < n; i++)
        {
          curve->x[i] = i * length;
          curve->y[i] = gilk_value_history_quantile (values, i, shown[c].p);
          least = fmin (least, curve->y[i]);
          greatest = fmax (greatest, curve->y[i]);
          curve->samples += gilk_value_history_count (values, i);
        }
      curve->x[n] = n * length;
      figure->samples = curve->samples;
    }
  if (least <= greatest)
    set_values (figure, least, greatest);
  else
    {
      g_free (figure->message);
      figure->message = g_strdup (field != NULL ? _("No samples yet.") : _("No hook of this run takes samples."));
    }

  return figure;
}
