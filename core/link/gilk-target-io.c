/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-io.c - sends and receives frames
 *
 * A reader thread reads the stream and passes on frames: answers to the requests that wait for
 * them, samples to their callback. The locks are described in gilk-target-private.h.
 */
#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-answers.h"
#include "core/link/gilk-stream.h"
#include "core/link/gilk-target-private.h"

#define STALL_MS          1000   /* delay in ms after which an incomplete frame is checked for BYE,
                                  * the event of an agent that restarts */
#define END_IS_READ_MS    2000   /* maximum time to wait for the reader thread to notice the end of
                                  * a closed stream */
#define ANSWER_TIMEOUT_S  60    /* maximum time without input from the agent while a request waits
                                 * for its answer */
#define TURN_TIMEOUT_S    300   /* maximum time without input from the agent while a request to the
                                 * driver waits; the driver may wait for locks of the kernel */
#define RECEIVE_AT_ONCE   (64u << 10)

void
gilk_target_answer_free (gpointer data)
{
  GilkAnswer *answer = data;

  g_byte_array_unref (answer->payload);
  g_free (answer);
}

/* ---- the reader thread, which handles frames ---- */

static gboolean
deliver_samples (GilkTarget    *target,
                 guint          type,
                 const uint8_t *payload,
                 gsize          length,
                 GError       **error)
{
  const GilkLimits limits = gilk_target_limits (target);
  struct gilk_samples samples;
  const uint8_t *cells;

  if (target->cells == NULL)
    target->cells = g_aligned_alloc (GILK_WIRE_CELLS_MAX, 1, ILK_CELL);
  if (!gilk_answer_samples (type, payload, length, &limits, target->cells, &samples, &cells, error))
    return FALSE;

  g_mutex_lock (&target->samples_lock);
  if (target->samples_func != NULL)
    target->samples_func (samples.cpu, cells, samples.bytes, target->samples_data);
  g_mutex_unlock (&target->samples_lock);

  return TRUE;
}

/* Appends the payload of a frame to an answer. Must be called with the lock held. */
static gboolean
add_to_answer (GilkAnswer              *answer,
               const struct gilk_frame *head,
               const uint8_t           *payload,
               GError                 **error)
{
  if (answer->done)  /* after the first answer to a repeated HELLO, ignore further ones */
    return TRUE;
  if (head->type != answer->type)
    return gilk_answer_invalid (error, _("request %u has answer %u"), answer->type, head->type);
  if (head->length == 0 && (head->flags & GILK_FRAME_MORE) != 0)
    return gilk_answer_invalid (error, _("a part of the answer to request %u is empty"), answer->type);
  /* If the agent reports an error, its message replaces the parts of the answer received so far. */
  if (head->status != 0)
    g_byte_array_set_size (answer->payload, 0);
  if (answer->payload->len + (gsize) head->length > gilk_answer_bytes_max (answer->type))
    return gilk_answer_invalid (error, _("the answer to request %u does not end"), answer->type);

  g_byte_array_append (answer->payload, payload, head->length);
  answer->status = head->status;
  answer->done = (head->flags & GILK_FRAME_MORE) == 0;

  return TRUE;
}

/* Delivers a frame of an answer; drops it if no thread waits for that answer. */
static gboolean
deliver_answer (GilkTarget              *target,
                const struct gilk_frame *head,
                const uint8_t           *payload,
                GError                 **error)
{
  gboolean good = TRUE;
  GilkAnswer *answer;

  g_mutex_lock (&target->lock);
  answer = g_hash_table_lookup (target->pending, GUINT_TO_POINTER (head->seq));
  if (answer != NULL)
    {
      good = add_to_answer (answer, head, payload, error);
      if (answer->done)
        g_cond_broadcast (&target->changed);
    }
  g_mutex_unlock (&target->lock);

  return good;
}

static gboolean
deliver_frame (GilkTarget              *target,
               const struct gilk_frame *head,
               const uint8_t           *payload,
               GError                 **error)
{
  if (head->seq != 0)
    return deliver_answer (target, head, payload, error);
  if (head->type == GILK_SAMPLES || head->type == GILK_SAMPLES_PACKED)
    return deliver_samples (target, head->type, payload, head->length, error);

  g_propagate_error (error, gilk_target_agent_restarted (target));
  return FALSE;
}

/* Handles the frame in the receive buffer if it is complete; otherwise sets the number of bytes
 * that are still missing. */
