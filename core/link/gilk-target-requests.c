/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-requests.c - functions of a target that send one kind of request each
 *
 * gilk-answers.c validates all answers.
 */
#include <gio/gio.h>
#include <string.h>

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/base/gilk-tactic.h"
#include "core/link/gilk-target-private.h"

gboolean
gilk_target_command (GilkTarget   *target,
                     guint         type,
                     const void   *payload,
                     gsize         length,
                     GCancellable *cancellable,
                     GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, type, payload, length, cancellable, error);

  return answer != NULL;
}

char *
gilk_target_file (GilkTarget    *target,
                  enum gilk_file file,
                  gsize         *length,
                  GCancellable  *cancellable,
                  GError       **error)
{
  const uint32_t number = file;
  GByteArray *answer =
    gilk_target_request (target, GILK_GET_FILE, &number, sizeof number, cancellable, error);

  if (answer == NULL)
    return NULL;

  if (length != NULL)
    *length = answer->len;
  g_byte_array_append (answer, (const uint8_t *) "", 1);
  return (char *) g_byte_array_free (answer, FALSE);
}

char *
gilk_target_kernel_log (GilkTarget   *target,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_KERNEL_LOG, NULL, 0, cancellable, error);

  return answer != NULL ? g_utf8_make_valid ((const char *) answer->data, (gssize) answer->len) : NULL;
}

GHashTable *
gilk_target_doctor (GilkTarget   *target,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_DOCTOR, NULL, 0, cancellable, error);

  return answer != NULL ? gilk_answer_facts (answer) : NULL;
}

gboolean
gilk_target_use (GilkTarget    *target,
                 enum gilk_way  way,
                 uint64_t       ring_bytes,
                 GCancellable  *cancellable,
                 GError       **error)
{
  const struct gilk_use use = { .way = way, .ring_bytes = ring_bytes };

  if (!gilk_target_command (target, GILK_USE, &use, sizeof use, cancellable, error))
    return FALSE;

  /* The limits of hooks and the clock of timestamps differ between the driver and BPF, so forget
   * the values from before the switch. */
  g_mutex_lock (&target->lock);
  if (g_atomic_int_get (&target->way) != (gint) way)
    {
      target->limits = (GilkLimits) { .way = way };
      target->has_timestamp = FALSE;
    }
  g_mutex_unlock (&target->lock);
  g_atomic_int_set (&target->way, (gint) way);

  return TRUE;
}

/* Loads the driver if necessary. Returns FALSE if that fails, or if the kernel has been locked down
 * since the driver was loaded. */
static gboolean
can_use_driver (GilkTarget *target, GCancellable *cancellable, GError **error)
{
  struct ilk_info info;

  if ((!gilk_target_has_driver (target) && !gilk_target_load_driver (target, cancellable, error)) ||
      !gilk_target_driver_info (target, &info, cancellable, error))
    return FALSE;
  if ((info.rules & ILK_RULE_LOCKED_DOWN) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s %s", gilk_refusal_cause (ILK_REFUSAL_LOCKED_DOWN),
               gilk_refusal_remedy (ILK_REFUSAL_LOCKED_DOWN));

  return FALSE;
}

gboolean
gilk_target_choose_way (GilkTarget   *target,
                        char        **why,
                        GCancellable *cancellable,
                        GError      **error)
{
  g_autoptr(GError) local = NULL;

  *why = NULL;
  if (gilk_target_way (target) == GILK_WAY_BPF || can_use_driver (target, cancellable, &local))
    return TRUE;
  if (gilk_target_loss (target) != GILK_LOSS_NONE)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (!gilk_target_use (target, GILK_WAY_BPF, 0, cancellable, NULL))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *why = g_strdup_printf (_("Hooks are BPF programs, because the driver cannot be used. A hit in the kernel costs about %u "
                            "instructions, or %u where the kernel cannot optimise the kprobe. %s"),
                          GILK_KPROBE_COST, GILK_KPROBE_INT3_COST, local->message);

  return TRUE;
}

gboolean
gilk_target_switch_way (GilkTarget    *target,
                        enum gilk_way  way,
                        GCancellable  *cancellable,
                        GError       **error)
{
  const enum gilk_way before = gilk_target_way (target);

  if (way == GILK_WAY_BPF && before == way)
    return TRUE;
  if (!gilk_target_use (target, way, 0, cancellable, error))
    return FALSE;
  if (way == GILK_WAY_BPF || can_use_driver (target, cancellable, error))
    return TRUE;
  gilk_target_use (target, before, 0, cancellable, NULL);

  return FALSE;
}

enum gilk_way
gilk_target_way (GilkTarget *target)
{
  return (enum gilk_way) g_atomic_int_get (&target->way);
}

const char *
gilk_way_name (enum gilk_way way)
{
  return way == GILK_WAY_BPF ? "bpf" : "ilk";
}

