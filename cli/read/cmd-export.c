/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-export.c - gilk export: writes a run's data in the formats of other programs
 *
 * The formats are those of core/export; each has an option with its name. All are streamed.
 */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/emit/gilk-inline.h"
#include "core/export/gilk-export.h"
#include "core/plan/gilk-plan.h"

#define FORMATS_MAX 16

typedef struct {
  gboolean formats[FORMATS_MAX];    /* TRUE for each requested format */
  gboolean force;
  char    *sqlite, *output, *from, *to, *weight, *sources;
  char   **hooks, **conditions;
  int      run;

  const GilkExportFormat *format;   /* NULL: SQLite */
} Options;

static gboolean
is_counter (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

/* ---- selecting the hooks to export ---- */

static gboolean
is_named (const Options *options, const GilkStoredHook *hook)
{
  return options->hooks == NULL || g_strv_contains ((const char *const *) options->hooks, hook->label);
}

/*
 * Returns whether to omit the hooks that only count, because other hooks take samples and the
 * options suit only samples: a hook that only counts lacks the fields that conditions test, and its
 * row does not fit columns of samples.
 */
static gboolean
leaves_out_counters (const Options *options, const CliSession *session)
{
  guint named = 0, counting = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    if (is_named (options, cli_session_hook (session, i)))
      {
        named++;
        counting += is_counter (cli_session_hook (session, i));
      }

  return counting > 0 && counting < named &&
         (options->conditions != NULL || options->format->flags & GILK_EXPORT_ALONE);
}

/* Returns the selected hooks, borrowed. NULL with @error: a name is unknown. */
static GArray *
choose_hooks (Cli *cli, const Options *options, const CliSession *session, GError **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  gboolean without = leaves_out_counters (options, session);

  for (guint i = 0; options->hooks != NULL && options->hooks[i] != NULL; i++)
    if (cli_session_pick_hook (session, options->hooks[i], error) == NULL)
      return NULL;
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (is_named (options, hook) && !(without && is_counter (hook)))
        g_array_append_vals (hooks, hook, 1);
    }
  if (without)
    cli_note (cli, "%s", options->conditions != NULL
              ? _("Hooks that only count are left out: their readings have no fields to test a condition on.")
              : _("Hooks that only count are left out; --hook or --ndjson exports their counts."));

  return g_steal_pointer (&hooks);
}

/* ---- writing the export ---- */

static gboolean
parse_time (const char *text, gint64 *ns, GError **error)
{
  uint64_t found;

  if (text == NULL)
    return TRUE;
  if (!gilk_parse_duration (text, &found, error))
    return FALSE;
  *ns = (gint64) MIN (found, (uint64_t) G_MAXINT64);

  return TRUE;
}

static void
set_weight (const Options *options, GilkExportJob *job)
{
  if (options->weight == NULL || strcmp (options->weight, "hits") == 0)
    return;
  job->weight = strcmp (options->weight, "time") == 0 ? GILK_EXPORT_TIME : GILK_EXPORT_MAP;
  job->map = options->weight;
}

static gboolean
write_output (gpointer data, const char *bytes, gsize n, GError **error)
{
  if (cli_write (bytes, n))
    return TRUE;
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED, g_strerror (cli_output_error ()));
  return FALSE;
}

/* Exports to standard output. main() reports the errors of standard output, for all commands. */
static gboolean
export_to_stdout (const Options *options, const GilkExportJob *job, GError **error)
{
  GError *local = NULL;

  if (gilk_export_to_stream (options->format, job, write_output, NULL, &local))
    return TRUE;
  if (cli_output_error () != 0)
    g_clear_error (&local);
  else
    g_propagate_error (error, local);

  return FALSE;
}

static gboolean
export_run (Cli *cli, const Options *options, const CliSession *session, GError **error)
{
  g_autoptr(GArray) hooks = choose_hooks (cli, options, session, error);
  GilkExportJob job;

  if (hooks == NULL)
    return FALSE;
  gilk_export_job_init (&job, session->store, session->run, hooks);
  job.conditions = (const char *const *) options->conditions;
  job.sources = options->sources;
  job.replace = options->force;
  if (!parse_time (options->from, &job.from_ns, error) || !parse_time (options->to, &job.to_ns, error))
    return FALSE;
  set_weight (options, &job);
  if (options->output == NULL)
    return export_to_stdout (options, &job, error);
  job.progress = cli_progress_for_core (cli->progress);
  if (!gilk_export_to_path (options->format, &job, options->output, error))
    return FALSE;
  cli_note (cli, _("Wrote %s."), options->output);

  return TRUE;
}

/* ---- checking the options ---- */

static gboolean
set_no_format_error (GError **error)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < gilk_export_n_formats (); i++)
    g_string_append_printf (names, "--%s, ", gilk_export_format (i)->name);
  g_string_truncate (names, names->len - 2);
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("No format given. Give one of %s or --sqlite=FILE."), names->str);
}

