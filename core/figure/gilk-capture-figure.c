/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture-figure.c - makes figure 3 of the GILK paper, and a panel of differences below each
 * of its panels
 *
 * The panels of differences show how closely the curves agree.
 */
#include "core/figure/gilk-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/gilk-array.h"

#define BINS   72
#define POINTS 400

static const GilkCaptureHook *
get_first_hook (const GilkCaptureComparison *comparison)
{
  return g_ptr_array_index (comparison->hooks, 0);
}

static GilkFigureAxis
make_axis (const char *label, const char *unit, GilkScale scale, double from, double to)
{
  return (GilkFigureAxis) { g_strdup (label), g_strdup (unit), scale, from, to };
}

static void
set_message (GilkFigure *figure, const char *why)
{
  figure->message = g_strdup (why);
  figure->x = make_axis ("", NULL, GILK_SCALE_LINEAR, 0.0, 1.0);
  figure->y = make_axis ("", NULL, GILK_SCALE_LINEAR, 0.0, 1.0);
}

/* ---- figures of the times between packets ---- */

/* Widens [@from, @to] so that it includes all times between packets that are above zero. Returns
 * FALSE if all times between packets are zero. */
static gboolean
widen_range (const GilkArrivals *arrivals, double *from, double *to)
{
  if (arrivals->zero >= arrivals->n_intervals)
    return FALSE;
  *from = fmin (*from, arrivals->intervals[arrivals->zero]);
  *to = fmax (*to, arrivals->intervals[arrivals->n_intervals - 1]);

  return TRUE;
}

static gboolean
find_range (const GilkCaptureHook *hook, double *from, double *to)
{
  *from = INFINITY;
  *to = -INFINITY;
  if (!widen_range (hook->of_hook, from, to) || !widen_range (hook->of_capture, from, to))
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
show_intervals (GilkFigure *figure, const GilkCaptureHook *hook, double from, double to)
{
  figure->title = g_strdup (_("Time between packets"));
  figure->x = make_axis (_("time between packets"), "s", GILK_SCALE_LOG, from, to);
  figure->y = make_axis (_("times between packets per bin"), NULL, GILK_SCALE_LOG, 0.6, 1.0);
  add_histogram (figure, hook->of_hook, hook->hook->label);
  add_histogram (figure, hook->of_capture, _("capture"));
  figure->subtitle = g_strdup_printf (_("%zu times between packets from the hook, %zu from the capture; zero: %zu and %zu"),
                                      hook->of_hook->n_intervals, hook->of_capture->n_intervals, hook->of_hook->zero,
                                      hook->of_capture->zero);
}

/* Returns how many of the times between packets are at most @value. */
static gsize
count_upto (const GilkArrivals *arrivals, double value)
{
  return GILK_BISECT (arrivals->n_intervals, i, arrivals->intervals[i] <= value);
}

static void
show_intervals_difference (GilkFigure *figure, const GilkCaptureHook *hook, double from, double to)
{
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, _("capture − hook"), POINTS);
  double most = 0.0;

  for (guint i = 0; i < POINTS; i++)
    {
      double x = from * pow (to / from, (double) i / (POINTS - 1));
      double of_hook = (double) count_upto (hook->of_hook, x) / (double) hook->of_hook->n_intervals;
      double of_capture = (double) count_upto (hook->of_capture, x) / (double) hook->of_capture->n_intervals;

      curve->x[i] = x;
      curve->y[i] = 100.0 * (of_capture - of_hook);
      most = fmax (most, fabs (curve->y[i]));
    }
  most = fmax (1.2 * most, 0.1);
  figure->x = make_axis (_("time between packets"), "s", GILK_SCALE_LOG, from, to);
  figure->y = make_axis (_("cumulative share of times, capture − hook, %"), NULL, GILK_SCALE_LINEAR, -most, most);
  figure->subtitle = g_strdup_printf (_("Largest difference %.2f %% (Kolmogorov–Smirnov D)"), 100.0 * hook->ks);
}

/* ---- figures of spectra ---- */

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
show_spectra (GilkFigure *figure, const GilkCaptureComparison *comparison)
{
  const GilkSpectrum *of_hook = comparison->of_hook;

  figure->title = g_strdup (_("Power spectrum"));
  figure->subtitle = g_strdup_printf (_("packets/s; Welch, Hann window, %u segments of %u values, %.0f per second"),
                                      of_hook->segments, 2 * (of_hook->n - 1), 2.0 * of_hook->hz[of_hook->n - 1]);
  figure->x = make_axis (_("frequency"), "Hz", GILK_SCALE_LOG, of_hook->hz[1], of_hook->hz[of_hook->n - 1]);
  figure->y = make_axis (_("power, (packets/s)²/Hz"), NULL, GILK_SCALE_LOG, INFINITY, -INFINITY);
  add_spectrum (figure, of_hook, get_first_hook (comparison)->hook->label);
  add_spectrum (figure, comparison->of_capture, _("capture"));
  if (!(figure->y.to > figure->y.from))
    figure->message = g_strdup (_("The packet rate was constant."));
}

static void
show_spectra_difference (GilkFigure *figure, const GilkCaptureComparison *comparison)
{
  const GilkSpectrum *of_hook = comparison->of_hook, *of_capture = comparison->of_capture;
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_LINE, _("capture / hook"), of_hook->n - 1);
  double most = 0.1;

  for (guint k = 1; k < of_hook->n; k++)
    {
      curve->x[k - 1] = of_hook->hz[k];
      curve->y[k - 1] = of_hook->power[k] > 0.0 && of_capture->power[k] > 0.0
        ? 10.0 * log10 (of_capture->power[k] / of_hook->power[k]) : NAN;
      if (isfinite (curve->y[k - 1]))
        most = fmax (most, 1.2 * fabs (curve->y[k - 1]));
    }
  figure->x = make_axis (_("frequency"), "Hz", GILK_SCALE_LOG, of_hook->hz[1], of_hook->hz[of_hook->n - 1]);
  figure->y = make_axis (_("power, capture / hook, dB"), NULL, GILK_SCALE_LINEAR, -most, most);
  figure->subtitle = g_strdup_printf (_("Median difference %.2f dB, largest %.2f dB"), comparison->difference_db,
                                      comparison->difference_max_db);
}

/* ---- makes the figure of the requested panel ---- */

GilkFigure *
gilk_capture_figure (const GilkCaptureComparison *comparison,
                     GilkCapturePanel             panel)
{
  gboolean spectra = panel == GILK_CAPTURE_SPECTRA || panel == GILK_CAPTURE_SPECTRA_DIFFERENCE;
  GilkFigure *figure = gilk_figure_new (spectra ? GILK_FIGURE_SPECTRUM : GILK_FIGURE_HISTOGRAM);
  const GilkCaptureHook *hook = get_first_hook (comparison);
  double from, to;

  if (spectra && (comparison->of_hook == NULL || comparison->of_capture == NULL))
    set_message (figure, _("The part without loss is too short for a spectrum."));
  else if (panel == GILK_CAPTURE_SPECTRA)
    show_spectra (figure, comparison);
  else if (panel == GILK_CAPTURE_SPECTRA_DIFFERENCE)
    show_spectra_difference (figure, comparison);
  else if (!find_range (hook, &from, &to))
    set_message (figure, _("All times between packets are zero."));
  else if (panel == GILK_CAPTURE_INTERVALS)
    show_intervals (figure, hook, from, to);
  else
    show_intervals_difference (figure, hook, from, to);

  return figure;
}
