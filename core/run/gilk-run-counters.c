/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-counters.c - reads counters and stores totals, series and losses
 *
 * Only few of many thousand counters change between two readings, so only changes are stored:
 *
 *   counts:       an unchanged row is not written again, except for the first row, which has the
 *                 time of the last reading.
 *   count_point:  a constant counter has one point at the start of the constant period and one at
 *                 its last unchanged reading; the second point is written when the counter
 *                 changes, or the run ends.
 *
 * The driver counts lost samples, and the run requests the counters at each tick. If a counter has
 * grown, the samples were lost between the previous request and the arrival of this reply. The
 * target measures time zero, which is between the request to arm and its reply: this limits the
 * accuracy with which local times are converted to times of the run. Rings in overwrite mode lose
 * the oldest samples: the time of a lost sample is unknown, but where no others were lost, it is
 * earlier than the time of any sample in the ring (gilk_store_narrow_losses()).
 */
#include "core/run/gilk-run-counters.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-loss.h"
#include "core/store/gilk-store-write.h"

#define SPLIT_NS 1000000000       /* time in ns after which a loss of samples that continues is
                                   * split in two */

gboolean
gilk_run_counters_init (GilkRunCounters    *counters,
                        GilkTarget         *target,
                        GilkRunSession     *session,
                        const GilkRunRows  *rows,
                        const GilkRunClock *clock,
                        GError            **error)
{
  const gsize n = (gsize) rows->n * rows->n_cpus;

  *counters = (GilkRunCounters) { .target = target, .session = session, .rows = rows, .clock = clock };
  counters->now = g_try_new0 (struct ilk_counter, n + 1);
  if (counters->now == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Not enough memory for the counters of %u hooks on %u processors. Plan fewer hooks at once."), rows->n, rows->n_cpus);
      return FALSE;
    }
  counters->losses = g_new0 (GilkOpenLoss, n);
  counters->stored = g_new0 (GilkStoredCount, n);
  counters->points = g_new0 (GilkPoint, rows->n);
  counters->history = g_new0 (uint64_t, (gsize) rows->n * GILK_RUN_RATE_TICKS + 1);

  return TRUE;
}

void
gilk_run_counters_clear (GilkRunCounters *counters)
{
  g_free (counters->now);
  g_free (counters->losses);
  g_free (counters->stored);
  g_free (counters->points);
  g_free (counters->history);
}

static void
grow_history (GilkRunCounters *counters, guint before, guint after)
{
  uint64_t *history = g_new0 (uint64_t, (gsize) after * GILK_RUN_RATE_TICKS);

  for (guint tick = 0; tick < GILK_RUN_RATE_TICKS; tick++)
    memcpy (history + tick * after, counters->history + tick * before, before * sizeof *history);
  g_free (counters->history);
  counters->history = history;
}

/* Grows an array from @before to @after elements, the new ones zeroed. */
static gpointer
grow_array (gpointer array, gsize before, gsize after, gsize size)
{
  uint8_t *grown = g_realloc_n (array, after, size);

  memset (grown + before * size, 0, (after - before) * size);

  return grown;
}

void
gilk_run_counters_grow (GilkRunCounters *counters,
                        guint            before)
{
  const guint n_cpus = counters->rows->n_cpus, after = counters->rows->n;
  const gsize from = (gsize) before * n_cpus, to = (gsize) after * n_cpus;

  counters->now = grow_array (counters->now, from, to, sizeof *counters->now);
  counters->losses = grow_array (counters->losses, from, to, sizeof *counters->losses);
  counters->stored = grow_array (counters->stored, from, to, sizeof *counters->stored);
  counters->points = grow_array (counters->points, before, after, sizeof *counters->points);
  grow_history (counters, before, after);
}

gboolean
gilk_run_counters_read (GilkRunCounters *counters, GError **error)
{
  gilk_run_session_assert_own (counters->session);
  g_assert (counters->now != NULL && counters->clock->zero_us != 0);
  if (!gilk_target_counters (counters->target, counters->rows->iids, counters->rows->n, TRUE, counters->now, NULL,
                             error))
    return FALSE;
  counters->answered_us = g_get_monotonic_time ();

  return TRUE;
}

/* ---- totals ---- */

/* Returns the totals of a row's hook on a CPU. Samples taken by inline code lack a hit counter, so
 * the number of hits is the sum of received and lost samples. If an instrument also counts hits, or
 * a program counts them itself, that count is used instead. */
