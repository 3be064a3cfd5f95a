/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target.c - opens and closes a connection to a kernel, and keeps it alive
 *
 * A lab's port outlives its clients. If a client was killed, the port may still hold part of its
 * request, and part of the agent's answer. So HELLO, the first request, is repeated until both
 * sides are in sync, see agent/gilk-wire.h.
 */
#include "core/link/gilk-target.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/link/gilk-lab.h"
#include "core/link/gilk-stream.h"
#include "core/link/gilk-target-private.h"

#define HELLO_TIMEOUT_S   20
#define HELLO_ASKED_S     180   /* timeout of HELLO, the first request, in seconds, if the user may
                                 * have to enter a password */
#define HELLO_REPEAT_MS   3000
#define BYE_TIMEOUT_S     20
#define BUILD_ID_MAX      64u

/*
 * Sends heartbeats to the agent.
 *
 * A connection may become silent without being closed: hooks would stay in the text until TCP gives
 * up, after fifteen minutes or more. If the client is stopped, hooks would stay until it continues.
 * So the client asks the agent to treat some seconds of silence as the end of the connection
 * (GILK_LEASE), and a thread sends several heartbeats in that period (GILK_RENEW_LEASE), whatever
 * the client is doing.
 *
 * Threads: only those that open and close the target.
 */

/* A lease of 3 s survives the loss of four packets in a row; hooks are still removed within 5 s. */
#define SSH_LEASE_MS  3000
/* For a target that is not reached over a network, the lease only serves to detect a stopped
 * client. It is long because a busy machine may delay heartbeats. */
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
  /* Do not use a lease by default if the lab's clock counts instructions, because that clock has no
   * relation to real time. */
  if (lab != NULL && gilk_lab_counts_instructions (lab))
    *ms = 0;
  if (text == NULL || *text == '\0')
    return TRUE;
  if (!gilk_parse_unsigned (text, 10, 0, GILK_WIRE_LEASE_MS_MAX / 1000, &seconds))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The environment variable GILK_LEASE is \"%s\", but must be a number of seconds from 0 (no "
                     "timeout) to %u."), text, GILK_WIRE_LEASE_MS_MAX / 1000);
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

/*
 * Requests a lease of 3 s for "ssh:...", none for a lab that counts instructions, else 20 s.
 * $GILK_LEASE, in seconds, overrides this for all targets; 0 means none, which is useful in a
 * debugger. Sets @target's lease; returns TRUE even without a lease.
 */
static gboolean
start_lease (GilkTarget   *target,
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

/* Stops the heartbeat and frees @lease. No heartbeat is sent afterwards. */
static void
stop_lease (GilkLease *lease)
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

/* ---- opening and closing ---- */

/* Sends one HELLO and waits briefly for its answer. */
static GByteArray *
try_hello (GilkTarget              *target,
           const struct gilk_hello *hello,
           GCancellable            *cancellable,
           GError                 **error)
{
  uint32_t seq;

  g_mutex_lock (&target->lock);
  target->next_seq = target->hello_seq;
  g_mutex_unlock (&target->lock);
  seq = gilk_target_send_bytes (target, GILK_HELLO, hello, sizeof *hello, error);
  if (seq == 0)
    return NULL;

  return gilk_target_wait_for (target, GILK_HELLO, seq, HELLO_REPEAT_MS * 1000, cancellable,
                               error);
}

/* Repeats HELLO until it is answered, because the agent on a port may not have noticed yet that its
 * last client died. */
static GByteArray *
repeat_hello (GilkTarget              *target,
              const struct gilk_hello *hello,
              GCancellable            *cancellable,
              GError                 **error)
{
  const gboolean asked = g_str_equal (target->spec, "local") || g_str_has_prefix (target->spec, "ssh:");
  const gint64 end = g_get_monotonic_time () +
                     (asked ? HELLO_ASKED_S : HELLO_TIMEOUT_S) * G_USEC_PER_SEC;

  do
    {
      g_autoptr (GError) local = NULL;
      GByteArray *answer = try_hello (target, hello, cancellable, &local);
      GError *lost;

      if (answer != NULL)
        return answer;

      /* Prefer the error of the reader thread, which is the most precise one, but may come a moment
       * later. */
      lost = gilk_target_lost_error (target);
      for (guint i = 0; lost == NULL && g_atomic_int_get (&target->broken) && i < 20; i++)
        {
          g_usleep (G_USEC_PER_SEC / 50);
          lost = gilk_target_lost_error (target);
        }
      if (lost != NULL || !g_error_matches (local, GILK_ERROR, GILK_ERROR_TARGET))
        {
          g_propagate_error (error, lost != NULL ? lost : g_steal_pointer (&local));
          return NULL;
        }
    }
  while (!target->fed && g_get_monotonic_time () < end);

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("The agent of %s does not answer; check that gilkd runs there, and that it does not serve another "
                 "client. A virtual machine whose port no longer answers must be rebooted."), target->spec);
  return NULL;
}

