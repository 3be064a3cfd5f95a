/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite-module.c - shows samples in plain SQLite: "sqlite3 S.gilk -cmd '.load gilk_sqlite'"
 *
 * A loadable extension of SQLite. When it is loaded, it creates the temporary tables of
 * gilk-query.h for the session file that is the connection's main database.
 */
#include <gmodule.h>
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "core/samples/gilk-query.h"

/* SQLite derives the name of this function from the file's name. */
G_MODULE_EXPORT int sqlite3_gilksqlite_init (sqlite3 *db, char **message, const sqlite3_api_routines *api);

int
sqlite3_gilksqlite_init (sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
  g_autoptr(GError) error = NULL;
  const char *path;

  SQLITE_EXTENSION_INIT2 (api);
  path = sqlite3_db_filename (db, "main");
  if (path == NULL || *path == '\0')
    {
      *message = sqlite3_mprintf ("open a session first: the tables are those of the main database");
      return SQLITE_ERROR;
    }
  if (gilk_samples_make_tables (db, path, NULL, &error))
    return SQLITE_OK;
  *message = sqlite3_mprintf ("%s", error->message);

  return SQLITE_ERROR;
}
