/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-share.h - how much of a function can be hooked
 *
 * Threads: any; reads text, which may block on the target.
 */
#pragma once

#include "core/cfg/gilk-function.h"
#include "core/decode/gilk-insn.h"

G_BEGIN_DECLS

typedef struct {
  guint blocks, points;      /* points: two a block */
  guint jumped, trapped;     /* of these: by a jump, by a trap; all others are refused */
} GilkHookShare;

/* Each point is planned alone, for a count. FALSE: the function cannot be decoded, or is refused as a whole. */
gboolean gilk_hook_share      (GilkFunctions *functions, const GilkFunction *function, GilkDecoder *decoder, GilkHookShare *share);
/* Of those that can be hooked, by a trap too, in per cent; 100: all of them, not most. */
guint    gilk_hook_share_percent (const GilkHookShare *share);

G_END_DECLS
