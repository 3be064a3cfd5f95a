/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.c - cost of a plan, forecast before it is armed
 */
#include "core/run/gilk-forecast.h"

#include <glib/gi18n.h>

#include "core/plan/gilk-plan.h"
#include "core/run/gilk-plan-cost.h"

#define SHARE_SHOWN_MIN   5e-5         /* smallest share shown as a number; 1 is a whole CPU */

GilkForecast
gilk_forecast_hook (const GilkCostHistory *measured,
                    const char            *instrument,
                    guint                  tactic,
                    guint                  instructions,
                    double                 per_second)
{
  GilkForecast hook = { .per_second = per_second };

  hook.ns = gilk_cost_history_ns (measured, instrument, gilk_tactic_name (tactic), instructions, &hook.source);
  hook.share = per_second >= 0 ? gilk_plan_cost_share (hook.ns, per_second) : -1;

  return hook;
}

GilkPlanForecast *
gilk_plan_forecast_new (GilkCostHistory *measured)
{
  GilkPlanForecast *self = g_new0 (GilkPlanForecast, 1);

  self->measured = measured != NULL ? gilk_cost_history_ref (measured) : NULL;
  self->hooks = g_array_new (FALSE, FALSE, sizeof (GilkForecastHook));

  return self;
}

void
gilk_plan_forecast_free (GilkPlanForecast *self)
{
  g_clear_pointer (&self->measured, gilk_cost_history_unref);
  g_array_unref (self->hooks);
  g_free (self);
}

static void
add_to_sum (GilkForecastSum    *sum,
            const GilkForecast *hook)
{
  sum->n++;
  sum->by_source[hook->source]++;
  sum->ns += hook->ns;
  if (hook->share < 0)
    return;
  sum->n_known++;
  sum->share += hook->share;
}

void
gilk_plan_forecast_add (GilkPlanForecast   *self,
                        const GilkForecast *hook)
{
  const GilkForecastHook one = { hook != NULL ? *hook : (GilkForecast) { .per_second = -1, .share = -1 }, hook != NULL, FALSE };

  g_array_append_val (self->hooks, one);
  if (hook == NULL)
    return;
  add_to_sum (&self->sum, hook);
  add_to_sum (&self->kept, hook);
}

static double
find_rate (GilkCostHistory *measured, const GilkBoundHook *hook)
{
  g_autofree char *block = gilk_bound_hook_block (hook);

  return measured == NULL ? -1
         : gilk_cost_history_rate (measured, hook->hook->label, hook->hook->watch == NULL ? gilk_bound_hook_function (hook) : NULL,
                                   block, gilk_where_name (hook->hook->where));
}

GilkPlanForecast *
gilk_plan_forecast_of_bound (const GilkBoundPlan *bound,
                             guint                first,
                             GilkCostHistory     *measured)
{
  GilkPlanForecast *self = gilk_plan_forecast_new (measured);

  for (guint i = first; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GilkForecast forecast;

      if (hook->error == NULL)
        forecast = gilk_forecast_hook (measured, hook->hook->instrument, hook->choice.tactic, hook->choice.cost,
                                       find_rate (measured, hook));
      gilk_plan_forecast_add (self, hook->error == NULL ? &forecast : NULL);
    }

  return self;
}

GArray *
gilk_plan_forecast_set_budget (GilkPlanForecast *self,
                               double            budget)
{
  guint n = self->hooks->len;
  g_autofree double *shares = g_new (double, n + 1);
  GArray *over;

  for (guint i = 0; i < n; i++)
    shares[i] = gilk_plan_forecast_hook (self, i)->forecast.share;
  over = gilk_plan_cost_excess_hooks (shares, n, budget);
  for (guint i = 0; i < n; i++)
    g_array_index (self->hooks, GilkForecastHook, i).over_budget = FALSE;
  for (guint i = 0; i < over->len; i++)
    g_array_index (self->hooks, GilkForecastHook, g_array_index (over, guint, i)).over_budget = TRUE;
  self->n_over_budget = over->len;
  self->kept = (GilkForecastSum) { 0 };
  for (guint i = 0; i < n; i++)
    {
      const GilkForecastHook *hook = gilk_plan_forecast_hook (self, i);

      if (hook->can_arm && !hook->over_budget)
        add_to_sum (&self->kept, &hook->forecast);
    }

  return over;
}

/* ---- texts ---- */

char *
gilk_format_share (double share)
{
  if (share < 0)
    return g_strdup ("-");
  if (share > 0 && share < SHARE_SHOWN_MIN)
    return g_strdup ("<0.01 %");

  return g_strdup_printf (share >= 0.1 ? "%.0f %%" : share >= 0.01 ? "%.1f %%" : "%.2f %%", 100 * share);
}

char *
gilk_plan_forecast_total (const GilkPlanForecast *self)
{
  g_autofree char *share = gilk_format_share (self->sum.share);

  if (self->sum.n_known == 0)
    return g_strdup (_("Cost unknown: run the plan once, even for a second, to measure hit rates."));
  if (self->sum.share > 0 && self->sum.share < SHARE_SHOWN_MIN)
    return g_strdup (_("less than 0.01 % of one CPU"));

  return g_strdup_printf (_("about %s of one CPU"), share);
}

/* Returns "3 min ago", or the date. (transfer full) */
static char *
format_age (gint64 then, gint64 now)
{
  gint64 minutes = MAX (now - then, 0) / 60;
  g_autoptr(GDateTime) day = NULL;

  if (minutes < 1)
    return g_strdup (_("just now"));
  if (minutes < 60)
    return g_strdup_printf (_("%d min ago"), (int) minutes);
  if (minutes < 24 * 60)
    return g_strdup_printf (_("%d h ago"), (int) (minutes / 60));
  day = g_date_time_new_from_unix_local (then);

  return day != NULL ? g_date_time_format (day, _("on %Y-%m-%d")) : g_strdup (_("long ago"));
}

static char *
describe_assumptions (void)
{
  return g_strdup_printf (_("Assumes %.1f ns per instruction of a hit and %d ns more per trap, because nothing was "
                            "measured on this kernel yet. A run measures it."), GILK_COST_NS_PER_INSTRUCTION, GILK_COST_NS_TRAP);
}

char *
gilk_plan_forecast_source (const GilkPlanForecast *self,
                           gint64                  now)
{
  const GilkForecastSum *sum = &self->sum;
  guint derived = sum->by_source[GILK_COST_SOURCE_DERIVED], assumed = sum->by_source[GILK_COST_SOURCE_ASSUMED];
  g_autofree char *age = NULL;
  g_autoptr(GString) text = NULL;

  if (self->measured == NULL || assumed == sum->n)
    return describe_assumptions ();
  age = format_age (gilk_cost_history_unix (self->measured), now);
  text = g_string_new (NULL);
  g_string_append_printf (text, _("The cost of a hit was measured %s, on this kernel."), age);
  if (derived > 0)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, g_dngettext (NULL, "%u hook runs other code than was measured; its cost is estimated "
                                                       "from its instructions.",
                                                 "%u hooks run other code than was measured; their cost is estimated "
                                                 "from their instructions.",
                                                 derived), derived);
    }
  if (assumed > 0)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, g_dngettext (NULL, "%u hook is of a kind that was not measured: %.1f ns per "
                                                       "instruction and %d ns more per trap are assumed.",
                                                 "%u hooks are of a kind that was not measured: %.1f ns per instruction "
                                                 "and %d ns more per trap are assumed.", assumed),
                              assumed, GILK_COST_NS_PER_INSTRUCTION, GILK_COST_NS_TRAP);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}
