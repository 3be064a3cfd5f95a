/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-export.c - gilk export: samples as CSV or NDJSON, streamed
 *
 * CSV has one header, so all hooks in it must record the same fields. NDJSON
 * tells the hook in every record and ends each hook with its totals: what was
 * lost is part of the data.
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/session.h"
#include "core/base/gilk-csv.h"
#include "core/emit/gilk-inline.h"
#include "ilk/ilk-abi.h"

typedef struct {
  gboolean csv, ndjson;
  char    *hook, *output;
  int      run;
} Options;

typedef struct {
  Cli                  *cli;
  FILE                 *file;
  const GilkStoredHook *hook;
  GPtrArray            *columns;      /* of the hook that streams */
  GArray               *numeric;      /* gboolean per column */
  gboolean              csv;
  gboolean              header_done;
  gboolean              skip_counts;  /* they do not fit under the samples' header */
} Export;

static gboolean
is_count (const GilkStoredHook *hook)
{
  return gilk_inline_is (hook->instrument, GILK_INLINE_COUNT);
}

static void
put_csv_row (const Export *export, guint n, const char *const *cells)
{
  g_autoptr(GString) line = g_string_new (NULL);

  gilk_csv_append_row (line, n, cells);
  fwrite (line->str, 1, line->len, export->file);
}

/* A JSON number, and nothing else, so that it may stand without quotes. */
static gboolean
is_number (const char *text)
{
  const char *c = *text == '-' ? text + 1 : text;
  gsize digits = strspn (c, "0123456789");

  if (digits == 0 || (c[0] == '0' && digits > 1))
    return FALSE;
  c += digits;
  if (*c == '.')
    {
      digits = strspn (++c, "0123456789");
      if (digits == 0)
        return FALSE;
      c += digits;
    }
  return *c == '\0';
}

static void
put_json (const Export *export, CliJson *json)
{
  fputs (cli_json_text (json), export->file);
  fputc ('\n', export->file);
}

static void
put_json_row (const Export *export, guint n, const char *const *cells)
{
  g_autoptr(CliJson) json = cli_json_new ();

  cli_json_row (json, NULL);
  for (guint i = 0; i < MIN (n, export->columns->len); i++)
    {
      const char *name = export->columns->pdata[i];

      if (g_array_index (export->numeric, gboolean, i) && cells[i] != NULL && is_number (cells[i]))
        cli_json_number_text (json, name, cells[i]);
      else
        cli_json_string (json, name, cells[i]);
    }
  cli_json_end (json);
  put_json (export, json);
}

static void
put_json_totals (const Export *export)
{
  g_autoptr(CliJson) json = cli_json_new ();

  cli_json_row (json, NULL);
  cli_json_string (json, "hook", export->hook->label);
  cli_json_row (json, "totals");
  cli_json_uint_if (json, "hits", export->hook->hits, export->hook->hits_known);
  cli_json_uint (json, "stored", export->hook->stored);
  cli_json_uint (json, "lost", export->hook->lost);
  cli_json_uint (json, "dropped", export->hook->dropped);
  cli_json_end (json);
  cli_json_end (json);
  put_json (export, json);
}

static void
note_columns (Export *export, GArray *fields, guint n, const char *const *names)
{
  g_ptr_array_set_size (export->columns, 0);
  g_array_set_size (export->numeric, 0);
  for (guint i = 0; i < n; i++)
    {
      gboolean numeric = TRUE;

      for (guint j = 0; j < fields->len; j++)
        {
          const GilkStoredField *field = &g_array_index (fields, GilkStoredField, j);

          if (strcmp (field->name, names[i]) == 0)
            numeric = field->type != ILK_FIELD_TEXT && field->type != ILK_FIELD_HEX64;
        }
      if (strcmp (names[i], "hook") == 0)
        numeric = FALSE;
      g_ptr_array_add (export->columns, g_strdup (names[i]));
      g_array_append_val (export->numeric, numeric);
    }
}

typedef struct {
  Export *export;
  GArray *fields;
} RowData;

static gboolean
on_row (gint64 row, guint n, const char *const *cells, gpointer user_data)
{
  RowData *data = user_data;
  Export *export = data->export;

  if (row < 0)
    {
      note_columns (export, data->fields, n, cells);
      if (export->csv && !export->header_done)
        put_csv_row (export, n, cells);
      export->header_done = TRUE;
    }
  else if (export->csv)
    put_csv_row (export, n, cells);
  else
    put_json_row (export, n, cells);

  if (export->file == stdout && cli_output_error () != 0)
    return FALSE;
  return !ferror (export->file) && !g_cancellable_is_cancelled (export->cli->cancellable);
}

/* A count hook has no samples; its rows are the readings of its counter. */
static gboolean
stream_counts (RowData *data, const CliSession *session, GError **error)
{
  static const char *const names[] = { "hook", "t_ns", "count" };
  g_autoptr(GArray) times = NULL;
  g_autoptr(GArray) values = NULL;

  if (!gilk_store_count_series (session->store, data->export->hook, &times, &values, error))
    return FALSE;
  on_row (-1, G_N_ELEMENTS (names), names, data);
  for (guint i = 0; i < times->len; i++)
    {
      g_autofree char *time = g_strdup_printf ("%" G_GUINT64_FORMAT,
                                               (guint64) (g_array_index (times, double, i) * 1e9 + 0.5));
      g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT,
                                                (guint64) g_array_index (values, double, i));
      const char *cells[] = { data->export->hook->label, time, count };

      if (!on_row (i, G_N_ELEMENTS (cells), cells, data))
        break;
    }
  return TRUE;
}

