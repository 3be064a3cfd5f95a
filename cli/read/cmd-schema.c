/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-schema.c - gilk schema: prints the format of a session file, as SQL with comments
 *
 * The text is data/schema.sql, from which every session is created.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"

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
