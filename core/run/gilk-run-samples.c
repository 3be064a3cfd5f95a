/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-samples.c - the rings are claimed, given back, and their samples accounted for
 */
#include "core/base/gilk-error.h"
#include "core/run/gilk-run-private.h"

#define FLUSH_MS 20

static gboolean
takes_samples (const GilkBoundPlan *bound)
{
  for (guint i = 0; i < bound->hooks->len; i++)
    if (gilk_hook_takes_samples (bound, i))
      return TRUE;

  return FALSE;
}

gboolean
gilk_run_want_samples (GilkRun              *run,
                       const GilkBoundPlan  *bound,
                       GError              **error)
{
  gilk_run_assert_own (run);
  g_assert (run->inflow != NULL);
  if (!run->sampling && takes_samples (bound))
    run->sampling = gilk_target_samples_start (run->target, FLUSH_MS, gilk_inflow_put, run->inflow,
                                               run->arming, error);

  return run->sampling || !takes_samples (bound);
}

void
gilk_run_turn_away_samples (GilkRun *run)
{
  g_autoptr(GCancellable) at_once = g_cancellable_new ();
  struct gilk_samples_end end;

  gilk_run_assert_own (run);
  if (!run->sampling)
    return;
  g_cancellable_cancel (at_once);
  gilk_target_samples_stop (run->target, &end, at_once, NULL);
}

void
gilk_run_check_accounts (GilkRun *run, const struct gilk_samples_end *end)
{
  uint64_t cells = gilk_inflow_cells (run->inflow);

  gilk_run_assert_own (run);
  g_assert (run->stopped_us != 0);
  if (end->produced_cells != end->sent_cells || end->sent_cells != cells)
    gilk_run_take_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                "Samples are missing without having been counted as lost: %" G_GUINT64_FORMAT
                " cells produced, %" G_GUINT64_FORMAT " sent, %" G_GUINT64_FORMAT " received. "
                "Please report this; the totals of this run are not exact.",
                (guint64) end->produced_cells, (guint64) end->sent_cells, (guint64) cells));

  for (guint i = 0; i < run->armed.n_hooks; i++)
    for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
      {
        const struct ilk_counter *raw = &run->counters[i * gilk_run_n_cpus (run) + cpu];
        uint64_t known = gilk_inflow_received (run->inflow, i, cpu) + raw->lost;

        if (gilk_hook_takes_samples (run->bound, i) && raw->count != 0 && raw->count != known)
          gilk_run_take_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                      "Hook %u on processor %u was hit %" G_GUINT64_FORMAT " times, but %"
                      G_GUINT64_FORMAT " samples are known. Please report this; the totals of "
                      "this run are not exact.", run->armed.iids[i], cpu, (guint64) raw->count,
                      (guint64) known));
      }
}
