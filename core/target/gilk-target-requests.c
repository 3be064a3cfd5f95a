/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-requests.c - the typed requests of a target
 *
 * Each checks the length of what came back before it is believed.
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/target/gilk-target-private.h"

/* One READ_TEXT request: enough to keep a slow machine busy, small enough to cancel. */
#define TEXT_REQUEST_BYTES  (2u << 20)
#define TEXT_REQUEST_RANGES 32768u
#define TEXT_IN_FLIGHT      2

static gboolean
check_length (GByteArray  *answer,
              gsize        length,
              GError     **error)
{
  if (answer->len == length)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
               "The agent answered with %u bytes where %zu were due; make sure that both sides "
               "are of the same release.", answer->len, length);
  return FALSE;
}

static gboolean
simple_request (GilkTarget    *target,
                guint          type,
                const void    *payload,
                gsize          length,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, type, payload, length, cancellable, error);

  return answer != NULL;
}

char *
gilk_target_file (GilkTarget      *target,
                  enum gilk_file   file,
                  gsize           *length,
                  GCancellable    *cancellable,
                  GError         **error)
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

GHashTable *
gilk_target_doctor (GilkTarget    *target,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_DOCTOR, NULL, 0, cancellable, error);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GHashTable *facts;

  if (answer == NULL)
    return NULL;

  text = g_utf8_make_valid ((const char *) answer->data, answer->len);
  lines = g_strsplit (text, "\n", -1);
  facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *value = strchr (lines[i], '=');

      if (value == NULL)
        continue;
      *value++ = '\0';
      g_hash_table_replace (facts, g_strdup (lines[i]), g_strdup (value));
    }

  return facts;
}

gboolean
gilk_target_load_driver (GilkTarget    *target,
                         GCancellable  *cancellable,
                         GError       **error)
{
  if (!simple_request (target, GILK_DRIVER_LOAD, NULL, 0, cancellable, error))
    return FALSE;

  gilk_target_set_has_driver (target, TRUE);
  return TRUE;
}

gboolean
gilk_target_driver_info (GilkTarget       *target,
                         struct ilk_info  *info,
                         GCancellable     *cancellable,
                         GError          **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_DRIVER_INFO, NULL, 0, cancellable, error);

  if (answer == NULL || !check_length (answer, sizeof *info, error))
    return FALSE;

  memcpy (info, answer->data, sizeof *info);
  return TRUE;
}

GArray *
gilk_target_instruments (GilkTarget    *target,
                         GCancellable  *cancellable,
                         GError       **error)
{
  const gsize size = sizeof (struct ilk_instrument_desc);
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INSTRUMENTS, NULL, 0, cancellable, error);
  GArray *descs;

  if (answer == NULL || !check_length (answer, answer->len / size * size, error))
    return NULL;

  descs = g_array_new (FALSE, FALSE, size);
  if (answer->len > 0)
    g_array_append_vals (descs, answer->data, answer->len / size);
  return descs;
}

