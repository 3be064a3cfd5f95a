/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-views.c - one button per view of the selected hook; selection by name
 *
 * A hidden combo box of kinds holds the choice; the buttons follow and change it. If they do not
 * fit, they scroll, and a menu beside them lists all.
 */
#include "gui/results/gilk-results-lists.h"
#include "gui/results/gilk-results-private.h"

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

static void
button_toggled (GtkToggleButton *button,
                GilkResultsView *self)
{
  if (gtk_toggle_button_get_active (button) && !self->filling)
    gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->kind), g_object_get_data (G_OBJECT (button), "kind"));
}

static GtkWidget *
add_button (GilkResultsView *self,
            GtkWidget       *group,
            const char      *id,
            const char      *name)
{
  GtkWidget *button = gtk_radio_button_new_with_label_from_widget (GTK_RADIO_BUTTON (group), name);

  gtk_toggle_button_set_mode (GTK_TOGGLE_BUTTON (button), FALSE);
  g_object_set_data_full (G_OBJECT (button), "kind", g_strdup (id), g_free);
  g_signal_connect_object (button, "toggled", G_CALLBACK (button_toggled), self, 0);
  gtk_box_pack_start (self->views, button, FALSE, FALSE, 0);
  gtk_widget_show (button);

  return button;
}

/* Returns whether the buttons match the kinds already. Rebuilding would destroy a button
 * while it is pressed. */
static gboolean
matches_kinds (GilkResultsView *self,
               GtkTreeModel    *kinds)
{
  g_autoptr(GList) buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  GtkTreeIter iter;
  gboolean more = gtk_tree_model_get_iter_first (kinds, &iter);

  for (GList *link = buttons; link != NULL; link = link->next)
    {
      g_autofree char *id = NULL;

      if (!more)
        return FALSE;
      gtk_tree_model_get (kinds, &iter, 1, &id, -1);
      if (g_strcmp0 (id, g_object_get_data (link->data, "kind")) != 0)
        return FALSE;
      more = gtk_tree_model_iter_next (kinds, &iter);
    }

  return !more && buttons != NULL;
}

static void
add_all_buttons (GilkResultsView *self,
                 GtkTreeModel    *kinds)
{
  GtkWidget *group = NULL;
  GtkTreeIter iter;

  gtk_container_foreach (GTK_CONTAINER (self->views), destroy_child, NULL);
  for (gboolean more = gtk_tree_model_get_iter_first (kinds, &iter); more; more = gtk_tree_model_iter_next (kinds, &iter))
    {
      g_autofree char *name = NULL, *id = NULL;

      gtk_tree_model_get (kinds, &iter, 0, &name, 1, &id, -1);
      group = add_button (self, group, id, name);
    }
}

/* ---- menu of all views ---- */

static void
item_toggled (GtkCheckMenuItem *item,
              GilkResultsView  *self)
{
  if (gtk_check_menu_item_get_active (item) && !self->filling)
    gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->kind), g_object_get_data (G_OBJECT (item), "kind"));
}

/* Rebuilds the menu each time before it opens. */
static void
fill_menu (GilkResultsView *self)
{
  GtkTreeModel *kinds = gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind));
  const char *chosen = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->kind));
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popup (self->views_more));
  GSList *group = NULL;
  GtkTreeIter iter;

  gtk_container_foreach (GTK_CONTAINER (menu), destroy_child, NULL);
  for (gboolean more = gtk_tree_model_get_iter_first (kinds, &iter); more; more = gtk_tree_model_iter_next (kinds, &iter))
    {
      g_autofree char *name = NULL, *id = NULL;
      GtkWidget *item;

      gtk_tree_model_get (kinds, &iter, 0, &name, 1, &id, -1);
      item = gtk_radio_menu_item_new_with_label (group, name);
      group = gtk_radio_menu_item_get_group (GTK_RADIO_MENU_ITEM (item));
      gtk_check_menu_item_set_active (GTK_CHECK_MENU_ITEM (item), g_strcmp0 (id, chosen) == 0);
      g_object_set_data_full (G_OBJECT (item), "kind", g_steal_pointer (&id), g_free);
      g_signal_connect_object (item, "toggled", G_CALLBACK (item_toggled), self, 0);
      gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
      gtk_widget_show (item);
    }
}

static gboolean
update_more_button (gpointer user_data)
{
  GilkResultsView *self = user_data;
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->views_scroll);

  gtk_widget_set_visible (GTK_WIDGET (self->views_more),
                          gtk_adjustment_get_upper (across) > gtk_adjustment_get_page_size (across));

  return G_SOURCE_REMOVE;
}

/* Widgets must not be shown or hidden inside size-allocate. */
static void
room_changed (GilkResultsView *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_more_button, g_object_ref (self), g_object_unref);
}

void
gilk_results_set_up_views (GilkResultsView *self)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->views_scroll);

  gtk_container_set_focus_hadjustment (GTK_CONTAINER (gtk_widget_get_parent (GTK_WIDGET (self->views))), across);
  gtk_menu_button_set_popup (self->views_more, gtk_menu_new ());
  g_signal_connect_object (gtk_menu_button_get_popup (self->views_more), "show", G_CALLBACK (fill_menu), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (across, "changed", G_CALLBACK (room_changed), self, G_CONNECT_SWAPPED);
}

/* Scrolls to the chosen button, which may have been chosen elsewhere. */
static void
scroll_to_button (GilkResultsView *self,
                  GtkWidget       *button)
{
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->views_scroll);
  GtkAllocation at;

  gtk_widget_get_allocation (button, &at);
  if (at.width > 1)
    gtk_adjustment_clamp_page (across, at.x, at.x + at.width);
}

void
gilk_results_fill_views (GilkResultsView *self)
{
  GtkTreeModel *kinds = gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind));
  const char *chosen = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->kind));
  g_autoptr(GList) buttons = NULL;
  gboolean filling = self->filling;

  self->filling = TRUE;
  if (!matches_kinds (self, kinds))
    add_all_buttons (self, kinds);
  buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  for (GList *link = buttons; link != NULL; link = link->next)
    if (g_strcmp0 (chosen, g_object_get_data (link->data, "kind")) == 0)
      {
        gtk_toggle_button_set_active (link->data, TRUE);
        scroll_to_button (self, link->data);
      }
  self->filling = filling;
}

void
gilk_results_view_select_name (GilkResultsView *self,
                               const char      *name)
{
  int function = gilk_results_find_row (self->functions, name);
  int hook = gilk_results_find_row (self->hooks, name);

  if (function >= 0)
    gilk_results_select_row (self->functions, function);
  else if (hook >= 0)
    gilk_results_select_row (self->hooks, hook);
}
