/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-cut.h - graphs of a plan that has hooks before instructions within blocks
 *
 * Threads: those of the plan.
 */
#pragma once

#include "core/run/gilk-bound-plan.h"

G_BEGIN_DECLS

/* Cuts the graphs of bound hooks where some are before an instruction, and says of all hooks in these graphs at which
 * edge of which block they are then. */
void gilk_bound_cut (GilkBoundPlan *bound, GilkDecoder *decoder);

G_END_DECLS
