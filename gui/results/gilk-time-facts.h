/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-time-facts.h - accuracy of a run's times, as rows of name and value
 *
 * The statements of "gilk report" on clocks, costs and switched hooks; each value has its unit, and
 * its tooltip explains it.
 */
#pragma once

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "gui/session/gilk-session.h"

G_BEGIN_DECLS

typedef struct { char *name, *value, *tip; } GilkFact;   /* tip: nullable */

/* All return (transfer full) (element-type GilkFact), empty if nothing was measured. */
GPtrArray *gilk_time_facts_clock  (const GilkStoredClock *clock);
GPtrArray *gilk_time_facts_cpus   (const GilkStoredClock *clock);
GPtrArray *gilk_time_facts_costs  (const GArray *costs);
/* @effect: must have no refusal */
GPtrArray *gilk_time_facts_effect (const GilkSessionEffect *effect);

/* Returns text such as "40 ns (39.5 to 41)", and its explanation. (transfer full) */
char      *gilk_time_facts_cost             (const GilkStoredCost *cost);
char      *gilk_time_facts_cost_tip         (const GilkStoredCost *cost);
/* Returns what the difference does not include, or NULL. (transfer full) */
char      *gilk_time_facts_traps            (const GilkSessionEffect *effect);
/* Returns the unit (transfer none) and gets the difference for drawing: in percent of the value
 * with hooks off if possible, otherwise in the value's unit. */
const char *gilk_time_facts_plot_difference (const GilkSessionEffect *effect, double *low, double *value, double *high);

G_END_DECLS
