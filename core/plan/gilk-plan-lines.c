/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-lines.c - checks the lines of a plan before GKeyFile parses them
 *
 * GKeyFile merges repeated groups and keeps the last of repeated keys. In a plan both are mistakes,
 * which could arm hooks that the user did not intend.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan-private.h"

#define PLAN_BYTES_MAX (16 << 20)

static gboolean
check_line (char *line, guint number, const char *name, char **group, GHashTable *seen,
            GError **error)
{
  char *text = g_strstrip (line), *equals;
  g_autofree char *id = NULL;

  if (*text == '\0' || *text == '#')
    return TRUE;
  if (*text == '[')
    {
      char *end = strchr (text, ']');

      g_free (*group);
      *group = end != NULL ? g_strndup (text + 1, (gsize) (end - text - 1)) : g_strdup (text + 1);
      if (g_hash_table_add (seen, g_strdup_printf ("[%s", *group)))
        return TRUE;
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("%s, line %u: Duplicate group [%s]. Give each hook and program its own name."),
                   name, number, *group);
      return FALSE;
    }

  equals = strchr (text, '=');
  if (equals == NULL || *group == NULL)
    return TRUE;                  /* GKeyFile reports these itself */
  *equals = '\0';
  id = g_strdup_printf ("%s\n%s", *group, g_strchomp (text));
  if (g_hash_table_add (seen, g_steal_pointer (&id)))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s, line %u: Duplicate key in [%s]: %s=. Remove one of them."), name, number, *group, text);

  return FALSE;
}

static gboolean
check_lines (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *group = NULL;
  const char *end = text + length;
  guint number = 1;

  for (const char *at = text; at < end; number++)
    {
      const char *stop = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *line = g_strndup (at, (gsize) ((stop != NULL ? stop : end) - at));

      if (!check_line (line, number, name, &group, seen, error))
        return FALSE;
      at = stop != NULL ? stop + 1 : end;
    }

  return TRUE;
}

gboolean
gilk_plan_check_text (const char *text,
                      gsize       length,
                      const char *name,
                      GError    **error)
{
  if (length > PLAN_BYTES_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a plan: it is larger than %d MiB. Name a plan file."), name,
                 PLAN_BYTES_MAX >> 20);
  else if (!g_utf8_validate (text, (gssize) length, NULL))
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a plan: it is not UTF-8 text. Name a plan file."), name);
  else
    return check_lines (text, length, name, error);

  return FALSE;
}
