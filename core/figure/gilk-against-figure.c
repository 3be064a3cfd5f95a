/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-against-figure.c - figure 3 of the GILK paper, with the differences below each of its panels
 *
 * Two curves drawn on top of each other show that they agree, but not how closely.
 */
#include "core/figure/gilk-against-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#define BINS   72
#define POINTS 400

static const GilkAgainstHook *
first_hook (const GilkAgainst *against)
{
  return g_ptr_array_index (against->hooks, 0);
}

static GilkFigureAxis
axis (const char *label, const char *unit, GilkScale scale, double from, double to)
{
  return (GilkFigureAxis) { g_strdup (label), g_strdup (unit), scale, from, to };
}

static void
say_nothing (GilkFigure *figure, const char *why)
{
  figure->message = g_strdup (why);
  figure->x = axis ("", NULL, GILK_SCALE_LINEAR, 0.0, 1.0);
  figure->y = axis ("", NULL, GILK_SCALE_LINEAR, 0.0, 1.0);
}

/* ---- times between packets ---- */

/* Widens [@from, @to] to the least interval above zero
 * and the greatest. Returns FALSE if all are zero. */
static gboolean
widen (const GilkArrivals *arrivals, double *from, double *to)
{
  if (arrivals->zero >= arrivals->n_intervals)
    return FALSE;
  *from = fmin (*from, arrivals->intervals[arrivals->zero]);
  *to = fmax (*to, arrivals->intervals[arrivals->n_intervals - 1]);

  return TRUE;
}

static gboolean
find_range (const GilkAgainstHook *hook, double *from, double *to)
{
  *from = INFINITY;
  *to = -INFINITY;
  if (!widen (hook->own, from, to) || !widen (hook->theirs, from, to))
    return FALSE;
  *from /= 1.2;
  *to *= 1.2;

  return TRUE;
}

static void
add_histogram (GilkFigure *figure, const GilkArrivals *arrivals, const char *name)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, name, BINS);
  double from = figure->x.from, to = figure->x.to;
  gsize at = arrivals->zero;

  for (guint i = 0; i <= BINS; i++)
    curve->x[i] = from * pow (to / from, (double) i / BINS);
  for (guint i = 0; i < BINS; i++)
    {
      gsize begin = at;

      while (at < arrivals->n_intervals && arrivals->intervals[at] < curve->x[i + 1])
        at++;
      curve->y[i] = at > begin ? (double) (at - begin) : NAN;
      figure->y.to = fmax (figure->y.to, 1.6 * (double) (at - begin));
    }
  curve->samples = arrivals->n;
}

static void
show_intervals (GilkFigure *figure, const GilkAgainstHook *hook, double from, double to)
{
  figure->title = g_strdup (_("Time between packets"));
  figure->x = axis (_("time between packets"), "s", GILK_SCALE_LOG, from, to);
  figure->y = axis (_("intervals"), NULL, GILK_SCALE_LOG, 0.6, 1.0);
  add_histogram (figure, hook->own, hook->hook->label);
  add_histogram (figure, hook->theirs, _("capture"));
  figure->subtitle = g_strdup_printf (_("%zu intervals from the hook, %zu from the capture; of length 0: %zu and %zu"),
                                      hook->own->n_intervals, hook->theirs->n_intervals, hook->own->zero,
                                      hook->theirs->zero);
}

/* Returns the number of intervals that are at most @value. */
static gsize
count_upto (const GilkArrivals *arrivals, double value)
{
  gsize low = 0, high = arrivals->n_intervals;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (arrivals->intervals[middle] <= value)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static void
show_intervals_apart (GilkFigure *figure, const GilkAgainstHook *hook, double from, double to)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, _("capture − hook"), POINTS);
  double most = 0.0;

  for (guint i = 0; i < POINTS; i++)
    {
      double x = from * pow (to / from, (double) i / (POINTS - 1));
      double own = (double) count_upto (hook->own, x) / (double) hook->own->n_intervals;
      double theirs = (double) count_upto (hook->theirs, x) / (double) hook->theirs->n_intervals;

      curve->x[i] = x;
      curve->y[i] = 100.0 * (theirs - own);
      most = fmax (most, fabs (curve->y[i]));
    }
  most = fmax (1.2 * most, 0.1);
  figure->x = axis (_("time between packets"), "s", GILK_SCALE_LOG, from, to);
  figure->y = axis (_("cumulative share of intervals, capture − hook, %"), NULL, GILK_SCALE_LINEAR, -most, most);
  figure->subtitle = g_strdup_printf (_("Largest difference %.2f %% (Kolmogorov–Smirnov D)"), 100.0 * hook->ks);
}

