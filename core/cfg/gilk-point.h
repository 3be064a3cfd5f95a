/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point.h - finds the instruction before which a hook of a block runs
 *
 * The pre-hook runs before the first instruction of the block that can be hooked, the post-hook
 * after its last instruction that is not a branch. A hook directly before another instruction is
 * the pre-hook of a block in a graph that is cut there (gilk_cfg_new_cut()). Pure: depends on one
 * graph only.
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef enum {
  GILK_WHERE_PRE, GILK_WHERE_POST,   /* PRE: at the start of a block; POST: at its end */
  GILK_WHERE_AT,                     /* before any instruction; used for hooks of plans, but not by
                                      * the functions below */
} GilkWhere;

/* Returns the index of the instruction that ends the block (branch, return, call that never
 * returns, trap); -1 if the block falls through into the next one. */
int   gilk_point_terminator (const GilkCfg *cfg, guint block);
/* Returns the index of the block's first instruction that can be hooked, which is after any ENDBR
 * and ftrace site; one past the block's last instruction if there is none. */
guint gilk_point_first      (const GilkCfg *cfg, guint block);
/* Returns the index of the instruction before which the hook runs; may be one past the block's
 * last instruction. */
guint gilk_point_boundary   (const GilkCfg *cfg, guint block, GilkWhere where);
/* Finds the block and position (start or end of the block) directly before the instruction at
 * @addr; at the start of a block, any ENDBR and ftrace site are skipped. Returns FALSE if no block
 * starts or ends there: then the graph must be cut. */
gboolean gilk_point_edge    (const GilkCfg *cfg, uint64_t addr, guint *block, GilkWhere *where);

G_END_DECLS
