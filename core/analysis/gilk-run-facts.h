/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-facts.h - facts about a run: the accuracy of its times, the cost of its hits, the effect
 * of its hooks that were switched on and off
 *
 * Threads: any. All results are (transfer full); a result has no rows if nothing was
 * measured.
 */
#pragma once

#include "core/analysis/gilk-hook-perturbation.h"
#include "core/base/gilk-fact.h"
#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"

G_BEGIN_DECLS

/* Returns the facts about the run's clock. @count_cpus: adds the counts of CPUs with corrected and
 * with unknown offsets, for callers that do not show gilk_facts_of_cpus() */
GilkFacts *gilk_facts_of_clock  (const GilkStoredClock *clock, gboolean count_cpus);
/* Returns a row for each CPU of @clock, in the same order, then the rows that @count_cpus adds in
 * gilk_facts_of_clock(). */
GilkFacts *gilk_facts_of_cpus   (const GilkStoredClock *clock);
/* @costs: (element-type GilkStoredCost). Returns a row for each cost, in the same order. */
GilkFacts *gilk_facts_of_costs  (const GArray *costs);
GilkFacts *gilk_facts_of_effect (const GilkEffect *effect);

/* Return a cost such as "40 ns (39.5 to 41)", and its explanation. */
char *gilk_cost_value       (const GilkStoredCost *cost);
char *gilk_cost_explanation (const GilkStoredCost *cost);
/* Returns a sentence about costs that the measured difference does not include, or NULL. */
char *gilk_effect_caveat    (const GilkEffect *effect);

G_END_DECLS
