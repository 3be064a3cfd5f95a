/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-export.h - the whole graph into a file, painted off the main thread
 */
#pragma once

#include "gui/gilk-graph-data.h"

G_BEGIN_DECLS

/* In light colours as for paper, with nothing chosen in it. What @look has is copied. A picture that is begun is finished. */
void     gilk_graph_export_async  (GilkGraphData *data, const GilkGraphLook *look, const char *path,
                                   GilkPlotFormat format, GAsyncReadyCallback callback, gpointer user_data);
/* What to say: where it is, and how much smaller it had to be. NULL: it could not be written. (transfer full) */
char    *gilk_graph_export_finish (GAsyncResult *result, GError **error);

G_END_DECLS
