/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-filler.h - finds filler: bytes near a function that never run
 *
 * Threads: any; gilk_fillers_foreach() may block on the target, and calls @func in the caller's
 * thread.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

#define GILK_PAD_BYTES 16      /* size of the nops in front of each function on 6.12 */

/* Called for each range of filler, [start, end), of at least ILK_BOUNCE_BYTES. */
typedef void (*GilkFillerFunc) (uint64_t start, uint64_t end, gpointer user_data);

void      gilk_fillers_foreach  (const GilkCfg *cfg, GilkFillerFunc func, gpointer user_data);

/* Returns the length of the nop or int3 at the start of @bytes, which are at @addr; 0 if there is
 * none, or if it may be an ftrace site. */
gsize     gilk_filler_length (const uint8_t *bytes, gsize length, uint64_t addr);
/* Returns TRUE if it is certain that control never falls through the block's end. */
gboolean  gilk_never_runs_on (const GilkBlock *block);

G_END_DECLS
