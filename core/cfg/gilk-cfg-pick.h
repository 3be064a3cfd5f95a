/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-pick.h - selects blocks by a rule, and finds the most frequent path to a block
 *
 * Pure: depends on one graph only.
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef enum {
  GILK_PICK_ALL,
  GILK_PICK_ENDS,          /* entries and exits of the function */
  GILK_PICK_LOOP_HEADS,
  GILK_PICK_REACHED,       /* @block and all blocks that it reaches */
  GILK_PICK_REACHING,      /* @block and all blocks that reach it */
  GILK_N_PICKS
} GilkPick;

/* Returns whether a call of the function can end with this block, by a return or a jump to another
 * function. */
gboolean gilk_cfg_returns (const GilkCfg *cfg, guint block);
/* Fills @picked, a flag for each block, with the blocks that @rule selects. Returns their
 * number. */
guint    gilk_cfg_pick   (const GilkCfg *cfg, GilkPick rule, guint block, gboolean *picked);

#define GILK_COUNT_UNKNOWN G_MAXUINT64

/**
 * gilk_cfg_path:
 * @block_counts: (nullable): count of each block, or GILK_COUNT_UNKNOWN
 * @edge_counts: (nullable): count of each edge, or GILK_COUNT_UNKNOWN
 * @blocks: (out): a flag for each block; @edges: (out): a flag for each edge
 * Finds the most frequent path from the entry to @block: the path whose rarest step has the highest
 * count; of several such paths, a short one. Steps that were never taken are excluded. Without
 * counts, finds the shortest path.
 * Returns: the number of blocks on the path; 0 if @block was not reached
 */
guint    gilk_cfg_path   (const GilkCfg *cfg, guint block, const uint64_t *block_counts, const uint64_t *edge_counts,
                          gboolean *blocks, gboolean *edges);

G_END_DECLS
