/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-fold.h - regions of a function's graph that are folded: each is shown as one block, which stands for it
 *
 * Regions lie inside each other or apart; of those around a block the outermost is seen, and when that is opened the
 * next. Pure: looks at one graph only.
 *
 * Threads: one at a time; a copy is another's.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct _GilkCfgFold GilkCfgFold;

/* Nothing is folded. */
GilkCfgFold *gilk_cfg_fold_new  (const GilkCfg *cfg);
GilkCfgFold *gilk_cfg_fold_copy (const GilkCfgFold *fold);
void         gilk_cfg_fold_free (GilkCfgFold *fold);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCfgFold, gilk_cfg_fold_free)

/* @blocks: per block of @cfg; what it overlaps is joined to it. FALSE, with nothing changed: fewer than two, or all there are,
 * or folded already. */
gboolean     gilk_cfg_fold_add   (GilkCfgFold *fold, const GilkCfg *cfg, const gboolean *blocks);
/* Each loop, inner ones inside their outer ones. Returns: how many were not folded yet */
guint        gilk_cfg_fold_loops (GilkCfgFold *fold, const GilkCfg *cfg);
/* The region that is seen at @block. FALSE: there is none. */
gboolean     gilk_cfg_fold_open  (GilkCfgFold *fold, guint block);
/* All of them around @block, so that it is seen itself. */
gboolean     gilk_cfg_fold_show  (GilkCfgFold *fold, guint block);
void         gilk_cfg_fold_clear (GilkCfgFold *fold);

gboolean     gilk_cfg_fold_is_empty (const GilkCfgFold *fold);
guint        gilk_cfg_fold_n_blocks (const GilkCfgFold *fold);      /* of the graph */
/* The block that stands for @block: itself, if it is in no region. */
guint        gilk_cfg_fold_shown (const GilkCfgFold *fold, guint block);
/* How many blocks a block that is shown stands for; 1: it is not folded. */
guint        gilk_cfg_fold_size  (const GilkCfgFold *fold, guint block);

/* What may be folded at @block. Filled: @blocks, per block. Returns: how many they are */
/* The innermost loop around it; 0: none */
guint        gilk_cfg_fold_loop_at   (const GilkCfg *cfg, guint block, gboolean *blocks);
/* It, and what control gets to through it alone. */
guint        gilk_cfg_fold_dominated (const GilkCfg *cfg, guint block, gboolean *blocks);

G_END_DECLS
