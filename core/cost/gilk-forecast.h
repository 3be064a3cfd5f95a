/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.h - forecasts the cost of a plan before it is armed: cost of a hit times hit rate
 *
 * Both factors come from measurements of an earlier run, if there is one: a run measures the code
 * of each kind of hook (core/run/gilk-run-costs.h) and counts the hits of each hook. "gilk plan
 * check" and the workbench show the same figures.
 *
 * Threads: any, one at a time, unless said otherwise.
 */
#pragma once

#include "core/bind/gilk-bound-plan.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* ---- shares of one CPU's time ---- */

/* Costs to assume if nothing was measured: the average cost of one instruction of a hook's code
 * (memory accesses and jumps take longer than that), and the cost of an int3 with its return. */
#define GILK_COST_NS_PER_INSTRUCTION 0.5
#define GILK_COST_NS_TRAP            500
/* Minimum time, in seconds, that a hook must have been on so that its hit rate is meaningful. */
#define GILK_COST_MIN_S            0.5

/* Returns the share of one CPU's time that a hook takes; 0.01 is one percent. @ns: cost of a hit */
double  gilk_plan_cost_share        (double ns, double hits_per_second);
/* Parses a percentage, such as "1 %" or "1", as a share of one CPU's time. */
gboolean gilk_parse_share           (const char *text, double *share, GError **error);
/**
 * gilk_plan_cost_excess_hooks:
 * @shares: share of one CPU's time of each of @n hooks; negative: unknown, counts as 0
 *
 * Returns: (transfer full) (element-type guint): the smallest set of hooks to remove so that the
 *   others cost at most @budget; the most expensive hook is first
 */
GArray *gilk_plan_cost_excess_hooks (const double *shares, guint n, double budget);

/* ---- measurements of a session's runs ---- */

/*
 * Costs and hit rates of hooks, as measured by the runs of a session. Each figure is from the
 * latest run that measured it. Runs on a kernel or machine other than that of the last run are
 * ignored. Only the store's thread may read them; the result is immutable.
 */
typedef struct _GilkCostHistory GilkCostHistory;

/* Reads the measurements of a session. Fails with GILK_ERROR_NOT_FOUND if no run has ended. */
GilkCostHistory *gilk_cost_history_read  (GilkStore *store, GError **error);
GilkCostHistory *gilk_cost_history_ref   (GilkCostHistory *self);
void             gilk_cost_history_unref (GilkCostHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCostHistory, gilk_cost_history_unref)

/* Return the kernel release, the build id and the host name of the last run; "" if unknown.
 * (transfer none) */
const char *gilk_cost_history_release  (const GilkCostHistory *self);
const char *gilk_cost_history_build_id (const GilkCostHistory *self);
const char *gilk_cost_history_hostname (const GilkCostHistory *self);
/* Returns the number of hook kinds whose cost is known. */
guint       gilk_cost_history_n_costs  (const GilkCostHistory *self);

/* Where the figure for a hook's cost comes from. */
typedef enum {
  GILK_COST_SOURCE_ASSUMED,    /* nothing similar was measured */
  GILK_COST_SOURCE_DERIVED,    /* computed from the number of instructions and the cost of other
                                * code */
  GILK_COST_SOURCE_MEASURED,   /* the same code was measured */
} GilkCostSource;

/* Returns the cost of a hit in nanoseconds. @self: NULL if nothing was measured; @tactic: as in
 * gilk_tactic_name() */
double gilk_cost_history_ns (const GilkCostHistory *self, const char *instrument, const char *tactic, guint instructions,
                             GilkCostSource *price);
/**
 * gilk_cost_history_rate:
 * @function, @block: (nullable): the probe point, together with @where; hooks without a block are
 *   looked up by @label
 *
 * Returns: hits per second while the hook was on; negative: unknown
 */
double gilk_cost_history_rate (const GilkCostHistory *self, const char *label, const char *function, const char *block,
                               const char *where);

/* ---- forecasts ---- */

/* Forecast of a single hook. */
typedef struct {
  double    ns;                /* cost of a hit */
  GilkCostSource source;
  double    per_second;        /* hit rate; negative: unknown */
  double    share;             /* share of one CPU's time; negative: unknown */
} GilkForecast;

/* Forecasts a hook. @measured: (nullable); @tactic: enum ilk_tactic; @per_second: hit rate,
 * negative if unknown */
GilkForecast gilk_forecast_hook (const GilkCostHistory *measured, const char *instrument, guint tactic, guint instructions,
                                 double per_second);

typedef struct {
  guint  n, n_known;           /* number of hooks, and of hooks with a known share */
  guint  by_source[GILK_COST_SOURCE_MEASURED + 1];
  double ns;                   /* sum of the hooks' costs per hit */
  double share;                /* sum of the known shares */
} GilkForecastSum;

typedef struct {
  GilkForecast forecast;
  gboolean     can_arm;        /* FALSE: the hook was refused or not bound, and is not
                                * included in sums */
  gboolean     over_budget;
} GilkForecastHook;

/* Forecast of a plan, hook by hook. */
typedef struct {
  GilkCostHistory *measured;   /* NULL: nothing was measured */
  GArray          *hooks;      /* GilkForecastHook, in plan order */
  GilkForecastSum  sum, kept;  /* sums of all hooks, and of hooks within the budget */
  guint            n_over_budget;
} GilkPlanForecast;

/* Makes a forecast without hooks. @measured: (nullable) */
GilkPlanForecast *gilk_plan_forecast_new  (GilkCostHistory *measured);
/* Adds the plan's next hook. @hook: NULL if it cannot be armed */
void              gilk_plan_forecast_add  (GilkPlanForecast *self, const GilkForecast *hook);
/* Forecasts the costs of the hooks of @bound at index @first and later, with the hit rates in
 * @measured. */
GilkPlanForecast *gilk_plan_forecast_of_bound (const GilkBoundPlan *bound, guint first, GilkCostHistory *measured);
void              gilk_plan_forecast_free (GilkPlanForecast *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanForecast, gilk_plan_forecast_free)

/* Marks the fewest hooks to remove so that the others cost at most @budget, a share of one CPU's
 * time. Returns their indices, the most expensive first. (transfer full) (element-type guint) */
GArray *gilk_plan_forecast_set_budget (GilkPlanForecast *self, double budget);

/* gilk_plan_forecast_total() returns the total ("about 1.2 % of one CPU"); if rates are unknown, it
 * returns how to measure them. gilk_plan_forecast_source() returns where the figures come from;
 * @now is in seconds since 1970. (transfer full) */
char *gilk_plan_forecast_total  (const GilkPlanForecast *self);
char *gilk_plan_forecast_source (const GilkPlanForecast *self, gint64 now);

/* Formats a share of one CPU's time as "0.42 %", with few digits because forecasts are inaccurate;
 * "-": unknown. (transfer full) */
char *gilk_format_share         (double share);

static inline const GilkForecastHook *
gilk_plan_forecast_hook (const GilkPlanForecast *self, guint i)
{
  return &g_array_index (self->hooks, GilkForecastHook, i);
}

G_END_DECLS
