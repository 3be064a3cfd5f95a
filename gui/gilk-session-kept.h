/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-kept.h - what a hook's program kept, as a plot made off the main thread
 */
#pragma once

#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

/**
 * gilk_session_kept_async:
 * @log_x, @log_y: axes of a histogram
 * @hook, @name are copied. Result: a figure of a histogram; bars of a map's keys, or of the processors of a counter;
 * with a message where there is nothing to draw.
 */
void          gilk_session_kept_async  (GilkSession *session, const GilkStoredHook *hook, const char *name,
                                        gboolean log_x, gboolean log_y, GCancellable *cancellable,
                                        GAsyncReadyCallback callback, gpointer user_data);
GilkPlotData *gilk_session_kept_finish (GAsyncResult *result, GError **error);

/* What @hook keeps by that name. (nullable) */
const GilkStoredKeep *gilk_session_keep (const GilkSessionRun *run, const GilkStoredHook *hook, const char *name);

G_END_DECLS
