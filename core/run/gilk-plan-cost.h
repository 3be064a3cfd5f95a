/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-cost.h - what the hooks of a plan will cost, as a share of a processor's time
 *
 * Instructions a hit by hits a second: a forecast, made before anything is armed. What a hit did cost is measured by
 * a run (core/analysis/gilk-hook-cost.h).
 *
 * Threads: any. Nothing fails.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What an instruction of a patch is taken to last: those that touch memory, and the jumps, are slower than the rest. */
#define GILK_COST_NS_PER_INSTRUCTION 0.5

/* Of one processor: 0.01 is a hundredth of its time. */
double  gilk_plan_cost_share (guint instructions, double hits_per_second);
/**
 * gilk_plan_cost_over:
 * @shares: of each of @n hooks; negative: not known, which counts as nothing
 *
 * Returns: (transfer full) (element-type guint): the fewest hooks without which the others cost @budget at most,
 * the costliest first
 */
GArray *gilk_plan_cost_over  (const double *shares, guint n, double budget);

G_END_DECLS