gboolean
gilk_target_load_driver (GilkTarget   *target,
                         GCancellable *cancellable,
                         GError      **error)
{
  if (gilk_target_way (target) == GILK_WAY_BPF)
    return TRUE;
  if (!gilk_target_command (target, GILK_DRIVER_LOAD, NULL, 0, cancellable, error))
    return FALSE;

  gilk_target_set_has_driver (target, TRUE);
  return TRUE;
}

gboolean
gilk_target_driver_info (GilkTarget      *target,
                         struct ilk_info *info,
                         GCancellable    *cancellable,
                         GError         **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_DRIVER_INFO, NULL, 0, cancellable, error);

  GError *wrong = NULL;
  gboolean good;

  if (answer == NULL)
    return FALSE;
  g_mutex_lock (&target->lock);
  good = gilk_answer_info (answer, &target->limits, info, &wrong);
  if (good && !target->has_timestamp)
    {
      target->first_timestamp = info->clock;
      target->has_timestamp = TRUE;
    }
  g_mutex_unlock (&target->lock);

  return good || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_first_timestamp (GilkTarget                *target,
                             struct ilk_timestamp_pair *reading)
{
  gboolean there;

  g_mutex_lock (&target->lock);
  there = target->has_timestamp;
  if (there)
    *reading = target->first_timestamp;
  g_mutex_unlock (&target->lock);

  return there;
}

GArray *
gilk_target_instruments (GilkTarget   *target,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INSTRUMENTS, NULL, 0, cancellable, error);
  GError *wrong = NULL;
  GArray *descs;

  if (answer == NULL)
    return NULL;
  descs = gilk_answer_instruments (answer, &wrong);

  return gilk_target_check_parsed (target, descs, wrong, error);
}

char **
gilk_target_instrument_files (GilkTarget   *target,
                              GCancellable *cancellable,
                              GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INSTRUMENT_FILES, NULL, 0, cancellable, error);
  GError *wrong = NULL;
  char **names;

  if (answer == NULL)
    return NULL;
  names = gilk_answer_names (answer, &wrong);

  return gilk_target_check_parsed (target, names, wrong, error);
}

gboolean
gilk_target_load_instrument (GilkTarget   *target,
                             const char   *name,
                             GCancellable *cancellable,
                             GError      **error)
{
  return gilk_target_command (target, GILK_INSTRUMENT_LOAD, name, strlen (name), cancellable, error);
}

/* ---- transactions: reserve, prepare, arm, disarm; status ---- */

/* Sends a gilk_batch and its arrays of patches and hooks, and returns the answer. */
static GByteArray *
request_batch (GilkTarget              *target,
               guint                    type,
               const struct gilk_batch *batch,
               const void              *patches,
               gsize                    patch_size,
               const void              *hooks,
               gsize                    hook_size,
               const void              *blob,
               GError                 **error)
{
  GBytes *parts[] = {
    gilk_target_part (batch, sizeof *batch), gilk_target_part (patches, batch->patch_count * patch_size),
    gilk_target_part (hooks, batch->hook_count * hook_size), gilk_target_part (blob, batch->blob_bytes),
  };
  uint32_t seq = gilk_target_send (target, type, parts, G_N_ELEMENTS (parts), error);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_bytes_unref (parts[i]);

  return seq != 0 ? gilk_target_wait (target, type, seq, NULL, error) : NULL;
}

static void
set_refused (GError    **error,
             guint       refusal,
             const char *what)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, "%s. %s %s", what,
               gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

static gboolean
check_counts (guint    patch_count,
              guint    hook_count,
              GError **error)
{
  if (patch_count <= ILK_BATCH_MAX && hook_count <= ILK_BATCH_MAX)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("%u hooks exceed the limit of %u that can be armed together; plan fewer."),
               MAX (patch_count, hook_count), ILK_BATCH_MAX);
  return FALSE;
}

static gboolean
check_not_cancelled (GCancellable *cancellable,
                     GError      **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The request was cancelled."));
  return FALSE;
}

gboolean
gilk_target_reserve (GilkTarget               *target,
                     struct ilk_reserve_patch *patches,
                     guint                     patch_count,
                     struct ilk_reserve_hook  *hooks,
                     guint                     hook_count,
                     GCancellable             *cancellable,
                     GError                  **error)
{
  const struct gilk_batch batch = { .patch_count = patch_count, .hook_count = hook_count };
  const GilkLimits limits = gilk_target_limits (target);
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;
  uint32_t refusal;

  if (!check_not_cancelled (cancellable, error) || !check_counts (patch_count, hook_count, error))
    return FALSE;
  answer = request_batch (target, GILK_RESERVE, &batch, patches, sizeof *patches, hooks,
                          sizeof *hooks, NULL, error);
  if (answer == NULL)
    return FALSE;
  if (!gilk_answer_reserve (answer, &limits, patches, patch_count, hooks, hook_count, &refusal,
                            &wrong))
    return gilk_target_reject_answer (target, wrong, error);

  if (refusal == 0)
    return TRUE;
  set_refused (error, refusal, _("No room could be reserved for the hooks"));
  return FALSE;
}