static gboolean
handle_frame (GilkTarget *target,
              GError    **error)
{
  GilkReceiver *r = &target->received;
  struct gilk_frame head;

  if (!target->synced)
    {
      gsize skip = gilk_frame_resync (r->bytes, r->used, target->hello_seq);

      r->used -= skip;
      memmove (r->bytes, r->bytes + skip, r->used);
    }

  switch (gilk_frame_parse (r->bytes, r->used, &head))
    {
    case GILK_FRAME_INCOMPLETE:
      r->need = r->used < sizeof head ? sizeof head - r->used
                                      : sizeof head + head.length - r->used;
      return TRUE;

    case GILK_FRAME_COMPLETE:
      target->synced = TRUE;
      r->used = 0;
      r->need = sizeof head;
      return deliver_frame (target, &head, r->bytes + sizeof head, error);

    case GILK_FRAME_BAD:
    default:
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                   _("The data from %s are not the agent's protocol; check that nothing else writes to that stream (a "
                     "login script, for example) and that both sides are of the same release."), target->spec);
      return FALSE;
    }
}

static void
note_input (GilkTarget *target,
            gboolean    in_frame)
{
  g_mutex_lock (&target->lock);
  target->last_input = g_get_monotonic_time ();
  target->in_frame = in_frame;
  g_mutex_unlock (&target->lock);
}

/*
 * Grows the buffer so that the missing bytes fit. Buffers are aligned to 32 bytes. A frame header
 * has 24 bytes and struct gilk_samples has 8, so the cells (32-byte units of samples) of a SAMPLES
 * event are aligned in place.
 */
static void
make_room (GilkReceiver *r)
{
  gsize room = MAX (r->room, RECEIVE_AT_ONCE);
  uint8_t *bytes;

  G_STATIC_ASSERT (sizeof (struct gilk_frame) + sizeof (struct gilk_samples) == ILK_CELL);

  while (room < r->used + r->need)
    room *= 2;
  if (room == r->room)
    return;
  bytes = g_aligned_alloc (room, 1, ILK_CELL);
  if (r->used > 0)
    memcpy (bytes, r->bytes, r->used);
  g_aligned_free (r->bytes);
  r->bytes = bytes;
  r->room = room;
}

/* Reads and handles input. Returns FALSE if the stream has ended and the target is lost, or if a
 * stream without descriptors (gilk_stream_new_fed()) has no input. */
static gboolean
read_input (GilkTarget *target,
            gboolean    wait)
{
  GilkReceiver *r = &target->received;
  GError *error = NULL;
  gssize got;

  if (r->need == 0)
    r->need = sizeof (struct gilk_frame);
  make_room (r);
  got = gilk_stream_read (target->stream, r->bytes + r->used, r->need,
                          r->used > 0 ? STALL_MS : -1, &error);
  if (got == GILK_STREAM_IDLE && target->synced &&
      gilk_frame_ends_with_bye (r->bytes, r->used))
    error = gilk_target_agent_restarted (target);
  if (got == GILK_STREAM_IDLE && error == NULL)
    return wait;
  if (got == 0)
    error = gilk_target_end_of_stream (target);
  if (got > 0)
    {
      const gboolean whole = (gsize) got == r->need;

      r->used += got;
      r->need -= got;
      note_input (target, TRUE);
      if ((!whole && target->synced) || handle_frame (target, &error))
        {
          if (r->used == 0)
            note_input (target, FALSE);
          return TRUE;
        }
    }

  target->ended = TRUE;
  gilk_stream_shut (target->stream);
  gilk_target_notify_lost (target, error);
  return FALSE;
}

gpointer
gilk_target_read_frames (gpointer data)
{
  GilkTarget *target = data;

  while (read_input (target, TRUE))
    ;

  return NULL;
}

/* ---- sending of requests, and waiting for their answers ---- */

static uint32_t
add_pending (GilkTarget *target,
             guint       type,
             GError    **error)
{
  uint32_t seq = 0;

  g_mutex_lock (&target->lock);
  if (target->lost != NULL)
    {
      if (error != NULL)
        *error = g_error_copy (target->lost);
    }
  else if (target->closing && type != GILK_BYE)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("The connection to %s was closed; connect again."), target->spec);
    }
  else
    {
      GilkAnswer *answer = g_new0 (GilkAnswer, 1);

      answer->type = type;
      /* allocates at least one byte, so that the data pointer of an empty answer is not NULL */
      answer->payload = g_byte_array_sized_new (1);
      seq = target->next_seq++;
      if (target->next_seq == 0)
        target->next_seq = 1;
      target->last_input = g_get_monotonic_time ();
      g_hash_table_replace (target->pending, GUINT_TO_POINTER (seq), answer);
    }
  g_mutex_unlock (&target->lock);

  return seq;
}

