/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-pick.h - several blocks of a function by one rule, and the way to one of them
 *
 * Pure: looks at one graph only.
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef enum {
  GILK_PICK_ALL,
  GILK_PICK_ENDS,          /* where the function is entered and left */
  GILK_PICK_LOOP_HEADS,
  GILK_PICK_REACHED,       /* @block and where control can get from there */
  GILK_PICK_REACHING,      /* @block and from where control can get there */
  GILK_N_PICKS
} GilkPick;

/* TRUE if control leaves the function from this block. */
gboolean gilk_cfg_leaves (const GilkCfg *cfg, guint block);
/* TRUE if a call ends with this block: it returns, or goes on in another function that does. */
gboolean gilk_cfg_returns (const GilkCfg *cfg, guint block);
/* @picked: per block, filled. Returns: how many. */
guint    gilk_cfg_pick   (const GilkCfg *cfg, GilkPick rule, guint block, gboolean *picked);

#define GILK_COUNT_UNKNOWN G_MAXUINT64

/**
 * gilk_cfg_path:
 * @block_counts: (nullable) per block, or GILK_COUNT_UNKNOWN
 * @edge_counts: (nullable) per edge, likewise
 * @blocks: per block, filled; @edges: per edge, filled
 *
 * The way from the entry to @block that was gone most: the one whose rarest step is the most frequent, and of
 * those a short one. What was never taken is no way. Without counts the shortest.
 * Returns: how many blocks it has; 0 if @block was not reached.
 */
guint    gilk_cfg_path   (const GilkCfg *cfg, guint block, const uint64_t *block_counts, const uint64_t *edge_counts,
                          gboolean *blocks, gboolean *edges);

G_END_DECLS
