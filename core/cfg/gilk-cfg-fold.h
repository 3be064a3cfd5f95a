/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-fold.h - folds regions of a function's graph; each folded region is shown as one block
 *
 * Regions are nested or disjoint. The outermost region around a block is shown. When that region is
 * opened, the next region inside it is shown. Pure: depends on one graph only.
 *
 * Threads: one at a time; a copy is independent.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _GilkCfgFold GilkCfgFold;

/* Returns a new state in which nothing is folded. */
GilkCfgFold *gilk_cfg_fold_new  (const GilkCfg *cfg);
GilkCfgFold *gilk_cfg_fold_copy (const GilkCfgFold *fold);
void         gilk_cfg_fold_free (GilkCfgFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfgFold, gilk_cfg_fold_free)

/* Folds @blocks, a flag for each block of @cfg, together with regions that they overlap. Returns
 * FALSE and changes nothing if fewer than two blocks are set, if all blocks are set, or if the set
 * blocks are folded already. */
gboolean     gilk_cfg_fold_add   (GilkCfgFold *fold, const GilkCfg *cfg, const gboolean *blocks);
/* Folds each loop; inner loops become regions inside outer ones. Returns the number of new
 * regions. */
guint        gilk_cfg_fold_loops (GilkCfgFold *fold, const GilkCfg *cfg);
/* Opens the region that is shown at @block. Returns FALSE if @block is not in a region. */
gboolean     gilk_cfg_fold_open  (GilkCfgFold *fold, guint block);
/* Opens all regions around @block, so that the block itself is shown. Returns FALSE if @block is
 * not in a region. */
gboolean     gilk_cfg_fold_show  (GilkCfgFold *fold, guint block);
void         gilk_cfg_fold_clear (GilkCfgFold *fold);

gboolean     gilk_cfg_fold_is_empty (const GilkCfgFold *fold);
guint        gilk_cfg_fold_n_blocks (const GilkCfgFold *fold);      /* whole graph */
/* Returns the block that is shown in place of @block: the head of the outermost folded region
 * around @block, or @block itself if it is not in a region. */
guint        gilk_cfg_fold_shown (const GilkCfgFold *fold, guint block);
/* Returns the number of blocks that a shown block stands for; 1 if it is not a folded region. */
guint        gilk_cfg_fold_size  (const GilkCfgFold *fold, guint block);

/* The next two functions find regions that can be folded at @block. Both fill @blocks, a flag for
 * each block, and return the number of blocks in the region. */
/* Finds the innermost loop around @block; returns 0 if there is none. */
guint        gilk_cfg_fold_loop_at   (const GilkCfg *cfg, guint block, gboolean *blocks);
/* Finds @block and the blocks that it dominates. */
guint        gilk_cfg_fold_dominated (const GilkCfg *cfg, guint block, gboolean *blocks);

G_END_DECLS
