/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-graph.h - the graph of a function as a session recorded it
 *
 * No kernel is needed: disassembly, edges and counts are all in the file.
 */
#pragma once

#include "core/store/gilk-store-writers.h"
#include "gui/gilk-graph-data.h"

G_BEGIN_DECLS

/**
 * gilk_recorded_graph_async:
 * @hooks: GilkStoredHook of the run. Everything is copied
 * @writers: (nullable) (element-type GilkWriter): blocks are as hot as these say, and not as hooks do. Where it is NULL and
 *   no hook counted in the function, it is those of all watches of the run
 * @from, @to: what hooks counted in these seconds of the run; NaN: in all of it
 */
void           gilk_recorded_graph_async  (const char *path, const GilkStoredFunction *function,
                                           GArray *hooks, const GArray *writers, double from, double to,
                                           const GilkPlotStyle *style,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
GilkGraphData *gilk_recorded_graph_finish (GAsyncResult *result, GError **error);

G_END_DECLS