gboolean
gilk_target_prepare (GilkTarget               *target,
                     struct ilk_prepare_patch *patches,
                     guint                     patch_count,
                     struct ilk_prepare_hook  *hooks,
                     guint                     hook_count,
                     const uint8_t            *blob,
                     gsize                     blob_bytes,
                     GCancellable             *cancellable,
                     GError                  **error)
{
  const struct gilk_batch batch = {
    .patch_count = patch_count,
    .hook_count = hook_count,
    .blob_bytes = (uint32_t) MIN (blob_bytes, G_MAXUINT32),
  };
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;
  guint refusal = 0;
  uint32_t failed;

  if (!check_not_cancelled (cancellable, error) || !check_counts (patch_count, hook_count, error))
    return FALSE;
  answer = request_batch (target, GILK_PREPARE, &batch, patches, sizeof *patches, hooks,
                          sizeof *hooks, blob, error);
  if (answer == NULL)
    return FALSE;
  if (!gilk_answer_prepare (answer, patches, patch_count, hooks, hook_count, &failed, &wrong))
    return gilk_target_reject_answer (target, wrong, error);
  if (failed == 0)
    return TRUE;

  for (guint i = 0; refusal == 0 && i < patch_count; i++)
    refusal = patches[i].refusal;
  for (guint i = 0; refusal == 0 && i < hook_count; i++)
    refusal = hooks[i].refusal;
  set_refused (error, refusal, _("The hooks were not prepared; nothing was changed"));
  return FALSE;
}

gboolean
gilk_target_arm (GilkTarget     *target,
                 struct ilk_arm *arm,
                 GCancellable   *cancellable,
                 GError        **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_ARM, NULL, 0, cancellable, error);

  GilkLimits limits = gilk_target_limits (target);
  GError *wrong = NULL;

  if (!gilk_target_copy_struct (target, answer, arm, sizeof *arm, error))
    return FALSE;
  if (!gilk_answer_timestamp (&arm->zero, &limits, &wrong))
    return gilk_target_reject_answer (target, wrong, error);
  if (arm->refusal == 0)
    return TRUE;
  set_refused (error, arm->refusal, _("The hooks were not armed; all kernel text is unchanged"));
  return FALSE;
}

gboolean
gilk_target_disarm (GilkTarget        *target,
                    struct ilk_disarm *disarm,
                    const uint32_t    *ids,
                    GCancellable      *cancellable,
                    GError           **error)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) answer = NULL;
  struct ilk_disarm done;

  g_byte_array_append (payload, (const uint8_t *) disarm, sizeof *disarm);
  if (disarm->count > 0)
    g_byte_array_append (payload, (const uint8_t *) ids, disarm->count * sizeof *ids);
  answer = gilk_target_request (target, GILK_DISARM, payload->data, payload->len, cancellable,
                                error);
  if (!gilk_target_copy_struct (target, answer, &done, sizeof done, error))
    return FALSE;

  disarm->restored = done.restored;
  disarm->refused = done.refused;
  if (done.refused == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_STILL_OWNED,
               ngettext ("%u patch could not be restored yet: its bytes are held by a kprobe or another tool. The driver "
                         "restores it once they are released; \"gilk status\" lists it.",
                         "%u patches could not be restored yet: their bytes are held by kprobes or another tool. The "
                         "driver restores them once they are released; \"gilk status\" lists them.", done.refused),
               done.refused);
  return FALSE;
}

GArray *
gilk_target_status (GilkTarget   *target,
                    gboolean      everyone,
                    guint        *pending,
                    GCancellable *cancellable,
                    GError      **error)
{
  const struct ilk_status status = { .flags = everyone ? ILK_STATUS_ALL_FILES : 0 };
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_STATUS, &status, sizeof status, cancellable, error);
  GError *wrong = NULL;
  GArray *patches;

  if (answer == NULL)
    return NULL;
  patches = gilk_answer_status (answer, pending, &wrong);

  return gilk_target_check_parsed (target, patches, wrong, error);
}

/* ---- requests about samples and rings ---- */

/* Sends the request SAMPLES_START or RINGS, and validates the answer. */
static gboolean
request_rings (GilkTarget        *target,
               guint              type,
               const void        *payload,
               gsize              length,
               struct gilk_rings *rings,
               GCancellable      *cancellable,
               GError           **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, type, payload, length, cancellable, error);
  GError *wrong = NULL;

  if (!gilk_target_copy_struct (target, answer, rings, sizeof *rings, error))
    return FALSE;

  return gilk_answer_rings (rings, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_samples_start (GilkTarget                      *target,
                           const struct gilk_samples_start *settings,
                           GilkSamplesFunc                  func,
                           gpointer                         user_data,
                           struct gilk_rings               *rings,
                           GCancellable                    *cancellable,
                           GError                         **error)
{
  if (gilk_target_reads_samples (target))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Samples are already being read from %s; stop that recording first."),
                   gilk_target_spec (target));
      return FALSE;
    }

  /* Set the function before the request is sent: events may arrive before its answer. */
  gilk_target_set_samples_func (target, func, user_data);
  if (request_rings (target, GILK_SAMPLES_START, settings, sizeof *settings, rings, cancellable, error))
    return TRUE;

  gilk_target_set_samples_func (target, NULL, NULL);
  return FALSE;
}

