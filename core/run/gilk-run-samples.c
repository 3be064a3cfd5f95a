/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-samples.c - claims the rings, gives them back and checks the totals of samples
 *
 * When the rings end a run, by the plan's ring mode:
 *
 *   drop        never: samples that find no room are lost
 *   stop        when one of them is full: the agent freezes all, and each CPU has the samples from
 *               before that
 *   overwrite   never; when the run ends, or a hook triggers its end, they are frozen before
 *               anything else, so that they hold the last samples
 *   fifo        never: another program reads them
 */
#include "core/base/gilk-error.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include "core/run/gilk-run-private.h"

#define FLUSH_MS 20
#define RING_FACTOR  4          /* times the driver's default */

static gboolean
takes_samples (const GilkBoundPlan *bound)
{
  if (bound->plan->ring.mode == GILK_RING_FIFO)
    return FALSE;
  for (guint i = 0; i < bound->hooks->len; i++)
    if (gilk_hook_takes_samples (bound, i))
      return TRUE;

  return FALSE;
}

/*
 * Chooses the ring size. A ring should hold as many of the plan's largest samples as it would of
 * time stamps, and then four times that where memory allows: one second at a million samples per
 * second. The driver's default holds a quarter of that, and on a busy machine the agent may not
 * run for as long.
 */
static uint64_t
choose_ring_bytes (const GilkRun *run, const GilkBoundPlan *bound)
{
  const struct ilk_info *info = &run->armed.info;
  uint64_t bytes = info->ring_bytes;
  guint cells = 1;

  if (bound->plan->ring.bytes != 0)
    return bound->plan->ring.bytes;
  for (guint i = 0; i < bound->instruments->len; i++)
    cells = MAX (cells, (guint) ILK_RECORD_CELLS (
                 g_array_index (bound->instruments, struct ilk_instrument_desc, i).sample_bytes));
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      const GilkProgram *program = hook->program;

      if (hook->hook->watch != NULL)
        cells = MAX (cells, (guint) ILK_RECORD_CELLS (sizeof (struct ilk_watch_sample)));
      if (program != NULL)
        cells = MAX (cells, (guint) ILK_RECORD_CELLS (gilk_program_ops (program)->payload));
    }
  while (cells > 1 && bytes * 2 <= info->ring_max)
    {
      bytes *= 2;
      cells = (cells + 1) / 2;
    }
  while (bytes < RING_FACTOR * info->ring_bytes && bytes * 2 <= info->ring_max)
    bytes *= 2;

  return bytes == info->ring_bytes ? 0 : bytes;
}

static gboolean
is_overwritten (const GilkRun *run)
{
  return run->ring_mode == ILK_RING_OVERWRITE;
}

static gboolean
start_samples (GilkRun *run, const struct gilk_samples_start *request, GError **error)
{
  return gilk_target_samples_start (run->target, request, gilk_ingest_push, run->ingest, &run->rings, run->arming, error);
}

gboolean
gilk_run_claim_rings (GilkRun             *run,
                      const GilkBoundPlan *bound,
                      GError             **error)
{
  struct gilk_samples_start request = {
    .period_ms = FLUSH_MS, .ring_bytes = choose_ring_bytes (run, bound),
    .mode = run->ring_mode, .window_ns = run->bound->plan->ring.window_ns,
  };

  gilk_run_assert_own (run);
  g_assert (run->ingest != NULL);
  if (run->sampling || !takes_samples (bound))
    return TRUE;
  if (request.ring_bytes != 0 && bound->plan->ring.bytes == 0)
    {
      run->sampling = start_samples (run, &request, NULL);
      request.ring_bytes = 0;        /* memory may be short: use the driver's smaller default */
    }
  run->sampling = run->sampling || start_samples (run, &request, error);

  return run->sampling;
}

/* Looks for the first hit of a hook that triggers the end, as far as the counters show it. */
static void
find_trigger (GilkRun *run)
{
  for (guint i = 0; i < run->armed.n_hooks && run->trigger_us == 0; i++)
    {
      const GilkPlanHook *hook = g_array_index (run->bound->hooks, GilkBoundHook, i).hook;
      uint64_t hits = 0;

      for (guint cpu = 0; hook->triggers && cpu < gilk_run_n_cpus (run); cpu++)
        hits += run->counters[i * gilk_run_n_cpus (run) + cpu].count;
      if (hits == 0)
        continue;
      run->trigger_us = run->answered_us + (gint64) MIN (hook->trigger_ns / 1000, G_MAXINT64 / 4);
      g_free (run->end_word);
      run->end_word = g_strdup_printf ("triggered by %s", hook->label);
    }
}

gboolean
gilk_run_poll_rings (GilkRun  *run,
                     gboolean *go_on,
                     GError  **error)
{
  gilk_run_assert_own (run);
  *go_on = TRUE;
  if (!run->sampling)
    return TRUE;
  if (!gilk_target_rings (run->target, &run->rings, NULL, error))
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  if (is_overwritten (run))
    find_trigger (run);
  else if (run->rings.frozen)
    {
      *go_on = FALSE;
      g_free (run->end_word);
      run->end_word = g_strdup ("a ring is full");
    }

  return TRUE;
}

void
gilk_run_stop_receiving (GilkRun *run)
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
gilk_run_check_totals (GilkRun *run, const struct gilk_samples_end *end)
{
  uint64_t cells = gilk_ingest_cells (run->ingest), strangers = gilk_ingest_unknown_iids (run->ingest);

  gilk_run_assert_own (run);
  g_assert (run->stopped_us != 0);
  if (run->ring_mode == GILK_RING_FIFO)
    return;
  if (end->produced_cells != end->sent_cells || end->sent_cells != cells)
    gilk_run_set_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                _("Samples are missing that were not counted as lost: %" PRIu64 " cells produced, %" PRIu64 " sent, %" PRIu64 " "
                  "received. The totals of this run are not exact. Please report this."),
                (guint64) end->produced_cells, (guint64) end->sent_cells, (guint64) cells));
  if (strangers > 0)
    gilk_run_set_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                _("%" PRIu64 " samples have an unknown hook id and were skipped. The totals of this run are not exact. "
                  "Please report this."), (guint64) strangers));

  for (guint i = 0; i < run->armed.n_hooks; i++)
    for (guint cpu = 0; cpu < gilk_run_n_cpus (run); cpu++)
      {
        const struct ilk_counter *raw = &run->counters[i * gilk_run_n_cpus (run) + cpu];
        uint64_t known = gilk_ingest_received (run->ingest, i, cpu) + raw->lost;

        if (gilk_hook_takes_samples (run->bound, i) && !gilk_hook_counts_itself (run->bound, i) && raw->count != 0 &&
            raw->count != known)
          gilk_run_set_error (run, g_error_new (GILK_ERROR, GILK_ERROR_PROTOCOL,
                      _("Hook %u on processor %u was hit %" PRIu64 " times, but %" PRIu64 " samples are accounted for. "
                        "The totals of this run are not exact. Please report this."), run->armed.iids[i], cpu, (guint64) raw->count,
                      (guint64) known));
      }
}
