/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-graph.h - who calls whom: all direct calls and tail calls of a kernel, from one pass over its text
 *
 * Calls through pointers are not there; where they went in a run is recorded (gilk plan new --targets), and may be
 * given beside it. Calls that the kernel writes itself, static calls, are there as they stood when text was read.
 *
 * Threads: any; immutable. Making one takes about a second.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t site;             /* of the instruction */
  guint    caller, callee;   /* indices of gilk_functions_all() */
  gboolean tail;             /* a jump */
} GilkCallSite;

typedef struct _GilkCallGraph GilkCallGraph;

/* NULL only if it is cancelled. (transfer full) */
GilkCallGraph *gilk_call_graph_new   (GilkFunctions *functions, const GilkProgress *progress, GCancellable *cancellable,
                                      GError **error);
GilkCallGraph *gilk_call_graph_ref   (GilkCallGraph *graph);
void           gilk_call_graph_unref (GilkCallGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallGraph, gilk_call_graph_unref)

GilkFunctions *gilk_call_graph_functions (GilkCallGraph *graph);

/* Calls by and of a function, by the other function and then by site. (transfer none) */
const GilkCallSite *gilk_call_graph_by (GilkCallGraph *graph, const GilkFunction *function, guint *count);
const GilkCallSite *gilk_call_graph_of (GilkCallGraph *graph, const GilkFunction *function, guint *count);

/* Functions that call it, each once. */
guint               gilk_call_graph_n_callers (GilkCallGraph *graph, const GilkFunction *function);

/* A call through a pointer as a run saw it. */
typedef struct {
  const GilkFunction *caller, *callee;
  uint64_t            site, count;   /* site: 0 if it is not known */
} GilkCallSeen;

/* One that calls, or is called, how often that stands in the text, and how often it was seen through pointers. */
typedef struct {
  const GilkFunction *function;
  uint64_t            site;      /* the first */
  guint               n, n_tail; /* 0: through pointers alone */
  uint64_t            seen;
} GilkCallPartner;

/* @callers: those who call it; or else those that it calls. @seen: GilkCallSeen; (nullable). By name. (transfer full)
 * (element-type GilkCallPartner) */
GArray *gilk_call_graph_partners (GilkCallGraph *graph, const GilkFunction *function, gboolean callers, const GArray *seen);

G_END_DECLS
