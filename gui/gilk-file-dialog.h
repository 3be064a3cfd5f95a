/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-dialog.h - asks for the name of a file or a folder, and goes on when it is there
 *
 * No main loop runs inside the caller meanwhile: what the dialog's last key still means to it, it gets.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @word: as it was given to gilk_file_dialog_save(). */
typedef void (*GilkFileChosen) (gpointer object, const char *path, const char *word);

/*
 * @chosen is called with @object, a GObject that is kept meanwhile, unless the user cancels. A dialog starts in the
 * folder that was last used for the same purpose; the first one to open in @folder (nullable), the first one to save in the
 * user's documents.
 */
void gilk_file_dialog_open (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);
void gilk_file_dialog_save (GtkWindow *parent, const char *title, const char *button, const char *name,
                            GilkFileChosen chosen, gpointer object, const char *word);
/* @folder: (nullable): chosen at first */
void gilk_file_dialog_folder (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);

/* Shows @dialog (transfer full), modal, in a turn of its own, and drops it in another when it was answered: for GTK each
 * takes long. */
void gilk_file_dialog_show (GtkNativeDialog *dialog);

G_END_DECLS
