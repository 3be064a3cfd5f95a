/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-graph.h - builds the call graph of a kernel: finds all direct calls and tail calls in
 * one pass over its text
 *
 * Indirect calls are not included; their targets can be recorded in a run (gilk plan new --targets)
 * and added by the caller. Static calls, which the kernel patches, are included with the targets
 * they had when the text was read.
 *
 * Threads: any; immutable. Construction takes about a second.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t site;             /* address of the instruction */
  guint    caller, callee;   /* indices in gilk_functions_all() */
  gboolean tail;             /* the instruction is a jump */
} GilkCallSite;

typedef struct _GilkCallGraph GilkCallGraph;

/* Returns NULL only if cancelled. (transfer full) */
GilkCallGraph *gilk_call_graph_new   (GilkFunctions *functions, const GilkProgress *progress, GCancellable *cancellable,
                                      GError **error);
GilkCallGraph *gilk_call_graph_ref   (GilkCallGraph *graph);
void           gilk_call_graph_unref (GilkCallGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallGraph, gilk_call_graph_unref)

GilkFunctions *gilk_call_graph_functions (GilkCallGraph *graph);

/* Return the calls that @function makes, and the calls to @function, sorted by the other function,
 * then by site. (transfer none) */
const GilkCallSite *gilk_call_graph_calls_from (GilkCallGraph *graph, const GilkFunction *function, guint *count);
const GilkCallSite *gilk_call_graph_calls_to   (GilkCallGraph *graph, const GilkFunction *function, guint *count);

/* Returns the number of distinct functions that call @function. */
guint               gilk_call_graph_n_callers (GilkCallGraph *graph, const GilkFunction *function);

/* An indirect call that a run recorded. */
typedef struct {
  const GilkFunction *caller, *callee;
  uint64_t            site, count;   /* site: 0 if unknown */
} GilkIndirectCall;

/* A caller or callee, with the numbers of call sites in the text and of indirect calls seen. */
typedef struct {
  const GilkFunction *function;
  uint64_t            site;      /* first call site */
  guint               n, n_tail; /* number of call sites, and of tail calls among them; both 0:
                                  * only indirect calls */
  uint64_t            seen;
} GilkCallPartner;

/* Returns callers or, with @callers FALSE, callees, sorted by name. @seen: (nullable):
 * GilkIndirectCall. (transfer full) (element-type GilkCallPartner) */
GArray *gilk_call_graph_partners (GilkCallGraph *graph, const GilkFunction *function, gboolean callers, const GArray *seen);

G_END_DECLS
