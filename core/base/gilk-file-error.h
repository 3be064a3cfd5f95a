/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-error.h - error messages for files that cannot be read or written, with the remedy
 *
 * All writers share the messages for a directory that is missing, not a directory or not writable,
 * and for a full disk; all readers those for a missing file, with a similar name as a suggestion,
 * and for missing permission.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets @error (nullable): @path cannot be written. @why: errno of the attempt, 0 if unknown.
 * Returns FALSE. */
gboolean gilk_unwritable    (const char *path, int why, GError **error);
/* Works like gilk_unwritable() for an error of GLib or GIO. */
gboolean gilk_unwritable_by (const char *path, const GError *why, GError **error);
/* Returns whether @path has a parent directory and is not a directory itself; else sets @error like
 * gilk_unwritable(). Does not change the file system. */
gboolean gilk_check_writable (const char *path, GError **error);

/* Sets @error (nullable): @path cannot be read. @why: errno of the attempt, 0 if unknown. Returns
 * FALSE. */
gboolean gilk_unreadable    (const char *path, int why, GError **error);
/* Works like gilk_unreadable() for an error of GLib or GIO. */
gboolean gilk_unreadable_by (const char *path, const GError *why, GError **error);

G_END_DECLS
