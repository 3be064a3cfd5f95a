/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-graph.h - loads the graph of a function as recorded in a session
 *
 * No kernel is needed, because the session file contains the disassembly, the edges and the counts.
 */
#pragma once

#include "core/figure/gilk-selection.h"
#include "core/samples/gilk-store-accesses.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/session/gilk-session.h"

/**
 * gilk_recorded_graph_async:
 * @run: the run whose hooks are shown; all arguments are copied
 * @accesses: (nullable) (element-type GilkAccessor): the heat of a block is the number of these
 * accesses, not the hits of hooks. If NULL, and no hook counted in the function, the accesses of
 * all watchpoints of the run are used
 * @selection: (nullable): time range and values of the hits to count; a hook whose samples lack the
 * necessary fields counts as not measured.
 *
 * Loads the recorded graph of @function from the session at @path, with the heat of its blocks.
 */
void           gilk_recorded_graph_async  (const char *path, const GilkStoredFunction *function,
                                           const GilkSessionRun *run, const GArray *accesses, const GilkSelection *selection,
                                           const GilkPlotStyle *style,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
GilkGraphData *gilk_recorded_graph_finish (GAsyncResult *result, GError **error);
