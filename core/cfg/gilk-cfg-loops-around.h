/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-loops-around.h - loops around a block
 *
 * Threads: any. Pure: depends on one graph only.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* Returns the headers of the loops around @block, outermost first, and @block itself if it is
 * one. (transfer full) (element-type guint) */
GArray *gilk_cfg_loops_around (const GilkCfg *cfg, guint block);
/* Fills @in, a flag for each block, with the loop whose header is @head. Returns its number of
 * blocks. */
guint   gilk_cfg_loop_blocks  (const GilkCfg *cfg, guint head, gboolean *in);

G_END_DECLS
