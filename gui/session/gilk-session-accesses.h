/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-accesses.h - reads the accesses seen by a watchpoint off the main thread
 */
#pragma once

#include "core/samples/gilk-store-accesses.h"

G_BEGIN_DECLS

/* @hook: copied. Result: (element-type GilkAccessor), those with most accesses first */
void    gilk_session_accesses_async  (const char *path, const GilkStoredHook *hook, GCancellable *cancellable,
                                      GAsyncReadyCallback callback, gpointer user_data);
GArray *gilk_session_accesses_finish (GAsyncResult *result, GError **error);

G_END_DECLS