struct ilk_counter
gilk_run_counters_totals (const GilkRunCounters *counters,
                          GilkIngest            *ingest,
                          guint                  row,
                          guint                  cpu,
                          gboolean               failed)
{
  struct ilk_counter counter = counters->now[(gsize) row * counters->rows->n_cpus + cpu];
  uint64_t received, stored;

  if (!gilk_hook_takes_samples (counters->rows->bound, row))
    return counter;
  received = gilk_ingest_received (ingest, row, cpu);

  gilk_run_session_lock (counters->session);
  stored = gilk_store_stored (counters->session->store, counters->rows->iids[row], cpu);
  gilk_run_session_unlock (counters->session);
  if (counter.count == 0 && !gilk_hook_counts_itself (counters->rows->bound, row))
    counter.count = received + counter.lost;
  if (stored < received && failed)
    counter.lost += received - stored;

  return counter;
}

static uint64_t
sum_hits (const GilkRunCounters *counters, guint hook)
{
  uint64_t hits = 0;

  for (guint cpu = 0; cpu < counters->rows->n_cpus; cpu++)
    hits += counters->now[(gsize) hook * counters->rows->n_cpus + cpu].count;

  return hits;
}

static gboolean
add_point (GilkRunCounters *counters, guint hook, uint64_t at_ns, uint64_t count, GError **error)
{
  gboolean good;

  gilk_run_session_lock (counters->session);
  good = gilk_store_add_count_point (counters->session->store, counters->session->run, counters->rows->iids[hook], at_ns, count, error);
  gilk_run_session_unlock (counters->session);

  return good;
}

static gboolean
store_point (GilkRunCounters *counters, guint hook, uint64_t at_ns, gboolean last, GError **error)
{
  GilkPoint *point = &counters->points[hook];
  uint64_t count = sum_hits (counters, hook);

  if (point->is_stored && count == point->count && !last)
    {
      point->still_ns = at_ns;
      return TRUE;
    }
  if (point->still_ns != 0 && count != point->count &&
      !add_point (counters, hook, point->still_ns, point->count, error))
    return FALSE;
  *point = (GilkPoint) { .count = count, .is_stored = TRUE };

  return add_point (counters, hook, at_ns, count, error);
}

gboolean
gilk_run_counters_store_points (GilkRunCounters *counters,
                                uint64_t         at_ns,
                                gboolean         last,
                                GError         **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < counters->rows->n; i++)
    good = gilk_hook_takes_samples (counters->rows->bound, i) || gilk_hook_leaves_no_trace (counters->rows->bound, i) ||
           store_point (counters, i, at_ns, last, error);

  return good;
}

static gboolean
store_totals (GilkRunCounters *counters, GilkIngest *ingest, guint hook, guint cpu, uint64_t at_ns, gboolean last,
              gboolean failed, GError **error)
{
  GilkStoredCount *stored = &counters->stored[(gsize) hook * counters->rows->n_cpus + cpu];
  struct ilk_counter counter = gilk_run_counters_totals (counters, ingest, hook, cpu, failed);
  gboolean good;

  if (!last && stored->is_stored && hook + cpu > 0 && memcmp (&stored->counter, &counter, sizeof counter) == 0)
    return TRUE;
  gilk_run_session_lock (counters->session);
  good = gilk_store_put_counts (counters->session->store, counters->session->run, counters->rows->iids[hook], cpu, &counter, at_ns, error);
  gilk_run_session_unlock (counters->session);
  *stored = (GilkStoredCount) { counter, good };

  return good;
}

gboolean
gilk_run_counters_store_totals (GilkRunCounters *counters,
                                GilkIngest      *ingest,
                                uint64_t         at_ns,
                                gboolean         last,
                                gboolean         failed,
                                GError         **error)
{
  gboolean good = TRUE;

  for (guint i = 0; good && i < counters->rows->n; i++)
    for (guint cpu = 0; good && cpu < counters->rows->n_cpus; cpu++)
      good = store_totals (counters, ingest, i, cpu, at_ns, last, failed, error);

  return good;
}

gboolean
gilk_run_counters_check_totals (const GilkRunCounters         *counters,
                                GilkIngest                    *ingest,
                                const struct gilk_samples_end *end,
                                GError                       **error)
{
  uint64_t cells = gilk_ingest_cells (ingest), strangers = gilk_ingest_unknown_iids (ingest);

  gilk_run_session_assert_own (counters->session);
  g_assert (counters->clock->stopped_us != 0);
  if (end->produced_cells != end->sent_cells || end->sent_cells != cells)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                _("Samples are missing that were not counted as lost: %" PRIu64 " ring cells produced, %" PRIu64 " sent, %" PRIu64 " "
                  "received. The totals of this run are not exact. Please report this."),
                (guint64) end->produced_cells, (guint64) end->sent_cells, (guint64) cells);
      return FALSE;
    }
  if (strangers > 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                _("%" PRIu64 " samples have an unknown hook id and were skipped. The totals of this run are not exact. "
                  "Please report this."), (guint64) strangers);
      return FALSE;
    }

  for (guint i = 0; i < counters->rows->n; i++)
    for (guint cpu = 0; cpu < counters->rows->n_cpus; cpu++)
      {
        const struct ilk_counter *raw = &counters->now[(gsize) i * counters->rows->n_cpus + cpu];
        uint64_t known = gilk_ingest_received (ingest, i, cpu) + raw->lost;

        if (gilk_hook_takes_samples (counters->rows->bound, i) && !gilk_hook_counts_itself (counters->rows->bound, i) && raw->count != 0 &&
            raw->count != known)
          {
            g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                      _("Hook %u on processor %u was hit %" PRIu64 " times, but %" PRIu64 " samples are accounted for. "
                        "The totals of this run are not exact. Please report this."), counters->rows->iids[i], cpu, (guint64) raw->count,
                      (guint64) known);
            return FALSE;
          }
      }

  return TRUE;
}

