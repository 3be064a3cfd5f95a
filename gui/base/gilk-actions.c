/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.c - accelerators, list and search, all made from the table of actions
 */
#include "gui/base/gilk-actions.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-actions-table.h"

void
gilk_actions_set_accels (GtkApplication *app)
{
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      const char *accels[4] = { actions[i].accels[0], actions[i].accels[1], actions[i].accels[2], NULL };

      if (actions[i].action != NULL)
        gtk_application_set_accels_for_action (app, actions[i].action, accels);
    }
}

gboolean
gilk_actions_nth (guint        i,
                  const char **action,
                  const char **title,
                  const char **accel)
{
  if (i >= G_N_ELEMENTS (actions))
    return FALSE;
  *action = actions[i].action;
  *title = _(actions[i].title);
  *accel = actions[i].accels[0];

  return TRUE;
}

const char *
gilk_actions_group (guint i)
{
  return _(actions[i].group);
}

char *
gilk_actions_keys (guint i)
{
  GString *keys = g_string_new (NULL);

  for (guint k = 0; k < G_N_ELEMENTS (actions[i].accels) && actions[i].accels[k] != NULL; k++)
    {
      g_autofree char *label = NULL;
      GdkModifierType modifiers;
      guint key;

      gtk_accelerator_parse (actions[i].accels[k], &key, &modifiers);
      label = gtk_accelerator_get_label (key, modifiers);
      g_string_append_printf (keys, "%s%s", k > 0 ? ",  " : "", label);
    }

  return g_string_free (keys, keys->len == 0);
}
