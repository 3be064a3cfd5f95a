/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-view.h - accesses to a variable: a list of blocks, and the selected one in its graph
 *
 * Needs only the session, not a kernel. Signals: "chosen" (pointer: a GilkAccessor of the view, or
 * NULL), "failed" (GError).
 */
#pragma once

#include "core/samples/gilk-store-accesses.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/session/gilk-session.h"

G_BEGIN_DECLS

#define GILK_TYPE_ACCESSES_VIEW (gilk_accesses_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkAccessesView, gilk_accesses_view, GILK, ACCESSES_VIEW, GtkBox)

/* Shows the accesses seen by @hook of @run; NULL: shows nothing. @run and @hook belong to the
 * session, and must stay valid until the next call. */
void           gilk_accesses_view_show  (GilkAccessesView *self, const GilkSession *session, const GilkSessionRun *run,
                                         const GilkStoredHook *hook);
/* Returns all accesses; NULL while they are being read. (transfer none) (element-type GilkAccessor) */
const GArray  *gilk_accesses_view_all   (GilkAccessesView *self);
GilkGraphView *gilk_accesses_view_graph (GilkAccessesView *self);
void           gilk_accesses_view_set_log_heat (GilkAccessesView *self, gboolean log_heat);

G_END_DECLS