static gboolean
choose_format (Options *options, GError **error)
{
  guint n = options->sqlite != NULL;

  for (guint i = 0; i < gilk_export_n_formats (); i++)
    if (options->formats[i])
      {
        options->format = gilk_export_format (i);
        n++;
      }

  return n == 1 || set_no_format_error (error);
}

static gboolean
check_sqlite (const Options *options, GError **error)
{
  if (options->output == NULL && options->hooks == NULL && options->run == 0 && options->from == NULL &&
      options->to == NULL && options->conditions == NULL && options->weight == NULL &&
      options->sources == NULL && !options->force)
    return TRUE;

  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("--sqlite writes the whole session to a new file. Leave out -o, --force, "
                      "--hook, --run and all filters."));
}

static gboolean
check_options (Cli *cli, Options *options, GError **error)
{
  guint flags;

  if (!choose_format (options, error))
    return FALSE;
  if (options->format == NULL)
    return check_sqlite (options, error);

  flags = options->format->flags;
  if (options->output != NULL && strcmp (options->output, "-") == 0)
    g_clear_pointer (&options->output, g_free);
  if (!(flags & GILK_EXPORT_CHOOSES) &&
      (options->from != NULL || options->to != NULL || options->conditions != NULL))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Coverage totals cover the whole run and have no times and no fields. Leave out --from, --to "
                        "and --if."));
  if (!(flags & GILK_EXPORT_WEIGHS) && options->weight != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE, _("--weight needs --stacks."));
  if (!(flags & GILK_EXPORT_SOURCES) && options->sources != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE, _("--sources needs --lcov."));
  if (flags & GILK_EXPORT_FOLDER && options->output == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("A trace in this format is a folder. Give the folder's name with -o."));
  if (cli->json && options->output == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--json and samples cannot share an output. Use --ndjson alone, or write "
                        "the samples to a file with -o."));

  return TRUE;
}

static gboolean
export_sqlite (Cli *cli, const char *path, const char *out, GError **error)
{
  cli_interrupts_may_end (TRUE);
  if (!gilk_store_export_plain (path, out, cli_progress_for_core (cli->progress), cli->cancellable, error))
    return FALSE;
  cli_note (cli, _("Wrote %s."), out);

  return TRUE;
}

static gboolean
run_export (Cli *cli, const Options *options, const char *path, GError **error)
{
  g_auto(CliSession) session = { 0 };

  return options->format == NULL
         ? export_sqlite (cli, path, options->sqlite, error)
         : cli_session_open (cli, path, options->run, &session, error) &&
           export_run (cli, options, &session, error);
}

gboolean
cmd_export (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { { 0 } };
  const GOptionEntry others[] = {
    { "sqlite", 0, 0, G_OPTION_ARG_FILENAME, &options.sqlite,
      N_("Write the whole session as plain tables to a new SQLite file"), N_("FILE") },
    { "hook", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.hooks, N_("Export this hook only; may be repeated"), N_("LABEL") },
    CLI_OPTION_RUN (&options.run),
    { "from", 0, 0, G_OPTION_ARG_STRING, &options.from, N_("Export from this time of the run"), N_("TIME") },
    { "to", 0, 0, G_OPTION_ARG_STRING, &options.to, N_("Export up to this time of the run"), N_("TIME") },
    { "if", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.conditions,
      N_("Export samples that match, e.g. \"pid == 42\"; may be repeated"), N_("CONDITION") },
    { "weight", 0, 0, G_OPTION_ARG_STRING, &options.weight,
      N_("Weigh stacks by hits (default), by the time of spans in microseconds, or by the values "
         "of the program's map NAME, whose keys are stacks"), "hits|time|NAME" },
    { "sources", 0, 0, G_OPTION_ARG_FILENAME, &options.sources,
      N_("Also write the disassembly files that the tracefile refers to, into a new folder"), N_("FOLDER") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Write to a file (default: standard output)"), N_("FILE") },
    { "force", 'f', 0, G_OPTION_ARG_NONE, &options.force, N_("Overwrite existing files"), NULL },
  };
  GOptionEntry entries[FORMATS_MAX + G_N_ELEMENTS (others) + 1] = { { NULL } };
  char **words;
  gboolean ok;

  g_assert (gilk_export_n_formats () <= FORMATS_MAX);
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    entries[i] = (GOptionEntry) { gilk_export_format (i)->name, 0, 0, G_OPTION_ARG_NONE, &options.formats[i],
                                  gilk_export_format (i)->help, NULL };
  memcpy (entries + gilk_export_n_formats (), others, sizeof others);
  ok = cli_parse (cli, argc, argv, entries,
                  _("Samples are streamed, so sessions of any size can be exported. For a hook that only counts, its "
                    "counter readings are exported. A file is written completely or not at all."),
                  1, 1, &words, error) &&
       check_options (cli, &options, error) &&
       run_export (cli, &options, words[0], error);

  cli_options_free (entries);
  return ok;
}
