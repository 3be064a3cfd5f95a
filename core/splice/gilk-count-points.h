/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-count-points.h - where each block of a function would be counted
 *
 * Threads: any; the decoder is the caller's.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* How each block would be counted, by asking the planner: at its pre-point, else at its
 * post-point if nothing leaves its middle. A trap is dear. (transfer full) */
GilkCirculationPoint *gilk_count_points (GilkCfg *cfg, GilkDecoder *decoder);

G_END_DECLS
