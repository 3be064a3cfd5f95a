/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rings.c - claims the rings for a run, and releases them
 */
#include "core/run/gilk-ingest.h"

#include <gio/gio.h>

#define FLUSH_MS 20
#define RING_FACTOR  4          /* minimum ring size, in multiples of the driver's default */

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
 * Chooses the ring size. Where memory allows, a ring holds as many of the plan's largest samples as
 * a ring of the driver's default size holds time stamps, and has at least RING_FACTOR times the
 * default size. At a million time stamps per second, a ring of RING_FACTOR times the default size
 * fills in one second. A ring of the default size fills in a quarter of a second, and on a busy
 * machine the agent may have to wait that long for a CPU.
 */
static uint64_t
choose_ring_bytes (const struct ilk_info *info, const GilkBoundPlan *bound)
{
  uint64_t bytes = info->ring_bytes;
  guint cells = 1;

  if (bound->plan->ring.bytes != 0)
    return bound->plan->ring.bytes;
  for (guint i = 0; i < bound->instruments->len; i++)
    cells = MAX (cells, (guint) ILK_RECORD_CELLS (
                 g_array_index (bound->instruments, struct ilk_instrument_desc, i).sample_bytes));
  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkProgram *program = gilk_bound_hook (bound, i)->program;

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

gboolean
gilk_run_rings_reserve (GilkRunRings *rings, const GilkBoundPlan *bound, GCancellable *cancellable, GError **error)
{
  struct ilk_info info;

  return gilk_target_way (rings->target) != GILK_WAY_BPF ||
         (gilk_target_use (rings->target, GILK_WAY_BPF, 0, cancellable, error) &&
          gilk_target_driver_info (rings->target, &info, cancellable, error) &&
          gilk_target_use (rings->target, GILK_WAY_BPF, choose_ring_bytes (&info, bound), cancellable, error));
}

gboolean
gilk_run_rings_overwrite (const GilkRunRings *rings)
{
  return rings->mode == ILK_RING_OVERWRITE && !rings->is_frozen;
}

static gboolean
start_samples (GilkRunRings *rings, const struct gilk_samples_start *request, GilkIngest *ingest, GCancellable *cancellable,
               GError **error)
{
  return gilk_target_samples_start (rings->target, request, gilk_ingest_push, ingest, &rings->now, cancellable, error);
}

gboolean
gilk_run_rings_claim (GilkRunRings          *rings,
                      const GilkBoundPlan   *bound,
                      const struct ilk_info *info,
                      GilkIngest            *ingest,
                      GCancellable          *cancellable,
                      GError               **error)
{
  struct gilk_samples_start request = {
    .period_ms = FLUSH_MS,
    .ring_bytes = gilk_target_way (rings->target) == GILK_WAY_BPF ? 0 : choose_ring_bytes (info, bound),
    .mode = rings->mode, .window_ns = rings->window_ns,
  };

  gilk_run_session_assert_own (rings->session);
  g_assert (ingest != NULL);
  if (rings->is_claimed || !takes_samples (bound))
    return TRUE;
  if (request.ring_bytes != 0 && bound->plan->ring.bytes == 0)
    {
      rings->is_claimed = start_samples (rings, &request, ingest, cancellable, NULL);
      request.ring_bytes = 0;        /* memory may be short: use the driver's smaller default */
    }
  rings->is_claimed = rings->is_claimed || start_samples (rings, &request, ingest, cancellable, error);

  return rings->is_claimed;
}

gboolean
gilk_run_rings_read (GilkRunRings *rings, GError **error)
{
  gilk_run_session_assert_own (rings->session);

  return !rings->is_claimed || gilk_target_rings (rings->target, &rings->now, NULL, error);
}

gboolean
gilk_run_rings_freeze (GilkRunRings *rings, GError **error)
{
  gilk_run_session_assert_own (rings->session);

  return gilk_target_samples_freeze (rings->target, NULL, error);
}

gboolean
gilk_run_rings_release (GilkRunRings            *rings,
                        struct gilk_samples_end *end,
                        GError                 **error)
{
  gilk_run_session_assert_own (rings->session);

  return !rings->is_claimed || gilk_target_samples_stop (rings->target, end, NULL, error);
}

void
gilk_run_rings_abandon (GilkRunRings *rings)
{
  g_autoptr(GCancellable) at_once = g_cancellable_new ();
  struct gilk_samples_end end;

  gilk_run_session_assert_own (rings->session);
  if (!rings->is_claimed)
    return;
  g_cancellable_cancel (at_once);
  gilk_target_samples_stop (rings->target, &end, at_once, NULL);
}
