/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-samples.h - reads samples of a hook as a table off the main thread
 */
#pragma once

#include <gio/gio.h>

#include "core/samples/gilk-rows.h"

G_BEGIN_DECLS

/* @from, @to: seconds of the run; NaN: all. @limit: maximum number of rows. All
 * arguments are copied. */
void             gilk_session_samples_async  (const char *path, const GilkStoredHook *hook, double from, double to,
                                              const char *const *conditions, guint limit, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
GilkRowsTable *gilk_session_samples_finish (GAsyncResult *result, GError **error);

G_END_DECLS
