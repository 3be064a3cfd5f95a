/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-counts.c - stores counters: their current values and their history
 *
 * Of many thousand counters only few change between two readings, so only changes are stored:
 *
 *   counts        an unchanged row is not written again, apart from the first one, which has the
 *                 time of the last reading
 *   count_point   a constant counter has a point at the start of the constant period, and one where
 *                 it was last seen constant; the latter is written once it changes, or the run ends
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-write.h"

#include <string.h>

/* Inline samples have no hit counter, so hits are the received and the lost ones. If an instrument
 * counts as well, or a program defines its count, that count is used. */
struct ilk_counter
gilk_run_hook_totals (GilkRun *run, guint hook, guint cpu)
{
  struct ilk_counter counter = run->counters[hook * gilk_run_n_cpus (run) + cpu];
  uint64_t received, stored;

  if (!gilk_hook_takes_samples (run->bound, hook))
    return counter;
  received = gilk_ingest_received (run->ingest, hook, cpu);

  gilk_run_lock_store (run);
  stored = gilk_store_stored (run->store, run->armed.iids[hook], cpu);
  gilk_run_unlock_store (run);
  if (counter.count == 0 && !gilk_hook_counts_itself (run->bound, hook))
    counter.count = received + counter.lost;
  if (stored < received && gilk_run_has_error (run))
    counter.lost += received - stored;

  return counter;
}

void
gilk_run_grow_counts (GilkRun *run,
                      guint    before,
                      guint    after)
{
  guint n_cpus = gilk_run_n_cpus (run);

  run->counts = g_renew (GilkStoredCount, run->counts, (gsize) after * n_cpus);
  memset (run->counts + (gsize) before * n_cpus, 0, (gsize) (after - before) * n_cpus * sizeof *run->counts);
  run->points = g_renew (GilkPoint, run->points, after);
  memset (run->points + before, 0, (after - before) * sizeof *run->points);
}

static uint64_t
sum_hits (GilkRun *run, guint hook)
{
  uint64_t hits = 0;

  for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
    hits += run->counters[hook * gilk_run_n_cpus (run) + cpu].count;

  return hits;
}

static gboolean
add_point (GilkRun *run, guint hook, uint64_t at_ns, uint64_t count, GError **error)
{
  gboolean good;

  gilk_run_lock_store (run);
  good = gilk_store_add_count_point (run->store, run->run, run->armed.iids[hook], at_ns, count, error);
  gilk_run_unlock_store (run);

  return good;
}

static gboolean
store_point (GilkRun *run, guint hook, uint64_t at_ns, gboolean last, GError **error)
{
  GilkPoint *point = &run->points[hook];
  uint64_t count = sum_hits (run, hook);

  if (point->is_stored && count == point->count && !last)
    {
      point->still_ns = at_ns;
      return TRUE;
    }
  if (point->still_ns != 0 && count != point->count &&
      !add_point (run, hook, point->still_ns, point->count, error))
    return FALSE;
  *point = (GilkPoint) { .count = count, .is_stored = TRUE };

  return add_point (run, hook, at_ns, count, error);
}

gboolean
gilk_run_store_points (GilkRun *run,
                       uint64_t at_ns,
                       gboolean last,
                       GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    good = gilk_hook_takes_samples (run->bound, i) || gilk_hook_leaves_no_trace (run->bound, i) ||
           store_point (run, i, at_ns, last, error);

  return good;
}

static gboolean
store_hook_counts (GilkRun *run, guint hook, guint cpu, uint64_t at_ns, gboolean last, GError **error)
{
  GilkStoredCount *stored = &run->counts[(gsize) hook * gilk_run_n_cpus (run) + cpu];
  struct ilk_counter counter = gilk_run_hook_totals (run, hook, cpu);
  gboolean good;

  if (!last && stored->is_stored && hook + cpu > 0 && memcmp (&stored->counter, &counter, sizeof counter) == 0)
    return TRUE;
  gilk_run_lock_store (run);
  good = gilk_store_put_counts (run->store, run->run, run->armed.iids[hook], cpu, &counter, at_ns, error);
  gilk_run_unlock_store (run);
  *stored = (GilkStoredCount) { counter, good };

  return good;
}

gboolean
gilk_run_store_counts (GilkRun *run,
                       uint64_t at_ns,
                       gboolean last,
                       GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < run->armed.n_hooks; i++)
    for (guint cpu = 0; good && cpu < gilk_run_n_cpus (run); cpu++)
      good = store_hook_counts (run, i, cpu, at_ns, last, error);

  return good;
}

gboolean
gilk_run_sync_session (GilkRun *run, GError **error)
{
  gboolean good;

  gilk_run_lock_store (run);
  good = gilk_store_sync (run->store, error);
  gilk_run_unlock_store (run);

  return good;
}
