/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-view.h - accesses to a variable: a list of blocks, and the selected one in its graph
 *
 * Works on the session alone. Signals: "chosen" (pointer: a GilkWriter of the view, or NULL),
 * "failed" (GError).
 */
#pragma once

#include "core/samples/gilk-store-writers.h"
#include "gui/gilk-graph-view.h"
#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

#define GILK_TYPE_WRITERS_VIEW (gilk_writers_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkWritersView, gilk_writers_view, GILK, WRITERS_VIEW, GtkBox)

/* Shows the accesses seen by @hook of @run, which belong to the session and must stay valid until
 * the next call; NULL: shows nothing. */
void           gilk_writers_view_show  (GilkWritersView *self, const GilkSession *session, const GilkSessionRun *run,
                                        const GilkStoredHook *hook);
/* Returns all accesses; NULL while they are being read. (transfer none) (element-type GilkWriter) */
const GArray  *gilk_writers_view_all   (GilkWritersView *self);
GilkGraphView *gilk_writers_view_graph (GilkWritersView *self);
void           gilk_writers_view_set_log_heat (GilkWritersView *self, gboolean log_heat);

G_END_DECLS
