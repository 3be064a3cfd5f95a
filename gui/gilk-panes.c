/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-panes.c - the panels beside the main view
 *
 * A window can be made no narrower than what it shows, so a panel has to go before the window is as narrow as
 * all of them side by side.
 */
#include "gui/gilk-panes.h"

#define NARROW 1100

typedef struct {
  GtkWindow *window;                    /* which owns this */
  GSettings *settings;
  gboolean   narrow, taken;             /* taken: the panel was on, and is off for want of room only */
  guint      source;
} Panes;

static int
room_of (GtkWindow *window)
{
  GdkWindow *surface = gtk_widget_get_window (GTK_WIDGET (window));
  GdkRectangle area;
  int width;

  gtk_window_get_size (window, &width, NULL);
  if (surface == NULL)
    return width;
  gdk_monitor_get_workarea (gdk_display_get_monitor_at_window (gdk_window_get_display (surface), surface), &area);

  return MIN (width, area.width);
}

static gboolean
fit (gpointer data)
{
  Panes *panes = data;
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (panes->window));
  gboolean narrow = room_of (panes->window) < NARROW;

  panes->source = 0;
  if (narrow == panes->narrow)
    return G_SOURCE_REMOVE;
  panes->narrow = narrow;
  if (narrow)
    {
      gtk_style_context_add_class (context, "narrow");
      panes->taken = g_settings_get_boolean (panes->settings, "inspector");
      g_settings_set_boolean (panes->settings, "inspector", FALSE);
    }
  else
    {
      gtk_style_context_remove_class (context, "narrow");
      if (panes->taken)
        g_settings_set_boolean (panes->settings, "inspector", TRUE);
      panes->taken = FALSE;
    }

  return G_SOURCE_REMOVE;
}

/* Widgets must not come and go while places are given out. */
static void
fit_soon (Panes *panes)
{
  if (panes->source == 0)
    panes->source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, panes, NULL);
}

/* The next window may have room. Told while this one is there, whose actions hear of it. */
static void
give_back (Panes *panes)
{
  if (panes->taken)
    g_settings_set_boolean (panes->settings, "inspector", TRUE);
  panes->taken = FALSE;
}

static void
panes_free (gpointer data)
{
  Panes *panes = data;

  g_clear_handle_id (&panes->source, g_source_remove);
  g_object_unref (panes->settings);
  g_free (panes);
}

void
gilk_panes_watch (GtkWindow *window,
                  GSettings *settings)
{
  Panes *panes = g_new0 (Panes, 1);

  panes->window = window;
  panes->settings = g_object_ref (settings);
  g_object_set_data_full (G_OBJECT (window), "gilk-panes", panes, panes_free);
  g_signal_connect_swapped (window, "size-allocate", G_CALLBACK (fit_soon), panes);
  g_signal_connect_swapped (window, "map", G_CALLBACK (fit_soon), panes);
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (give_back), panes);
}

static gboolean
has_focus (GtkWidget *pane,
           GtkWidget *focus)
{
  return focus != NULL && (focus == pane || gtk_widget_is_ancestor (focus, pane));
}

void
gilk_panes_next (GtkWindow        *window,
                 GtkWidget *const *panes,
                 guint             n_panes)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  guint at = n_panes - 1;

  for (guint i = 0; i < n_panes; i++)
    if (has_focus (panes[i], focus))
      at = i;
  for (guint i = 1; i <= n_panes; i++)
    {
      GtkWidget *pane = panes[(at + i) % n_panes];

      /* What has the focus already would move it on inside. */
      if (gtk_widget_get_mapped (pane) && !has_focus (pane, focus) &&
          (gtk_widget_get_can_focus (pane) ? (gtk_widget_grab_focus (pane), TRUE)
                                           : gtk_widget_child_focus (pane, GTK_DIR_TAB_FORWARD)))
        return;
    }
}

void
gilk_panes_let_shrink (GtkWidget *box)
{
  if (GTK_IS_CELL_LAYOUT (box))
    {
      g_autoptr(GList) cells = gtk_cell_layout_get_cells (GTK_CELL_LAYOUT (box));

      for (GList *l = cells; l != NULL; l = l->next)
        if (GTK_IS_CELL_RENDERER_TEXT (l->data))
          g_object_set (l->data, "ellipsize", PANGO_ELLIPSIZE_END, "width-chars", 6, NULL);
    }
  else
    gtk_label_set_ellipsize (GTK_LABEL (gtk_bin_get_child (GTK_BIN (box))), PANGO_ELLIPSIZE_END);
}
