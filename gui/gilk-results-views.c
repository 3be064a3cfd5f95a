/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-views.c - a button for each view of the hook chosen; and what is chosen by name
 *
 * The box of kinds, which is not seen, holds the choice; buttons follow it and change it.
 */
#include "gui/gilk-results-lists.h"
#include "gui/gilk-results-private.h"

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

static void
pressed (GtkToggleButton *button,
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
  g_signal_connect_object (button, "toggled", G_CALLBACK (pressed), self, 0);
  gtk_box_pack_start (self->views, button, FALSE, FALSE, 0);
  gtk_widget_show (button);

  return button;
}

/* Are they those that there are already? Who presses one must not lose it. */
static gboolean
fits (GilkResultsView *self,
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
add_all (GilkResultsView *self,
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

void
gilk_results_fill_views (GilkResultsView *self)
{
  GtkTreeModel *kinds = gtk_combo_box_get_model (GTK_COMBO_BOX (self->kind));
  const char *chosen = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->kind));
  g_autoptr(GList) buttons = NULL;
  gboolean filling = self->filling;

  self->filling = TRUE;
  if (!fits (self, kinds))
    add_all (self, kinds);
  buttons = gtk_container_get_children (GTK_CONTAINER (self->views));
  for (GList *link = buttons; link != NULL; link = link->next)
    if (g_strcmp0 (chosen, g_object_get_data (link->data, "kind")) == 0)
      gtk_toggle_button_set_active (link->data, TRUE);
  self->filling = filling;
}

void
gilk_results_view_show (GilkResultsView *self,
                        const char      *name)
{
  int function = gilk_results_row_named (self->functions, name);
  int hook = gilk_results_row_named (self->hooks, name);

  if (function >= 0)
    gilk_results_choose (self->functions, function);
  else if (hook >= 0)
    gilk_results_choose (self->hooks, hook);
}
