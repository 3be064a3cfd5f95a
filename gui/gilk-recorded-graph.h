/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-graph.h - the graph of a function as a session recorded it
 *
 * No kernel is needed: disassembly, edges and counts are all in the file.
 */
#pragma once

#include "core/store/gilk-store-writers.h"
#include "core/analysis/gilk-look.h"
#include "gui/gilk-graph-data.h"
#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

/**
 * gilk_recorded_graph_async:
 * @run: whose hooks are shown. Everything is copied
 * @writers: (nullable) (element-type GilkWriter): blocks are as hot as these say, and not as hooks do. Where it is NULL and
 *   no hook counted in the function, it is those of all watches of the run
 * @look: (nullable): the time and the values of which hooks' hits are counted; a hook whose samples do not tell of these
 *   is as one that was not measured
 */
void           gilk_recorded_graph_async  (const char *path, const GilkStoredFunction *function,
                                           const GilkSessionRun *run, const GArray *writers, const GilkLook *look,
                                           const GilkPlotStyle *style,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
GilkGraphData *gilk_recorded_graph_finish (GAsyncResult *result, GError **error);

G_END_DECLS
