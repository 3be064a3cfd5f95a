/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-exits.h - blocks that leave a function: returns and tail calls
 *
 * Threads: any; the graph is not changed.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  guint block;
  guint number;            /* 1-based number of a return, hot part first; 0: tail call */
} GilkCfgExit;

/**
 * gilk_cfg_exits:
 * @whole: (out) (optional): whether the result has all exits of the function. FALSE if a jump has
 *   unknown targets, or a block leaves only sometimes
 * Finds returns and tail calls in the order of anchors. Unreachable exits are left out, except in
 * user programs, where exceptions may lead to them.
 * Returns: (element-type GilkCfgExit) (transfer full)
 */
GArray *gilk_cfg_exits (const GilkCfg *cfg, gboolean *whole);
/* Returns whether the block may leave the function other than at its end. */
gboolean gilk_cfg_may_leave_early (const GilkCfg *cfg, guint block);

G_END_DECLS
