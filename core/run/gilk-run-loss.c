/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-loss.c - finds out when samples were lost
 *
 * The driver counts lost samples, and the run requests the counters at each tick. The growth of a
 * count was lost between the time of the previous request and the arrival of this reply. Time zero
 * is measured by the target: it lies between the request to arm and its reply, so local times are
 * known to that accuracy only.
 *
 * Rings in overwrite mode lose the oldest samples: all that is known of them is that they are
 * older than those that are there (gilk_store_narrow_losses()).
 */
#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-loss.h"

#define SPLIT_NS 1000000000       /* a continuous loss is stored in pieces of this length */

/* Return the earliest and the latest time of the run that a local time can be. */
static gint64
to_earliest_ns (const GilkRun *run, gint64 us)
{
  return MAX (us - run->zero_us, 0) * 1000;
}

static gint64
to_latest_ns (const GilkRun *run, gint64 us)
{
  return MAX (us - run->arming_us, 0) * 1000;
}

static gboolean
write_loss (GilkRun *run, guint hook, guint cpu, const GilkOpenLoss *open, GError **error)
{
  const GilkStoredLoss loss = {
    .from_ns = open->from_ns, .to_ns = to_latest_ns (run, run->answered_us),
    .lost = open->lost - open->lost_before, .missed = open->missed - open->missed_before,
  };
  gboolean good;

  gilk_run_lock_store (run);
  good = gilk_store_put_loss (run->store, run->run, run->armed.iids[hook], cpu, &loss, error);
  gilk_run_unlock_store (run);

  return good;
}

gboolean
gilk_run_record_losses (GilkRun *run,
                        gint64   asked_us,
                        GError **error)
{
  gboolean oldest = run->ring_mode == ILK_RING_OVERWRITE && !run->frozen;
  gint64 since_ns = run->asked_us != 0 && !oldest ? to_earliest_ns (run, run->asked_us) : 0;
  guint n_cpus = gilk_run_n_cpus (run);
  gboolean good = TRUE;

  gilk_run_assert_own (run);
  g_assert (run->zero_us != 0 && run->answered_us >= asked_us && asked_us >= run->asked_us);
  for (gsize at = 0; good && at < (gsize) run->armed.n_hooks * n_cpus; at++)
    {
      const struct ilk_counter *now = &run->counters[at];
      GilkOpenLoss *loss = &run->losses[at];

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
      good = write_loss (run, at / n_cpus, at % n_cpus, loss, error);
    }
  run->asked_us = asked_us;

  return good;
}

void
gilk_run_close_losses (GilkRun *run)
{
  gilk_run_assert_own (run);
  for (gsize at = 0; at < (gsize) run->armed.n_hooks * gilk_run_n_cpus (run); at++)
    run->losses[at].open = FALSE;
}
