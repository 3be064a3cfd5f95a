/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-data.h - all that the workbench shows of one function, made off the main thread
 *
 * Immutable once made: graph, picture, liveness, and for each probe point what
 * planning it alone would give. Lines of source, which take longer, come behind. A recorded graph has marks and counts instead.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-cfg-source.h"
#include "core/plot/gilk-graph-paint.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

typedef struct {
  char         *name;          /* as a plan writes it: "pipe_write", "f [module]" */
  GilkGraph    *graph;
  GilkCfg      *cfg;           /* (transfer none): the graph's own */
  GilkLiveness *liveness;
  GilkCfgSource *source;       /* NULL: there are no debug data of it here, or not yet; for the main thread */
  GilkChoice   *choices;       /* [2 * block + post], for a count; NULL: recorded, nothing to plan */
  uint8_t      *tactics;       /* per block: of its cheaper point, 0 refused; NULL: recorded */
  guint        *costs, costs_max;   /* instructions that a count adds there */
  guint         n_refused, n_splice, n_bounce, n_clone, n_trap;
  uint8_t      *marks;         /* of a recorded graph: where hooks were */
  uint64_t     *hits;          /* of a recorded graph: per block, or GILK_HITS_UNKNOWN */
  GilkKnownCounts *known;      /* of a recorded graph: what follows from counts; NULL: nothing */
  /* private: */
  gatomicrefcount ref_count;
} GilkGraphData;

/* For those who fill one: empty, one reference. */
GilkGraphData *gilk_graph_data_new   (void);
GilkGraphData *gilk_graph_data_ref   (GilkGraphData *data);
void           gilk_graph_data_unref (GilkGraphData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraphData, gilk_graph_data_unref)

void           gilk_graph_data_load_async  (GilkFunctions *functions, GilkImage *image,
                                            const GilkFunction *function,
                                            const GilkPlotStyle *style, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkGraphData *gilk_graph_data_load_finish (GAsyncResult *result, GError **error);

/* Reads lines of source into @data, which is whole without them. */
void           gilk_graph_data_source_async  (GilkGraphData *data, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
/* (transfer none): who has them now; NULL: there are none. */
GilkGraphData *gilk_graph_data_source_finish (GAsyncResult *result, GError **error);

/* By the name of an action: "svg", "pdf" or "png". */
GilkPlotFormat gilk_graph_data_format (const char *name);

G_END_DECLS
