/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-count-points.h - chooses where to count each block of a function, with the cost
 *
 * Threads: any; the decoder belongs to the caller.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Returns each block's point, as the planner chooses it: the pre-hook, or the post-hook if no
 * fault can leave the block's middle. Traps have a high cost. (transfer full) */
GilkCirculationPoint *gilk_count_points (GilkCfg *cfg, GilkDecoder *decoder);

G_END_DECLS