gboolean
gilk_target_samples_freeze (GilkTarget   *target,
                            GCancellable *cancellable,
                            GError      **error)
{
  return gilk_target_command (target, GILK_SAMPLES_FREEZE, NULL, 0, cancellable, error);
}

gboolean
gilk_target_rings (GilkTarget        *target,
                   struct gilk_rings *rings,
                   GCancellable      *cancellable,
                   GError           **error)
{
  return request_rings (target, GILK_RINGS, NULL, 0, rings, cancellable, error);
}

gboolean
gilk_target_samples_stop (GilkTarget              *target,
                          struct gilk_samples_end *end,
                          GCancellable            *cancellable,
                          GError                 **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_SAMPLES_STOP, NULL, 0, cancellable, error);

  gilk_target_set_samples_func (target, NULL, NULL);
  return gilk_target_copy_struct (target, answer, end, sizeof *end, error);
}

/* ---- requests whose answers arrive in several parts ---- */

/*
 * Each part of an answer is requested while the previous part is processed: this saves a round trip
 * per part to a distant machine, and needs little memory at a time.
 */

/* Sends the request for the next part of an answer; @cursor keeps the position. Sets *@bytes to the
 * size of that part, 0 at the end. Returns the request's sequence number; 0 with @error. */
typedef uint32_t (*GilkRequestPart) (GilkTarget *target, gpointer cursor, gsize *bytes, GError **error);

/* Size of one READ_TEXT request in bytes: large enough that a slow machine always has work, small
 * enough that a request can be cancelled without much delay. */
#define TEXT_REQUEST_BYTES  (2u << 20)
#define TEXT_REQUEST_RANGES 32768u
#define IN_FLIGHT           2

/* A request that was sent, and the expected size of its answer. */
typedef struct {
  uint32_t seq;
  gsize    bytes;
} InFlight;

/* ---- reading of kernel text ---- */

typedef struct {
  const struct gilk_range *ranges;
  gsize                    count;
  gsize                    at;         /* index of the current range */
  /* number of bytes of the current range that were already requested */
  gsize                    into;
} TextCursor;

/* Takes up to @most bytes of the current range, and moves the cursor past them. */
static struct gilk_range
take_range (TextCursor *cursor,
            gsize       most)
{
  const struct gilk_range *range = &cursor->ranges[cursor->at];
  const struct gilk_range part = { range->addr + cursor->into, MIN (range->len - cursor->into, most) };

  cursor->into += part.len;
  if (cursor->into == range->len)
    {
      cursor->at++;
      cursor->into = 0;
    }

  return part;
}

/* Fills @out with the ranges of the next request, splitting long ranges. Returns their total
 * size. */
static gsize
fill_next_ranges (TextCursor *cursor,
                  GArray     *out)
{
  gsize bytes = 0;

  g_array_set_size (out, 0);
  while (cursor->at < cursor->count && bytes < TEXT_REQUEST_BYTES &&
         out->len < TEXT_REQUEST_RANGES)
    {
      const struct gilk_range part = take_range (cursor, TEXT_REQUEST_BYTES - bytes);

      g_array_append_val (out, part);
      bytes += part.len;
    }

  return bytes;
}

static gboolean
receive_text (GilkTarget         *target,
              const InFlight  *request,
              uint8_t            *out,
              GCancellable       *cancellable,
              GError            **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_wait (target, GILK_READ_TEXT, request->seq, cancellable, error);

  return gilk_target_copy_struct (target, answer, out, request->bytes, error);
}

gboolean
gilk_target_read_text (GilkTarget              *target,
                       const struct gilk_range *ranges,
                       gsize                    count,
                       uint8_t                 *out,
                       const GilkProgress      *progress,
                       GCancellable            *cancellable,
                       GError                 **error)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  TextCursor cursor = { ranges, count, 0, 0 };
  InFlight flying[IN_FLIGHT];
  guint n_flying = 0;
  gsize total = 0, done = 0;
  gboolean ok = TRUE;

  for (gsize i = 0; i < count; i++)
    total += ranges[i].len;

  while (ok && (cursor.at < count || n_flying > 0))
    {
      while (ok && cursor.at < count && n_flying < IN_FLIGHT)
        {
          InFlight *request = &flying[n_flying];

          request->bytes = fill_next_ranges (&cursor, part);
          request->seq = gilk_target_send_bytes (target, GILK_READ_TEXT, part->data,
                                                 part->len * sizeof (struct gilk_range), error);
          ok = request->seq != 0;
          n_flying += ok;
        }
      if (ok)
        {
          ok = receive_text (target, &flying[0], out + done, cancellable, error);
          done += flying[0].bytes;
          memmove (flying, flying + 1, --n_flying * sizeof flying[0]);
          gilk_progress (progress, _("Reading kernel text"), total ? (double) done / total : 1);
        }
    }

  for (guint i = 0; i < n_flying; i++)
    gilk_target_drop_answer (target, flying[i].seq);
  return ok;
}

