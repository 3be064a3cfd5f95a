/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-time-words.h - what the times of a run are worth, in rows of name and value
 *
 * What "gilk report" says of clocks, costs and of hooks that were switched; each value with its unit,
 * what it means as its tip.
 */
#pragma once

#include "core/store/gilk-store-clock.h"
#include "core/store/gilk-store-cost.h"
#include "gui/gilk-session-effect.h"

G_BEGIN_DECLS

typedef struct { char *name, *value, *tip; } GilkFact;   /* tip: nullable */

/* All are (transfer full) (element-type GilkFact), and empty where nothing was measured. */
GPtrArray *gilk_time_words_clock  (const GilkStoredClock *clock);
GPtrArray *gilk_time_words_cpus   (const GilkStoredClock *clock);
GPtrArray *gilk_time_words_costs  (const GArray *costs);
/* Of one that is no refusal. */
GPtrArray *gilk_time_words_effect (const GilkSessionEffect *effect);

/* "40 ns (39.5 to 41)", and what that is. (transfer full) */
char      *gilk_time_words_cost     (const GilkStoredCost *cost);
char      *gilk_time_words_cost_tip (const GilkStoredCost *cost);
/* What is not in the difference, or NULL. (transfer full) */
char      *gilk_time_words_traps    (const GilkSessionEffect *effect);
/* The difference as it is drawn: in percent of off where that can be told, or else in its unit. The unit is
 * (transfer none). */
const char *gilk_time_words_drawn   (const GilkSessionEffect *effect, double *low, double *value, double *high);

G_END_DECLS
