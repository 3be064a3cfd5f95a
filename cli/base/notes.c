/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.c - lists the notes on a run
 */
#include "cli/base/session.h"

#include <glib/gi18n.h>

#include "core/store/gilk-store-notes.h"

/* Returns the label of the hook with id @hook. Returns NULL if no hook has this id, because the
 * note is not about a hook. */
static const char *
get_label (const CliSession *session, gint64 hook)
{
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    if (cli_session_hook (session, i)->id == hook)
      return cli_session_hook (session, i)->label;

  return NULL;
}

static void
notes_to_json (CliJson *json, const CliSession *session, const GArray *notes)
{
  cli_json_array (json, "notes");
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);

      cli_json_row (json, NULL);
      cli_json_uint (json, "number", i + 1);
      if (note->from_ns != GILK_NOTE_WHOLE_RUN)
        {
          cli_json_double (json, "from", note->from_ns / 1e9);
          cli_json_double (json, "to", note->to_ns / 1e9);
        }
      cli_json_string (json, "hook", get_label (session, note->hook));
      cli_json_string (json, "text", note->text);
      cli_json_string (json, "author", note->author);
      cli_json_string (json, "written", note->written);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_notes (Cli *cli, const CliSession *session, const GArray *notes)
{
  g_autoptr(CliTable) table = cli_table_new (_(">NR|<WHEN|<HOOK|<BY|~NOTE"));

  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      g_autofree char *when = gilk_stored_note_when (note);

      cli_table_cellf (table, "%u", i + 1);
      cli_table_cell (table, when);
      cli_table_cell (table, get_label (session, note->hook));
      cli_table_cell (table, note->author);
      cli_table_cell (table, note->text);
    }
  cli_print_table (cli, table);
}

gboolean
cli_notes_show (Cli *cli, const CliSession *session, const char *head, guint *n, GError **error)
{
  g_autoptr(GArray) notes = gilk_store_notes (session->store, session->run->id, error);

  if (notes == NULL)
    return FALSE;
  if (n != NULL)
    *n = notes->len;
  if (notes->len == 0)
    return TRUE;
  if (cli->doc != NULL)
    notes_to_json (cli->doc, session, notes);
  else
    {
      if (head != NULL)
        cli_print (cli, "\n%s\n", head);
      print_notes (cli, session, notes);
    }

  return TRUE;
}