char **
gilk_target_instrument_files (GilkTarget    *target,
                              GCancellable  *cancellable,
                              GError       **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_INSTRUMENT_FILES, NULL, 0, cancellable, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (answer == NULL)
    return NULL;

  /* A module may lie in several folders of the target. */
  text = g_utf8_make_valid ((const char *) answer->data, answer->len);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' &&
        !g_ptr_array_find_with_equal_func (names, lines[i], g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (lines[i]));
  g_ptr_array_add (names, NULL);

  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
gilk_target_load_instrument (GilkTarget    *target,
                             const char    *name,
                             GCancellable  *cancellable,
                             GError       **error)
{
  return simple_request (target, GILK_INSTRUMENT_LOAD, name, strlen (name), cancellable, error);
}

/* ---- text ---- */

typedef struct {
  const struct gilk_range *ranges;
  gsize                    count;
  gsize                    at;         /* range under work */
  gsize                    into;       /* bytes of it already asked for */
} TextCursor;

/* The next request's ranges, split where one is too long. Returns the bytes they cover. */
static gsize
next_ranges (TextCursor *cursor,
             GArray     *out)
{
  gsize bytes = 0;

  g_array_set_size (out, 0);
  while (cursor->at < cursor->count && bytes < TEXT_REQUEST_BYTES &&
         out->len < TEXT_REQUEST_RANGES)
    {
      const struct gilk_range *range = &cursor->ranges[cursor->at];
      struct gilk_range part = {
        .addr = range->addr + cursor->into,
        .len = MIN (range->len - cursor->into, TEXT_REQUEST_BYTES - bytes),
      };

      g_array_append_val (out, part);
      bytes += part.len;
      cursor->into += part.len;
      if (cursor->into == range->len)
        {
          cursor->at++;
          cursor->into = 0;
        }
    }

  return bytes;
}

typedef struct {
  uint32_t seq;
  gsize    bytes;
} TextRequest;

static gboolean
take_text (GilkTarget         *target,
           const TextRequest  *request,
           uint8_t            *out,
           GCancellable       *cancellable,
           GError            **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_wait (target, GILK_READ_TEXT, request->seq, cancellable, error);

  if (answer == NULL || !check_length (answer, request->bytes, error))
    return FALSE;
  if (answer->len > 0)
    memcpy (out, answer->data, answer->len);

  return TRUE;
}

gboolean
gilk_target_read_text (GilkTarget               *target,
                       const struct gilk_range  *ranges,
                       gsize                     count,
                       uint8_t                  *out,
                       const GilkProgress       *progress,
                       GCancellable             *cancellable,
                       GError                  **error)
{
  g_autoptr (GArray) part = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  TextCursor cursor = { ranges, count, 0, 0 };
  TextRequest flying[TEXT_IN_FLIGHT];
  guint n_flying = 0;
  gsize total = 0, done = 0;
  gboolean ok = TRUE;

  for (gsize i = 0; i < count; i++)
    total += ranges[i].len;

  while (ok && (cursor.at < count || n_flying > 0))
    {
      while (ok && cursor.at < count && n_flying < TEXT_IN_FLIGHT)
        {
          TextRequest *request = &flying[n_flying];

          request->bytes = next_ranges (&cursor, part);
          request->seq = gilk_target_send_bytes (target, GILK_READ_TEXT, part->data,
                                                 part->len * sizeof (struct gilk_range), error);
          ok = request->seq != 0;
          n_flying += ok;
        }
      if (ok)
        {
          ok = take_text (target, &flying[0], out + done, cancellable, error);
          done += flying[0].bytes;
          memmove (flying, flying + 1, --n_flying * sizeof flying[0]);
          gilk_progress (progress, "Reading kernel text", total ? (double) done / total : 1);
        }
    }

  for (guint i = 0; i < n_flying; i++)
    gilk_target_forget (target, flying[i].seq);
  return ok;
}

/* ---- transactions ---- */

static GBytes *
part_of (const void *data,
         gsize       length)
{
  return g_bytes_new_static (length > 0 ? data : "", length);
}

/* Sends the arrays behind a gilk_batch, and copies them back from the answer. */
static gboolean
batch_request (GilkTarget         *target,
               guint               type,
               struct gilk_batch  *batch,
               void               *patches,
               gsize               patch_size,
               void               *hooks,
               gsize               hook_size,
               const void         *blob,
               GError            **error)
{
  const gsize patch_bytes = batch->patch_count * patch_size;
  const gsize hook_bytes = batch->hook_count * hook_size;
  g_autoptr (GByteArray) answer = NULL;
  GBytes *parts[] = {
    part_of (batch, sizeof *batch), part_of (patches, patch_bytes),
    part_of (hooks, hook_bytes), part_of (blob, batch->blob_bytes),
  };
  uint32_t seq = gilk_target_send (target, type, parts, G_N_ELEMENTS (parts), error);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_bytes_unref (parts[i]);
  if (seq == 0)
    return FALSE;

  answer = gilk_target_wait (target, type, seq, NULL, error);
  if (answer == NULL || !check_length (answer, sizeof *batch + patch_bytes + hook_bytes, error))
    return FALSE;

  memcpy (batch, answer->data, sizeof *batch);
  if (patch_bytes > 0)
    memcpy (patches, answer->data + sizeof *batch, patch_bytes);
  if (hook_bytes > 0)
    memcpy (hooks, answer->data + sizeof *batch + patch_bytes, hook_bytes);
  return TRUE;
}

static void
set_refused (GError     **error,
             guint        refusal,
             const char  *what)
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
               "%u hooks are more than the %u that can be armed together; plan fewer.",
               MAX (patch_count, hook_count), ILK_BATCH_MAX);
  return FALSE;
}

