/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-sql.c - gilk sql, gilk schema: runs a statement on a session, and prints the format of a
 * session
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-strings.h"
#include "core/samples/gilk-query.h"

/* Makes a table with the query's column names as titles; replaces "|" in names, because it
 * separates titles. */
static CliTable *
make_table (GilkQuery *query)
{
  g_autoptr(GString) titles = g_string_new (NULL);

  for (guint i = 0; i < gilk_query_columns (query); i++)
    {
      g_autofree char *title = g_strdelimit (g_strdup (gilk_query_name (query, i)), "|", '/');

      g_string_append_printf (titles, "%s<%s", i > 0 ? "|" : "", title);
    }

  return cli_table_new (titles->str);
}

/* Returns the cells of the current row; an SQL NULL is a NULL pointer. (transfer full)
 * (element-type utf8) */
static GPtrArray *
read_row (GilkQuery *query)
{
  GPtrArray *cells = g_ptr_array_new_null_terminated (8, g_free, TRUE);

  for (guint i = 0; i < gilk_query_columns (query); i++)
    g_ptr_array_add (cells, gilk_query_kind (query, i) == GILK_CELL_NULL ? NULL
                                                                         : gilk_query_text (query, i));

  return cells;
}

static gboolean
print_table (Cli *cli, GilkQuery *query, GError **error)
{
  g_autoptr(CliTable) table = make_table (query);
  GError *local = NULL;

  while (gilk_query_next (query, &local))
    {
      g_autoptr(GPtrArray) cells = read_row (query);

      for (guint i = 0; i < cells->len; i++)
        cli_table_cell (table, g_ptr_array_index (cells, i));
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  cli_print_table (cli, table);

  return TRUE;
}

static void
print_csv_row (const GPtrArray *cells)
{
  g_autoptr(GString) line = g_string_new (NULL);

  gilk_csv_append_row (line, cells->len, (const char *const *) cells->pdata);
  cli_write (line->str, line->len);
}

static gboolean
print_csv (GilkQuery *query, GError **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  GError *local = NULL;

  for (guint i = 0; i < gilk_query_columns (query); i++)
    g_ptr_array_add (names, (gpointer) gilk_query_name (query, i));
  print_csv_row (names);
  while (gilk_query_next (query, &local))
    {
      g_autoptr(GPtrArray) cells = read_row (query);

      print_csv_row (cells);
    }
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

static gboolean
rows_to_json (CliJson *json, GilkQuery *query, GError **error)
{
  GError *local = NULL;

  cli_json_array (json, "rows");
  while (gilk_query_next (query, &local))
    {
      g_autoptr(GPtrArray) cells = read_row (query);

      cli_json_row (json, NULL);
      for (guint i = 0; i < cells->len; i++)
        if (gilk_query_kind (query, i) == GILK_CELL_INTEGER)
          cli_json_number_text (json, gilk_query_name (query, i), g_ptr_array_index (cells, i));
        else if (gilk_query_kind (query, i) == GILK_CELL_REAL)
          cli_json_double (json, gilk_query_name (query, i),
                           g_ascii_strtod (g_ptr_array_index (cells, i), NULL));
        else
          cli_json_string (json, gilk_query_name (query, i), g_ptr_array_index (cells, i));
      cli_json_end (json);
    }
  cli_json_end (json);
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

gboolean
cmd_sql (Cli *cli, int argc, char **argv, GError **error)
{
  gboolean csv = FALSE;
  const GOptionEntry entries[] = {
    { "csv", 0, 0, G_OPTION_ARG_NONE, &csv, N_("Print rows as CSV, without buffering"), NULL },
    { NULL },
  };
  g_autoptr(GilkQuery) query = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("In addition to the tables that \"gilk schema\" prints, there is a table "
                    "samples_INSTRUMENT for each instrument that took samples.\nThe session is not "
                    "changed."), 2, 2, &words, error))
    return FALSE;
  cli_interrupts_may_end (TRUE);
  query = gilk_query_new (words[0], words[1], cli->cancellable, error);
  if (query == NULL)
    return FALSE;
  if (cli->doc != NULL)
    return rows_to_json (cli->doc, query, error);

  return csv ? print_csv (query, error) : print_table (cli, query, error);
}

/*
 * gilk schema: prints the format of a session file, as SQL with comments.
 *
 * The text is data/schema.sql, from which every session is created.
 */

static const char schema[] =
#include "core/store/gilk-schema.inc"
;

gboolean
cmd_schema (Cli *cli, int argc, char **argv, GError **error)
{
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("A session is one SQLite file that any tool can read: sqlite3 S.gilk"),
                  0, 0, &words, error))
    return FALSE;
  if (cli->doc != NULL)
    cli_json_string (cli->doc, "schema", schema);
  else
    cli_write (schema, strlen (schema));
  return TRUE;
}
