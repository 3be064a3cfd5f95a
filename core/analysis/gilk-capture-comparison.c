/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture-comparison.c - compares a packet capture with hooks that the same packets pass
 *
 * Hook and capture see a packet at different places, so they record different times. The comparison
 * shows whether both saw the same packets, and compares the times between packets and their
 * periodicity.
 */
#include "core/analysis/gilk-capture-comparison.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/samples/gilk-samples.h"
#include "core/stats/gilk-arrivals.h"
#include "core/stats/gilk-compare.h"
#include "core/store/gilk-store-loss.h"

#define SECOND     G_GINT64_CONSTANT (1000000000)
/* cost of leaving a packet or sample without a partner, ns. The matching minimises the total cost,
 * so the times in a pair differ by at most twice this cost, unless the packet is delayed */
#define GAP        (SECOND / 1000)
#define BIN        (SECOND / 1000)
#define BINS_MAX   (1 << 24)
#define HURST_BINS 10                   /* bin width for Hurst exponents, in units of BIN */
#define PEAKS      12
/* Limit on times, ns: a hundred years. The difference of two such times fits in 64 bits. */
#define NS_MAX     (G_GINT64_CONSTANT (100) * 366 * 86400 * SECOND)

typedef struct {
  gsize     n;
  gint64   *times;
  uint32_t *cpus;
} Samples;

static void
samples_clear (Samples *samples)
{
  g_free (samples->times);
  g_free (samples->cpus);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Samples, samples_clear)

static void
hook_free (gpointer data)
{
  GilkCaptureHook *hook = data;

  gilk_arrivals_free (hook->of_hook);
  gilk_arrivals_free (hook->of_capture);
  g_free (hook);
}

void
gilk_capture_comparison_free (GilkCaptureComparison *comparison)
{
  if (comparison == NULL)
    return;
  g_ptr_array_unref (comparison->hooks);
  gilk_arrivals_free (comparison->coarse);
  gilk_spectrum_free (comparison->of_hook);
  gilk_spectrum_free (comparison->of_capture);
  g_clear_pointer (&comparison->peaks, g_array_unref);
  g_free (comparison);
}

/* ---- reads and matches the times of samples and packets ---- */

static gboolean
read_hook (GilkStore *store, const GilkStoredHook *hook, Samples *read, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(GArray) cpus = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  GError *local = NULL;
  GilkSampleBlock block;

  if (samples == NULL)
    return FALSE;
  gilk_samples_set_range (samples, -NS_MAX, NS_MAX);
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &local))
    {
      g_array_append_vals (times, block.t_ns, block.n);
      g_array_append_vals (cpus, block.cpu, block.n);
    }
  if (!gilk_check_end (&local, error))
    return FALSE;
  read->n = times->len;
  read->times = (gint64 *) (gpointer) g_array_free (g_steal_pointer (&times), FALSE);
  read->cpus = (uint32_t *) (gpointer) g_array_free (g_steal_pointer (&cpus), FALSE);

  return TRUE;
}

/* Returns the packets' times in ascending order, each truncated to a multiple of @unit. Converts
 * them to the run's clock if @clocks is given. */
static gint64 *
list_capture_times (const GilkCapture *capture, gint64 unit, const GilkClockRelation *clocks)
{
  gint64 *times = g_new (gint64, capture->n + 1);

  for (gsize i = 0; i < capture->n; i++)
    times[i] = capture->unix_ns[i] - capture->unix_ns[i] % unit;
  qsort (times, capture->n, sizeof *times, gilk_order_int64);
  for (gsize i = 0; clocks != NULL && i < capture->n; i++)
    times[i] = gilk_clock_relation_back (clocks, times[i]);

  return times;
}

static gsize
count_zero_on_one_cpu (const Samples *samples, gint64 from_ns, gint64 to_ns)
{
  g_autoptr(GHashTable) last = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gsize zero = 0;

  for (gsize i = 0; i < samples->n; i++)
    {
      gint64 *before = g_hash_table_lookup (last, GUINT_TO_POINTER (samples->cpus[i]));

      if (samples->times[i] < from_ns || samples->times[i] > to_ns)
        continue;
      if (before == NULL)
        {
          before = g_new (gint64, 1);
          g_hash_table_insert (last, GUINT_TO_POINTER (samples->cpus[i]), before);
        }
      else
        zero += *before == samples->times[i];
      *before = samples->times[i];
    }

  return zero;
}

