/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-export.h - export of the whole graph to a file, in a worker thread
 */
#pragma once

#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

/* Draws in light colours, without selection. Copies what it needs of @look. Cannot be cancelled. */
void  gilk_graph_export_async  (GilkGraphData *data, const GilkGraphLook *look, const char *path,
                                GilkPlotFormat format, GAsyncReadyCallback callback, gpointer user_data);
/* Returns a message with the path, and the scale if the drawing had to be reduced; NULL on
   error. (transfer full) */
char *gilk_graph_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
