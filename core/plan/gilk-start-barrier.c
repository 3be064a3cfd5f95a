/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-start-barrier.c - makes runs wait for each other, so that they start together
 */
#include "core/plan/gilk-start-barrier.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"

struct _GilkStartBarrier {
  GMutex lock;
  GCond  changed;
  guint  missing;
  gint64 until_us;           /* latest time when the barrier opens; 0: no run has arrived yet */
  gatomicrefcount ref_count;
};

GilkStartBarrier *
gilk_start_barrier_new (guint n)
{
  GilkStartBarrier *gate = g_new0 (GilkStartBarrier, 1);

  g_mutex_init (&gate->lock);
  g_cond_init (&gate->changed);
  gate->missing = n;
  g_atomic_ref_count_init (&gate->ref_count);

  return gate;
}

GILK_DEFINE_REF (GilkStartBarrier, gilk_start_barrier, ref_count)

void
gilk_start_barrier_unref (GilkStartBarrier *gate)
{
  if (!g_atomic_ref_count_dec (&gate->ref_count))
    return;
  g_mutex_clear (&gate->lock);
  g_cond_clear (&gate->changed);
  g_free (gate);
}

/* Counts one arrival and wakes the waiting runs. Must be called with the lock held. */
static void
count_arrival (GilkStartBarrier *gate)
{
  g_assert (gate->missing > 0);
  gate->missing--;
  g_cond_broadcast (&gate->changed);
}

static void
wake_waiters (GCancellable     *cancellable,
              GilkStartBarrier *gate)
{
  g_mutex_lock (&gate->lock);
  g_cond_broadcast (&gate->changed);
  g_mutex_unlock (&gate->lock);
}

gboolean
gilk_start_barrier_wait (GilkStartBarrier *gate,
                         GCancellable     *cancellable,
                         GError          **error)
{
  gulong id = 0;

  g_mutex_lock (&gate->lock);
  if (gate->until_us == 0)
    gate->until_us = g_get_monotonic_time () + GILK_START_BARRIER_TIMEOUT_S * G_USEC_PER_SEC;
  count_arrival (gate);
  g_mutex_unlock (&gate->lock);

  if (cancellable != NULL)
    id = g_cancellable_connect (cancellable, G_CALLBACK (wake_waiters), gate, NULL);
  g_mutex_lock (&gate->lock);
  while (gate->missing > 0 && !g_cancellable_is_cancelled (cancellable) &&
         g_cond_wait_until (&gate->changed, &gate->lock, gate->until_us))
    ;
  g_mutex_unlock (&gate->lock);
  g_cancellable_disconnect (cancellable, id);

  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The run was stopped before it started."));

  return FALSE;
}

void
gilk_start_barrier_leave (GilkStartBarrier *gate)
{
  g_mutex_lock (&gate->lock);
  count_arrival (gate);
  g_mutex_unlock (&gate->lock);
}
