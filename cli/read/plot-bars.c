/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-bars.c - gilk plot --group: number of samples by value
 */
#include "cli/read/plot.h"

#include <glib/gi18n.h>

#include "core/plot/gilk-plot-name.h"

#define BARS_PER_HOOK 12
#define BARS_OF_ONE   24

void
cli_bars_clear (CliBars *bars)
{
  g_clear_pointer (&bars->bars, g_array_unref);
  g_clear_pointer (&bars->strings, g_ptr_array_unref);
}

static gboolean
add_bars (CliBars *bars, const CliSession *session, const GilkStoredHook *hook, const char *field,
          double from, double to, const char *condition, gboolean heading, GError **error)
{
  if (heading)
    {
      GilkBar bar = { .note = g_strdup (hook->label) };

      g_array_append_val (bars->bars, bar);
    }
  return gilk_group_bars_add (bars->bars, session->store, hook, field, from, to, condition,
                              heading ? BARS_PER_HOOK : BARS_OF_ONE, error);
}

static gboolean
has_field (const CliSession *session, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) fields = cli_session_fields (session, hook, NULL);

  return fields != NULL && cli_session_find_field (fields, hook, field, NULL) != NULL;
}

gboolean
cli_bars_make (CliBars *bars, const CliSession *session, const char *label, const char *field,
               double from, double to, const char *condition, const GilkStoredHook **only, GError **error)
{
  guint found = 0;

  *only = NULL;
  bars->bars = gilk_group_bars_new ();
  bars->strings = g_ptr_array_new_with_free_func (g_free);
  if (label != NULL)
    {
      g_autoptr(GArray) fields = NULL;

      *only = cli_session_pick_hook (session, label, error);
      fields = *only != NULL ? cli_session_fields (session, *only, error) : NULL;
      if (fields == NULL || cli_session_find_field (fields, *only, field, error) == NULL)
        return FALSE;
    }
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    {
      const GilkStoredHook *hook = cli_session_hook (session, i);

      if ((*only != NULL && hook != *only) || !has_field (session, hook, field))
        continue;
      found++;
      if (!add_bars (bars, session, hook, field, from, to, condition, *only == NULL, error))
        return FALSE;
    }
  if (found == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("No hook of this run records a field \"%s\"."), field);
      return FALSE;
    }
  return TRUE;
}
