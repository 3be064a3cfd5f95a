/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-around.h - the call graph around one function: some levels of callers and callees, as a graph to be drawn
 *
 * Each function is there once. Of many partners some are there, and one node that says how many more there are:
 * first those with counts, then those that fewest others call. What half the kernel calls, as printk, is left out
 * below the callees of the one in the middle, and nothing is followed from it.
 *
 * Threads: any; immutable.
 */
#pragma once

#include "core/cfg/gilk-call-graph.h"

G_BEGIN_DECLS

#define GILK_AROUND_LEVELS 5      /* at most, to each side */
#define GILK_AROUND_MOST   10     /* partners of one function, unless it is unfolded */

/* Counts of functions: of each that of its hook nearest to the entry, which is how often it was called as far as that is
 * known. (transfer full) */
GHashTable     *gilk_call_hits_new     (void);
/* @place: of the hook's block: "+0x41" */
void            gilk_call_hits_add     (GHashTable *hits, const GilkFunction *function, const char *place, uint64_t count);
gboolean        gilk_call_hits_of      (GHashTable *hits, const GilkFunction *function, uint64_t *count);

typedef struct {
  guint        up, down;          /* levels of callers and callees */
  guint        most;              /* partners; 0: GILK_AROUND_MOST */
  const GArray *seen;             /* GilkCallSeen; (nullable) */
  GHashTable  *hits;              /* as above; (nullable) */
  GHashTable  *unfolded_up, *unfolded_down;   /* sets of const GilkFunction: all of its callers, or callees; (nullable) */
} GilkAroundWish;

typedef struct {
  const GilkFunction *function;   /* or that whose partners are left out */
  int                 level;      /* negative: it calls; 0: the one in the middle */
  guint               more;       /* it stands for so many functions; 0: it is a function */
  guint               n_callers;  /* of a function: how many call it directly, in the whole kernel */
} GilkAroundNode;

typedef struct {
  guint    from, to;              /* nodes */
  guint    n, n_tail;             /* places in the text; 0: through pointers alone */
  uint64_t site;                  /* the first; 0 of what is left out */
  uint64_t seen;                  /* calls through pointers, in a run */
  gboolean back;                  /* closes a cycle */
} GilkAroundEdge;

typedef struct {
  GilkAroundNode *nodes;  guint n_nodes;   /* the one in the middle first */
  GilkAroundEdge *edges;  guint n_edges;   /* by from */
  /* private: */
  GilkCallGraph  *graph;
  gatomicrefcount ref_count;
} GilkCallAround;

/* @wish is borrowed for the call. */
GilkCallAround *gilk_call_around_new   (GilkCallGraph *graph, const GilkFunction *function, const GilkAroundWish *wish);
GilkCallAround *gilk_call_around_ref   (GilkCallAround *around);
void            gilk_call_around_unref (GilkCallAround *around);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallAround, gilk_call_around_unref)

/* For graphviz. (transfer full) */
char           *gilk_call_around_to_dot (const GilkCallAround *around);

G_END_DECLS