static gboolean
not_cancelled (GCancellable  *cancellable,
               GError       **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, "The request was cancelled.");
  return FALSE;
}

gboolean
gilk_target_reserve (GilkTarget                *target,
                     struct ilk_reserve_patch  *patches,
                     guint                      patch_count,
                     struct ilk_reserve_hook   *hooks,
                     guint                      hook_count,
                     GCancellable              *cancellable,
                     GError                   **error)
{
  struct gilk_batch batch = { .patch_count = patch_count, .hook_count = hook_count };

  if (!not_cancelled (cancellable, error) || !check_counts (patch_count, hook_count, error) ||
      !batch_request (target, GILK_RESERVE, &batch, patches, sizeof *patches,
                      hooks, sizeof *hooks, NULL, error))
    return FALSE;

  if (batch.refusal == 0)
    return TRUE;
  set_refused (error, batch.refusal, "No room could be reserved for the hooks");
  return FALSE;
}

gboolean
gilk_target_prepare (GilkTarget                *target,
                     struct ilk_prepare_patch  *patches,
                     guint                      patch_count,
                     struct ilk_prepare_hook   *hooks,
                     guint                      hook_count,
                     const uint8_t             *blob,
                     gsize                      blob_bytes,
                     GCancellable              *cancellable,
                     GError                   **error)
{
  struct gilk_batch batch = {
    .patch_count = patch_count,
    .hook_count = hook_count,
    .blob_bytes = (uint32_t) MIN (blob_bytes, G_MAXUINT32),
  };
  guint refusal = 0;

  if (!not_cancelled (cancellable, error) || !check_counts (patch_count, hook_count, error) ||
      !batch_request (target, GILK_PREPARE, &batch, patches, sizeof *patches,
                      hooks, sizeof *hooks, blob, error))
    return FALSE;
  if (batch.failed == 0)
    return TRUE;

  for (guint i = 0; refusal == 0 && i < patch_count; i++)
    refusal = patches[i].refusal;
  for (guint i = 0; refusal == 0 && i < hook_count; i++)
    refusal = hooks[i].refusal;
  set_refused (error, refusal, "The hooks were not prepared, nothing was changed");
  return FALSE;
}

gboolean
gilk_target_arm (GilkTarget      *target,
                 struct ilk_arm  *arm,
                 GCancellable    *cancellable,
                 GError         **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_ARM, NULL, 0, cancellable, error);

  if (answer == NULL || !check_length (answer, sizeof *arm, error))
    return FALSE;

  memcpy (arm, answer->data, sizeof *arm);
  if (arm->refusal == 0)
    return TRUE;
  set_refused (error, arm->refusal, "The hooks were not armed, all text is as it was");
  return FALSE;
}