/* ---- compares one hook with the capture ---- */

/* Returns the part of the ascending @times in [@from, @to]. */
static const gint64 *
find_part (const gint64 *times, gsize n, gint64 from, gint64 to, gsize *n_part)
{
  gsize begin = 0, end = n;

  while (begin < end && times[begin] < from)
    begin++;
  while (end > begin && times[end - 1] > to)
    end--;
  *n_part = end - begin;

  return times + begin;
}

/* Counts matched samples, unmatched samples and unmatched packets. An unmatched sample or packet
 * within @max_delay of an end of the range is not counted, because its partner may lie outside the
 * range. */
static void
count_pairs (GilkCaptureHook *found, const GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b,
             gsize n_b, gint64 max_delay)
{
  g_autofree guint8 *taken = g_new0 (guint8, n_b + 1);
  gint64 from = found->from_ns + max_delay, to = found->to_ns - max_delay;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      {
        taken[pairs->of_a[i]] = 1;
        found->matched += a[i] >= found->from_ns && a[i] <= found->to_ns;
      }
    else
      found->only_hook += a[i] > from && a[i] < to;
  for (gsize j = 0; j < n_b; j++)
    found->only_capture += !taken[j] && b[j] > from && b[j] < to;
}

static void
measure_delay (GilkCaptureHook *found, const GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b)
{
  g_autofree gint64 *differences = g_new (gint64, n_a + 1);
  gsize n = 0;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      differences[n++] = a[i] - b[pairs->of_a[i]];
  if (n == 0)
    return;
  qsort (differences, n, sizeof *differences, gilk_order_int64);
  found->delay_ns = differences[n / 2];
  for (gsize i = 0; i < n; i++)
    differences[i] = ABS (differences[i] - found->delay_ns);
  qsort (differences, n, sizeof *differences, gilk_order_int64);
  found->spread_ns = differences[MIN (n - 1, n * 99 / 100)];
}

/* Finds the capture times of the first and the last packet that is paired with a sample in the
 * range. */
static void
find_capture_range (GilkCaptureHook *found, const GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b)
{
  found->capture_from_ns = found->to_ns;
  found->capture_to_ns = found->from_ns;
  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE && a[i] >= found->from_ns && a[i] <= found->to_ns)
      {
        found->capture_from_ns = MIN (found->capture_from_ns, b[pairs->of_a[i]]);
        found->capture_to_ns = MAX (found->capture_to_ns, b[pairs->of_a[i]]);
      }
}

static gboolean
match_hook (GilkCaptureHook *found, const Samples *samples, const gint64 *capture, gsize n_capture,
            gint64 max_delay, GCancellable *cancellable, GError **error)
{
  const GilkClockRelation same = { 0 };
  g_autoptr(GilkPairs) pairs = NULL;
  gsize n_a, n_b;
  gint64 from = found->from_ns - max_delay, to = found->to_ns + max_delay;
  const gint64 *a = find_part (samples->times, samples->n, from, to, &n_a);
  const gint64 *b = find_part (capture, n_capture, from, to, &n_b);

  pairs = gilk_pairs_new (a, n_a, b, n_b, &same, GAP, max_delay, cancellable, error);
  if (pairs == NULL)
    return FALSE;
  found->late = pairs->n_late;
  count_pairs (found, pairs, a, n_a, b, n_b, max_delay);
  measure_delay (found, pairs, a, n_a, b);
  find_capture_range (found, pairs, a, n_a, b);

  return TRUE;
}

/* Counts the samples and packets outside the common time, in which both the hook and the capture
 * were active. */
static void
count_outside (GilkCaptureHook *found, const Samples *samples, const gint64 *capture, gsize n_capture)
{
  gint64 capture_from = MIN (found->from_ns, found->capture_from_ns), capture_to = MAX (found->to_ns, found->capture_to_ns);

  for (gsize i = 0; i < samples->n; i++)
    {
      found->before_hook += samples->times[i] < found->from_ns;
      found->after_hook += samples->times[i] > found->to_ns;
    }
  for (gsize i = 0; i < n_capture; i++)
    {
      found->before_capture += capture[i] < capture_from;
      found->after_capture += capture[i] > capture_to;
    }
}