/* ---- spectra ---- */

static void
add_spectrum (GilkFigure *figure, const GilkSpectrum *spectrum, const char *name)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, name, spectrum->n - 1);

  for (guint k = 1; k < spectrum->n; k++)
    {
      double power = spectrum->power[k];

      curve->x[k - 1] = spectrum->hz[k];
      curve->y[k - 1] = power > 0.0 ? power : NAN;
      if (power > 0.0)
        {
          figure->y.from = fmin (figure->y.from, power / 1.5);
          figure->y.to = fmax (figure->y.to, power * 1.5);
        }
    }
}

static void
show_spectra (GilkFigure *figure, const GilkAgainst *against)
{
  const GilkSpectrum *own = against->own;

  figure->title = g_strdup (_("Power spectrum"));
  figure->subtitle = g_strdup_printf (_("packets/s; Welch, Hann window, %u segments of %u values, %.0f per second"),
                                      own->segments, 2 * (own->n - 1), 2.0 * own->hz[own->n - 1]);
  figure->x = axis (_("frequency"), "Hz", GILK_SCALE_LOG, own->hz[1], own->hz[own->n - 1]);
  figure->y = axis (_("power, (packets/s)²/Hz"), NULL, GILK_SCALE_LOG, INFINITY, -INFINITY);
  add_spectrum (figure, own, first_hook (against)->hook->label);
  add_spectrum (figure, against->theirs, _("capture"));
  if (!(figure->y.to > figure->y.from))
    figure->message = g_strdup (_("The packet rate was constant."));
}

static void
show_spectra_apart (GilkFigure *figure, const GilkAgainst *against)
{
  const GilkSpectrum *own = against->own, *theirs = against->theirs;
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, _("capture / hook"), own->n - 1);
  double most = 0.1;

  for (guint k = 1; k < own->n; k++)
    {
      curve->x[k - 1] = own->hz[k];
      curve->y[k - 1] = own->power[k] > 0.0 && theirs->power[k] > 0.0
        ? 10.0 * log10 (theirs->power[k] / own->power[k]) : NAN;
      if (isfinite (curve->y[k - 1]))
        most = fmax (most, 1.2 * fabs (curve->y[k - 1]));
    }
  figure->x = axis (_("frequency"), "Hz", GILK_SCALE_LOG, own->hz[1], own->hz[own->n - 1]);
  figure->y = axis (_("power, capture / hook, dB"), NULL, GILK_SCALE_LINEAR, -most, most);
  figure->subtitle = g_strdup_printf (_("Median difference %.2f dB, largest %.2f dB"), against->apart_db,
                                      against->apart_most_db);
}

/* ---- figure ---- */

GilkFigure *
gilk_against_figure (const GilkAgainst *against,
                     GilkAgainstPanel   panel)
{
  gboolean spectra = panel == GILK_AGAINST_SPECTRA || panel == GILK_AGAINST_SPECTRA_APART;
  GilkFigure *figure = gilk_figure_new (spectra ? GILK_FIGURE_SPECTRUM : GILK_FIGURE_HISTOGRAM);
  const GilkAgainstHook *hook = first_hook (against);
  double from, to;

  if (spectra && (against->own == NULL || against->theirs == NULL))
    say_nothing (figure, _("The part without loss is too short for a spectrum."));
  else if (panel == GILK_AGAINST_SPECTRA)
    show_spectra (figure, against);
  else if (panel == GILK_AGAINST_SPECTRA_APART)
    show_spectra_apart (figure, against);
  else if (!find_range (hook, &from, &to))
    say_nothing (figure, _("All times between packets are zero."));
  else if (panel == GILK_AGAINST_INTERVALS)
    show_intervals (figure, hook, from, to);
  else
    show_intervals_apart (figure, hook, from, to);

  return figure;
}