/* ---- answers in parts, without reports of progress ---- */

static gboolean
receive_part (GilkTarget     *target,
              guint           type,
              const InFlight *part,
              uint8_t        *out,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autoptr (GByteArray) answer = gilk_target_wait (target, type, part->seq, cancellable, error);

  return gilk_target_copy_struct (target, answer, out, part->bytes, error);
}

/* Requests all parts of an answer and writes them to @out. Sends the next request before it waits
 * for the answer to the previous one. */
static gboolean
request_parts (GilkTarget     *target,
               guint           type,
               GilkRequestPart ask,
               gpointer        cursor,
               uint8_t        *out,
               GCancellable   *cancellable,
               GError        **error)
{
  InFlight flying[IN_FLIGHT];
  guint n_flying = 0;
  gboolean more = TRUE, ok = TRUE;

  while (ok && (more || n_flying > 0))
    {
      while (ok && more && n_flying < IN_FLIGHT)
        {
          InFlight *part = &flying[n_flying];

          part->seq = ask (target, cursor, &part->bytes, error);
          more = part->bytes > 0;
          ok = !more || part->seq != 0;
          n_flying += more && ok;
        }
      if (ok && n_flying > 0)
        {
          ok = receive_part (target, type, &flying[0], out, cancellable, error);
          out += flying[0].bytes;
          memmove (flying, flying + 1, --n_flying * sizeof flying[0]);
        }
    }

  for (guint i = 0; i < n_flying; i++)
    gilk_target_drop_answer (target, flying[i].seq);
  return ok;
}

/* ---- checksums of text ---- */

#define SUM_REQUEST_BYTES (4u << 20)    /* number of bytes of text in a request; a multiple of
                                         * GILK_WIRE_SUM_BYTES */

static uint32_t
request_sums (GilkTarget *target,
              gpointer    data,
              gsize      *bytes,
              GError    **error)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  TextCursor *cursor = data;
  gsize text = 0;

  *bytes = 0;
  while (cursor->at < cursor->count && text < SUM_REQUEST_BYTES && part->len < TEXT_REQUEST_RANGES)
    {
      const struct gilk_range next = take_range (cursor, SUM_REQUEST_BYTES);

      g_array_append_val (part, next);
      text += next.len;
      *bytes += (next.len + GILK_WIRE_SUM_BYTES - 1) / GILK_WIRE_SUM_BYTES * sizeof (uint64_t);
    }

  return part->len > 0 ? gilk_target_send_bytes (target, GILK_TEXT_SUMS, part->data, part->len * sizeof (struct gilk_range), error)
                       : 0;
}

gboolean
gilk_target_text_sums (GilkTarget              *target,
                       const struct gilk_range *ranges,
                       gsize                    count,
                       uint64_t                *sums,
                       GCancellable            *cancellable,
                       GError                 **error)
{
  TextCursor cursor = { ranges, count, 0, 0 };

  return request_parts (target, GILK_TEXT_SUMS, request_sums, &cursor, (uint8_t *) sums, cancellable, error);
}

/* ---- counters; all counters of 50,000 hooks on 256 CPUs are 300 MB ---- */

typedef struct {
  const uint32_t *iids;
  guint           count;               /* number of counters not requested yet */
  gboolean        per_cpu;
  gsize           bytes_each;
} CounterCursor;

static uint32_t
request_counters (GilkTarget *target,
                  gpointer    data,
                  gsize      *bytes,
                  GError    **error)
{
  CounterCursor *cursor = data;
  const uint32_t flags = cursor->per_cpu ? ILK_COUNTERS_PER_CPU : 0;
  const guint count = MIN (cursor->count, MAX (GILK_WIRE_COUNTERS_MAX / cursor->bytes_each, 1));
  GBytes *parts[2];
  uint32_t seq;

  *bytes = count * cursor->bytes_each;
  if (count == 0)
    return 0;
  parts[0] = gilk_target_part (&flags, sizeof flags);
  parts[1] = gilk_target_part (cursor->iids, count * sizeof *cursor->iids);
  seq = gilk_target_send (target, GILK_COUNTERS, parts, G_N_ELEMENTS (parts), error);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_bytes_unref (parts[i]);
  cursor->iids += count;
  cursor->count -= count;

  return seq;
}

