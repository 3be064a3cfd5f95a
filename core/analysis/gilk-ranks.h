/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ranks.h - which numbers stand at some ranks of many, when they come by in ascending order; pure
 * numerics
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _GilkRanks GilkRanks;

GilkRanks *gilk_ranks_new      (void);
void       gilk_ranks_free     (GilkRanks *ranks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRanks, gilk_ranks_free)

/* Which number has @rank, 0 the least? To be asked by what is returned. Before the first step. */
guint      gilk_ranks_ask      (GilkRanks *ranks, uint64_t rank);
/* A quantile lies between two ranks, linearly (Hyndman and Fan's type 7). */
typedef struct { guint low, high; double fraction; } GilkRankedQuantile;
/* Of @n numbers, at least one; @p: 0 to 1. */
GilkRankedQuantile gilk_ranks_ask_quantile (GilkRanks *ranks, uint64_t n, double p);

/* TRUE if one of the ranks is among the @n behind the first @below. All have been asked for. */
gboolean   gilk_ranks_within   (GilkRanks *ranks, uint64_t below, uint64_t n);
/* @n more numbers, that are @value; what comes in between is of no rank asked for. */
void       gilk_ranks_step     (GilkRanks *ranks, uint64_t below, uint64_t n, double value);

/* All that were asked for, ascending, each once: for who finds them in another way than step by step.
 * (transfer full) (element-type uint64_t) */
GArray    *gilk_ranks_list     (GilkRanks *ranks);

/* When all have come by. */
double     gilk_ranks_value    (const GilkRanks *ranks, guint asked);
double     gilk_ranks_quantile (const GilkRanks *ranks, const GilkRankedQuantile *quantile);

G_END_DECLS
