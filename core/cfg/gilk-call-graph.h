/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-graph.h - builds the call graph of a kernel, and the part of it that is near one
 * function
 *
 * Indirect calls are not included; their targets can be recorded in a run (gilk plan new --targets)
 * and added by the caller. Static calls, which the kernel patches, are included with the targets
 * they had when the text was read.
 *
 * Threads: any; immutable. Construction takes about a second.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t site;             /* address of the call instruction, or of the jump */
  guint    caller, callee;   /* indices in gilk_functions_all() */
  gboolean tail;             /* the instruction is a jump: a tail call */
} GilkCallSite;

typedef struct _GilkCallGraph GilkCallGraph;

/* Builds the call graph. Returns NULL only if cancelled. (transfer full) */
GilkCallGraph *gilk_call_graph_new   (GilkFunctions *functions, const GilkProgress *progress, GCancellable *cancellable,
                                      GError **error);
GilkCallGraph *gilk_call_graph_ref   (GilkCallGraph *graph);
void           gilk_call_graph_unref (GilkCallGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallGraph, gilk_call_graph_unref)

GilkFunctions *gilk_call_graph_functions (GilkCallGraph *graph);

/* Returns the number of distinct functions that call @function. */
guint               gilk_call_graph_n_callers (GilkCallGraph *graph, const GilkFunction *function);

/* An indirect call that a run recorded. */
typedef struct {
  const GilkFunction *caller, *callee;
  uint64_t            site, count;   /* address of the call, 0 if unknown, and number of calls */
} GilkIndirectCall;

/* A caller or callee of a function, with the numbers of call sites in the text and of indirect
 * calls recorded in a run. */
typedef struct {
  const GilkFunction *function;
  uint64_t            site;      /* first call site */
  guint               n, n_tail; /* number of call sites, and of tail calls among them; both are 0
                                  * if there are only indirect calls */
  uint64_t            seen;
} GilkCallPartner;

/* Returns the callers of @function or, with @callers FALSE, its callees, sorted by name. @seen:
 * (nullable): indirect calls recorded in a run (GilkIndirectCall). (transfer full) (element-type
 * GilkCallPartner) */
GArray *gilk_call_graph_partners (GilkCallGraph *graph, const GilkFunction *function, gboolean callers, const GArray *seen);

/*
 * Computes the part of the call graph that is near one function, for drawing: some levels of
 * callers and callees.
 *
 * Each function has one node. The partners of a function are its callers, or its callees. If a
 * function has many partners, only some of them are shown, and one more node stands for the others.
 * Functions with counts are shown first, then functions with few callers. A hub is a function with
 * very many callers, such as printk(). Among the callees of a node, hubs without counts are shown
 * only if the node is the centre or unfolded. The callees of a hub are shown only if the hub is the
 * centre.
 */

#define GILK_AROUND_LEVELS 5      /* maximum number of levels of callers, and of callees */
#define GILK_AROUND_LIMIT   10    /* default number of callers, and of callees, shown per node */

/* Returns an empty table of call counts. A function's count is the count of its hook nearest to the
 * entry, and approximates the number of calls. (transfer full) */
GHashTable *gilk_call_hits_new (void);
/* Adds the count of a hook in @function. @place: offset of the hook's block, such as "+0x41" */
void        gilk_call_hits_add (GHashTable *hits, const GilkFunction *function, const char *place, uint64_t count);
gboolean    gilk_call_hits_get (GHashTable *hits, const GilkFunction *function, uint64_t *count);

typedef struct {
  guint        up, down;          /* number of levels of callers (@up) and of callees (@down) to
                                   * show */
  guint        limit;             /* number of callers or callees shown per node; 0:
                                   * GILK_AROUND_LIMIT */
  const GArray *seen;             /* (nullable): indirect calls seen in a run (GilkIndirectCall) */
  GHashTable  *hits;              /* (nullable): counts of functions, from gilk_call_hits_new() */
  GHashTable  *unfolded_up, *unfolded_down;   /* (nullable): functions of which all callers
                                               * (@unfolded_up) or all callees (@unfolded_down) are
                                               * shown */
} GilkAroundOptions;

typedef struct {
  const GilkFunction *function;   /* the node's function; if @more is not 0: the node stands for
                                   * callers or callees of this function that are not shown */
  int                 level;      /* level of the node: negative for callers, 0 for the centre,
                                   * positive for callees */
  guint               more;       /* number of functions that the node stands for; 0 if it is a
                                   * single function */
  guint               n_callers;  /* number of direct callers in the whole kernel */
} GilkAroundNode;

typedef struct {
  guint    from, to;              /* indices of nodes */
  guint    n, n_tail;             /* number of call sites, and of tail calls among them; both are 0
                                   * if there are only indirect calls */
  uint64_t site;                  /* first call site; 0 if one of the nodes stands for several
                                   * functions */
  uint64_t seen;                  /* number of indirect calls seen in a run */
  gboolean back;                  /* the edge closes a cycle */
} GilkAroundEdge;

typedef struct {
  GilkAroundNode *nodes;  guint n_nodes;   /* the first node is the centre */
  GilkAroundEdge *edges;  guint n_edges;   /* sorted by @from */
  /* private: */
  GilkCallGraph  *graph;
  gatomicrefcount ref_count;
} GilkCallAround;

/* Computes the part of the call graph near @function. @options is read only during the call. */
GilkCallAround *gilk_call_around_new   (GilkCallGraph *graph, const GilkFunction *function, const GilkAroundOptions *options);
GilkCallAround *gilk_call_around_ref   (GilkCallAround *around);
void            gilk_call_around_unref (GilkCallAround *around);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallAround, gilk_call_around_unref)

/* Returns the graph in Graphviz's format. (transfer full) */
char           *gilk_call_around_to_dot (const GilkCallAround *around);

G_END_DECLS
