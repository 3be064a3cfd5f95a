/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spans.c - computes durations of a function's calls
 *
 * Each pass of a sweep reads and pairs the samples again.
 */
#include "core/analysis/gilk-hook-samples.h"

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-sweep.h"
#include "core/stats/gilk-ranks.h"

#define BATCH 1024

typedef struct {
  GilkHookElapsed *elapsed;
  GilkSpanCounts   counts;     /* counts of the previous pass */
} Reader;

static gboolean
add_durations (GilkSweep *sweep, gpointer data, GError **error)
{
  Reader *reader = data;
  double durations[BATCH];
  GError *local = NULL;
  GilkElapsedBlock block;

  if (!gilk_hook_elapsed_begin (reader->elapsed, G_MININT64, G_MAXINT64, error))
    return FALSE;
  while (gilk_hook_elapsed_next (reader->elapsed, &block, &local))
    for (guint i = 0; i < block.n; i += BATCH)
      {
        guint n = MIN (block.n - i, BATCH);

        for (guint k = 0; k < n; k++)
          durations[k] = (double) block.ns[i + k];
        gilk_sweep_add (sweep, 0, durations, n);
      }
  reader->counts = gilk_hook_elapsed_counts (reader->elapsed);
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

/* ---- statistics ---- */

static const guint percents[] = { 0, 50, 90, 99, 100 };

typedef struct {
  guint    asked[G_N_ELEMENTS (percents)];
  gboolean any;
} Asked;

static void
request_percentiles (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data)
{
  Asked *asked = data;

  asked->any = side->n > 0;
  for (guint i = 0; asked->any && i < G_N_ELEMENTS (percents); i++)
    asked->asked[i] = gilk_ranks_request (ranks, MAX ((side->n * percents[i] + 99) / 100, 1) - 1);
}

gboolean
gilk_hook_spans (GilkStore            *store,
                 const GilkStoredHook *hooks,
                 guint                 n_hooks,
                 gboolean              subtract_cost,
                 GilkHookSpans        *spans,
                 GError              **error)
{
  g_autoptr(GilkHookElapsed) elapsed = NULL;
  Reader reader = { .elapsed = NULL };
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  Asked asked = { .any = FALSE };
  GilkSweepRanks look = { request_percentiles, &asked, ranks, 0 };
  g_autoptr(GilkSweep) sweep = gilk_sweep_new (1.0, 0, NULL, 0, gilk_sweep_ranks_viewer (), &look);
  GilkHookSpans found = { .lost = 0 };
  uint64_t *const figures[] = { &found.min, &found.median, &found.p90, &found.p99, &found.max };

  g_assert (n_hooks > 0);
  elapsed = gilk_hook_elapsed_new (store, hooks, n_hooks, subtract_cost, error);
  if (elapsed == NULL)
    return FALSE;
  reader.elapsed = elapsed;
  if (!gilk_hook_sweep_passes (sweep, add_durations, &reader, error))
    return FALSE;
  found.counts = reader.counts;
  for (guint i = 0; i < n_hooks; i++)
    found.lost += hooks[i].lost;
  for (guint i = 0; asked.any && i < G_N_ELEMENTS (figures); i++)
    *figures[i] = (uint64_t) gilk_ranks_value (ranks, asked.asked[i]);
  *spans = found;

  return TRUE;
}