/* Compares a hook with the capture. @capture: times of the captured packets, on the run's clock */
static GilkCaptureHook *
compare_hook (GilkStore *store, const GilkStoredHook *hook, double duration, const Samples *samples,
              const gint64 *capture, gsize n_capture, gint64 max_delay, GCancellable *cancellable, GError **error)
{
  GilkCaptureHook *found = g_new0 (GilkCaptureHook, 1);
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, hook, duration, error);
  gint64 end = (gint64) CLAMP (duration * 1e9, 0.0, (double) NS_MAX);

  found->hook = hook;
  if (gaps == NULL || !gilk_store_hook_active_time (store, hook, &found->from_ns, &found->to_ns, error))
    {
      hook_free (found);
      return NULL;
    }
  /* Limit the common time to the first and last sample and packet: the time at which a hook was
   * disarmed is known to a few milliseconds only, but a hook with a sample was still armed. */
  found->from_ns = MAX (found->from_ns, samples->n > 0 ? MAX (samples->times[0], capture[0]) : 0);
  found->to_ns = MIN (MIN (found->to_ns, end), capture[n_capture - 1]);
  found->to_ns = MIN (found->to_ns, samples->n > 0 ? samples->times[samples->n - 1] : found->from_ns);
  if (!match_hook (found, samples, capture, n_capture, max_delay, cancellable, error))
    {
      hook_free (found);
      return NULL;
    }
  count_outside (found, samples, capture, n_capture);
  found->of_hook = gilk_arrivals_new (samples->times, samples->n, found->from_ns, found->to_ns, gaps);
  found->of_capture = gilk_arrivals_new (capture, n_capture, found->capture_from_ns, found->capture_to_ns, gaps);
  found->zero_on_one_cpu = count_zero_on_one_cpu (samples, found->from_ns, found->to_ns);
  found->ks = found->of_hook->n_intervals > 0 && found->of_capture->n_intervals > 0
    ? gilk_ks (found->of_hook->intervals, found->of_hook->n_intervals, found->of_capture->intervals,
               found->of_capture->n_intervals).d
    : NAN;

  return found;
}

/* ---- compares the spectra of hook and capture ---- */

/* Returns the length of a segment: a power of two near @n / 4, a compromise between fine resolution
 * and the number of segments to average. */
static gsize
choose_segment (gsize n)
{
  gsize segment = 64;

  while (segment * 2 <= n / 4 && segment < 16384)
    segment *= 2;

  return segment;
}

static GilkSpectrum *
compute_spectrum (const double *rates, gsize n, gint64 bin)
{
  gsize segment = choose_segment (n);

  return n < segment ? NULL
    : gilk_spectrum_welch (rates, n, (double) SECOND / (double) bin, segment, GILK_WINDOW_FUNCTION_HANN);
}

static double
compute_hurst (const double *rates, gsize n)
{
  gsize bins = n / HURST_BINS;
  g_autofree double *sums = g_new0 (double, bins + 1);
  g_auto(GilkHurst) hurst = { 0 };

  for (gsize i = 0; i < bins * HURST_BINS; i++)
    sums[i / HURST_BINS] += rates[i];
  for (gsize i = 0; i < bins; i++)
    if (!isfinite (sums[i]))
      return NAN;
  gilk_hurst_variance (sums, bins, &hurst);

  return hurst.h;
}

/* Compares the spectra at each frequency, as ratios in dB. */
static void
compare_spectra (GilkCaptureComparison *comparison)
{
  g_autofree double *differences = NULL;
  guint n = 0;

  comparison->difference_db = comparison->difference_max_db = NAN;
  if (comparison->of_hook == NULL || comparison->of_capture == NULL)
    return;
  differences = g_new (double, comparison->of_hook->n);
  for (guint k = 1; k < comparison->of_hook->n; k++)
    if (comparison->of_hook->power[k] > 0.0 && comparison->of_capture->power[k] > 0.0)
      differences[n++] = fabs (10.0 * log10 (comparison->of_capture->power[k] / comparison->of_hook->power[k]));
  if (n == 0)
    return;
  comparison->difference_max_db = 0.0;
  for (guint k = 0; k < n; k++)
    comparison->difference_max_db = MAX (comparison->difference_max_db, differences[k]);
  qsort (differences, n, sizeof *differences, gilk_order_double);
  comparison->difference_db = gilk_quantile (differences, n, 0.5);
}

GILK_DEFINE_ORDER (compare_by_hz, GilkPeak, hz)

