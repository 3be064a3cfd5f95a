/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target.c - a connection to one kernel: opening, closing, what is known
 *
 * A client that was killed may have left half a request behind on a port, and
 * the agent half an answer; HELLO is repeated until both sides have found each
 * other, see agent/gilk-wire.h.
 */
#include "core/target/gilk-target.h"

#include <string.h>

#include "core/base/gilk-error.h"
#include "core/target/gilk-target-private.h"

#define HELLO_TIMEOUT_S   20
#define HELLO_REPEAT_MS   3000
#define BYE_TIMEOUT_S     20

/* ---- opening and closing ---- */

static GError *
why_lost (GilkTarget *target)
{
  GError *error;

  g_mutex_lock (&target->lock);
  error = target->lost != NULL ? g_error_copy (target->lost) : NULL;
  g_mutex_unlock (&target->lock);

  return error;
}

/* One HELLO, and some time for its answer. */
static GByteArray *
try_hello (GilkTarget               *target,
           const struct gilk_hello  *hello,
           GCancellable             *cancellable,
           GError                  **error)
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

/* An agent behind a port may first have to notice that its last client died. */
static GByteArray *
repeat_hello (GilkTarget               *target,
              const struct gilk_hello  *hello,
              GCancellable             *cancellable,
              GError                  **error)
{
  const gint64 end = g_get_monotonic_time () + HELLO_TIMEOUT_S * G_USEC_PER_SEC;

  do
    {
      g_autoptr (GError) local = NULL;
      GByteArray *answer = try_hello (target, hello, cancellable, &local);
      GError *lost;

      if (answer != NULL)
        return answer;

      /* The reader knows best why a stream broke, but may need a moment to say it. */
      lost = why_lost (target);
      for (guint i = 0; lost == NULL && g_atomic_int_get (&target->broken) && i < 20; i++)
        {
          g_usleep (G_USEC_PER_SEC / 50);
          lost = why_lost (target);
        }
      if (lost != NULL || !g_error_matches (local, GILK_ERROR, GILK_ERROR_TARGET))
        {
          g_propagate_error (error, lost != NULL ? lost : g_steal_pointer (&local));
          return NULL;
        }
    }
  while (g_get_monotonic_time () < end);

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               "The agent behind %s does not answer; check that gilkd runs there, and that it "
               "serves no one else. A virtual machine whose port has gone dead has to be booted "
               "anew.", target->spec);
  return NULL;
}

static gboolean
say_hello (GilkTarget    *target,
           GCancellable  *cancellable,
           GError       **error)
{
  struct gilk_hello hello = {
    .version = GILK_WIRE_VERSION,
    .abi = ILK_ABI_VERSION,
    .nonce = ((uint64_t) g_random_int () << 32) | g_random_int (),
  };
  g_autoptr (GByteArray) answer = repeat_hello (target, &hello, cancellable, error);

  if (answer == NULL)
    return FALSE;

  if (answer->len == sizeof target->hello)
    memcpy (&target->hello, answer->data, sizeof target->hello);
  if (answer->len != sizeof target->hello || target->hello.nonce != hello.nonce ||
      target->hello.version != GILK_WIRE_VERSION || target->hello.abi != ILK_ABI_VERSION)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                   "The agent on %s is of another release; install the same release of Gilk on "
                   "both sides.", target->spec);
      return FALSE;
    }

  target->hello.release[sizeof target->hello.release - 1] = '\0';
  target->hello.machine[sizeof target->hello.machine - 1] = '\0';
  target->hello.hostname[sizeof target->hello.hostname - 1] = '\0';
  target->has_driver = target->hello.driver != 0;
  return TRUE;
}

