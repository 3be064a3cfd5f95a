/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-teardown.c - destroys a window in steps
 */
#include "gui/plan/gilk-teardown.h"

#define STEP_MS 10
#define INSIDE   "gilk-take-apart-inside"

typedef struct {
  GtkWidget *window, *all, *more;
} Teardown;

static void
teardown_free (gpointer data)
{
  Teardown *teardown = data;

  g_object_unref (teardown->window);
  g_object_unref (teardown->all);
  g_object_unref (teardown->more);
  g_free (teardown);
}

/* Returns whether the widget is a plain GTK container. A subclass may rely on its children, so it
 * must not be taken apart. */
static gboolean
is_layout (GtkWidget *widget)
{
  const GType types[] = { GTK_TYPE_STACK, GTK_TYPE_PANED, GTK_TYPE_BOX, GTK_TYPE_SCROLLED_WINDOW, GTK_TYPE_OVERLAY,
                          GTK_TYPE_VIEWPORT, GTK_TYPE_GRID };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (G_OBJECT_TYPE (widget) == types[i])
      return TRUE;

  return g_object_get_data (G_OBJECT (widget), INSIDE) != NULL;
}

/* Returns the last widget in @all that can be destroyed as a whole, and sets @holder to its
 * container. Looks inside plain containers. Returns NULL if no widget is left. */
static GtkWidget *
find_last_part (GtkWidget     *all,
                GtkContainer **holder)
{
  GtkWidget *part = NULL, *widget = all;

  while (is_layout (widget))
    {
      g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (widget));

      if (children == NULL)
        break;
      *holder = GTK_CONTAINER (widget);
      part = widget = g_list_last (children)->data;
    }

  return part;
}

/* Detaches the models of tree views. Otherwise GTK would notify assistive technologies of each
 * cell: 60,000 functions times two columns. */
static void
empty_lists (GtkWidget *widget,
             gpointer   data)
{
  if (GTK_IS_TREE_VIEW (widget))
    {
      GtkTreeSelection *selection = gtk_tree_view_get_selection (GTK_TREE_VIEW (widget));

      g_signal_handlers_disconnect_matched (selection, G_SIGNAL_MATCH_ID, g_signal_lookup ("changed", GTK_TYPE_TREE_SELECTION),
                                            0, NULL, NULL, NULL);
      gtk_tree_view_set_model (GTK_TREE_VIEW (widget), NULL);
    }
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), empty_lists, NULL);
}

/* Destroys parts of the window for a limited time per main loop iteration. Destroys the window
 * itself in a last iteration. */
static gboolean
destroy_some_parts (gpointer data)
{
  const Teardown *teardown = data;
  gint64 end = g_get_monotonic_time () + STEP_MS * 1000;
  gboolean first = TRUE;

  for (; g_get_monotonic_time () < end; first = FALSE)
    {
      GtkContainer *holder = NULL;
      GtkWidget *part = find_last_part (teardown->all, &holder);

      if (part == NULL)
        part = find_last_part (teardown->more, &holder);
      if (part == NULL && !first)
        break;
      if (part == NULL)
        {
          gtk_widget_destroy (teardown->window);
          return G_SOURCE_REMOVE;
        }
      g_object_ref (part);
      empty_lists (part, NULL);
      gtk_container_remove (holder, part);
      gtk_widget_destroy (part);
      g_object_unref (part);
    }

  return G_SOURCE_CONTINUE;
}

void
gilk_teardown_window (GtkWidget *window,
                      GtkWidget *all,
                      GtkWidget *more)
{
  Teardown *teardown = g_new (Teardown, 1);

  *teardown = (Teardown) { g_object_ref (window), g_object_ref (all), g_object_ref (more) };
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, destroy_some_parts, teardown, teardown_free);
}

void
gilk_teardown_allow_inside (GtkWidget *view)
{
  g_object_set_data (G_OBJECT (view), INSIDE, GINT_TO_POINTER (TRUE));
}
