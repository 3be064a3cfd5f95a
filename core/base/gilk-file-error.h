/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-error.h - why a file cannot be read, made or written, and what to do
 *
 * One text for whatever writes a file: the folder is missing, is no folder or is not the user's, the disk is full. One for
 * whatever reads one: it is missing, and a name like it is there, or it may not be read.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets @error (nullable): @path cannot be written. @why: errno of the attempt, 0 if it is not known. Returns FALSE. */
gboolean gilk_unwritable    (const char *path, int why, GError **error);
/* The same for an error of GLib, or of GIO. */
gboolean gilk_unwritable_by (const char *path, const GError *why, GError **error);
/* Is there a folder for @path, and is @path none itself? If not, sets @error like gilk_unwritable(). Touches nothing. */
gboolean gilk_check_writable (const char *path, GError **error);

/* Sets @error (nullable): @path cannot be read. @why: errno of the attempt, 0 if it is not known. Returns FALSE. */
gboolean gilk_unreadable    (const char *path, int why, GError **error);
/* The same for an error of GLib, or of GIO. */
gboolean gilk_unreadable_by (const char *path, const GError *why, GError **error);

G_END_DECLS
