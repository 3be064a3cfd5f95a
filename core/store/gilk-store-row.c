/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-row.c - reads and checks rows of an untrusted session file
 *
 * The caller specifies the contents of a row, and gets these or an error: an integer in its range;
 * a text that is valid UTF-8 without NUL and, if it is a name, a single line. Other code may trust
 * these values. The total number of rows is limited by the size of the file (gilk-store-guard.c),
 * so that a few pages that refer to each other cannot yield billions of rows.
 */
#include "core/store/gilk-store-private.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
refuse_damaged (GilkStore *store, sqlite3_stmt *stmt, int column, const char *wanted, GError **error)
{
  static const char *const types[] = { N_("nothing"), N_("an integer"), N_("a number"), N_("text"), N_("a blob"),
                                       N_("nothing") };
  const char *name = sqlite3_column_name (stmt, column);

  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s is damaged: expected %s (%s), found %s. Use a backup."),
               store->path, wanted, name != NULL ? name : "?",
               _(types[CLAMP (sqlite3_column_type (stmt, column), 0, 5)]));

  return FALSE;
}

/* ---- integers ---- */

static gboolean
check_integer (GilkStore *store, sqlite3_stmt *stmt, int column, char kind, GError **error)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) != SQLITE_INTEGER)
    return refuse_damaged (store, stmt, column, _("an integer"), error);
  if (value < 0 && strchr ("nNu", kind) != NULL)
    return refuse_damaged (store, stmt, column, _("a count or a time"), error);
  if (kind == 'u' && value > (gint64) G_MAXUINT32)
    return refuse_damaged (store, stmt, column, _("a 32-bit number"), error);

  return TRUE;
}

/* ---- text ---- */

static gboolean
check_text (GilkStore *store, sqlite3_stmt *stmt, int column, GError **error)
{
  const char *text;
  gsize bytes;

  if (sqlite3_column_type (stmt, column) != SQLITE_TEXT)
    return refuse_damaged (store, stmt, column, _("text"), error);
  text = (const char *) sqlite3_column_text (stmt, column);
  bytes = (gsize) sqlite3_column_bytes (stmt, column);
  if (text == NULL || memchr (text, '\0', bytes) != NULL)
    return refuse_damaged (store, stmt, column, _("valid text"), error);

  store->bytes_read += bytes;
  return store->bytes_read <= store->bytes_max || gilk_sql_refuse_excess (store, error);
}

/* Replaces invalid bytes, and in names also control characters, with U+FFFD. */
static char *
read_text (sqlite3_stmt *stmt, int column, gboolean is_name)
{
  g_autofree char *valid = g_utf8_make_valid ((const char *) sqlite3_column_text (stmt, column),
                                              sqlite3_column_bytes (stmt, column));
  GString *clean;

  if (!is_name)
    return g_steal_pointer (&valid);
  clean = g_string_sized_new (strlen (valid));
  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      g_string_append_unichar (clean, g_unichar_iscntrl (letter) ? 0xfffd : letter);
    }

  return g_string_free (clean, FALSE);
}

/* ---- rows ---- */

static gboolean
check_cell (GilkStore *store, sqlite3_stmt *stmt, int column, char kind, GError **error)
{
  gboolean is_null = sqlite3_column_type (stmt, column) == SQLITE_NULL;

  switch (kind)
    {
    case 'S':
    case 't':
      return is_null || check_text (store, stmt, column, error);
    case 's':
      return check_text (store, stmt, column, error);
    case 'N':
      return is_null || check_integer (store, stmt, column, kind, error);
    default:
      return check_integer (store, stmt, column, kind, error);
    }
}

gboolean
gilk_sql_row (GilkStore    *store,
              sqlite3_stmt *stmt,
              GError      **error,
              const char   *kinds,
              ...)
{
  va_list out;

  for (int i = 0; kinds[i] != '\0'; i++)
    if (!check_cell (store, stmt, i, kinds[i], error))
      return FALSE;

  va_start (out, kinds);
  for (int i = 0; kinds[i] != '\0'; i++)
    switch (kinds[i])
      {
      case 'i':
        *va_arg (out, gint64 *) = sqlite3_column_int64 (stmt, i);
        break;
      case 'n':
      case 'N':
      case 'a':
        *va_arg (out, uint64_t *) = (uint64_t) sqlite3_column_int64 (stmt, i);
        break;
      case 'u':
        *va_arg (out, guint *) = (guint) sqlite3_column_int64 (stmt, i);
        break;
      case 'f':
        *va_arg (out, gboolean *) = sqlite3_column_int64 (stmt, i) != 0;
        break;
      default:
        *va_arg (out, char **) = sqlite3_column_type (stmt, i) == SQLITE_NULL ? NULL
                                 : read_text (stmt, i, kinds[i] != 't');
        break;
      }
  va_end (out);

  return TRUE;
}
