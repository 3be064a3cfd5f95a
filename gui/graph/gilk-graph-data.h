/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-data.h - everything the workbench shows of one function: loading and export, in
 * worker threads
 *
 * Holds graph, layout and liveness, and for each probe point how it would be hooked if it were the
 * only one. For a graph recorded in a session, it holds marks and counts instead. Once loaded, it
 * is immutable, with two exceptions: @source is added later, because reading source lines takes
 * longer, and a view replaces @graph when blocks are folded.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-cfg-source.h"
#include "core/plot/gilk-graph-paint.h"
#include "core/splice/gilk-splice.h"

typedef struct {
  char         *name;          /* function name as in a plan: "pipe_write", "f [module]" */
  GilkGraph    *graph;
  GilkCfg      *cfg;           /* graph of blocks and edges, owned by @graph */
  GilkLiveness *liveness;
  GilkCfgSource *source;       /* NULL: not loaded yet or no debug data; main thread only */
  /* For each point: how it would be hooked with a counter, or why it cannot be; NULL for a graph
   * recorded in a session. */
  GilkChoice   *choices;
  /* for each block: tactic (kind of patch) of the cheaper of its two points, 0: both are refused;
   * NULL for a graph recorded in a session */
  uint8_t      *tactics;
  guint        *costs, costs_max;   /* per block: number of instructions that a counter adds */
  guint         n_refused, n_splice, n_bounce, n_clone, n_trap;
  guint         n_kprobe, n_fentry, n_uprobe;
  guint         bpf_tactics;   /* bit 1 << tactic is set if BPF would hook at least one point by
                                * that tactic */
  uint8_t      *marks;         /* which points were hooked; only for a recorded graph */
  uint64_t     *hits;          /* hits per block, or GILK_HITS_UNKNOWN; only for a recorded graph */
  GilkKnownCounts *known;      /* inferred counts; only for a recorded graph; NULL: none */
  /* private: */
  gatomicrefcount ref_count;
} GilkGraphData;

/* Returns whether @a and @b are the same function of a live kernel with the same blocks and edges.
 * They may come from different readings of the kernel's text. */
gboolean       gilk_graph_data_is_same_code (const GilkGraphData *a, const GilkGraphData *b);
/* Returns an empty object whose members the caller must set. (transfer full) */
GilkGraphData *gilk_graph_data_new   (void);
GilkGraphData *gilk_graph_data_ref   (GilkGraphData *data);
void           gilk_graph_data_unref (GilkGraphData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraphData, gilk_graph_data_unref)

void           gilk_graph_data_load_async  (GilkFunctions *functions, GilkImage *image,
                                            const GilkFunction *function,
                                            const GilkPlotStyle *style, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
GilkGraphData *gilk_graph_data_load_finish (GAsyncResult *result, GError **error);

/* Loads the source lines of @data. The graph can be shown before they are loaded. */
void           gilk_graph_data_source_async  (GilkGraphData *data, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
/* Returns the data to which the lines were added; NULL: source lines are missing. (transfer
 * none) */
GilkGraphData *gilk_graph_data_source_finish (GAsyncResult *result, GError **error);

/* Returns the format called @name, the parameter of an action: "svg", "pdf", or PNG for all
 * others. */
GilkPlotFormat gilk_graph_data_format (const char *name);

/* ---- export of the whole graph to a file, in a worker thread ---- */

/* Draws the whole graph into a file, in light colours and without the selection. Copies what it
 * needs of @look. Cannot be cancelled. */
void  gilk_graph_export_async  (GilkGraphData *data, const GilkGraphLook *look, const char *path,
                                GilkPlotFormat format, GAsyncReadyCallback callback, gpointer user_data);
/* Returns a message with the path, and the scale if the drawing had to be reduced; NULL on
   error. (transfer full) */
char *gilk_graph_export_finish (GAsyncResult *result, GError **error);
