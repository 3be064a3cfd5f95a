/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-cut.h - graphs with blocks cut in two, for hooks at any instruction
 *
 * A cut turns a block into two, of which the first falls through into the second and is its only
 * predecessor. Instructions are those of the whole graph, with the same indices. Properties
 * of the function's blocks, in particular fingerprints, are those of the blocks of the whole graph.
 *
 * Threads: any; the decoder belongs to the caller.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/**
 * gilk_cfg_new_cut:
 * @cfg: graph of a kernel function; if it is cut already, the new graph has only the cuts in @at
 * @at: addresses of instructions; other addresses, and starts of blocks, are ignored
 */
GilkCfg       *gilk_cfg_new_cut (const GilkCfg *cfg, GilkDecoder *decoder, const uint64_t *at, guint n);
/* Returns the graph that @cfg was cut from, or @cfg itself. (transfer none) */
const GilkCfg *gilk_cfg_whole   (const GilkCfg *cfg);
/* Returns the index of the instruction that starts at @addr; -1: none. */
int            gilk_cfg_insn_at (const GilkCfg *cfg, uint64_t addr);

G_END_DECLS