gboolean
gilk_target_disarm (GilkTarget         *target,
                    struct ilk_disarm  *disarm,
                    const uint32_t     *ids,
                    GCancellable       *cancellable,
                    GError            **error)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) answer = NULL;

  g_byte_array_append (payload, (const uint8_t *) disarm, sizeof *disarm);
  if (disarm->count > 0)
    g_byte_array_append (payload, (const uint8_t *) ids, disarm->count * sizeof *ids);
  answer = gilk_target_request (target, GILK_DISARM, payload->data, payload->len, cancellable,
                                error);
  if (answer == NULL || !check_length (answer, sizeof *disarm, error))
    return FALSE;

  memcpy (disarm, answer->data, sizeof *disarm);
  return TRUE;
}

GArray *
gilk_target_status (GilkTarget    *target,
                    gboolean       everyone,
                    guint         *pending,
                    GCancellable  *cancellable,
                    GError       **error)
{
  const gsize size = sizeof (struct ilk_patch_status);
  struct ilk_status status = { .flags = everyone ? ILK_STATUS_EVERYONE : 0 };
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_STATUS, &status, sizeof status, cancellable, error);
  GArray *patches;

  if (answer == NULL)
    return NULL;
  if (answer->len >= sizeof status)
    memcpy (&status, answer->data, sizeof status);
  if (!check_length (answer, sizeof status + status.count * size, error))
    return NULL;

  patches = g_array_new (FALSE, FALSE, size);
  if (status.count > 0)
    g_array_append_vals (patches, answer->data + sizeof status, status.count);
  if (pending != NULL)
    *pending = status.pending;
  return patches;
}

gboolean
gilk_target_counters (GilkTarget          *target,
                      const uint32_t      *iids,
                      guint                count,
                      gboolean             per_cpu,
                      struct ilk_counter  *out,
                      GCancellable        *cancellable,
                      GError             **error)
{
  const uint32_t flags = per_cpu ? ILK_COUNTERS_PER_CPU : 0;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) answer = NULL;
  struct ilk_info info = { .nr_cpus = 1 };
  gsize bytes;

  if (count == 0)
    return TRUE;
  if (!check_counts (count, 0, error) ||
      (per_cpu && !gilk_target_driver_info (target, &info, cancellable, error)))
    return FALSE;

  g_byte_array_append (payload, (const uint8_t *) &flags, sizeof flags);
  g_byte_array_append (payload, (const uint8_t *) iids, count * sizeof *iids);
  answer = gilk_target_request (target, GILK_COUNTERS, payload->data, payload->len, cancellable,
                                error);
  bytes = (gsize) count * info.nr_cpus * sizeof *out;
  if (answer == NULL || !check_length (answer, bytes, error))
    return FALSE;

  memcpy (out, answer->data, bytes);
  return TRUE;
}

/* ---- samples ---- */

gboolean
gilk_target_samples_start (GilkTarget       *target,
                           guint             period_ms,
                           GilkSamplesFunc   func,
                           gpointer          user_data,
                           GCancellable     *cancellable,
                           GError          **error)
{
  const uint32_t period = period_ms;

  if (gilk_target_reads_samples (target))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   "Samples are already being read from %s; stop that recording first.",
                   gilk_target_spec (target));
      return FALSE;
    }

  /* Events may come before the answer has been looked at. */
  gilk_target_set_samples_func (target, func, user_data);
  if (simple_request (target, GILK_SAMPLES_START, &period, sizeof period, cancellable, error))
    return TRUE;

  gilk_target_set_samples_func (target, NULL, NULL);
  return FALSE;
}

gboolean
gilk_target_samples_stop (GilkTarget               *target,
                          struct gilk_samples_end  *end,
                          GCancellable             *cancellable,
                          GError                  **error)
{
  g_autoptr (GByteArray) answer =
    gilk_target_request (target, GILK_SAMPLES_STOP, NULL, 0, cancellable, error);

  gilk_target_set_samples_func (target, NULL, NULL);
  if (answer == NULL || !check_length (answer, sizeof *end, error))
    return FALSE;

  memcpy (end, answer->data, sizeof *end);
  return TRUE;
}
