/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spectrum.c - periodicity of a hook's hits or values
 *
 * Spectra of hits per second use Welch's method. Spectra of values, which are unevenly spaced in
 * time, use the Lomb-Scargle method, over the longest part without gaps. At most VALUES_MAX values
 * are used, so that memory is constant.
 */
#include "core/analysis/gilk-hook-spectrum.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define SLICES_MIN   1024
#define SLICES_MAX   (1 << 20)
#define PER_HIT      4.0
#define SEGMENTS     8            /* number of segments for Welch's method, in a run without gaps */
#define SEGMENT_MIN  64
#define VALUES_MAX   (1 << 20)
#define FEWEST       16           /* minimum number of samples for a spectrum */
#define PEAKS_MAX    5

void
gilk_even_free (GilkEven *even)
{
  if (even == NULL)
    return;

  g_free (even->values);
  g_free (even);
}

void
gilk_hook_spectrum_clear (GilkHookSpectrum *spectrum)
{
  g_clear_pointer (&spectrum->spectrum, gilk_spectrum_free);
  g_clear_pointer (&spectrum->method, g_free);
  g_clear_pointer (&spectrum->peaks, g_array_unref);
}

gsize
gilk_even_longest (const GilkEven *even,
                   gsize          *first)
{
  gsize best = 0, begin = 0;

  *first = 0;
  for (gsize i = 0; i <= even->n; i++)
    if (i == even->n || isnan (even->values[i]))
      {
        if (i - begin > best)
          {
            best = i - begin;
            *first = begin;
          }
        begin = i + 1;
      }

  return best;
}

/* ---- computes hits per second in equal slices of time ---- */

static gsize
choose_slices (double hits)
{
  gsize n = SLICES_MIN;

  while (n < SLICES_MAX && (double) n < PER_HIT * hits)
    n *= 2;

  return n;
}

static gboolean
count_hits (GilkHookStream *stream, GilkEven *even, double from, double to, GError **error)
{
  GError *local = NULL;
  GilkHookBlock block;

  while (gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        double at = (block.times[i] - from) * even->rate;

        if (!(block.times[i] >= from && block.times[i] < to))
          continue;
        even->values[MIN ((gsize) at, even->n - 1)] += even->rate;
        even->samples++;
      }
  return gilk_check_end (&local, error);
}

static GilkEven *
make_even_hits (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, double duration,
                GError **error)
{
  double from = isnan (ask->from) ? 0.0 : MAX (ask->from, 0.0);
  double to = isnan (ask->to) ? duration : MIN (ask->to, duration);
  double share = duration > 0.0 ? MAX (to - from, 0.0) / duration : 0.0;
  g_autoptr(GilkEven) even = g_new0 (GilkEven, 1);
  g_autoptr(GilkHookStream) stream = NULL;
  GilkHookAsk times = *ask;

  times.field = "time";
  stream = gilk_hook_stream_new (store, hook, &times, error);
  if (stream == NULL)
    return NULL;
  if (!(to > from))
    return g_steal_pointer (&even);
  even->n = choose_slices ((double) hook->stored * share);
  even->rate = even->n / (to - from);
  even->values = g_new0 (double, even->n);
  if (!count_hits (stream, even, from, to, error))
    return NULL;
  for (guint i = 0; ask->gaps != NULL && i < ask->gaps->len; i++)
    {
      const GilkGap *gap = &g_array_index (ask->gaps, GilkGap, i);
      double first = floor ((gap->from - from) * even->rate), end = ceil ((gap->to - from) * even->rate);

      for (double k = MAX (first, 0.0); k < MIN (end, (double) even->n); k += 1.0)
        even->values[(gsize) k] = NAN;
    }

  return g_steal_pointer (&even);
}

/* ---- finds the longest part of the values without a gap ---- */

/* State while values are split at gaps: the longest part of the values so far, and the current
 * part. */
typedef struct {
  const GArray *gaps;
  gsize         most;
  GArray       *times, *values, *best_times, *best_values;
  double        before;
  uint64_t      beyond;
} Parts;

