/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-forecast.c - gilk plan check --rates: shows the expected cost of a plan, and the hooks that
 * exceed a budget
 */
#include "cli/record/plan.h"

#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/output.h"
#include "core/cost/gilk-forecast.h"

typedef struct {
  const GilkBoundPlan *bound;
  GilkPlanForecast    *plan;
  double               budget; /* maximum share of a CPU's time for hooks; negative: no budget */
} Forecast;

static void
forecast_clear (Forecast *forecast)
{
  g_clear_pointer (&forecast->plan, gilk_plan_forecast_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forecast, forecast_clear)

static const char *
get_label (const Forecast *forecast, guint i)
{
  return g_array_index (forecast->bound->hooks, GilkBoundHook, i).hook->label;
}

static const char *
get_cost_source_name (GilkCostSource source)
{
  static const char *const names[] = { "assumed", "derived", "measured" };

  return names[source];
}

static gboolean
read_measured (Cli *cli, const char *path, GilkCostHistory **measured, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cli->cancellable, error);

  *measured = store != NULL ? gilk_cost_history_read (store, error) : NULL;

  return *measured != NULL;
}

/* ---- printing the forecast ---- */

static void
hook_to_json (CliJson *json, const Forecast *forecast, guint i)
{
  const GilkForecastHook *hook = gilk_plan_forecast_hook (forecast->plan, i);

  cli_json_row (json, NULL);
  cli_json_string (json, "hook", get_label (forecast, i));
  cli_json_double (json, "ns", hook->forecast.ns);
  cli_json_string (json, "cost_source", get_cost_source_name (hook->forecast.source));
  cli_json_double (json, "hits_per_second", hook->forecast.per_second >= 0 ? hook->forecast.per_second : NAN);
  cli_json_double (json, "share", hook->forecast.share >= 0 ? hook->forecast.share : NAN);
  if (forecast->budget >= 0)
    cli_json_bool (json, "over_budget", hook->over_budget);
  cli_json_end (json);
}

static void
forecast_to_json (Cli *cli, const Forecast *forecast, const char *words)
{
  const GilkPlanForecast *plan = forecast->plan;
  CliJson *json = cli->doc;

  cli_json_object (json, "forecast");
  cli_json_string (json, "from", words);
  cli_json_double (json, "share", plan->sum.n_known > 0 ? plan->sum.share : NAN);
  cli_json_uint (json, "known", plan->sum.n_known);
  if (forecast->budget >= 0)
    {
      cli_json_double (json, "budget", forecast->budget);
      cli_json_double (json, "share_within_budget", plan->kept.share);
      cli_json_uint (json, "over_budget", plan->n_over_budget);
    }
  cli_json_array (json, "hooks");
  for (guint i = 0; i < plan->hooks->len; i++)
    if (gilk_plan_forecast_hook (plan, i)->can_arm)
      hook_to_json (json, forecast, i);
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_rows (Cli *cli, const Forecast *forecast)
{
  g_autoptr(CliTable) table = cli_table_new (_("<HOOK|>NS/HIT|<SOURCE|>HITS/S|>SHARE|<NOTE"));

  for (guint i = 0; i < forecast->plan->hooks->len; i++)
    {
      const GilkForecastHook *hook = gilk_plan_forecast_hook (forecast->plan, i);
      double per_second = hook->forecast.per_second;
      g_autofree char *rate = per_second >= 0 ? cli_format_rate (per_second) : g_strdup ("-");
      g_autofree char *share = gilk_format_share (hook->forecast.share);

      if (!hook->can_arm)
        continue;
      cli_table_cell (table, get_label (forecast, i));
      cli_table_cellf (table, "%.3g", hook->forecast.ns);
      cli_table_cell (table, get_cost_source_name (hook->forecast.source));
      cli_table_cell (table, rate);
      cli_table_cell (table, share);
      cli_table_cell (table, hook->over_budget ? _("over the budget") : "");
      cli_table_tint (table, CLI_TINT_WARN);
    }
  cli_print (cli, "\n");
  cli_print_table (cli, table);
}

static void
print_sums (Cli *cli, const Forecast *forecast, const char *words)
{
  const GilkPlanForecast *plan = forecast->plan;
  g_autofree char *all = gilk_plan_forecast_total (plan), *kept = gilk_format_share (plan->kept.share);
  guint unknown = plan->sum.n - plan->sum.n_known;

  cli_print (cli, plan->sum.n_known > 0 ? _("Expected cost: %s.\n") : "%s\n", all);
  if (unknown > 0 && plan->sum.n_known > 0)
    cli_print (cli, ngettext ("Not included: %u hook, whose point was not hooked "
                              "in that session.\n",
                              "Not included: %u hooks, whose points were not hooked in that "
                              "session.\n", unknown), unknown);
  if (plan->n_over_budget > 0)
    cli_print (cli, ngettext ("Without the %u hook that is over the budget, the plan costs about "
                              "%s.\n",
                              "Without the %u hooks that are over the budget, the plan costs about "
                              "%s.\n", plan->n_over_budget),
               plan->n_over_budget, kept);
  else if (forecast->budget >= 0 && plan->sum.n_known > 0)
    cli_print (cli, _("The plan is within the budget.\n"));
  cli_print (cli, "%s\n", words);
}

/* Prints a note if the hit rates and costs were measured on another kernel. */
static void
note_origin (Cli *cli, const GilkCostHistory *measured, GilkTarget *target)
{
  const char *build_id = gilk_target_build_id (target);

  if (measured != NULL && g_strcmp0 (gilk_cost_history_build_id (measured), build_id) != 0)
    cli_note (cli, _("The session was recorded on another kernel, %s: rates and costs may differ here."),
              gilk_cost_history_release (measured));
}

gboolean
cli_plan_forecast_check (const char *rates, const char *budget, GError **error)
{
  double share;

  if (budget != NULL && rates == NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("--budget needs --rates SESSION: the cost of a plan depends on its hit rates."));
  return budget == NULL || gilk_parse_share (budget, &share, error);
}

gboolean
cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates, const char *budget,
                   GError **error)
{
  g_auto(Forecast) forecast = { .bound = bound, .budget = -1 };
  g_autoptr(GilkCostHistory) measured = NULL;
  g_autoptr(GArray) over = NULL;
  g_autofree char *words = NULL;

  if ((rates != NULL && !read_measured (cli, rates, &measured, error)) ||
      (budget != NULL && !gilk_parse_share (budget, &forecast.budget, error)))
    return FALSE;
  forecast.plan = gilk_plan_forecast_of_bound (bound, 0, measured);
  if (budget != NULL)
    over = gilk_plan_forecast_set_budget (forecast.plan, forecast.budget);
  words = gilk_plan_forecast_source (forecast.plan, g_get_real_time () / G_USEC_PER_SEC);
  if (cli->doc != NULL)
    forecast_to_json (cli, &forecast, words);
  else
    {
      print_rows (cli, &forecast);
      print_sums (cli, &forecast, words);
    }
  note_origin (cli, measured, kernel->target);
  return TRUE;
}
