/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selection-bar.c - number of selected blocks and the actions on them
 */
#include "gui/graph/gilk-graph-selection.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-panes.h"
#include "gui/graph/gilk-graph-menu.h"

struct _GilkSelectionBar {
  GtkBox         parent_instance;

  GilkGraphView *view;           /* a sibling widget; not owned */
  GtkWidget     *selection_box;  /* the part shown only while blocks are selected */
  GtkLabel      *label;
};

G_DEFINE_FINAL_TYPE (GilkSelectionBar, gilk_selection_bar, GTK_TYPE_BOX)

GMenuModel *
gilk_selection_bar_menu (void)
{
  return gilk_graph_menu_load ("choose");
}

GMenuModel *
gilk_selection_bar_canvas_menu (void)
{
  GMenuModel *menu = gilk_graph_menu_load ("canvas");
  g_autoptr(GMenuModel) choose = gilk_selection_bar_menu ();
  g_autoptr(GMenuModel) fold = gilk_graph_menu_load ("fold"), dim = gilk_graph_menu_load ("dim");

  g_menu_append_submenu (G_MENU (menu), _("_Select Blocks"), choose);
  g_menu_append_submenu (G_MENU (menu), _("F_old"), fold);
  g_menu_append_submenu (G_MENU (menu), _("_Dim"), dim);

  return menu;
}

static void
show_count (GilkSelectionBar *self)
{
  guint n = gilk_graph_selection_count (self->view);
  g_autofree char *text = g_strdup_printf (g_dngettext (NULL, "%u block selected", "%u blocks selected", n), n);

  gtk_label_set_text (self->label, text);
  gtk_widget_set_visible (self->selection_box, n > 0);
}

static GtkWidget *
add_button (GtkWidget  *box,
            const char *icon,
            const char *label,
            const char *tip,
            const char *action)
{
  GtkWidget *button = label != NULL ? gtk_button_new_with_mnemonic (label)
                                    : gtk_button_new_from_icon_name (icon, GTK_ICON_SIZE_MENU);

  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  if (label == NULL)
    {
      atk_object_set_name (gtk_widget_get_accessible (button), tip);
      gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
    }
  gtk_widget_show (button);
  gtk_container_add (GTK_CONTAINER (box), button);

  return button;
}

/* Gives @button an icon, the label @word, the accessible name @name and the tooltip @tip. */
static void
add_labelled (GilkSelectionBar *self,
              GtkWindow        *window,
              GtkWidget        *button,
              const char       *icon,
              const char       *word,
              const char       *name,
              const char       *tip)
{
  gilk_panes_set_icon_and_label (window, button, icon, word);
  gtk_widget_set_tooltip_text (button, tip);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  gtk_widget_show (button);
  gtk_container_add (GTK_CONTAINER (self), button);
}

static void
add_labelled_buttons (GilkSelectionBar *self,
                      GtkWindow        *window)
{
  GtkWidget *find = gtk_button_new (), *choose = gtk_menu_button_new (), *listing = gtk_toggle_button_new ();
  g_autoptr(GMenuModel) menu = gilk_selection_bar_menu ();

  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (find), "win.find-in-function");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (choose), menu);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (listing), "win.listing");
  add_labelled (self, window, find, "edit-find-symbolic", _("Find"), _("Find in this function (Ctrl+F)"),
                _("Find in this function (Ctrl+F)"));
  add_labelled (self, window, choose, "edit-select-all-symbolic", _("Select"), _("Select blocks"),
                _("Select several blocks: by rule, by Shift+click, or by Shift+drag"));
  add_labelled (self, window, listing, "view-list-symbolic", _("Listing"), _("Show the listing"), _("Listing (Space)"));
}

GtkWidget *
gilk_selection_bar_new (GilkGraphView *view,
                        GtkWindow     *window)
{
  GilkSelectionBar *self = g_object_new (GILK_TYPE_SELECTION_BAR, "visible", TRUE, "spacing", 6, NULL);

  self->view = view;
  add_labelled_buttons (self, window);
  g_signal_connect_object (view, "chosen", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  show_count (self);

  return GTK_WIDGET (self);
}

static void
gilk_selection_bar_class_init (GilkSelectionBarClass *klass)
{
}

static void
gilk_selection_bar_init (GilkSelectionBar *self)
{
  self->selection_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self->selection_box), GTK_WIDGET (self->label));
  add_button (self->selection_box, NULL, _("_Plan hooks"), _("Plan a hook at each selected block, with the inspector's instrument "
                                                             "(Ctrl+B)"),
              "win.plan-chosen");
  add_button (self->selection_box, NULL, _("_Remove"), _("Remove the hooks of the selected blocks from the plan (Ctrl+Shift+B)"),
              "win.unplan-chosen");
  add_button (self->selection_box, "window-close-symbolic", NULL, _("Clear the selection (Escape)"), "win.choose::none");
  gtk_container_add (GTK_CONTAINER (self), self->selection_box);
}
