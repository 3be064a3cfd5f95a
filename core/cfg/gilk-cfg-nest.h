/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-nest.h - the loops that a block lies in
 *
 * Threads: any. Pure: looks at one graph only.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* The heads of the loops around @block, the outermost first; itself, where it is one. (transfer full) (element-type guint) */
GArray *gilk_cfg_loops_around (const GilkCfg *cfg, guint block);
/* @in: per block, filled: those of the loop with that head. Returns: how many they are */
guint   gilk_cfg_loop_blocks  (const GilkCfg *cfg, guint head, gboolean *in);

G_END_DECLS