static gboolean
stream_hook (Export *export, const CliSession *session, GError **error)
{
  g_autoptr(GArray) fields = cli_session_fields (session, export->hook, error);
  RowData data = { export, fields };
  gboolean ok;

  if (fields == NULL)
    return FALSE;
  ok = is_count (export->hook)
    ? stream_counts (&data, session, error)
    : gilk_store_rows (session->store, export->hook, on_row, &data, error);
  if (ok && !export->csv)
    put_json_totals (export);
  return ok;
}

/*
 * What CSV can hold under one header: the hooks that take samples, if they run
 * the same instrument; where all only count, those.
 */
static gboolean
choose_csv (Export *export, const CliSession *session, GError **error)
{
  const GilkStoredHook *first = NULL;
  guint counting = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    counting += is_count (cli_session_hook (session, i));
  export->skip_counts = counting < cli_session_n_hooks (session);
  if (export->skip_counts && counting > 0)
    cli_note (export->cli, _("Hooks that only count are left out; --hook or --ndjson has their figures."));

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if (export->skip_counts && is_count (hook))
        continue;
      if (first == NULL)
        first = hook;
      if (strcmp (first->instrument, hook->instrument) == 0)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Hooks %s (%s) and %s (%s) record different columns. Choose one with --hook, or "
                     "use --ndjson."), first->label, first->instrument, hook->label, hook->instrument);
      return FALSE;
    }
  return TRUE;
}

static gboolean
stream (Export *export, const CliSession *session, const char *label, GError **error)
{
  const GilkStoredHook *only = NULL;

  if (label != NULL)
    {
      only = cli_session_pick_hook (session, label, error);
      if (only == NULL)
        return FALSE;
    }
  else if (export->csv && !choose_csv (export, session, error))
    return FALSE;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      export->hook = cli_session_hook (session, i);
      if ((only != NULL && export->hook != only) ||
          (export->skip_counts && is_count (export->hook)))
        continue;
      if (!stream_hook (export, session, error) ||
          g_cancellable_set_error_if_cancelled (export->cli->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
export_to (Cli *cli, const CliSession *session, const Options *options, FILE *file, GError **error)
{
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GArray) numeric = g_array_new (FALSE, FALSE, sizeof (gboolean));
  Export export = { .cli = cli, .file = file, .columns = columns, .numeric = numeric,
                    .csv = options->csv };

  return stream (&export, session, options->hook, error);
}

static gboolean
export_to_file (Cli *cli, const CliSession *session, const Options *options, GError **error)
{
  FILE *file = fopen (options->output, "we");
  gboolean ok, written;

  if (file == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                   _("%s cannot be written: %s. Choose another file with -o."), options->output,
                   g_strerror (errno));
      return FALSE;
    }
  ok = export_to (cli, session, options, file, error);
  written = !ferror (file);
  written &= fclose (file) == 0;
  if (ok && !written)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                   _("%s could not be written whole: %s. Free some space or choose another file."),
                   options->output, g_strerror (errno));
      return FALSE;
    }
  if (ok)
    cli_note (cli, _("Wrote %s."), options->output);
  return ok;
}

static gboolean
check_options (Cli *cli, const Options *options, GError **error)
{
  if (options->csv == options->ndjson)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("Say in which form: --csv or --ndjson."));
  else if (cli->json && options->output == NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("--json and samples on the same output do not go together. Use --ndjson "
                           "alone, or send the samples to a file with -o."));
  else
    return TRUE;
  return FALSE;
}

gboolean
cmd_export (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_NONE, &options.csv, N_("Comma-separated values with a header (RFC 4180)"), NULL },
    { "ndjson", 0, 0, G_OPTION_ARG_NONE, &options.ndjson,
      N_("One JSON object a line; totals and losses of each hook at its end"), NULL },
    { "hook", 0, 0, G_OPTION_ARG_STRING, &options.hook, N_("This hook only"), N_("LABEL") },
    { "run", 'r', 0, G_OPTION_ARG_INT, &options.run,
      N_("Number of the run in the session (default: the last)"), N_("N") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Write to a file (default: standard output)"), N_("FILE") },
    { NULL },
  };
  g_auto(CliSession) session = { 0 };
  char **words;
  gboolean ok;

  ok = cli_parse (cli, argc, argv, entries,
                  _("Samples are streamed, so sessions of any size can be exported. A hook that only "
                    "counts gives the readings of its counter."), 1, 1, &words, error) &&
    check_options (cli, &options, error) &&
    cli_session_open (cli, words[0], options.run, &session, error) &&
    (options.output != NULL ? export_to_file (cli, &session, &options, error)
                            : export_to (cli, &session, &options, stdout, error));

  g_free (options.hook);
  g_free (options.output);
  return ok;
}