static gboolean
add_spectra (GilkCaptureComparison *comparison, GilkStore *store, double duration, const Samples *samples,
             const gint64 *capture, gsize n_capture, GError **error)
{
  const GilkCaptureHook *first = g_ptr_array_index (comparison->hooks, 0);
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, first->hook, duration, error);
  g_autofree double *of_hook = NULL, *of_capture = NULL;
  gint64 bin = MAX (BIN, (first->to_ns - first->from_ns) / BINS_MAX);
  gsize n_hook, n_capture_bins;

  if (gaps == NULL)
    return FALSE;
  of_hook = gilk_arrivals_rates (samples->times, samples->n, first->from_ns, first->to_ns, bin, gaps, &n_hook);
  of_capture = gilk_arrivals_rates (capture, n_capture, first->from_ns, first->to_ns, bin, gaps, &n_capture_bins);
  comparison->of_hook = compute_spectrum (of_hook, n_hook, bin);
  comparison->of_capture = compute_spectrum (of_capture, n_capture_bins, bin);
  comparison->peaks = comparison->of_hook != NULL ? gilk_spectrum_peaks (comparison->of_hook, PEAKS)
                                        : g_array_new (FALSE, FALSE, sizeof (GilkPeak));
  g_array_sort (comparison->peaks, compare_by_hz);
  comparison->hurst_hook = compute_hurst (of_hook, n_hook);
  comparison->hurst_capture = compute_hurst (of_capture, n_capture_bins);
  compare_spectra (comparison);

  return TRUE;
}

/* ---- compares the capture with all hooks ---- */

static gboolean
find_clocks (GilkCaptureComparison *comparison, const Samples *samples, const GilkCapture *capture, gint64 unix_ns,
             GCancellable *cancellable, GError **error)
{
  g_autofree gint64 *times = list_capture_times (capture, 1, NULL);
  GError *local = NULL;

  if (gilk_pairs_clocks (samples->times, samples->n, times, capture->n, unix_ns, &comparison->clocks,
                         cancellable, &local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("The capture's %zu packets and the hook's %zu samples do not match at any "
                   "clock offset. Check that both cover the same traffic at the same time, and "
                   "use a filter to exclude packets that do not reach the hook."),
                 capture->n, samples->n);

  return FALSE;
}

static gboolean
add_hooks (GilkCaptureComparison *comparison, GilkStore *store, const GPtrArray *hooks, double duration,
           const gint64 *times, gsize n_times, gint64 max_delay, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = g_ptr_array_index (hooks, i);
      g_auto(Samples) samples = { 0 };
      GilkCaptureHook *found;

      if (!read_hook (store, hook, &samples, error))
        return FALSE;
      found = compare_hook (store, hook, duration, &samples, times, n_times, max_delay, cancellable, error);
      if (found == NULL)
        return FALSE;
      g_ptr_array_add (comparison->hooks, found);
      if (i == 0 && !add_spectra (comparison, store, duration, &samples, times, n_times, error))
        return FALSE;
    }

  return TRUE;
}

GilkCaptureComparison *
gilk_capture_comparison_new (GilkStore         *store,
                             const GPtrArray   *hooks,
                             double             duration,
                             gint64             unix_ns,
                             gint64             max_delay_ns,
                             const GilkCapture *capture,
                             GCancellable      *cancellable,
                             GError           **error)
{
  g_autoptr(GilkCaptureComparison) comparison = g_new0 (GilkCaptureComparison, 1);
  g_autofree gint64 *times = NULL, *coarse = NULL;
  const GilkCaptureHook *first;
  g_auto(Samples) samples = { 0 };

  g_assert (hooks->len > 0 && max_delay_ns > 0);
  comparison->hooks = g_ptr_array_new_with_free_func (hook_free);
  if (!read_hook (store, g_ptr_array_index (hooks, 0), &samples, error) ||
      !find_clocks (comparison, &samples, capture, unix_ns, cancellable, error))
    return NULL;
  times = list_capture_times (capture, 1, &comparison->clocks);
  if (!add_hooks (comparison, store, hooks, duration, times, capture->n, max_delay_ns, cancellable, error))
    return NULL;

  first = g_ptr_array_index (comparison->hooks, 0);
  coarse = list_capture_times (capture, 1000, &comparison->clocks);
  comparison->coarse = gilk_arrivals_new (coarse, capture->n, first->capture_from_ns - 1000, first->capture_to_ns, NULL);

  return g_steal_pointer (&comparison);
}