static void
end_part (Parts *parts)
{
  if (parts->values->len > parts->best_values->len)
    {
      GArray *times = parts->best_times, *values = parts->best_values;

      parts->best_times = parts->times;
      parts->best_values = parts->values;
      parts->times = times;
      parts->values = values;
    }
  g_array_set_size (parts->times, 0);
  g_array_set_size (parts->values, 0);
}

static gboolean
read_parts (Parts *parts, GilkHookStream *stream, GError **error)
{
  GError *local = NULL;
  GilkHookBlock block;

  parts->before = NAN;
  while (gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        if (parts->values->len > 0 && gilk_gaps_touch (parts->gaps, parts->before, block.times[i]))
          end_part (parts);
        parts->before = block.times[i];
        if (parts->values->len < parts->most)
          {
            g_array_append_val (parts->times, block.times[i]);
            g_array_append_val (parts->values, block.values[i]);
          }
        else
          parts->beyond++;
      }
  if (!gilk_check_end (&local, error))
    return FALSE;
  end_part (parts);

  return TRUE;
}

static void
parts_init (Parts *parts, const GArray *gaps, gsize most)
{
  *parts = (Parts) {
    .gaps = gaps, .most = most,
    .times = g_array_new (FALSE, FALSE, sizeof (double)), .values = g_array_new (FALSE, FALSE, sizeof (double)),
    .best_times = g_array_new (FALSE, FALSE, sizeof (double)),
    .best_values = g_array_new (FALSE, FALSE, sizeof (double)),
  };
}

