/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-files.h - choosing, opening and writing files
 */
#pragma once

#include <gtk/gtk.h>

/*
 * File and folder choosers, answered asynchronously
 *
 * The calls return at once and run no nested main loop, so the caller finishes handling the key or
 * click that opened the dialog.
 */

/* Receives the chosen path. @word: the argument of gilk_file_dialog_save(); NULL for other
 * dialogs. */
typedef void (*GilkFileChosen) (gpointer object, const char *path, const char *word);

/*
 * These functions show a dialog to open or save a file. They hold a reference to @object, a
 * GObject, until they have passed it to @chosen. If the user cancels, @chosen is not called. A
 * dialog starts in the folder used last for the same purpose. If there is none, a dialog to open a
 * file starts in @folder (nullable), one to save a file in the user's documents folder.
 */
void gilk_file_dialog_open (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);
void gilk_file_dialog_save (GtkWindow *parent, const char *title, const char *button, const char *name,
                            GilkFileChosen chosen, gpointer object, const char *word);
/* Lets the user choose a folder. @folder: (nullable): folder that is preselected */
void gilk_file_dialog_folder (GtkWindow *parent, const char *title, const char *folder, GilkFileChosen chosen, gpointer object);

/* Shows @dialog (transfer full) as a modal dialog, and releases it after the user has answered.
 * Each step runs in a main loop iteration of its own, because GTK takes long to show and to release
 * a dialog. */
void gilk_file_dialog_show (GtkNativeDialog *dialog);

/*
 * Progress bar for a file being written
 *
 * Appears only if writing takes noticeably long. Shows the progress and a button to cancel.
 */

#define GILK_TYPE_FILE_NOTICE (gilk_file_notice_get_type ())
G_DECLARE_FINAL_TYPE (GilkFileNotice, gilk_file_notice, GILK, FILE_NOTICE, GtkInfoBar)

/* Adds a progress bar above the other children of @box. @cancellable: (nullable): cancels the
   writer. (transfer none) */
GilkFileNotice *gilk_file_notice_add   (GtkBox *box, const char *path, GCancellable *cancellable);
/* Returns a pointer to the writer's progress in thousandths (-1: unknown). Access it atomically. It
 * is valid until gilk_file_notice_end(). */
int            *gilk_file_notice_permille (GilkFileNotice *self);
const char     *gilk_file_notice_path     (GilkFileNotice *self);
/* Removes the bar. The caller reports whether the file was written. */
void            gilk_file_notice_end      (GilkFileNotice *self);

/*
 * Recently opened or saved sessions and plans, most recent first
 *
 * Stored in the settings and shared by all windows. The desktop's own list of recent files is not
 * updated: GTK would write it on the main thread, which would wait for the disk. A missing file
 * stays in the list, marked as missing, until the user removes it.
 *
 * Threads: only the main thread; disks are accessed in worker threads.
 */

void gilk_recent_files_add    (GSettings *settings, const char *path);
void gilk_recent_files_remove (GSettings *settings, const char *path);
void gilk_recent_files_clear  (GSettings *settings);

typedef struct {
  char    *path, *name, *folder;       /* @folder: for display, such as "~/runs" */
  gboolean missing;
} GilkRecentFile;

/* Receives the files (element-type GilkRecentFile). Not called if @object was destroyed, or if
 * gilk_recent_files_check() was called again for @object. */
typedef void (*GilkRecentFunc)  (gpointer object, const GPtrArray *files);
void   gilk_recent_files_check   (GSettings *settings, GObject *object, GilkRecentFunc done);

/* Fills @menu with a row for each file: "win.open-path" opens it; "win.forget-file"
 * removes a missing one. */
void   gilk_recent_files_fill_menu   (GMenu *menu, const GPtrArray *files);
