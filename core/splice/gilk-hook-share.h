/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-share.h - how much of a function can be hooked
 *
 * Threads: any; reads text, which may block on the target.
 */
#pragma once

#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

typedef struct {
  guint blocks, points;      /* there are two points per block */
  guint jumped, trapped;     /* points hooked by a jump, by a trap; the others are refused */
} GilkHookShare;

/*
 * Plans a counter for each point alone. FALSE if the function cannot be decoded, or is refused as
 * a whole.
 */
gboolean gilk_hook_share      (GilkFunctions *functions, const GilkFunction *function, GilkDecoder *decoder, GilkHookShare *share);
/* Returns the percentage of points that can be hooked, traps included. 100 only if all can. */
guint    gilk_hook_share_percent (const GilkHookShare *share);

G_END_DECLS