void
gilk_target_drop_answer (GilkTarget *target,
                         uint32_t    seq)
{
  g_mutex_lock (&target->lock);
  g_hash_table_remove (target->pending, GUINT_TO_POINTER (seq));
  g_mutex_unlock (&target->lock);
}

/*
 * Shuts down the stream after a failed write, because a part of the request may have been written.
 * If the other side has closed the stream, waits a moment for the reader thread to read the last
 * error messages.
 */
static GError *
end_writing (GilkTarget *target,
             GError     *why)
{
  GError *error = NULL;

  if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    {
      error = target->fed ? NULL : gilk_target_await_lost (target, END_IS_READ_MS);
      if (error == NULL)
        error = gilk_target_end_of_stream (target);
      g_clear_error (&why);
    }
  gilk_stream_shut (target->stream);

  return error != NULL ? error : why;
}

gboolean
gilk_target_write (GilkTarget        *target,
                   struct gilk_frame *head,
                   GBytes           **parts,
                   guint              n_parts,
                   GError           **error)
{
  g_autofree struct iovec *vec = g_new0 (struct iovec, n_parts + 1);
  gboolean written = FALSE;
  GError *why = NULL;

  vec[0].iov_base = head;
  vec[0].iov_len = sizeof *head;
  for (guint i = 0; i < n_parts; i++)
    vec[i + 1].iov_base = (void *) g_bytes_get_data (parts[i], &vec[i + 1].iov_len);

  g_mutex_lock (&target->write_lock);
  if (target->stream == NULL)
    {
      g_propagate_error (error, gilk_target_lost_error (target));
    }
  else
    {
      written = gilk_stream_write (target->stream, vec, n_parts + 1, &why);
      if (!written)
        g_propagate_error (error, end_writing (target, why));
    }
  g_mutex_unlock (&target->write_lock);

  return written;
}

/* Processes the answers from a stream without descriptors (gilk_stream_new_fed()), for which there
 * is no reader thread. */
static void
read_fed_input (GilkTarget *target)
{
  while (target->fed && !target->ended && read_input (target, FALSE))
    ;
}

GBytes *
gilk_target_part (const void *data,
                  gsize       length)
{
  return g_bytes_new_static (length > 0 ? data : "", length);
}

uint32_t
gilk_target_send (GilkTarget *target,
                  guint       type,
                  GBytes    **parts,
                  guint       n_parts,
                  GError    **error)
{
  struct gilk_frame head;
  gsize length = 0;
  uint32_t seq;

  for (guint i = 0; i < n_parts; i++)
    length += g_bytes_get_size (parts[i]);
  if (length > GILK_WIRE_PAYLOAD_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The request has %zu bytes, and the limit is %u; ask for fewer hooks at once."), length, GILK_WIRE_PAYLOAD_MAX);
      return 0;
    }

  seq = add_pending (target, type, error);
  if (seq == 0)
    return 0;
  head = gilk_frame_request (type, seq, length);
  if (gilk_target_write (target, &head, parts, n_parts, error))
    {
      read_fed_input (target);
      return seq;
    }

  gilk_target_drop_answer (target, seq);
  g_atomic_int_set (&target->broken, TRUE);
  return 0;
}

uint32_t
gilk_target_send_bytes (GilkTarget *target,
                        guint       type,
                        const void *payload,
                        gsize       length,
                        GError    **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (payload, length);

  return gilk_target_send (target, type, &bytes, 1, error);
}

static void
on_cancelled (GCancellable *cancellable,
              gpointer      data)
{
  GilkTarget *target = data;

  g_mutex_lock (&target->lock);
  g_cond_broadcast (&target->changed);
  g_mutex_unlock (&target->lock);
}

/* Returns whether requests of a type change the kernel. Such requests cannot be cancelled, because
 * their results must be known. */
static gboolean
changes_kernel (guint type)
{
  return type == GILK_RESERVE || type == GILK_PREPARE || type == GILK_ARM ||
         type == GILK_DISARM || type == GILK_BYE || type == GILK_SAMPLES_STOP;
}

