/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gate.c - barrier for runs that start together
 */
#include "core/plan/gilk-gate.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

struct _GilkGate {
  GMutex lock;
  GCond  changed;
  guint  missing;
  gint64 until_us;           /* when the gate opens in any case; 0: no run has arrived yet */
  gatomicrefcount ref_count;
};

GilkGate *
gilk_gate_new (guint n)
{
  GilkGate *gate = g_new0 (GilkGate, 1);

  g_mutex_init (&gate->lock);
  g_cond_init (&gate->changed);
  gate->missing = n;
  g_atomic_ref_count_init (&gate->ref_count);

  return gate;
}

GilkGate *
gilk_gate_ref (GilkGate *gate)
{
  g_atomic_ref_count_inc (&gate->ref_count);

  return gate;
}

void
gilk_gate_unref (GilkGate *gate)
{
  if (!g_atomic_ref_count_dec (&gate->ref_count))
    return;
  g_mutex_clear (&gate->lock);
  g_cond_clear (&gate->changed);
  g_free (gate);
}

/* Caller holds the lock. */
static void
count_one (GilkGate *gate)
{
  g_assert (gate->missing > 0);
  gate->missing--;
  g_cond_broadcast (&gate->changed);
}

static void
wake (GCancellable *cancellable,
      GilkGate     *gate)
{
  g_mutex_lock (&gate->lock);
  g_cond_broadcast (&gate->changed);
  g_mutex_unlock (&gate->lock);
}

gboolean
gilk_gate_pass (GilkGate      *gate,
                GCancellable  *cancellable,
                GError       **error)
{
  gulong id = 0;

  g_mutex_lock (&gate->lock);
  if (gate->until_us == 0)
    gate->until_us = g_get_monotonic_time () + GILK_GATE_PATIENCE_S * G_USEC_PER_SEC;
  count_one (gate);
  g_mutex_unlock (&gate->lock);

  if (cancellable != NULL)
    id = g_cancellable_connect (cancellable, G_CALLBACK (wake), gate, NULL);
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
gilk_gate_leave (GilkGate *gate)
{
  g_mutex_lock (&gate->lock);
  count_one (gate);
  g_mutex_unlock (&gate->lock);
}
