/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recent-files.h - recently opened or saved sessions and plans, most recent first
 *
 * Stored in the settings and shared by all windows. The desktop's own list is not updated, because
 * GTK writes it on the main thread and waits for the disk there. A missing file stays in the list,
 * marked as missing, until the user removes it.
 *
 * Threads: main thread, which never waits for a disk.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void gilk_recent_files_add    (GSettings *settings, const char *path);
void gilk_recent_files_remove (GSettings *settings, const char *path);
void gilk_recent_files_clear  (GSettings *settings);

typedef struct {
  char    *path, *name, *folder;       /* for display: "~/runs" */
  gboolean missing;
} GilkRecentFile;

/* @done: receives the files (element-type GilkRecentFile) unless @object is gone or a later call
 * for it was made */
typedef void (*GilkRecentFunc)  (gpointer object, const GPtrArray *files);
void   gilk_recent_files_check   (GSettings *settings, GObject *object, GilkRecentFunc done);

/* Fills @menu with a row for each file: "win.open-path" opens it; "win.forget-file"
 * removes a missing one. */
void   gilk_recent_files_fill_menu   (GMenu *menu, const GPtrArray *files);

G_END_DECLS
