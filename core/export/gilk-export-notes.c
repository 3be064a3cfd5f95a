/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-notes.c - reads the notes that concern an export, in order of time
 */
#include "core/export/gilk-export-private.h"

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

  if (one->from_ns != other->from_ns)
    return one->from_ns < other->from_ns ? -1 : 1;

  return (one->id > other->id) - (one->id < other->id);
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
