/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gap.h - bytes near a function that nothing runs, for the jumps of bounces
 */
#pragma once

#include "core/cfg/gilk-cfg.h"

G_BEGIN_DECLS

/* Rooms of ILK_BOUNCE_BYTES, each given away once. */
typedef struct _GilkGaps GilkGaps;

GilkGaps *gilk_gaps_new  (const GilkCfg *cfg);
void      gilk_gaps_free (GilkGaps *gaps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGaps, gilk_gaps_free)

/* A free room in reach of a 2-byte jump at @site and not @but; 0 if there is none. */
uint64_t  gilk_gaps_find (const GilkGaps *gaps, uint64_t site, uint64_t but);
void      gilk_gaps_take (GilkGaps *gaps, uint64_t room);

G_END_DECLS
