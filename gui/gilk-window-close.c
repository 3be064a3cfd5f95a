/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-close.c - a window goes: what it has is saved and let go at once, its widgets in steps
 *
 * A screen reader is told of each widget that goes, which takes long for all of them: other windows are not held up.
 */
#include "gui/gilk-window-private.h"

#include <glib/gi18n.h>

#define APART_MS 10

static gboolean
may_close (GilkWindow *self)
{
  if (gilk_recorder_state (self->recorder) == GILK_RECORDER_IDLE)
    return TRUE;

  /* Close once the kernel is put back and the file is whole. */
  self->closing = TRUE;
  gilk_recorder_stop (self->recorder);
  gilk_window_message (self, GTK_MESSAGE_INFO,
                       _("Stopping the run and putting the kernel back; the window closes after that."), NULL, NULL);

  return FALSE;
}

/* A popover that goes with its window gives the focus back to what is gone already. */
static void
close_popover (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  GtkWidget *popover = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;

  if (popover != NULL)
    gtk_widget_hide (popover);
}

static gboolean
is_layout (GtkWidget *widget)
{
  return GTK_IS_STACK (widget) || GTK_IS_PANED (widget) || GTK_IS_BOX (widget) || GTK_IS_SCROLLED_WINDOW (widget) ||
         GTK_IS_OVERLAY (widget) || GTK_IS_VIEWPORT (widget) || GTK_IS_GRID (widget);
}

/* A view of ours is one part, whatever holds it together; that of results, the largest, has been let go of. */
static gboolean
is_view (GtkWidget *widget)
{
  return g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Gilk") && !GILK_IS_RESULTS_VIEW (widget);
}

/* @widget's last part that is not there to hold others only. */
static GtkWidget *
last_part (GtkWidget *widget)
{
  while (is_layout (widget) && !is_view (widget))
    {
      g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (widget));

      if (children == NULL)
        break;
      widget = g_list_last (children)->data;
    }

  return widget;
}

/* GTK tells of each row of a list for each column that goes, 60,000 functions times two. */
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

/* Some parts at a time, and the window at last. */
static gboolean
take_apart (gpointer data)
{
  GilkWindow *self = data;
  GtkWidget *all = GTK_WIDGET (self->mode_stack);
  gint64 end = g_get_monotonic_time () + APART_MS * 1000;

  while (g_get_monotonic_time () < end)
    {
      GtkWidget *part = last_part (all);

      if (part == all)
        {
          gtk_widget_destroy (GTK_WIDGET (self));
          return G_SOURCE_REMOVE;
        }
      empty_lists (part, NULL);
      gtk_widget_destroy (part);
    }

  return G_SOURCE_CONTINUE;
}

/* A widget that is taken apart, an entry that has lost its text for one, tells neither the window nor its settings of that. */
static void
loosen (GtkWidget *widget, gpointer self)
{
  static const char *const kept[] = { "text", "visible", "position" };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    g_settings_unbind (widget, kept[i]);
  g_signal_handlers_disconnect_by_data (widget, self);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), loosen, self);
}

void
gilk_window_leave (GilkWindow *self)
{
  if (self->leaving)
    return;

  self->leaving = TRUE;
  close_popover (GTK_WINDOW (self));
  gtk_widget_hide (GTK_WIDGET (self));
  loosen (GTK_WIDGET (self->mode_stack), self);
  loosen (GTK_WIDGET (self->results), self->results);
  gilk_results_view_let_go (self->results);
  gilk_window_let_go (self);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, take_apart, g_object_ref (self), g_object_unref);
}

gboolean
gilk_window_delete_event (GtkWidget   *widget,
                          GdkEventAny *event)
{
  GilkWindow *self = GILK_WINDOW (widget);

  if (!self->leaving && may_close (self))
    gilk_window_leave (self);

  return GDK_EVENT_STOP;
}
