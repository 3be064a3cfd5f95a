/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-cut.h - a graph with blocks cut in two, for hooks before any instruction
 *
 * A cut makes one block two, of which the first runs on into the second; nothing else leads there. All that is
 * known of instructions is as in the whole graph, by the same indices. What is told of the function's blocks,
 * fingerprints above all, is told of those of the whole graph.
 *
 * Threads: any; the decoder is the caller's.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/**
 * gilk_cfg_new_cut:
 * @cfg: of a kernel; may be cut already, and is then cut where @at says and nowhere else
 * @at: addresses of instructions; at others, and where a block begins anyway, there is nothing to cut
 */
GilkCfg       *gilk_cfg_new_cut (const GilkCfg *cfg, GilkDecoder *decoder, const uint64_t *at, guint n);
/* The graph that it was cut from, or itself. (transfer none) */
const GilkCfg *gilk_cfg_whole   (const GilkCfg *cfg);
/* Index of the instruction that begins at @addr; -1 if none does. */
int            gilk_cfg_insn_at (const GilkCfg *cfg, uint64_t addr);

G_END_DECLS
