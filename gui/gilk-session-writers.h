/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-writers.h - who made the accesses that a watch of a session saw, read off the main thread
 */
#pragma once

#include "core/store/gilk-store-writers.h"

G_BEGIN_DECLS

/* @hook is copied. Result: (element-type GilkWriter), those with most first */
void    gilk_session_writers_async  (const char *path, const GilkStoredHook *hook, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer user_data);
GArray *gilk_session_writers_finish (GAsyncResult *result, GError **error);

G_END_DECLS
