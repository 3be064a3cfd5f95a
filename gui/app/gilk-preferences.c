/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preferences.c - preferences window; changes take effect immediately
 */
#include "gui/app/gilk-app.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-files.h"
#include "gui/base/gilk-settings.h"

typedef struct { const char *id, *label; } Choice;

static GtkWidget *
add_row (GtkGrid    *grid,
         int         row,
         const char *text,
         GtkWidget  *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "dim-label");
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, widget, 1, row, 1, 1);

  return widget;
}

static GtkWidget *
combo_new (GSettings    *settings,
           const char   *key,
           const Choice *choices,
           guint         n)
{
  GtkWidget *combo = gtk_combo_box_text_new ();

  for (guint i = 0; i < n; i++)
    gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (combo), choices[i].id, _(choices[i].label));
  g_settings_bind (settings, key, combo, "active-id", G_SETTINGS_BIND_DEFAULT);

  return combo;
}

static GtkWidget *
check_new (GSettings  *settings,
           const char *key,
           const char *text)
{
  GtkWidget *check = gtk_check_button_new_with_mnemonic (text);

  g_settings_bind (settings, key, check, "active", G_SETTINGS_BIND_DEFAULT);

  return check;
}

static void
folder_chosen (gpointer    object,
               const char *path,
               const char *word)
{
  g_settings_set_string (object, "session-folder", path);
}

static void
choose_folder (GtkWidget *button,
               GSettings *settings)
{
  g_autofree char *folder = gilk_settings_session_folder (settings, NULL);

  gilk_file_dialog_folder (GTK_WINDOW (gtk_widget_get_toplevel (button)), _("Session folder"), folder, folder_chosen,
                           settings);
}

static void
show_folder (GSettings  *settings,
             const char *key,
             GtkLabel   *label)
{
  g_autofree char *folder = gilk_settings_session_folder (settings, NULL);
  g_autofree char *name = folder != NULL ? g_filename_display_name (folder) : g_strdup (_("none"));

  gtk_label_set_text (label, name);
}

/* Returns a button that chooses the folder of sessions. Does not use GtkFileChooserButton, because
 * it would create a whole dialog even if the dialog is never opened. */
static GtkWidget *
folder_new (GSettings *settings)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_pack_start (GTK_BOX (box), gtk_image_new_from_icon_name ("folder-symbolic", GTK_ICON_SIZE_BUTTON), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), label, TRUE, TRUE, 0);
  gtk_container_add (GTK_CONTAINER (button), box);
  show_folder (settings, NULL, GTK_LABEL (label));
  g_signal_connect_object (settings, "changed::session-folder", G_CALLBACK (show_folder), label, 0);
  g_signal_connect_object (button, "clicked", G_CALLBACK (choose_folder), settings, 0);

  return button;
}

void
gilk_preferences_show (GtkWindow *parent,
                       GSettings *settings)
{
  static const Choice colours[] = {
    { "system", N_("Same as desktop") }, { "light", N_("Light") }, { "dark", N_("Dark") },
  };
  static const Choice starts[] = {
    { "offer", N_("Offer the last target and function") },
    { "connect", N_("Connect to the last target") },
    { "nothing", N_("Start empty") },
  };
  GtkWidget *dialog = gtk_dialog_new_with_buttons (_("Preferences"), parent,
                                                   GTK_DIALOG_DESTROY_WITH_PARENT | GTK_DIALOG_USE_HEADER_BAR, NULL, NULL);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());
  int row = 0;

  gtk_grid_set_row_spacing (grid, 10);
  gtk_grid_set_column_spacing (grid, 12);
  g_object_set (grid, "margin", 18, NULL);
  add_row (grid, row++, _("_Colours"), combo_new (settings, "colour-scheme", colours, G_N_ELEMENTS (colours)));
  add_row (grid, row++, _("On _startup"), combo_new (settings, "at-start", starts, G_N_ELEMENTS (starts)));
  add_row (grid, row++, _("Session _folder"), folder_new (settings));
  gtk_grid_attach (grid, check_new (settings, "log-heat", _("_Logarithmic heat")), 1, row++, 1, 1);
  gtk_grid_attach (grid, check_new (settings, "minimap", _("Graph _minimap")), 1, row++, 1, 1);
  gtk_container_add (GTK_CONTAINER (gtk_dialog_get_content_area (GTK_DIALOG (dialog))), GTK_WIDGET (grid));
  gtk_window_set_default_size (GTK_WINDOW (dialog), 460, -1);
  gtk_widget_show_all (dialog);
}