gboolean
gilk_target_counters (GilkTarget         *target,
                      const uint32_t     *iids,
                      guint               count,
                      gboolean            per_cpu,
                      struct ilk_counter *out,
                      GCancellable       *cancellable,
                      GError            **error)
{
  struct ilk_info info = { .nr_cpus = gilk_target_limits (target).n_cpus };
  CounterCursor cursor = { iids, count, per_cpu, sizeof *out };

  if (count == 0)
    return TRUE;
  if (per_cpu && info.nr_cpus == 0 &&
      !gilk_target_driver_info (target, &info, cancellable, error))
    return FALSE;
  if (per_cpu)
    cursor.bytes_each *= info.nr_cpus;

  return request_parts (target, GILK_COUNTERS, request_counters, &cursor, (uint8_t *) out,
                        cancellable, error);
}

/* ---- clocks, costs of code, calls and A/B intervals ---- */

gboolean
gilk_target_clocks (GilkTarget         *target,
                    struct gilk_clocks *head,
                    GArray            **cpus,
                    GCancellable       *cancellable,
                    GError            **error)
{
  const uint32_t all = cpus != NULL;
  g_autoptr (GByteArray) answer = NULL;
  struct ilk_info info;
  GilkLimits limits;
  GError *wrong = NULL;

  if (gilk_target_limits (target).n_cpus == 0 &&
      !gilk_target_driver_info (target, &info, cancellable, error))
    return FALSE;
  answer = gilk_target_request (target, GILK_CLOCKS, &all, sizeof all, cancellable, error);
  if (answer == NULL)
    return FALSE;
  limits = gilk_target_limits (target);

  return gilk_answer_clocks (answer, &limits, head, cpus, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

/* Requests INFO, which contains a reading of the clock; gilk_target_driver_info() stores the first
 * reading. */
void
gilk_target_start_clock (GilkTarget *target)
{
  struct ilk_timestamp_pair reading;
  struct ilk_info info;

  if (!gilk_target_first_timestamp (target, &reading))
    gilk_target_driver_info (target, &info, NULL, NULL);
}

GArray *
gilk_target_measure (GilkTarget   *target,
                     uint32_t      patch,
                     uint32_t      base,
                     guint         calls,
                     guint         count,
                     GCancellable *cancellable,
                     GError      **error)
{
  const struct ilk_measure measure = { .patch = patch, .base = base, .calls = calls, .count = count };
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_MEASURE, &measure, sizeof measure, cancellable, error);
  GError *wrong = NULL;
  GArray *measured;

  if (answer == NULL)
    return NULL;
  measured = gilk_answer_measured (answer, count, &wrong);

  return gilk_target_check_parsed (target, measured, wrong, error);
}

gboolean
gilk_target_calls (GilkTarget              *target,
                   const struct gilk_calls *settings,
                   struct gilk_calls_made  *made,
                   GCancellable            *cancellable,
                   GError                 **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_CALLS, settings, sizeof *settings, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_calls (answer, settings, made, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_set_intervals (GilkTarget    *target,
                           uint32_t       iid,
                           uint64_t       period_ns,
                           const uint8_t *on,
                           guint          count,
                           GCancellable  *cancellable,
                           GError       **error)
{
  const struct ilk_intervals blocks = { .iid = iid, .count = count, .period_ns = period_ns };
  g_autoptr (GByteArray) payload = g_byte_array_new ();

  g_byte_array_append (payload, (const uint8_t *) &blocks, sizeof blocks);
  g_byte_array_append (payload, on, count);

  return gilk_target_command (target, GILK_INTERVALS, payload->data, payload->len, cancellable, error);
}

GArray *
gilk_target_intervals (GilkTarget   *target,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INTERVAL_TIMES, NULL, 0, cancellable, error);
  GError *wrong = NULL;
  GArray *moments;

  if (answer == NULL)
    return NULL;
  moments = gilk_answer_intervals (answer, &wrong);

  return gilk_target_check_parsed (target, moments, wrong, error);
}

/* ---- memory areas for the maps of hooks ---- */

#define BYTES_MAX (1u << 30)     /* maximum total size in bytes of the reads in one call */

gboolean
gilk_target_memory (GilkTarget      *target,
                    struct ilk_area *areas,
                    guint            count,
                    GCancellable    *cancellable,
                    GError         **error)
{
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  if (count == 0)
    return TRUE;
  if (count > ILK_BATCH_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The programs declare %u maps, globals and limiters, and the limit is %u; use fewer."), count, ILK_BATCH_MAX);
      return FALSE;
    }
  answer = gilk_target_request (target, GILK_MEMORY, areas, count * sizeof *areas, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_memory (answer, areas, count, gilk_target_way (target), &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

/* ---- reading of memory areas ---- */

typedef struct {
  const struct ilk_memory_read *reads;
  guint                         count;    /* number of reads not requested yet */
} ReadCursor;

static uint32_t
request_memory (GilkTarget *target,
                gpointer    data,
                gsize      *bytes,
                GError    **error)
{
  ReadCursor *cursor = data;
  const struct ilk_memory_read *reads = cursor->reads;
  guint n = 0;

  *bytes = 0;
  for (; n < MIN (cursor->count, ILK_BATCH_MAX) && *bytes + reads[n].bytes <= GILK_WIRE_MEMORY_MAX; n++)
    *bytes += reads[n].bytes;
  if (n == 0)
    return 0;
  cursor->reads += n;
  cursor->count -= n;

  return gilk_target_send_bytes (target, GILK_MEMORY_READ, reads, n * sizeof *reads, error);
}

/* Checks that no read is empty or too large for an answer. Sets @total to the sum of the sizes in
 * bytes. */
static gboolean
check_reads (const struct ilk_memory_read *reads,
             guint                         count,
             gsize                        *total,
             GError                      **error)
{
  *total = 0;
  for (guint i = 0; i < count; i++)
    {
      *total += reads[i].bytes;
      if (reads[i].bytes > 0 && reads[i].bytes <= ILK_AREA_BYTES_MAX && *total <= BYTES_MAX)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Cannot read %u bytes of one map, or %zu bytes of all maps, at once; read 8 "
                     "to %u bytes of each map, and at most %u bytes in all."),
                   reads[i].bytes, *total, ILK_AREA_BYTES_MAX, BYTES_MAX);
      return FALSE;
    }

  return TRUE;
}

GByteArray *
gilk_target_memory_read (GilkTarget                   *target,
                         const struct ilk_memory_read *reads,
                         guint                         count,
                         GCancellable                 *cancellable,
                         GError                      **error)
{
  ReadCursor cursor = { reads, count };
  g_autoptr (GByteArray) out = NULL;
  gsize total;

  if (!check_reads (reads, count, &total, error))
    return NULL;
  out = g_byte_array_new ();
  g_byte_array_set_size (out, (guint) total);
  if (!request_parts (target, GILK_MEMORY_READ, request_memory, &cursor, out->data, cancellable, error))
    return NULL;

  return g_steal_pointer (&out);
}

/* ---- modules that must stay loaded because hooks call their functions ---- */

gboolean
gilk_target_pin (GilkTarget   *target,
                 uint64_t      address,
                 const char   *module,
                 GCancellable *cancellable,
                 GError      **error)
{
  struct ilk_pin pin = { .address = address };
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_strlcpy (pin.module, module, sizeof pin.module);
  answer = gilk_target_request (target, GILK_PIN, &pin, sizeof pin, cancellable, error);
  if (answer == NULL)
    return FALSE;
  if (!gilk_answer_pin (answer, &pin, &wrong))
    return gilk_target_reject_answer (target, wrong, error);
  if (pin.refusal == 0)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("A hook cannot call a function of module %s (%s): %s %s"),
               module, gilk_refusal_name (pin.refusal), gilk_refusal_cause (pin.refusal),
               gilk_refusal_remedy (pin.refusal));
  return FALSE;
}

/* ---- user programs: their files, and hooks in them ---- */

#define READ_BYTES (1u << 20)

static gboolean
check_path (const char *path, GError **error)
{
  if (path[0] == '/' && strlen (path) <= GILK_WIRE_PATH_MAX)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("%s is not an absolute path. Write the path of the program or library on the target, starting with /."), path);
  return FALSE;
}

/* Sends a request that consists of @head, @middle and @path, and returns the answer. */
static GByteArray *
request_path (GilkTarget *target, guint type, const void *head, gsize head_bytes, const void *middle, gsize middle_bytes,
              const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr(GByteArray) request = g_byte_array_new ();

  if (!check_path (path, error))
    return NULL;
  g_byte_array_append (request, head, (guint) head_bytes);
  if (middle_bytes > 0)
    g_byte_array_append (request, middle, (guint) middle_bytes);
  g_byte_array_append (request, (const uint8_t *) path, (guint) strlen (path));

  return gilk_target_request (target, type, request->data, request->len, cancellable, error);
}

static gboolean
read_piece (GilkTarget *target, const char *path, uint64_t offset, gsize length, struct gilk_user_file *file,
            uint8_t *out, gsize *got, GCancellable *cancellable, GError **error)
{
  const struct gilk_user_read range = { .offset = offset, .length = (uint32_t) length };
  g_autoptr(GByteArray) answer = request_path (target, GILK_USER_READ, &range, sizeof range, NULL, 0, path, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_user_read (answer, length, file, out, got, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_program_file (GilkTarget            *target,
                          const char            *path,
                          struct gilk_user_file *file,
                          GCancellable          *cancellable,
                          GError               **error)
{
  gsize got;

  return read_piece (target, path, 0, 0, file, NULL, &got, cancellable, error);
}

gboolean
gilk_target_program_read (GilkTarget                  *target,
                          const char                  *path,
                          const struct gilk_user_file *file,
                          uint64_t                     offset,
                          gsize                        length,
                          uint8_t                     *out,
                          GCancellable                *cancellable,
                          GError                     **error)
{
  for (gsize at = 0; at < length;)
    {
      gsize n = MIN (length - at, READ_BYTES), got = 0;
      struct gilk_user_file now;

      if (!read_piece (target, path, offset + at, n, &now, out + at, &got, cancellable, error))
        return FALSE;
      if (got != n || memcmp (&now, file, sizeof now) != 0)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_STALE,
                       _("%s was replaced or truncated while it was read. Try again."), path);
          return FALSE;
        }
      at += n;
    }

  return TRUE;
}

gboolean
gilk_target_program_bind (GilkTarget                  *target,
                          const char                  *path,
                          const struct gilk_user_file *file,
                          struct gilk_user_point       *points,
                          guint                        count,
                          GCancellable                *cancellable,
                          GError                     **error)
{
  const struct gilk_user_bind head = { .file = *file, .count = count };
  g_autoptr(GByteArray) answer = NULL;
  GError *wrong = NULL;

  if (count == 0 || count > GILK_USER_POINTS_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("%u hooks in %s exceed the limit of %u for one file; plan fewer."), count, path,
                   GILK_USER_POINTS_MAX);
      return FALSE;
    }
  answer = request_path (target, GILK_USER_BIND, &head, sizeof head, points, count * sizeof *points, path, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_user_bind (answer, points, count, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

/* ---- tracepoints and timers ---- */

gboolean
gilk_target_bind_events (GilkTarget              *target,
                         struct gilk_event_point *events,
                         guint                    count,
                         GCancellable            *cancellable,
                         GError                 **error)
{
  g_autoptr(GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_return_val_if_fail (count > 0 && count <= GILK_EVENTS_BIND_MAX, FALSE);
  answer = gilk_target_request (target, GILK_EVENT_BIND, events, count * sizeof *events, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_bind_events (answer, events, count, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

/* ---- watchpoints ---- */

gboolean
gilk_target_bind_watchpoints (GilkTarget              *target,
                              struct gilk_watch_point *watches,
                              guint                    count,
                              GCancellable            *cancellable,
                              GError                 **error)
{
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_return_val_if_fail (count >= 1 && count <= GILK_WATCHES_MAX, FALSE);
  answer = gilk_target_request (target, GILK_WATCH_BIND, watches, count * sizeof *watches, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_watchpoints (answer, watches, count, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_watchpoint_status (GilkTarget              *target,
                               const uint32_t          *iids,
                               guint                    count,
                               struct gilk_watch_status *out,
                               GCancellable            *cancellable,
                               GError                 **error)
{
  g_autoptr (GByteArray) answer = NULL;
  struct gilk_watch_status asked[GILK_WATCHES_MAX] = { { 0 } };
  GError *wrong = NULL;

  g_return_val_if_fail (count >= 1 && count <= GILK_WATCHES_MAX, FALSE);
  for (guint i = 0; i < count; i++)
    asked[i].iid = iids[i];
  answer = gilk_target_request (target, GILK_WATCH_STATUS, asked, count * sizeof *asked, cancellable, error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_watchpoint_status (answer, iids, count, out, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

/* ---- event counters, and permission for hooks to crash the kernel ---- */

gboolean
gilk_target_events (GilkTarget               *target,
                    struct gilk_event_counter *events,
                    guint                     count,
                    uint32_t                  flags,
                    GCancellable             *cancellable,
                    GError                  **error)
{
  struct { struct gilk_events head; struct gilk_event_counter events[GILK_EVENTS_MAX]; } request = { .head.flags = flags };
  g_autoptr (GByteArray) answer = NULL;
  GError *wrong = NULL;

  g_return_val_if_fail (count > 0 && count <= GILK_EVENTS_MAX, FALSE);
  memcpy (request.events, events, count * sizeof *events);
  answer = gilk_target_request (target, GILK_EVENTS, &request, sizeof request.head + count * sizeof *events, cancellable,
                                error);
  if (answer == NULL)
    return FALSE;

  return gilk_answer_events (answer, events, count, &wrong) || gilk_target_reject_answer (target, wrong, error);
}

gboolean
gilk_target_crash (GilkTarget   *target,
                   uint32_t      iid,
                   uint32_t      flags,
                   uint32_t     *refusal,
                   GCancellable *cancellable,
                   GError      **error)
{
  const struct ilk_crash crash = { .iid = iid, .flags = flags };
  g_autoptr (GByteArray) answer = gilk_target_request (target, GILK_CRASH, &crash, sizeof crash, cancellable, error);
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_crash (answer, iid, refusal, &wrong) || gilk_target_reject_answer (target, wrong, error);
}
