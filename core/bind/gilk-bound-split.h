/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-split.h - splits blocks where a plan has hooks in front of single instructions
 *
 * Threads: those of the plan.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Splits the blocks of bound hooks' graphs at hooks in front of an instruction, and moves all hooks
 * of these graphs to the new blocks and edges. */
void gilk_bound_split_blocks (GilkBoundPlan *bound, GilkDecoder *decoder);

G_END_DECLS
