/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-requests.c - typed requests of a target
 *
 * gilk-answers.c validates all answers.
 */
#include <string.h>

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
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
gilk_target_load_driver (GilkTarget   *target,
                         GCancellable *cancellable,
                         GError      **error)
{
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

/* ---- transactions ---- */

/* Sends a gilk_batch and its arrays, and returns the answer. */
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
  g_set_error (error, GILK_ERROR, GILK_ERROR_KEPT,
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

/* ---- samples ---- */

/* Sends SAMPLES_START or RINGS and validates the answer. */
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
                           const struct gilk_samples_start *wish,
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

  /* Set the function first, because events may arrive before the answer. */
  gilk_target_set_samples_func (target, func, user_data);
  if (request_rings (target, GILK_SAMPLES_START, wish, sizeof *wish, rings, cancellable, error))
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
