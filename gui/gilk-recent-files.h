/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recent-files.h - sessions and plans that were opened or saved, the last first
 *
 * Kept in the settings, all windows have them in common. The desktop's own list is not told: GTK writes it on the main thread, and
 * waits for the disk there. One whose file is gone stays until it is taken out, and is told as such.
 *
 * Threads: the main one, which never waits for a disk.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void   gilk_recent_files_add    (GSettings *settings, const char *path);
void   gilk_recent_files_forget (GSettings *settings, const char *path);
void   gilk_recent_files_clear  (GSettings *settings);

typedef struct {
  char    *path, *name, *folder;       /* for people: "~/runs" */
  gboolean missing;
} GilkRecentFile;

/* @done: gets what there is, (element-type GilkRecentFile), while @object is there; not after a later call for it. */
typedef void (*GilkRecentFunc)  (gpointer object, const GPtrArray *files);
void   gilk_recent_files_look   (GSettings *settings, GObject *object, GilkRecentFunc done);

/* Fills @menu: a row for each, which opens it by "win.open-path", or takes it out by "win.forget-file" if it is gone. */
void   gilk_recent_files_fill   (GMenu *menu, const GPtrArray *files);

G_END_DECLS