static int
get_error_code (guint    type,
                uint32_t status)
{
  if (status == EPERM || status == EACCES)
    return GILK_ERROR_PERMISSION;
  if (status == EPROTO || status == ENOSYS)
    return GILK_ERROR_PROTOCOL;
  if (status == ENOENT && (type == GILK_INSTRUMENT_LOAD || type == GILK_INSTRUMENT_UNLOAD ||
                           type == GILK_GET_SECTIONS || type == GILK_GET_TYPES))
    return GILK_ERROR_NOT_FOUND;
  if (type >= GILK_DRIVER_LOAD && type <= GILK_RINGS)
    return GILK_ERROR_DRIVER;

  return GILK_ERROR_FAILED;
}

/* Returns the payload of a complete answer. Must be called with the lock held. */
static GByteArray *
get_answer_result (GilkTarget *target,
                   guint       type,
                   GilkAnswer *answer,
                   GError    **error)
{
  g_autofree char *sentence = NULL, *words = NULL;

  if (answer->status == 0)
    return g_byte_array_ref (answer->payload);

  sentence = gilk_frame_error_text (answer->payload->data, answer->payload->len);
  words = gilk_agent_translate (sentence);
  g_set_error (error, GILK_ERROR, get_error_code (type, answer->status), "%s",
               *words != '\0' ? words : g_strerror (answer->status));
  return NULL;
}

/* Returns the error for a request that timed out: the agent has sent nothing for @timeout. Must be
 * called with the lock held. */
static GError *
make_timeout_error (GilkTarget *target,
                    gint64      timeout)
{
  int seconds = timeout / G_USEC_PER_SEC;

  if (target->in_frame)
    return g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                        _("%s stopped in the middle of an answer and has sent nothing for %d s; the machine or the "
                          "network may be stuck: check its console, then connect again."), target->spec, seconds);

  return g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                      _("%s has not answered for %d s; the machine may be stuck: check its console, then connect again."), target->spec, seconds);
}

/* Waits until the answer is complete, or sets @error. Must be called with the lock held, and
 * returns with it held. */
static gboolean
wait_for_answer (GilkTarget   *target,
                 GilkAnswer   *answer,
                 gint64        timeout,
                 GCancellable *cancellable,
                 GError      **error)
{
  while (!answer->done)
    {
      if (target->lost != NULL)
        {
          if (error != NULL)
            *error = g_error_copy (target->lost);
          return FALSE;
        }
      if (g_cancellable_is_cancelled (cancellable))
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The request was cancelled."));
          return FALSE;
        }
      if (target->fed ||
          (!g_cond_wait_until (&target->changed, &target->lock, target->last_input + timeout) &&
           !answer->done && g_get_monotonic_time () >= target->last_input + timeout))
        {
          g_propagate_error (error, make_timeout_error (target, timeout));
          return FALSE;
        }
    }

  return TRUE;
}

GByteArray *
gilk_target_wait_for (GilkTarget   *target,
                      guint         type,
                      uint32_t      seq,
                      gint64        timeout,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_autoptr (GByteArray) result = NULL;
  gulong handler = 0;
  GilkAnswer *answer;

  if (changes_kernel (type))
    cancellable = NULL;
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), target, NULL);

  g_mutex_lock (&target->lock);
  answer = g_hash_table_lookup (target->pending, GUINT_TO_POINTER (seq));
  if (answer != NULL && wait_for_answer (target, answer, timeout, cancellable, error))
    result = get_answer_result (target, type, answer, error);
  g_hash_table_remove (target->pending, GUINT_TO_POINTER (seq));
  g_mutex_unlock (&target->lock);

  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  return g_steal_pointer (&result);
}

/*
 * Returns the timeout of a request. Requests to the driver wait for earlier requests, which may
 * wait for the kernel's text lock: for minutes, if another tool patches a thousand places on a slow
 * machine.
 */
static gint64
get_timeout (guint type)
{
  return (type >= GILK_DRIVER_LOAD ? TURN_TIMEOUT_S : ANSWER_TIMEOUT_S) * G_USEC_PER_SEC;
}

GByteArray *
gilk_target_wait (GilkTarget   *target,
                  guint         type,
                  uint32_t      seq,
                  GCancellable *cancellable,
                  GError      **error)
{
  return gilk_target_wait_for (target, type, seq, get_timeout (type), cancellable, error);
}

GByteArray *
gilk_target_request (GilkTarget   *target,
                     guint         type,
                     const void   *payload,
                     gsize         length,
                     GCancellable *cancellable,
                     GError      **error)
{
  uint32_t seq;

  if (g_cancellable_is_cancelled (cancellable))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The request was cancelled."));
      return NULL;
    }

  seq = gilk_target_send_bytes (target, type, payload, length, error);
  if (seq == 0)
    return NULL;

  return gilk_target_wait (target, type, seq, cancellable, error);
}