/* The GNU build id in a run of ELF notes; all lengths are checked. */
static char *
find_build_id (const uint8_t *notes,
               gsize          length)
{
  enum { NT_GNU_BUILD_ID = 3 };
  GString *hex = g_string_new (NULL);
  gsize at = 0;

  while (length - at >= 12)
    {
      uint32_t head[3];      /* name size, descriptor size, type */
      gsize name, desc, next;

      memcpy (head, notes + at, sizeof head);
      name = at + sizeof head;
      desc = name + (((gsize) head[0] + 3) & ~(gsize) 3);
      next = desc + (((gsize) head[1] + 3) & ~(gsize) 3);
      if (desc + head[1] > length)
        break;
      if (head[2] == NT_GNU_BUILD_ID && head[0] == 4 && memcmp (notes + name, "GNU", 4) == 0)
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
learn_build_id (GilkTarget   *target,
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
  target->hello_seq = g_random_int_range (1, G_MAXINT32);
  target->last_input = g_get_monotonic_time ();
  g_mutex_init (&target->lock);
  g_cond_init (&target->changed);
  g_mutex_init (&target->write_lock);
  g_mutex_init (&target->samples_lock);
  target->reader = g_thread_new ("gilk-reader", gilk_target_read_frames, target);

  return target;
}

GilkTarget *
gilk_target_open (const char          *spec,
                  const GilkProgress  *progress,
                  GCancellable        *cancellable,
                  GError             **error)
{
  g_autoptr (GilkTarget) target = NULL;
  GilkStream *stream;

  g_return_val_if_fail (spec != NULL, NULL);

  gilk_progress (progress, "Connecting", -1);
  stream = gilk_stream_open (spec, progress, cancellable, error);
  if (stream == NULL)
    return NULL;

  target = target_new (spec, stream);
  if (!say_hello (target, cancellable, error))
    return NULL;

  learn_build_id (target, cancellable);
  return g_steal_pointer (&target);
}

GilkTarget *
gilk_target_ref (GilkTarget *target)
{
  g_atomic_ref_count_inc (&target->refs);
  return target;
}

/* Not from the reader's callbacks: the last one waits for the reader. */
void
gilk_target_unref (GilkTarget *target)
{
  uint32_t seq;

  if (!g_atomic_ref_count_dec (&target->refs))
    return;

  gilk_target_set_samples_func (target, NULL, NULL);
  g_mutex_lock (&target->lock);
  target->closing = TRUE;
  g_mutex_unlock (&target->lock);

  /* Waiting for the answer means that the text is restored when this returns. */
  seq = target->build_id != NULL ? gilk_target_send_bytes (target, GILK_BYE, NULL, 0, NULL) : 0;
  if (seq != 0)
    {
      g_autoptr (GByteArray) answer =
        gilk_target_wait_for (target, GILK_BYE, seq, BYE_TIMEOUT_S * G_USEC_PER_SEC, NULL, NULL);
    }
  gilk_stream_wake (target->stream);
  g_thread_join (target->reader);
  gilk_stream_free (target->stream);

  g_hash_table_unref (target->pending);
  g_clear_error (&target->lost);
  g_mutex_clear (&target->lock);
  g_cond_clear (&target->changed);
  g_mutex_clear (&target->write_lock);
  g_mutex_clear (&target->samples_lock);
  g_free (target->build_id);
  g_free (target->spec);
  g_free (target);
}

/* ---- what is known ---- */

const char *
gilk_target_spec (GilkTarget *target)
{
  return target->spec;
}

const char *
gilk_target_release (GilkTarget *target)
{
  return target->hello.release;
}

const char *
gilk_target_hostname (GilkTarget *target)
{
  return target->hello.hostname;
}

const char *
gilk_target_build_id (GilkTarget *target)
{
  return target->build_id != NULL ? target->build_id : "";
}

gboolean
gilk_target_has_driver (GilkTarget *target)
{
  return g_atomic_int_get (&target->has_driver);
}

void
gilk_target_set_has_driver (GilkTarget *target,
                            gboolean    there)
{
  g_atomic_int_set (&target->has_driver, there);
}

void
gilk_target_set_samples_func (GilkTarget      *target,
                              GilkSamplesFunc  func,
                              gpointer         user_data)
{
  g_mutex_lock (&target->samples_lock);
  target->samples_func = func;
  target->samples_data = user_data;
  g_mutex_unlock (&target->samples_lock);
}

gboolean
gilk_target_reads_samples (GilkTarget *target)
{
  gboolean reads;

  g_mutex_lock (&target->samples_lock);
  reads = target->samples_func != NULL;
  g_mutex_unlock (&target->samples_lock);

  return reads;
}

void
gilk_target_set_lost_func (GilkTarget *target,
                           void      (*func) (GilkTarget *, const GError *, gpointer),
                           gpointer    user_data)
{
  g_mutex_lock (&target->lock);
  target->lost_func = func;
  target->lost_data = user_data;
  g_mutex_unlock (&target->lock);
}
