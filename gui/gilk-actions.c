/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-actions.c - what the one table of actions is for: accelerators, their window, and the search of actions
 */
#include "gui/gilk-actions.h"

#include <glib/gi18n.h>

#include "gui/gilk-actions-table.h"
#include "gui/gilk-take-apart.h"

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

static GtkWidget *
shortcut_new (const Action *action)
{
  return g_object_new (GTK_TYPE_SHORTCUTS_SHORTCUT,
                       "visible", TRUE,
                       "accelerator", action->accels[0],
                       "title", _(action->title),
                       NULL);
}

static gboolean
closed (GtkWidget   *window,
        GdkEventAny *event,
        GtkWidget   *section)
{
  gtk_widget_hide (window);
  gilk_take_apart_inside (section);
  gilk_take_apart (window, section);

  return GDK_EVENT_STOP;
}

GtkWidget *
gilk_actions_shortcuts_window (GtkWindow *parent)
{
  GtkWidget *window = g_object_new (GTK_TYPE_SHORTCUTS_WINDOW, "modal", TRUE,
                                    "transient-for", parent, NULL);
  GtkWidget *section = g_object_new (GTK_TYPE_SHORTCUTS_SECTION, "section-name", "all",
                                     "max-height", 12, "visible", TRUE, NULL);
  GtkWidget *group = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (i == 0 || g_strcmp0 (actions[i].group, actions[i - 1].group) != 0)
        {
          group = g_object_new (GTK_TYPE_SHORTCUTS_GROUP, "title", _(actions[i].group),
                                "visible", TRUE, NULL);
          gtk_container_add (GTK_CONTAINER (section), group);
        }
      if (actions[i].accels[0] != NULL)
        gtk_container_add (GTK_CONTAINER (group), shortcut_new (&actions[i]));
    }
  gtk_container_add (GTK_CONTAINER (window), section);
  g_signal_connect (window, "delete-event", G_CALLBACK (closed), section);

  return window;
}
