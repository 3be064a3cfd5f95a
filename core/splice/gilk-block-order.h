/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-block-order.h - finds the best code layout for the blocks of a function
 *
 * Pettis and Hansen (1990) chain blocks along the heaviest edges. Newell and Pupyrev (2020) score a
 * chain: an edge that falls through has full weight, a short jump has a small weight because it
 * stays within few cache lines, and a long jump has none (ExtTSP). Chains are joined, at their ends
 * or in the middle of one of them, as long as the score improves. Cold blocks follow hot ones, and
 * blocks that never run come last.
 *
 * Pure: it depends on neither instructions nor a kernel.
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

/* Blocks that run less often than once in this many calls are cold. */
#define GILK_ORDER_SELDOM 64

/* Returns the score of @order, which contains @n of the @n_blocks blocks. */
double gilk_order_score (const GilkOrderBlock *blocks, guint n_blocks, const GilkOrderEdge *edges, guint n_edges,
                         const guint *order, guint n);

/**
 * gilk_order_new:
 * @entry: block that comes first, whatever its count
 * @is_hot: (out) (nullable): array with an element for each block: whether the block is hot
 * Returns: (transfer full): all @n blocks in order, each once
 */
guint *gilk_order_new   (const GilkOrderBlock *blocks, guint n, guint entry, const GilkOrderEdge *edges,
                         guint n_edges, gboolean *is_hot);

G_END_DECLS