static gboolean
send_hello (GilkTarget   *target,
            GCancellable *cancellable,
            GError      **error)
{
  struct gilk_hello hello = {
    .version = GILK_WIRE_VERSION,
    .abi = ILK_ABI_VERSION,
    .nonce = ((uint64_t) g_random_int () << 32) | g_random_int (),
  };
  g_autoptr (GByteArray) answer = repeat_hello (target, &hello, cancellable, error);

  if (answer == NULL)
    return FALSE;

  if (!gilk_answer_hello (answer, hello.nonce, &target->hello, error))
    return FALSE;
  target->has_driver = target->hello.driver != 0;
  return TRUE;
}

/* Returns the GNU build id from a sequence of ELF notes; "" if there is none. @notes is
 * untrusted. */
static char *
find_build_id (const uint8_t *notes,
               gsize          length)
{
  enum { NT_GNU_BUILD_ID = 3 };
  GString *hex = g_string_new (NULL);
  gsize at = 0;

  while (length - at >= 12)
    {
      uint32_t head[3];      /* header of an ELF note: name size, descriptor size, type */
      gsize name, desc, next;

      memcpy (head, notes + at, sizeof head);
      name = at + sizeof head;
      desc = name + (((gsize) head[0] + 3) & ~(gsize) 3);
      next = desc + (((gsize) head[1] + 3) & ~(gsize) 3);
      if (desc + head[1] > length)
        break;
      if (head[2] == NT_GNU_BUILD_ID && head[1] <= BUILD_ID_MAX && head[0] == 4 && memcmp (notes + name, "GNU", 4) == 0)
        {
          for (gsize i = 0; i < head[1]; i++)
            g_string_append_printf (hex, "%02x", notes[desc + i]);
          break;
        }
      at = MIN (next, length);
    }

  return g_string_free (hex, FALSE);
}

static void
read_build_id (GilkTarget   *target,
               GCancellable *cancellable)
{
  gsize length = 0;
  g_autofree char *notes = gilk_target_file (target, GILK_FILE_NOTES, &length, cancellable, NULL);

  target->build_id = notes != NULL ? find_build_id ((const uint8_t *) notes, length)
                                   : g_strdup ("");
}

static GilkTarget *
target_new (const char *spec,
            GilkStream *stream)
{
  GilkTarget *target = g_new0 (GilkTarget, 1);

  g_atomic_ref_count_init (&target->refs);
  target->spec = g_strdup (spec);
  target->stream = stream;
  target->pending = g_hash_table_new_full (NULL, NULL, NULL, gilk_target_answer_free);
  target->listeners = g_array_new (FALSE, FALSE, sizeof (GilkLostListener));
  target->hello_seq = g_random_int_range (1, G_MAXINT32);
  target->last_input = g_get_monotonic_time ();
  g_mutex_init (&target->close_lock);
  g_mutex_init (&target->lock);
  g_cond_init (&target->changed);
  g_mutex_init (&target->write_lock);
  g_mutex_init (&target->samples_lock);
  target->fed = gilk_stream_is_fed (stream);
  if (!target->fed)
    target->reader = g_thread_new ("gilk-reader", gilk_target_read_frames, target);

  return target;
}

