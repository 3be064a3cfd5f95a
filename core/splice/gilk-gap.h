/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gap.h - bytes near a function that nothing runs, for the jumps of bounces
 */
#pragma once

#include "core/splice/gilk-window.h"

G_BEGIN_DECLS

/* Rooms of ILK_BOUNCE_BYTES, each given away once. */
typedef struct _GilkGaps GilkGaps;

GilkGaps *gilk_gaps_new  (const GilkCfg *cfg);
void      gilk_gaps_free (GilkGaps *gaps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGaps, gilk_gaps_free)

/*
 * A free room in reach of a 2-byte jump at @window's start; 0 if there is none. It has
 * no byte of @window nor, if given, of @other and its room.
 */
uint64_t  gilk_gaps_find (const GilkGaps *gaps, const GilkCfg *cfg, const GilkWindow *window,
                          const GilkWindow *other);
/* Rooms with one of these bytes are given away. */
void      gilk_gaps_take (GilkGaps *gaps, uint64_t addr, guint length);

/* Length of the filler, nop or int3, that @bytes at @addr begin with; 0 if it is something
 * else, or may be an ftrace site. */
gsize     gilk_filler_length (const uint8_t *bytes, gsize length, uint64_t addr);
/* TRUE if control surely never runs on behind the block. */
gboolean  gilk_never_runs_on (const GilkBlock *block);

G_END_DECLS
