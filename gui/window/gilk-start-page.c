/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-start-page.c - start page: connect a target, open an example or a recent file
 */
#include "gui/window/gilk-function-view.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-files.h"

#define FILES_SHOWN 4

struct _GilkStartPage {
  GtkScrolledWindow parent_instance;

  GSettings *settings;
  GMenu     *menu;                       /* menu that lists the recent files, too */
  GtkButton *resume_button, *lab_button;
  GtkWidget *files_title, *files;
};

G_DEFINE_FINAL_TYPE (GilkStartPage, gilk_start_page, GTK_TYPE_SCROLLED_WINDOW)

static void
add_row (GtkBox               *list,
         const GilkRecentFile *file)
{
  GtkWidget *button = gtk_button_new ();
  g_autofree char *text = file->missing ? g_strdup_printf (_("%s – missing, remove from list"), file->name)
                                        : g_strdup_printf ("%s – %s", file->name, file->folder);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
  gtk_widget_set_tooltip_text (button, file->path);
  atk_object_set_name (gtk_widget_get_accessible (button), text);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_container_add (GTK_CONTAINER (button), label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), file->missing ? "win.forget-file" : "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", file->path);
  gtk_box_pack_start (list, button, FALSE, FALSE, 0);
}

static void
remove_row (GtkWidget *row,
            gpointer   user_data)
{
  gtk_widget_destroy (row);
}

static void
show_files (gpointer         object,
            const GPtrArray *files)
{
  GilkStartPage *self = object;

  if (gtk_widget_in_destruction (GTK_WIDGET (self)) || self->files == NULL)
    return;
  gilk_recent_files_fill_menu (self->menu, files);
  gtk_container_foreach (GTK_CONTAINER (self->files), remove_row, NULL);
  for (guint i = 0; i < MIN (files->len, FILES_SHOWN); i++)
    add_row (GTK_BOX (self->files), files->pdata[i]);
  gtk_widget_show_all (self->files);
  gtk_widget_set_visible (self->files_title, files->len > 0);
}

void
gilk_start_page_check_files (GilkStartPage *self)
{
  gilk_recent_files_check (self->settings, G_OBJECT (self), show_files);
}

void
gilk_start_page_offer_resume (GilkStartPage *self,
                              const char    *target,
                              const char    *function)
{
  g_autofree char *text = function[0] != '\0' ? g_strdup_printf (_("Continue with %s, %s"), target, function)
                                              : g_strdup_printf (_("Continue with %s"), target);

  gtk_button_set_label (self->resume_button, text);
  gtk_widget_show (GTK_WIDGET (self->resume_button));
  gtk_style_context_remove_class (gtk_widget_get_style_context (GTK_WIDGET (self->lab_button)), "suggested-action");
}

void
gilk_start_page_focus (GilkStartPage *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->resume_button)))
    gtk_widget_grab_focus (GTK_WIDGET (self->resume_button));
  else if (gtk_widget_get_mapped (GTK_WIDGET (self->lab_button)))
    gtk_widget_grab_focus (GTK_WIDGET (self->lab_button));
}

void
gilk_start_page_set_settings (GilkStartPage *self,
                              GSettings     *settings,
                              GMenu         *menu)
{
  self->settings = g_object_ref (settings);
  self->menu = g_object_ref (menu);
  g_signal_connect_object (settings, "changed::recent-files", G_CALLBACK (gilk_start_page_check_files), self, G_CONNECT_SWAPPED);
  gilk_start_page_check_files (self);
}

static void
gilk_start_page_dispose (GObject *object)
{
  GilkStartPage *self = GILK_START_PAGE (object);

  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->settings);
  g_clear_object (&self->menu);
  G_OBJECT_CLASS (gilk_start_page_parent_class)->dispose (object);
}

static void
gilk_start_page_class_init (GilkStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_start_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/start-page.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkStartPage, name)
  BIND (resume_button);
  BIND (lab_button);
  BIND (files_title);
  BIND (files);
#undef BIND
}

static void
gilk_start_page_init (GilkStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
