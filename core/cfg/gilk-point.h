/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point.h - where in a block a hook may sit
 *
 * The pre-hook stands before the block's first instruction that may carry one, the
 * post-hook behind its last one that is no branch. A hook directly before another
 * instruction is the pre-hook of a block of a graph that is cut there (gilk-cfg-cut.h). Pure: looks at one graph only.
 *
 * Threads: any.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef enum {
  GILK_WHERE_PRE, GILK_WHERE_POST,   /* the edges of a block */
  GILK_WHERE_AT,                     /* before an instruction; of plans, not of what is planned for a graph */
} GilkWhere;

/* Index of the instruction that ends the block (branch, return, call that never
 * returns, trap), -1 if it runs on into the next leader. */
int   gilk_point_terminator (const GilkCfg *cfg, guint block);
/* First instruction of the block that may carry a hook: behind ENDBR and ftrace site; one
 * past the block's last if there is none. */
guint gilk_point_first      (const GilkCfg *cfg, guint block);
/* Index of the instruction before which a hook there runs; may be one past its block. */
guint gilk_point_boundary   (const GilkCfg *cfg, guint block, GilkWhere where);
/* The edge that is directly before the instruction at @addr, or of a block's begin what comes closest; FALSE: there
 * is none, the graph must be cut there. */
gboolean gilk_point_edge    (const GilkCfg *cfg, uint64_t addr, guint *block, GilkWhere *where);

G_END_DECLS
