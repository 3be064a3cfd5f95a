/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lease.c - sends heartbeats from client to agent
 */
#include "core/link/gilk-lease.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/link/gilk-frames.h"
#include "core/link/gilk-lab.h"
#include "core/link/gilk-target-private.h"

/* A lease of 3 s survives the loss of four packets in a row; hooks are still removed within 5 s. */
#define SSH_LEASE_MS  3000
/* Without a network, the lease only serves to detect a stopped client; it is long because a busy
 * machine may delay heartbeats. */
#define NEAR_LEASE_MS 20000
#define HEARTBEATS         6     /* heartbeats per lease period */

struct _GilkLease {
  GilkTarget *target;
  guint       ms;
  GThread    *thread;
  GMutex      lock;
  GCond       changed;
  gboolean    over;
};

static gboolean
get_lease_ms (const char *spec,
              guint      *ms,
              GError    **error)
{
  const char *text = g_getenv ("GILK_LEASE"), *lab = gilk_lab_name (spec);
  guint64 seconds;

  *ms = g_str_has_prefix (spec, "ssh:") ? SSH_LEASE_MS : NEAR_LEASE_MS;
  /* The clock of a lab that counts instructions is not related to real time. */
  if (lab != NULL && gilk_lab_counts_instructions (lab))
    *ms = 0;
  if (text == NULL || *text == '\0')
    return TRUE;
  if (!gilk_parse_unsigned (text, 10, 0, GILK_WIRE_LEASE_MS_MAX / 1000, &seconds))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("GILK_LEASE is \"%s\", but must be a number of seconds from 0 (no timeout) to %u."), text, GILK_WIRE_LEASE_MS_MAX / 1000);
      return FALSE;
    }

  *ms = (guint) seconds * 1000;
  return TRUE;
}

/* Sends a heartbeat. Ignores a broken stream, which the reader thread reports. */
static gboolean
send_heartbeat (GilkLease *lease)
{
  struct gilk_frame head = gilk_frame_request (GILK_RENEW_LEASE, 1, 0);

  return gilk_target_write (lease->target, &head, NULL, 0, NULL);
}

static gpointer
run_heartbeat (gpointer data)
{
  GilkLease *lease = data;
  gboolean over = FALSE;

  while (!over)
    {
      const gint64 next = g_get_monotonic_time () + (gint64) lease->ms * 1000 / HEARTBEATS;

      g_mutex_lock (&lease->lock);
      while (!lease->over && g_cond_wait_until (&lease->changed, &lease->lock, next))
        ;
      over = lease->over;
      g_mutex_unlock (&lease->lock);
      over = over || !send_heartbeat (lease);
    }

  return NULL;
}

gboolean
gilk_lease_start (GilkTarget   *target,
                  GCancellable *cancellable,
                  GError      **error)
{
  GilkLease *lease;
  uint32_t ms;

  if (!get_lease_ms (target->spec, &ms, error))
    return FALSE;
  if (ms == 0 || target->fed)
    return TRUE;
  if (!gilk_target_command (target, GILK_LEASE, &ms, sizeof ms, cancellable, error))
    return FALSE;

  lease = g_new0 (GilkLease, 1);
  lease->target = target;
  lease->ms = ms;
  g_mutex_init (&lease->lock);
  g_cond_init (&lease->changed);
  target->lease = lease;
  lease->thread = g_thread_new ("gilk-lease", run_heartbeat, lease);

  return TRUE;
}

void
gilk_lease_stop (GilkLease *lease)
{
  g_mutex_lock (&lease->lock);
  lease->over = TRUE;
  g_cond_signal (&lease->changed);
  g_mutex_unlock (&lease->lock);
  g_thread_join (lease->thread);
  g_mutex_clear (&lease->lock);
  g_cond_clear (&lease->changed);
  g_free (lease);
}
