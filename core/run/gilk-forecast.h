/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.h - cost of a plan, forecast before it is armed: cost of a hit times hit rate
 *
 * Both factors are those measured by an earlier run, if there is one. "gilk plan check" and the
 * workbench show the same figures.
 *
 * Threads: any, one at a time. Nothing fails.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/run/gilk-cost-history.h"

G_BEGIN_DECLS

/* Forecast of a single hook. */
typedef struct {
  double    ns;                /* per hit */
  GilkCostSource source;
  double    per_second;        /* hit rate; negative: unknown */
  double    share;             /* share of one CPU's time; negative: unknown */
} GilkForecast;

/* @measured is nullable. @tactic: enum ilk_tactic; @per_second: hit rate, negative if unknown */
GilkForecast gilk_forecast_hook (const GilkCostHistory *measured, const char *instrument, guint tactic, guint instructions,
                                 double per_second);

typedef struct {
  guint  n, n_known;           /* hooks; those with a known share */
  guint  by_source[GILK_COST_SOURCE_MEASURED + 1];
  double ns;                   /* of one hit of each */
  double share;                /* of those known */
} GilkForecastSum;

typedef struct {
  GilkForecast forecast;
  gboolean     can_arm;        /* FALSE: refused, or not bound: there is no forecast, and it is in no sum */
  gboolean     over_budget;
} GilkForecastHook;

/* Forecast of a plan, hook by hook. */
typedef struct {
  GilkCostHistory *measured;   /* NULL: nothing was measured */
  GArray          *hooks;      /* GilkForecastHook, as in the plan */
  GilkForecastSum  sum, kept;  /* of all hooks; of those within the budget */
  guint            n_over_budget;
} GilkPlanForecast;

/* @measured: (nullable) */
GilkPlanForecast *gilk_plan_forecast_new  (GilkCostHistory *measured);
/* Adds the plan's next hook. @hook: NULL if it cannot be armed */
void              gilk_plan_forecast_add  (GilkPlanForecast *self, const GilkForecast *hook);
/* Forecasts the hooks of @bound from index @first on, with the hit rates that @measured has. */
GilkPlanForecast *gilk_plan_forecast_of_bound (const GilkBoundPlan *bound, guint first, GilkCostHistory *measured);
void              gilk_plan_forecast_free (GilkPlanForecast *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanForecast, gilk_plan_forecast_free)

/* Marks the fewest hooks without which the others cost at most @budget, a share of one CPU's time.
 * Returns their indices, the most expensive first. (transfer full) (element-type guint) */
GArray *gilk_plan_forecast_set_budget (GilkPlanForecast *self, double budget);

/* Return texts (transfer full): the total ("about 1.2 % of one CPU"), or that rates are unknown and
 * how to measure them; the source of the figures, @now in seconds since 1970. */
char *gilk_plan_forecast_total  (const GilkPlanForecast *self);
char *gilk_plan_forecast_source (const GilkPlanForecast *self, gint64 now);

/* Formats a share of one CPU's time as "0.42 %", with no more digits than a forecast is worth; "-":
 * unknown. (transfer full) */
char *gilk_format_share         (double share);

static inline const GilkForecastHook *
gilk_plan_forecast_hook (const GilkPlanForecast *self, guint i)
{
  return &g_array_index (self->hooks, GilkForecastHook, i);
}

G_END_DECLS
