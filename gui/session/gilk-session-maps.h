/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-maps.h - plots maps of a hook's program off the main thread
 */
#pragma once

#include "gui/session/gilk-session-data.h"

G_BEGIN_DECLS

/**
 * gilk_session_map_async:
 * @log_x: logarithmic x axis of a histogram
 * @log_y: logarithmic y axis of a histogram
 *
 * @hook and @name are copied. Result: the figure of a histogram, or bars of a map's keys or of a
 * counter's CPUs, or a message if there is nothing to draw.
 */
void          gilk_session_map_async  (GilkSession *session, const GilkStoredHook *hook, const char *name,
                                       gboolean log_x, gboolean log_y, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data);
GilkPlotData *gilk_session_map_finish (GAsyncResult *result, GError **error);

/* Returns the map of @hook's program with this name. (nullable) */
const GilkStoredMapDecl *gilk_session_find_map (const GilkSessionRun *run, const GilkStoredHook *hook, const char *name);

G_END_DECLS
