/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-dialog.c - file and folder choosers, answered asynchronously
 */
#include "gui/base/gilk-files.h"

#include <glib/gi18n.h>

typedef struct {
  GilkFileChosen chosen;
  GObject       *object;
  char          *word;
} Request;

/* Folder used last for each GtkFileChooserAction, NULL: none yet. */
static char *folders[GTK_FILE_CHOOSER_ACTION_CREATE_FOLDER + 1];

static void
request_free (gpointer data,
              GClosure *closure)
{
  Request *request = data;

  g_object_unref (request->object);
  g_free (request->word);
  g_free (request);
}

static void
remember_folder (GtkFileChooser *chooser,
                 const char     *path)
{
  char **folder = &folders[gtk_file_chooser_get_action (chooser)];

  g_free (*folder);
  *folder = g_path_get_dirname (path);
}

static void
set_start_folder (GtkFileChooserNative *dialog,
                  const char           *folder)
{
  const char *last = folders[gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog))];
  const char *start = last != NULL ? last : folder;

  /* Set only an existing folder: GTK rejects every path that the user types while the dialog's
   * current folder does not exist. */
  if (start != NULL && g_file_test (start, G_FILE_TEST_IS_DIR))
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), start);
}

static void
on_response (GtkNativeDialog *dialog,
             int              response,
             gpointer         data)
{
  const Request *request = data;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autofree char *path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (dialog));

      /* @path is NULL for a remote file that is not mounted locally */
      if (path != NULL)
        {
          remember_folder (GTK_FILE_CHOOSER (dialog), path);
          request->chosen (request->object, path, request->word);
        }
    }
}

static gboolean
show_dialog (gpointer dialog)
{
  gtk_native_dialog_show (dialog);

  return G_SOURCE_REMOVE;
}

static gboolean
unref_dialog (gpointer dialog)
{
  g_object_unref (dialog);

  return G_SOURCE_REMOVE;
}

static void
unref_when_idle (GtkNativeDialog *dialog,
                 int              response,
                 gpointer         data)
{
  g_idle_add (unref_dialog, dialog);
}

void
gilk_file_dialog_show (GtkNativeDialog *dialog)
{
  gtk_native_dialog_set_modal (dialog, TRUE);
  g_signal_connect_after (dialog, "response", G_CALLBACK (unref_when_idle), NULL);
  /* Use the default priority, which input events have, too. At a higher priority, the dialog would
     open in the same iteration of the main loop. */
  g_idle_add_full (G_PRIORITY_DEFAULT, show_dialog, g_object_ref (dialog), g_object_unref);
}

static void
run_dialog (GtkFileChooserNative *dialog,
            GilkFileChosen        chosen,
            gpointer              object,
            const char           *word)
{
  Request *request = g_new (Request, 1);

  *request = (Request) { chosen, g_object_ref (object), g_strdup (word) };
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), request, request_free, 0);
  gilk_file_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
gilk_file_dialog_open (GtkWindow     *parent,
                       const char    *title,
                       const char    *folder,
                       GilkFileChosen chosen,
                       gpointer       object)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"),
                                                              _("_Cancel"));

  set_start_folder (dialog, folder);
  run_dialog (dialog, chosen, object, NULL);
}

void
gilk_file_dialog_save (GtkWindow     *parent,
                       const char    *title,
                       const char    *button,
                       const char    *name,
                       GilkFileChosen chosen,
                       gpointer       object,
                       const char    *word)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, button,
                                                              _("_Cancel"));
  const char *documents = g_get_user_special_dir (G_USER_DIRECTORY_DOCUMENTS);

  set_start_folder (dialog, documents != NULL ? documents : g_get_home_dir ());
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  run_dialog (dialog, chosen, object, word);
}

void
gilk_file_dialog_folder (GtkWindow     *parent,
                         const char    *title,
                         const char    *folder,
                         GilkFileChosen chosen,
                         gpointer       object)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                                              _("_Choose"), _("_Cancel"));

  if (folder != NULL)
    gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (dialog), folder);
  run_dialog (dialog, chosen, object, NULL);
}
