/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-cost.h - what the hooks of a plan will cost, as a share of a processor's time
 *
 * The arithmetic of a forecast, which is made before anything is armed; core/run/gilk-forecast.h has whole ones. What a
 * hit did cost is measured by a run (core/analysis/gilk-hook-cost.h).
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What an instruction of a patch is taken to last where none was measured: those that touch memory, and the jumps, are
 * slower than the rest. And what an int3 and the way back take. */
#define GILK_COST_NS_PER_INSTRUCTION 0.5
#define GILK_COST_NS_TRAP            500
/* Of so short a time no rate of hits is told. */
#define GILK_COST_LEAST_S            0.5

/* @ns: of a hit. Of one processor: 0.01 is a hundredth of its time. */
double  gilk_plan_cost_share (double ns, double hits_per_second);
/* "1 %" or "1": hundredths of a processor's time. */
gboolean gilk_parse_share    (const char *text, double *share, GError **error);
/**
 * gilk_plan_cost_over:
 * @shares: of each of @n hooks; negative: not known, which counts as nothing
 *
 * Returns: (transfer full) (element-type guint): the fewest hooks without which the others cost @budget at most,
 * the costliest first
 */
GArray *gilk_plan_cost_over  (const double *shares, guint n, double budget);

G_END_DECLS