GilkTarget *
gilk_target_open_stream (GilkStream   *stream,
                         const char   *spec,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_autoptr (GilkTarget) target = target_new (spec, stream);

  if (!send_hello (target, cancellable, error))
    return NULL;
  read_build_id (target, cancellable);

  return g_steal_pointer (&target);
}

GilkTarget *
gilk_target_open (const char         *spec,
                  const GilkProgress *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  GilkStream *stream;

  g_autoptr (GilkTarget) target = NULL;

  g_return_val_if_fail (spec != NULL, NULL);

  gilk_progress (progress, _("Connecting"), -1);
  stream = gilk_stream_open (spec, progress, cancellable, error);
  if (stream != NULL)
    target = gilk_target_open_stream (stream, spec, cancellable, error);
  if (target == NULL || !start_lease (target, cancellable, error))
    return NULL;

  return g_steal_pointer (&target);
}

void
gilk_target_use_cache (GilkTarget *target)
{
  static const char *const kinds[] = { "lab", "local", "ssh:" };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    target->caches |= g_str_has_prefix (target->spec, kinds[i]);
}

gboolean
gilk_target_uses_cache (GilkTarget *target)
{
  return target->caches;
}

void
gilk_target_set_cache_key (GilkTarget *target,
                           const char *key)
{
  g_mutex_lock (&target->lock);
  g_free (target->cache_key);
  target->cache_key = g_strdup (key);
  g_mutex_unlock (&target->lock);
}

char *
gilk_target_cache_key (GilkTarget *target)
{
  char *key;

  g_mutex_lock (&target->lock);
  key = g_strdup (target->cache_key);
  g_mutex_unlock (&target->lock);

  return key;
}

GilkTarget *
gilk_target_ref (GilkTarget *target)
{
  g_atomic_ref_count_inc (&target->refs);
  return target;
}

/* Sends BYE, the last request, and waits for the answer, which arrives after the kernel's text was
 * restored. */
static void
send_bye (GilkTarget *target)
{
  uint32_t seq = target->build_id != NULL
                 ? gilk_target_send_bytes (target, GILK_BYE, NULL, 0, NULL) : 0;
  g_autoptr (GByteArray) answer = NULL;

  if (seq != 0)
    answer = gilk_target_wait_for (target, GILK_BYE, seq, BYE_TIMEOUT_S * G_USEC_PER_SEC, NULL,
                                   NULL);
}

void
gilk_target_close (GilkTarget *target)
{
  g_mutex_lock (&target->close_lock);
  if (target->stream == NULL)
    {
      g_mutex_unlock (&target->close_lock);
      return;
    }

  gilk_target_set_samples_func (target, NULL, NULL);
  g_mutex_lock (&target->lock);
  target->closing = TRUE;
  g_mutex_unlock (&target->lock);
  send_bye (target);
  g_clear_pointer (&target->lease, stop_lease);

  gilk_stream_shut (target->stream);
  if (target->reader != NULL)
    g_thread_join (g_steal_pointer (&target->reader));
  else
    gilk_target_notify_lost (target, NULL);
  g_mutex_lock (&target->write_lock);
  g_mutex_lock (&target->lock);
  g_clear_pointer (&target->stream, gilk_stream_free);
  g_mutex_unlock (&target->lock);
  g_mutex_unlock (&target->write_lock);
  g_mutex_unlock (&target->close_lock);
}

void
gilk_target_unref (GilkTarget *target)
{
  if (!g_atomic_ref_count_dec (&target->refs))
    return;

  gilk_target_close (target);
  g_aligned_free (target->received.bytes);
  g_hash_table_unref (target->pending);
  g_array_unref (target->listeners);
  g_clear_error (&target->lost);
  g_mutex_clear (&target->close_lock);
  g_mutex_clear (&target->lock);
  g_cond_clear (&target->changed);
  g_mutex_clear (&target->write_lock);
  g_mutex_clear (&target->samples_lock);
  g_aligned_free (target->cells);
  g_free (target->cache_key);
  g_free (target->build_id);
  g_free (target->spec);
  g_free (target);
}
