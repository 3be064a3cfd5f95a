/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-file-button.c - button with the name of the plan's file and a menu to save or revert it
 */
#include "gui/plan/gilk-plan-file-button.h"

#include <glib/gi18n.h>

#define NAME_CHARS 28

struct _GilkPlanFileButton {
  GtkMenuButton parent_instance;

  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (GilkPlanFileButton, gilk_plan_file_button, GTK_TYPE_MENU_BUTTON)

static void
show_name (GilkPlanFileButton *self,
           GilkPlanAutosave   *autosave)
{
  const char *file = gilk_plan_autosave_file (autosave);
  gboolean differs = gilk_plan_autosave_is_modified (autosave);
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *text = name != NULL ? g_strdup_printf (differs ? "%s ●" : "%s", name) : NULL;
  g_autofree char *tip = file == NULL ? NULL : differs ? g_strdup_printf (_("%s: changed since it was saved"), file)
                                                       : g_strdup_printf (_("%s: no unsaved changes"), file);

  gtk_label_set_text (self->label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self), file != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tip);
  if (tip != NULL)
    atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), tip);
}

void
gilk_plan_file_button_follow (GilkPlanFileButton *self,
                              GilkPlanAutosave   *autosave)
{
  g_signal_connect_object (autosave, "changed", G_CALLBACK (show_name), self, G_CONNECT_SWAPPED);
  show_name (self, autosave);
}

static void
gilk_plan_file_button_class_init (GilkPlanFileButtonClass *klass)
{
}

static void
gilk_plan_file_button_init (GilkPlanFileButton *self)
{
  g_autoptr(GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("_Save Plan"), "win.save-plan");
  g_menu_append (menu, _("Sa_ve Plan As…"), "win.save-plan-as");
  g_menu_append (menu, _("Revert to Saved _File"), "win.revert-plan");
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (self->label, NAME_CHARS);
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->label));
  gtk_button_set_relief (GTK_BUTTON (self), GTK_RELIEF_NONE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self), G_MENU_MODEL (menu));
  gtk_widget_set_no_show_all (GTK_WIDGET (self), TRUE);
}
