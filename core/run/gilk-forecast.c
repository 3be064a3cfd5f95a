/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.c - cost of a plan, forecast before it is armed
 */
#include "core/run/gilk-forecast.h"

#include <glib/gi18n.h>

#include "core/plan/gilk-plan.h"
#include "core/run/gilk-plan-cost.h"

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

void
gilk_forecast_add (GilkForecastSum    *sum,
                   const GilkForecast *hook)
{
  sum->n++;
  sum->by_source[hook->source]++;
  if (hook->share < 0)
    return;
  sum->n_known++;
  sum->share += hook->share;
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
gilk_forecast_describe_source (const GilkForecastSum *sum,
                               const GilkCostHistory *measured,
                               gint64                 now)
{
  guint derived = sum->by_source[GILK_COST_SOURCE_DERIVED], assumed = sum->by_source[GILK_COST_SOURCE_ASSUMED];
  g_autofree char *age = NULL;
  g_autoptr(GString) text = NULL;

  if (measured == NULL || assumed == sum->n)
    return describe_assumptions ();
  age = format_age (gilk_cost_history_unix (measured), now);
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
