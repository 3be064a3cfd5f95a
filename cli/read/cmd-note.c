/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-note.c - gilk note: lists and writes notes on a run
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/session.h"
#include "core/plan/gilk-plan.h"
#include "core/store/gilk-store-notes.h"

typedef struct {
  int    run, change, remove;
  char  *at, *to, *hook, *author;
} Options;

static gboolean
list_notes (Cli *cli, const CliSession *session, GError **error)
{
  guint n;

  cli_json_string (cli->doc, "session", gilk_store_path (session->store));
  cli_json_uint (cli->doc, "run", cli_session_run_number (session));
  if (!cli_notes_show (cli, session, NULL, &n, error))
    return FALSE;
  if (n == 0 && cli->doc != NULL)
    {
      cli_json_array (cli->doc, "notes");
      cli_json_end (cli->doc);
    }
  else if (n == 0)
    cli_print (cli, _("Run %u has no notes. Write one with \"gilk note %s TEXT\".\n"), cli_session_run_number (session),
               gilk_store_path (session->store));

  return TRUE;
}

/* ---- writing a note ---- */

static gboolean
parse_time (const CliSession *session, const char *text, gint64 *ns, GError **error)
{
  uint64_t found;

  if (text == NULL)
    return TRUE;
  if (!gilk_parse_duration (text, &found, error))
    return FALSE;
  if (found > (uint64_t) (session->run->duration * 1e9) && strcmp (session->run->end_reason, "being recorded") != 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The run lasted %.9g s, so %s is after its end. Give a time "
                        "within the run."),
                      session->run->duration, text);
  *ns = (gint64) found;

  return TRUE;
}

/* Returns note @number, counted from 1. (transfer full) */
static GilkStoredNote *
find_note (const CliSession *session, int number, GError **error)
{
  g_autoptr(GArray) notes = gilk_store_notes (session->store, session->run->id, error);

  if (notes == NULL)
    return NULL;
  if (number < 1 || (guint) number > notes->len)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("Run %u has no note %d. \"gilk note %s\" lists them."),
                   cli_session_run_number (session), number, gilk_store_path (session->store));
      return NULL;
    }

  return gilk_stored_note_copy (&g_array_index (notes, GilkStoredNote, number - 1));
}

static gboolean
set_note_range (const CliSession *session, const Options *options, GilkStoredNote *note, GError **error)
{
  const GilkStoredHook *hook = NULL;

  if (options->to != NULL && options->at == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--to ends a range of time that starts at --at. Give both."));
  if (options->hook != NULL)
    {
      hook = cli_session_pick_hook (session, options->hook, error);
      if (hook == NULL)
        return FALSE;
      note->hook = hook->id;
    }
  if (!parse_time (session, options->at, &note->from_ns, error))
    return FALSE;
  if (options->at != NULL)
    note->to_ns = note->from_ns;

  return parse_time (session, options->to, &note->to_ns, error);
}

/* (transfer full) */
static GilkStoredNote *
make_note (const CliSession *session, const Options *options, const char *text, GError **error)
{
  g_autoptr(GArray) none = NULL;
  GilkStoredNote *note;

  if (options->change != 0)
    note = find_note (session, options->change, error);
  else
    {
      note = g_new0 (GilkStoredNote, 1);
      note->run = session->run->id;
      note->from_ns = note->to_ns = GILK_NOTE_WHOLE_RUN;
      note->author = g_strdup (g_get_user_name ());
    }
  if (note == NULL)
    return NULL;
  if (text != NULL)
    {
      g_free (note->text);
      note->text = g_strdup (text);
    }
  if (options->author != NULL)
    {
      g_free (note->author);
      note->author = g_strdup (options->author);
    }
  if (!set_note_range (session, options, note, error))
    g_clear_pointer (&note, gilk_stored_note_free);

  return note;
}

static gboolean
write_note (CliSession *session, const Options *options, const char *text, GError **error)
{
  g_autofree char *path = g_strdup (gilk_store_path (session->store));
  GilkStoredNote *note = options->remove != 0 ? find_note (session, options->remove, error)
                                              : make_note (session, options, text, error);
  g_autoptr(GilkStore) store = NULL;
  gboolean good;

  if (note == NULL)
    return FALSE;
  store = gilk_store_open (path, error);
  good = store != NULL && (options->remove != 0 ? gilk_store_remove_note (store, note->id, error)
                                                : gilk_store_put_note (store, note, NULL, error));
  gilk_stored_note_free (note);

  return good && gilk_store_close (g_steal_pointer (&store), error);
}

static gboolean
run_note (Cli *cli, const Options *options, char **words, GError **error)
{
  g_auto(CliSession) session = { NULL }, written = { NULL };
  gboolean writes = words[1] != NULL || options->change != 0 || options->remove != 0;

  if (options->remove != 0 && (options->change != 0 || words[1] != NULL))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--remove takes no text. Leave out the text, or --remove."));
  if (!writes && (options->at != NULL || options->to != NULL || options->hook != NULL || options->author != NULL))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The note has no text. Write: gilk note SESSION --at TIME TEXT."));
  if (!cli_session_open (cli, words[0], options->run, &session, error))
    return FALSE;
  if (!writes)
    return list_notes (cli, &session, error);
  cli_interrupts_may_end (FALSE);

  return write_note (&session, options, words[1], error) && cli_session_open (cli, words[0], options->run, &written, error) &&
         list_notes (cli, &written, error);
}

gboolean
cmd_note (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    CLI_OPTION_RUN (&options.run),
    { "at", 0, 0, G_OPTION_ARG_STRING, &options.at,
      N_("Set the time to which the note refers (default: the whole run)"), N_("TIME") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options.to, N_("Set the end of a range of time that starts at --at"), N_("TIME") },
    { "hook", 0, 0, G_OPTION_ARG_STRING, &options.hook,
      N_("Set the hook to which the note refers"), N_("HOOK") },
    { "author", 0, 0, G_OPTION_ARG_STRING, &options.author, N_("Set the author (default: you)"), N_("NAME") },
    { "change", 0, 0, G_OPTION_ARG_INT, &options.change, N_("Change note N"), N_("N") },
    { "remove", 0, 0, G_OPTION_ARG_INT, &options.remove, N_("Remove note N"), N_("N") },
    { NULL },
  };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Without TEXT, lists the notes on a run. Notes are stored in the session and shown as flags in "
                    "plots over time."),
                  1, 2, &words, error) &&
    run_note (cli, &options, words, error);

  cli_options_free (entries);
  return ok;
}
