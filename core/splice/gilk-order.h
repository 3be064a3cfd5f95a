/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-order.h - in which order the blocks of a function are best written
 *
 * Pettis and Hansen (1990) chain blocks along the heaviest edges; Newell and Pupyrev (2020) weigh what a
 * chain is worth: an edge that falls through counts in full, a short jump a little for the lines it stays
 * within, a far one nothing (ExtTSP). Chains are joined, also in the middle of one, as long as
 * that is worth more. What runs seldom comes behind what runs often, what never runs last.
 *
 * Pure: it knows no instructions and no kernel.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  guint    bytes;
  uint64_t count;
} GilkOrderBlock;

typedef struct {
  guint    from, to;
  uint64_t count;
} GilkOrderEdge;

/* Blocks that run less often than one in so many calls are out of the way. */
#define GILK_ORDER_SELDOM 64

/* What @order, of @n of the @n_blocks, is worth. */
double gilk_order_score (const GilkOrderBlock *blocks, guint n_blocks, const GilkOrderEdge *edges, guint n_edges,
                         const guint *order, guint n);

/**
 * gilk_order_new:
 * @entry: comes first whatever its count
 * @is_hot: (out) (nullable): room for one per block: is it among those that run often?
 * Returns: (transfer full): all @n blocks, each once
 */
guint *gilk_order_new   (const GilkOrderBlock *blocks, guint n, guint entry, const GilkOrderEdge *edges,
                         guint n_edges, gboolean *is_hot);

G_END_DECLS
