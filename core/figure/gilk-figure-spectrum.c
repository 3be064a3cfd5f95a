/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-spectrum.c - makes figures of spectra and autocorrelations
 */
#include "core/figure/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-spectrum.h"
#include "core/stats/gilk-loss-rule.h"

#define LAGS_MAX 1000
#define FEWEST   16
#define PIXELS_A_COLUMN 2
#define PEAK     7.0            /* margin of a peak above the expected maximum of noise, see
                                 * has_peak(); noise exceeds this margin in one of a thousand
                                 * columns */

static GilkHookAsk
make_hook_ask (const GilkFigureAsk *ask, const GilkFigurePart *part)
{
  return (GilkHookAsk) { .field = ask->field, .condition = part->source->condition, .gaps = part->gaps,
                         .from = ask->from, .to = ask->to, .cost = part->source->cost };
}

static void
add_method_caption (GilkFigure *figure, const char *method, GilkLossOf of)
{
  g_autofree char *words = gilk_figure_loss (figure, of);

  figure->caption = words != NULL && method != NULL ? g_strconcat (method, ". ", words, NULL)
                                                    : g_strdup (method != NULL ? method : words);
}

/* ---- figure of a spectrum ---- */

/* A group of powers whose frequencies are so close on the x axis, within a few pixels, that one
 * point is drawn for all of them. */
typedef struct {
  double hz, power, most, most_hz;     /* @hz, @power: sums over the group; @most, @most_hz: its
                                        * largest power, and the frequency of that power */
  guint  n;
} Column;

/* Returns TRUE if a column has a peak: a power far above the noise. The largest of n powers of
 * noise is about log n times their mean. */
static gboolean
has_peak (const Column *column)
{
  return column->n > 1 && column->most > column->power / column->n * (log (column->n) + PEAK);
}

static void
end_column (GilkFigure *figure, GilkCurve *curve, Column *column)
{
  const gboolean peak = has_peak (column);
  const double power = peak ? column->most : column->power / MAX (column->n, 1);

  if (column->n > 0)
    {
      figure->y.from = fmin (figure->y.from, power);
      figure->y.to = fmax (figure->y.to, power);
      curve->x[curve->n] = peak ? column->most_hz : column->hz / column->n;
      curve->y[curve->n++] = power;
    }
  *column = (Column) { 0 };
}

/* Draws each power where powers are at least a few pixels apart; elsewhere, draws the mean of each
 * group of close powers. */
static void
add_spectrum (GilkFigure *figure, const GilkFigureAsk *ask, const GilkSpectrum *s, const char *name)
{
  guint columns = CLAMP (ask->columns / PIXELS_A_COLUMN, 16, 16384), begin = s->hz[0] > 0.0 ? 0 : 1;
  double from = s->hz[begin], to = s->hz[s->n - 1];
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, name, columns + 1);
  Column column = { 0 };
  double at = -1.0;

  curve->n = 0;
  figure->x.from = fmin (figure->x.from, ask->log_x ? from : 0.0);
  figure->x.to = fmax (figure->x.to, to);
  for (guint i = begin; i < s->n; i++)
    {
      double share = ask->log_x ? log (s->hz[i] / from) / log (to / from) : s->hz[i] / to;

      if (ask->log_y && !(s->power[i] > 0.0))
        continue;
      share = floor (MIN (share, 1.0) * (columns - 1));
      if (share != at)
        end_column (figure, curve, &column);
      at = share;
      column.n++;
      column.hz += s->hz[i];
      column.power += s->power[i];
      if (s->power[i] > column.most)
        {
          column.most = s->power[i];
          column.most_hz = s->hz[i];
        }
    }
  end_column (figure, curve, &column);
}

static char *
make_power_label (const GilkFigureAsk *ask, const GilkFigurePart *part)
{
  if (ask->field == NULL)
    return g_strdup (_("power, (hits/s)²/Hz"));
  if (part->unit == NULL || *part->unit == '\0')
    return g_strdup (_("power"));

  return g_strdup_printf (_("power, %s²"), part->unit);
}

