/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-job.c - a job's progress, times, labels and notes, for the writers of formats
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/export/gilk-export-private.h"
#include "core/store/gilk-sql.h"

#define REPORT_INTERVAL_US 50000

void
gilk_export_progress_init (GilkExportProgress  *progress,
                           const GilkExportJob *job)
{
  *progress = (GilkExportProgress) { .store = job->store, .progress = job->progress };
  for (guint i = 0; i < job->n_hooks; i++)
    progress->all += MIN (job->hooks[i].stored, G_MAXUINT64 - progress->all);
}

static void
report_progress (GilkExportProgress *progress)
{
  gint64 now = g_get_monotonic_time ();

  if (progress->progress == NULL || now - progress->reported_us < REPORT_INTERVAL_US)
    return;
  progress->reported_us = now;
  gilk_progress (progress->progress, _("Writing samples"),
                 progress->all > 0 ? MIN (1.0, (double) progress->done / (double) progress->all) : -1.0);
}

/* Adds samples to the progress. Checks for cancellation after reporting, because the callback
 * may cancel. */
gboolean
gilk_export_progress_add (GilkExportProgress *progress,
                          uint64_t            n,
                          GError            **error)
{
  progress->done += n;
  report_progress (progress);

  return gilk_sql_check_cancelled (progress->store, error);
}

gboolean
gilk_export_has_samples (const GilkExportJob  *job,
                         const GilkStoredHook *hook,
                         gboolean             *samples,
                         GError              **error)
{
  gint64 n;

  if (!gilk_sql_value (job->store, error, &n, 0, "SELECT count (*) FROM instrument WHERE run = ? AND name = ? "
                       "AND takes_samples", "is", hook->run, hook->instrument))
    return FALSE;
  *samples = n > 0;

  return TRUE;
}

uint64_t
gilk_export_clamped_time (const GilkStoredOrigin *origin,
                          gint64                  t_ns)
{
  __int128 time = (__int128) origin->zero_mono_ns + t_ns;

  return time < 0 ? 0 : time > G_MAXINT64 ? (uint64_t) G_MAXINT64 : (uint64_t) time;
}

gboolean
gilk_export_time (const GilkExportJob    *job,
                  const GilkStoredOrigin *origin,
                  gint64                  t_ns,
                  uint64_t               *time,
                  GError                **error)
{
  *time = gilk_export_clamped_time (origin, t_ns);
  if ((__int128) *time == (__int128) origin->zero_mono_ns + t_ns)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("%s is damaged: a sample has a time of %" PRId64 " ns after the run's start, which is out of range. Use "
        "a backup, or leave such samples out with --from and --to."), gilk_store_path (job->store),
      t_ns);
}

void
gilk_export_uuid (const GilkExportJob *job,
                  uint8_t              uuid[16])
{
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *parts[] = { job->run->target, job->run->release, job->run->build_id, job->run->started };
  uint8_t digest[32];
  gsize length = sizeof digest;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  g_checksum_update (sum, (const guchar *) &job->run->id, sizeof job->run->id);
  g_checksum_get_digest (sum, digest, &length);
  memcpy (uuid, digest, 16);
  uuid[6] = (uint8_t) ((uuid[6] & 0x0f) | 0x80);    /* UUID version 8: custom content */
  uuid[8] = (uint8_t) ((uuid[8] & 0x3f) | 0x80);
}

/* ---- reads the notes that concern an export, in order of time ---- */

const char *
gilk_export_label (const GilkExportJob *job,
                   gint64               id)
{
  for (guint i = 0; i < job->n_hooks; i++)
    if (job->hooks[i].id == id)
      return job->hooks[i].label;

  return NULL;
}

static gboolean
is_in_job (const GilkExportJob *job, const GilkStoredNote *note)
{
  return note->hook == 0 || gilk_export_label (job, note->hook) != NULL;
}

static int
compare_by_time (gconstpointer a, gconstpointer b)
{
  const GilkStoredNote *one = a, *other = b;

  return GILK_ORDER (one->from_ns, other->from_ns) ?: GILK_ORDER (one->id, other->id);
}

GArray *
gilk_export_notes (const GilkExportJob *job,
                   GError             **error)
{
  g_autoptr(GArray) notes = gilk_store_notes (job->store, job->run->id, error);
  gint64 end = (gint64) (CLAMP (job->run->duration, 0.0, 1e9) * 1e9);

  for (guint i = 0; notes != NULL && i < notes->len;)
    {
      GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);

      if (note->from_ns == GILK_NOTE_WHOLE_RUN)
        {
          note->from_ns = 0;
          note->to_ns = end;
        }
      if (is_in_job (job, note) && note->from_ns < job->to_ns && note->to_ns >= job->from_ns)
        i++;
      else
        g_array_remove_index (notes, i);
    }
  if (notes != NULL)
    g_array_sort (notes, compare_by_time);

  return g_steal_pointer (&notes);
}