/* ---- losses ---- */

/* Return the earliest and the latest time since time zero that @us, a time of this machine's clock,
 * may correspond to. */
static gint64
to_earliest_ns (const GilkRunClock *clock, gint64 us)
{
  return MAX (us - clock->zero_us, 0) * 1000;
}

static gint64
to_latest_ns (const GilkRunClock *clock, gint64 us)
{
  return MAX (us - clock->arming_us, 0) * 1000;
}

static gboolean
write_loss (GilkRunCounters *counters, guint hook, guint cpu, const GilkOpenLoss *open, GError **error)
{
  const GilkStoredLoss loss = {
    .from_ns = open->from_ns, .to_ns = to_latest_ns (counters->clock, counters->answered_us),
    .lost = open->lost - open->lost_before, .missed = open->missed - open->missed_before,
  };
  gboolean good;

  gilk_run_session_lock (counters->session);
  good = gilk_store_put_loss (counters->session->store, counters->session->run, counters->rows->iids[hook], cpu, &loss, error);
  gilk_run_session_unlock (counters->session);

  return good;
}

gboolean
gilk_run_counters_record_losses (GilkRunCounters *counters,
                                 gint64           asked_us,
                                 gboolean         oldest,
                                 GError         **error)
{
  gint64 since_ns = counters->asked_us != 0 && !oldest ? to_earliest_ns (counters->clock, counters->asked_us) : 0;
  guint n_cpus = counters->rows->n_cpus;
  gboolean good = TRUE;

  gilk_run_session_assert_own (counters->session);
  g_assert (counters->clock->zero_us != 0 && counters->answered_us >= asked_us && asked_us >= counters->asked_us);
  for (gsize at = 0; good && at < (gsize) counters->rows->n * n_cpus; at++)
    {
      const struct ilk_counter *now = &counters->now[at];
      GilkOpenLoss *loss = &counters->losses[at];

      if (now->lost <= loss->lost && now->missed <= loss->missed)
        {
          loss->open = FALSE;
          continue;
        }
      if (!loss->open || since_ns - loss->from_ns >= SPLIT_NS)
        {
          loss->open = TRUE;
          loss->from_ns = since_ns;
          loss->lost_before = loss->lost;
          loss->missed_before = loss->missed;
        }
      loss->lost = MAX (loss->lost, now->lost);
      loss->missed = MAX (loss->missed, now->missed);
      good = write_loss (counters, at / n_cpus, at % n_cpus, loss, error);
    }
  counters->asked_us = asked_us;

  return good;
}

void
gilk_run_counters_close_losses (GilkRunCounters *counters)
{
  gilk_run_session_assert_own (counters->session);
  for (gsize at = 0; at < (gsize) counters->rows->n * counters->rows->n_cpus; at++)
    counters->losses[at].open = FALSE;
}

/* ---- rates ---- */

void
gilk_run_counters_start_rates (GilkRunCounters *counters)
{
  for (guint i = 0; i < GILK_RUN_RATE_TICKS; i++)
    counters->history_us[i] = counters->clock->zero_us;
}

void
gilk_run_counters_next_tick (GilkRunCounters *counters)
{
  counters->tick = (counters->tick + 1) % GILK_RUN_RATE_TICKS;
}

/* Records the hits of a row's hook, and returns the hook's rate. The element of @history for this
 * tick still holds the hits from GILK_RUN_RATE_TICKS ticks ago. */
double
gilk_run_counters_note_hits (GilkRunCounters *counters,
                             guint            row,
                             uint64_t         hits)
{
  uint64_t *past = &counters->history[counters->tick * counters->rows->n + row];
  double seconds = (double) (g_get_monotonic_time () - counters->history_us[counters->tick]) / 1e6;
  double rate = seconds > 0.0 && hits >= *past ? (double) (hits - *past) / seconds : 0.0;

  *past = hits;

  return rate;
}

void
gilk_run_counters_note_time (GilkRunCounters *counters)
{
  counters->history_us[counters->tick] = g_get_monotonic_time ();
}