gboolean
gilk_figure_make_spectrum (GilkFigure           *figure,
                           const GilkFigureAsk  *ask,
                           const GilkFigurePart *parts,
                           guint                 n,
                           GError              **error)
{
  g_autofree char *method = NULL;

  figure->x = (GilkFigureAxis) { g_strdup (_("frequency")), g_strdup ("Hz"),
                                 ask->log_x ? GILK_SCALE_LOG : GILK_SCALE_LINEAR, INFINITY, -INFINITY };
  figure->y = (GilkFigureAxis) { make_power_label (ask, parts), NULL,
                                 ask->log_y ? GILK_SCALE_LOG : GILK_SCALE_LINEAR, INFINITY, -INFINITY };
  for (guint i = 0; i < n; i++)
    {
      g_auto(GilkHookSpectrum) found = { NULL };
      const GilkHookAsk what = make_hook_ask (ask, &parts[i]);

      if (!gilk_hook_spectrum (parts[i].source->store, parts[i].source->hook, &what,
                               parts[i].source->duration, &found, error))
        return FALSE;
      if (found.spectrum == NULL || found.spectrum->n < 3)
        continue;
      add_spectrum (figure, ask, found.spectrum, parts[i].source->name);
      gilk_figure_count (figure, &parts[i], found.samples, 0);
      if (method == NULL)
        method = g_steal_pointer (&found.method);
    }
  if (figure->curves->len == 0 || !(figure->y.to > 0.0))
    {
      figure->message = g_strdup_printf (_("A spectrum needs at least %d samples at different times."), FEWEST);
      return TRUE;
    }
  if (ask->log_y)
    figure->y.from = MAX (figure->y.from / 1.5, figure->y.to * 1e-12);
  else
    figure->y.from = 0.0;
  figure->y.to *= ask->log_y ? 1.5 : 1.06;
  add_method_caption (figure, method, GILK_LOSS_OF_SPECTRA);

  return TRUE;
}

/* ---- figure of an autocorrelation ---- */

/* Adds reference levels: for uncorrelated values, 95 % of the autocorrelations are between these
 * levels. */
static void
add_levels (GilkFigure *figure, gsize n)
{
  double level = 1.96 / sqrt ((double) n);

  figure->levels = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_val (figure->levels, level);
  level = -level;
  g_array_append_val (figure->levels, level);
}

static void
add_correlations (GilkFigure *figure, const GilkEven *even, gsize first, gsize n, const char *name)
{
  gsize lags = MIN (LAGS_MAX, n / 4);
  g_autofree double *r = gilk_autocorrelation (even->values + first, n, lags);
  double step = even->rate > 0.0 ? 1.0 / even->rate : 1.0;
  GilkCurve *curve;

  if (isnan (r[0]))
    return;
  curve = gilk_figure_add_curve (figure, lags <= 60 ? GILK_CURVE_STEMS : GILK_CURVE_LINE, name, (guint) lags);
  for (guint i = 0; i < lags; i++)
    {
      curve->x[i] = (i + 1) * step;
      curve->y[i] = r[i + 1];
      figure->y.from = fmin (figure->y.from, r[i + 1]);
      figure->y.to = fmax (figure->y.to, r[i + 1]);
    }
  figure->x.to = fmax (figure->x.to, (double) lags * step);
}

static char *
describe_correlation (const GilkFigureAsk *ask, const GilkEven *even, gsize n)
{
  if (ask->field == NULL)
    return g_strdup_printf (_("Hits in %.0f bins per second, over the longest %.3g s without a gap; dashed: 95 %% band "
                              "of uncorrelated data"), even->rate, (double) n / even->rate);

  return g_strdup_printf (_("%zu consecutive values without a gap%s; dashed: 95 %% band of uncorrelated data"), n, even->beyond > 0 ? _(" (of more)") : "");
}

gboolean
gilk_figure_make_autocorrelation (GilkFigure           *figure,
                                  const GilkFigureAsk  *ask,
                                  const GilkFigurePart *parts,
                                  guint                 n,
                                  GError              **error)
{
  g_autofree char *method = NULL;

  figure->x = (GilkFigureAxis) { g_strdup (ask->field == NULL ? _("lag") : _("lag in samples")),
                                 g_strdup (ask->field == NULL ? "s" : ""), GILK_SCALE_LINEAR, 0.0, 0.0 };
  figure->y = (GilkFigureAxis) { g_strdup (_("autocorrelation")), NULL, GILK_SCALE_LINEAR, 0.0, 0.0 };
  for (guint i = 0; i < n; i++)
    {
      const GilkHookAsk what = make_hook_ask (ask, &parts[i]);
      g_autoptr(GilkEven) even = gilk_hook_even (parts[i].source->store, parts[i].source->hook, &what,
                                                 parts[i].source->duration, error);
      gsize first, length;

      if (even == NULL)
        return FALSE;
      length = gilk_even_longest (even, &first);
      if (length < FEWEST || even->samples < FEWEST)
        continue;
      add_correlations (figure, even, first, length, parts[i].source->name);
      if (figure->curves->len == 0)
        continue;
      gilk_figure_count (figure, &parts[i], even->samples, 0);
      if (method == NULL)
        {
          method = describe_correlation (ask, even, length);
          add_levels (figure, length);
        }
    }
  if (figure->curves->len == 0)
    {
      figure->message = g_strdup_printf (_("An autocorrelation needs at least %d different samples without a gap."), FEWEST);
      return TRUE;
    }
  figure->y.to = MIN (1.0, figure->y.to * 1.1 + 0.05);
  figure->y.from = MAX (-1.0, figure->y.from * 1.1 - 0.05);
  add_method_caption (figure, method, GILK_LOSS_OF_SPECTRA);

  return TRUE;
}