static void
parts_clear (Parts *parts)
{
  g_clear_pointer (&parts->times, g_array_unref);
  g_clear_pointer (&parts->values, g_array_unref);
  g_clear_pointer (&parts->best_times, g_array_unref);
  g_clear_pointer (&parts->best_values, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* Reads the hook's values and finds the longest part without gaps. @parts: (out): overwritten
 * without freeing what it contains */
static gboolean
find_part (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, gsize most, Parts *parts,
           GError **error)
{
  GilkHookAsk ordered = *ask;
  g_autoptr(GilkHookStream) stream = NULL;

  parts_init (parts, ask->gaps, most);
  ordered.in_order = TRUE;
  stream = gilk_hook_stream_new (store, hook, &ordered, error);
  if (stream == NULL)
    return FALSE;

  return read_parts (parts, stream, error);
}

GilkEven *
gilk_hook_even (GilkStore            *store,
                const GilkStoredHook *hook,
                const GilkHookAsk    *ask,
                double                duration,
                GError              **error)
{
  g_auto(Parts) parts = { NULL };
  GilkEven *even;

  if (ask->field == NULL)
    return make_even_hits (store, hook, ask, duration, error);
  if (!find_part (store, hook, ask, VALUES_MAX, &parts, error))
    return NULL;
  even = g_new0 (GilkEven, 1);
  even->n = even->samples = parts.best_values->len;
  even->beyond = parts.beyond;
  even->values = (double *) (gpointer) g_array_free (g_steal_pointer (&parts.best_values), FALSE);

  return even;
}

/* ---- fits the slope of a spectrum ---- */

/* Fits a line to log power over log frequency by least squares. */
static void
find_slope (GilkHookSpectrum *found)
{
  const GilkSpectrum *s = found->spectrum;
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, left = 0.0;

  for (guint pass = 0; pass < 3; pass++)
    for (guint i = 0; i < s->n; i++)
      {
        double u, v;

        if (!(s->hz[i] > 0.0 && s->power[i] > 0.0))
          continue;
        u = log10 (s->hz[i]);
        v = log10 (s->power[i]);
        if (pass == 0)
          {
            n += 1.0;
            x += u;
            y += v;
          }
        else if (pass == 1)
          {
            xx += (u - x / n) * (u - x / n);
            xy += (u - x / n) * (v - y / n);
          }
        else
          left += pow (v - y / n - found->slope * (u - x / n), 2.0);
        found->slope = xx > 0.0 ? xy / xx : NAN;
      }
  found->slope_error = n > 2.0 && xx > 0.0 ? sqrt (left / (n - 2.0) / xx) : NAN;
}

/* ---- computes spectra ---- */

static gboolean
refuse_spectrum (const GilkStoredHook *hook, const char *what, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FAILED,
      _("Cannot compute the spectrum of hook %s: losses are so frequent that no part "
        "between two gaps is %s long. Record again with larger rings or fewer hooks, or "
        "select a time range without loss."), hook->label, what);
}

static gboolean
compute_welch (GilkHookSpectrum *found, const GilkEven *even, const GilkStoredHook *hook, GError **error)
{
  gsize segment = even->n / SEGMENTS, first, longest = gilk_even_longest (even, &first);

  while (segment > longest)
    segment /= 2;
  if (segment < SEGMENT_MIN)
    {
      g_autofree char *what = g_strdup_printf ("%.3g s", SEGMENT_MIN / even->rate);

      return refuse_spectrum (hook, what, error);
    }
  found->spectrum = gilk_spectrum_welch (even->values, even->n, even->rate, segment, GILK_WINDOW_FUNCTION_HANN);
  while (found->spectrum == NULL && segment > SEGMENT_MIN)
    {
      segment /= 2;
      found->spectrum = gilk_spectrum_welch (even->values, even->n, even->rate, segment, GILK_WINDOW_FUNCTION_HANN);
    }
  if (found->spectrum == NULL)
    return refuse_spectrum (hook, _("one segment"), error);
  found->method = g_strdup_printf (_("Welch: hits in %.0f bins per second, mean of %u segments of %zu bins, Hann window, 50 %% overlap"),
                                   even->rate, found->spectrum->segments, segment);
  if (found->spectrum->broken > 0)
    {
      g_autofree char *method = found->method;

      found->method = g_strdup_printf (_("%s; %u segments skipped because of gaps"), method, found->spectrum->broken);
    }

  return TRUE;
}

static gboolean
compute_lomb (GilkHookSpectrum *found, const Parts *parts, GCancellable *cancellable, GError **error)
{
  const double *times = (const double *) (gpointer) parts->best_times->data;
  const double *values = (const double *) (gpointer) parts->best_values->data;
  guint n = parts->best_values->len, n_hz = n / 2;
  double span = times[n - 1] - times[0];

  if (!(span > 0.0))
    return TRUE;
  found->spectrum = gilk_spectrum_lomb (times, values, n, 1.0 / span, 1.0 / span, n_hz, cancellable);
  if (found->spectrum == NULL)
    return gilk_fail (error, GILK_ERROR_CANCELLED, _("Computing the spectrum was cancelled."));
  found->method = g_strdup_printf (_("Lomb–Scargle: %u values, each at the time of its sample%s"),
                                   n,
                                   parts->beyond > 0 ? _("; only the first values of a longer part without gaps are "
                                                         "used") : "");

  return TRUE;
}

gboolean
gilk_hook_spectrum (GilkStore            *store,
                    const GilkStoredHook *hook,
                    const GilkHookAsk    *ask,
                    double                duration,
                    GilkHookSpectrum     *spectrum,
                    GError              **error)
{
  g_auto(GilkHookSpectrum) found = { NULL };

  found.slope = found.slope_error = NAN;
  found.peaks = g_array_new (FALSE, FALSE, sizeof (GilkPeak));
  if (ask->field == NULL)
    {
      g_autoptr(GilkEven) even = gilk_hook_even (store, hook, ask, duration, error);

      if (even == NULL)
        return FALSE;
      found.samples = even->samples;
      if (even->samples >= FEWEST && !compute_welch (&found, even, hook, error))
        return FALSE;
    }
  else
    {
      g_auto(Parts) parts = { NULL };

      if (!find_part (store, hook, ask, VALUES_MAX, &parts, error))
        return FALSE;
      found.samples = parts.best_values->len;
      if (found.samples < FEWEST && hook->lost > 0 && hook->stored >= FEWEST)
        return refuse_spectrum (hook, _("16 samples"), error);
      if (found.samples >= FEWEST && !compute_lomb (&found, &parts, gilk_store_cancellable (store), error))
        return FALSE;
    }
  if (found.spectrum != NULL)
    {
      g_array_unref (found.peaks);
      found.peaks = gilk_spectrum_peaks (found.spectrum, PEAKS_MAX);
      find_slope (&found);
    }
  *spectrum = found;
  found = (GilkHookSpectrum) { NULL };

  return TRUE;
}
