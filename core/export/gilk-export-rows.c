/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-rows.c - exports samples as lines: CSV and NDJSON
 *
 * CSV has a single header, so all hooks in it must record the same fields; notes are in a column of
 * their own, because every line must be a row. NDJSON names the hook in every record, and ends each
 * instrument with the totals of its hooks, because losses are part of the data.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-strings.h"
#include "core/base/gilk-error.h"
#include "core/export/gilk-export-private.h"
#include "core/samples/gilk-rows.h"

static gboolean
write_rows (const GilkExportJob *job, const GArray *hooks, GilkRowsForm form, GilkExportProgress *pace,
            const GArray *notes, GilkSink *sink, GError **error)
{
  const GilkRowsChoice choice = {
    (const GilkStoredHook *) (const void *) hooks->data, hooks->len, job->from_ns, job->to_ns,
    job->conditions, notes,
  };
  g_autoptr(GilkRows) rows = gilk_rows_new (job->store, &choice, form, error);
  GError *local = NULL;
  uint64_t before;

  if (rows == NULL)
    return FALSE;
  if (form == GILK_ROWS_CSV)
    gilk_rows_header (rows, sink->text);
  for (uint64_t n = before = 0; gilk_rows_next (rows, sink->text, &n, &local); before = n)
    if (!gilk_export_progress_add (pace, n - before, error) || !gilk_sink_drain (sink, error))
      return FALSE;
  return gilk_check_end (&local, error);
}

/* ---- export as CSV ---- */

gboolean
gilk_export_csv (const GilkExportJob *job,
                 GilkSink            *sink,
                 GError             **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  g_autoptr(GArray) notes = NULL;
  GilkExportProgress pace;

  for (guint i = 0; i < job->n_hooks; i++)
    {
      if (strcmp (job->hooks[i].instrument, job->hooks[0].instrument) != 0)
        return gilk_fail (error, GILK_ERROR_USAGE,
            _("Hooks %s (%s) and %s (%s) record different columns. Choose hooks with --hook, or use "
              "--ndjson."), job->hooks[0].label, job->hooks[0].instrument, job->hooks[i].label,
            job->hooks[i].instrument);
      g_array_append_val (hooks, job->hooks[i]);
    }
  gilk_export_progress_init (&pace, job);
  notes = gilk_export_notes (job, error);

  return notes != NULL && (hooks->len == 0 || write_rows (job, hooks, GILK_ROWS_CSV, &pace, notes, sink, error));
}

/* ---- export as NDJSON ---- */

static void
put_totals (const GilkStoredHook *hook, GString *text)
{
  g_string_append (text, "{\"hook\": ");
  gilk_append_json (text, hook->label);
  g_string_append (text, ", \"totals\": {\"hits\": ");
  if (hook->hits_known)
    gilk_append_uint (text, hook->hits);
  else
    g_string_append (text, "null");
  g_string_append (text, ", \"stored\": ");
  gilk_append_uint (text, hook->stored);
  g_string_append (text, ", \"lost\": ");
  gilk_append_uint (text, hook->lost);
  g_string_append (text, ", \"missed\": ");
  gilk_append_uint (text, hook->missed);
  g_string_append (text, "}}\n");
}

static gboolean
put_notes (const GilkExportJob *job, GString *text, GError **error)
{
  g_autoptr(GArray) notes = gilk_store_notes (job->store, job->run->id, error);

  for (guint i = 0; notes != NULL && i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      const char *hook = gilk_export_label (job, note->hook);

      g_string_append (text, "{\"note\": ");
      gilk_append_json (text, note->text);
      if (note->from_ns != GILK_NOTE_WHOLE_RUN)
        g_string_append_printf (text, ", \"from_ns\": %" G_GINT64_FORMAT ", \"to_ns\": %" G_GINT64_FORMAT, note->from_ns,
                                note->to_ns);
      if (hook != NULL)
        {
          g_string_append (text, ", \"hook\": ");
          gilk_append_json (text, hook);
        }
      if (note->author != NULL)
        {
          g_string_append (text, ", \"author\": ");
          gilk_append_json (text, note->author);
        }
      g_string_append (text, "}\n");
    }

  return notes != NULL;
}

gboolean
gilk_export_ndjson (const GilkExportJob *job,
                    GilkSink            *sink,
                    GError             **error)
{
  g_autofree gboolean *done = g_new0 (gboolean, job->n_hooks + 1);
  GilkExportProgress pace;

  gilk_export_progress_init (&pace, job);
  for (guint i = 0; i < job->n_hooks; i++)
    {
      g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

      if (done[i])
        continue;
      for (guint k = i; k < job->n_hooks; k++)
        if (!done[k] && strcmp (job->hooks[k].instrument, job->hooks[i].instrument) == 0)
          {
            g_array_append_val (hooks, job->hooks[k]);
            done[k] = TRUE;
          }
      if (!write_rows (job, hooks, GILK_ROWS_JSON, &pace, NULL, sink, error))
        return FALSE;
      for (guint k = 0; k < hooks->len; k++)
        put_totals (&g_array_index (hooks, GilkStoredHook, k), sink->text);
      if (!gilk_sink_drain (sink, error))
        return FALSE;
    }

  return put_notes (job, sink->text, error) && gilk_sink_drain (sink, error);
}
