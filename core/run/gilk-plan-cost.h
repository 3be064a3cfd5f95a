/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-cost.h - cost of a plan's hooks as a share of one CPU's time
 *
 * The arithmetic of a forecast, which is made before anything is armed; core/run/gilk-forecast.h
 * makes whole ones. A run measures the actual cost of a hit (core/analysis/gilk-hook-cost.h).
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Assumed costs if nothing was measured: of an instruction of a patch, on average (memory accesses
 * and jumps are slower than the rest), and of an int3 with its return. */
#define GILK_COST_NS_PER_INSTRUCTION 0.5
#define GILK_COST_NS_TRAP            500
/* Minimum time for a hit rate to be meaningful. */
#define GILK_COST_MIN_S            0.5

/* @ns: of a hit. Returns the share of one CPU's time: 0.01 is one percent. */
double  gilk_plan_cost_share        (double ns, double hits_per_second);
/* Parses a percentage, "1 %" or "1", to a share of one CPU's time. */
gboolean gilk_parse_share           (const char *text, double *share, GError **error);
/**
 * gilk_plan_cost_excess_hooks:
 * @shares: of each of @n hooks; negative: unknown, counts as 0
 *
 * Returns: (transfer full) (element-type guint): the smallest set of hooks to remove so that the
 *   others cost @budget at most; the most expensive first
 */
GArray *gilk_plan_cost_excess_hooks (const double *shares, guint n, double budget);

G_END_DECLS
