/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-notes.h - writes notes of a session off the main thread
 */
#pragma once

#include <gio/gio.h>

#include "core/store/gilk-store-notes.h"

G_BEGIN_DECLS

/* Writes @note, which is copied, to the session at @path, or removes it. */
void    gilk_session_note_async  (const char *path, const GilkStoredNote *note, gboolean remove, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);
/* Returns the notes of the run after the change, and the id of the changed one. (transfer full)
 * (element-type GilkStoredNote). NULL: nothing was written. */
GArray *gilk_session_note_finish (GAsyncResult *result, gint64 *id, GError **error);

G_END_DECLS
