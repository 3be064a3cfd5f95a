/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-exits.h - the blocks by which a function is left for its caller, or for another function
 *
 * Threads: any; a graph is not changed.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

typedef struct {
  guint block;
  guint number;            /* of a return, as anchors count them: the function's own, then its cold part's; 0: of none */
} GilkCfgExit;

/**
 * gilk_cfg_exits:
 * @whole: (out) (optional): are they all ways out, and all known for sure? Not where a jump leads nobody knows where, or a
 *   block is left for another function only sometimes
 * Finds returns and tail calls, in the order of anchors, but for those of a kernel's function that nothing leads to. In a
 * program exceptions may.
 * Returns: (element-type GilkCfgExit) (transfer full)
 */
GArray *gilk_cfg_exits (const GilkCfg *cfg, gboolean *whole);
/* May the block be left for another function although it ends otherwise? */
gboolean gilk_cfg_leaves_halfway (const GilkCfg *cfg, guint block);

G_END_DECLS
