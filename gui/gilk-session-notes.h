/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-notes.h - notes of a session, written off the main thread
 */
#pragma once

#include <gio/gio.h>

#include "core/store/gilk-store-notes.h"

G_BEGIN_DECLS

/* Puts @note, copied, into the session at @path, or takes it out. */
void     gilk_session_note_async  (const char *path, const GilkStoredNote *note, gboolean remove, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
/* The notes of its run as they are then (transfer full) (element-type GilkStoredNote), and which one it was. NULL: nothing
 * was written. */
GArray  *gilk_session_note_finish (GAsyncResult *result, gint64 *id, GError **error);

G_END_DECLS
