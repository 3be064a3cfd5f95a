/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-dialog.h - file and folder choosers, answered asynchronously
 *
 * The calls return at once and run no nested main loop, so the caller finishes handling the key or
 * click that opened the dialog.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @word: the argument given to gilk_file_dialog_save(), NULL for the others */
typedef void (*GilkFileChosen) (gpointer object, const char *path, const char *word);

/*
 * These call @chosen with @object, a GObject that is referenced until then, unless the user
 * cancels. A dialog starts in the folder used last for the same purpose; before that, opening
 * starts in @folder (nullable), saving in the user's documents.
 */
void gilk_file_dialog_open (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);
void gilk_file_dialog_save (GtkWindow *parent, const char *title, const char *button, const char *name,
                            GilkFileChosen chosen, gpointer object, const char *word);
/* @folder: (nullable): preselected folder */
void gilk_file_dialog_folder (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);

/* Shows @dialog (transfer full), modal, in its own iteration of the main loop, and drops it in
   another one after the answer, because each takes GTK long. */
void gilk_file_dialog_show (GtkNativeDialog *dialog);

G_END_DECLS
