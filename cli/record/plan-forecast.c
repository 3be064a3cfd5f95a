/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-forecast.c - gilk plan check --rates: the expected cost of a plan, and hooks beyond a budget
 */
#include "cli/record/plan-forecast.h"

#include <glib/gi18n.h>
#include <math.h>

#include "cli/base/bound.h"
#include "cli/base/output.h"
#include "core/run/gilk-forecast.h"

#define SHARE_SHOWN_MIN 1e-5          /* smallest share printed as a number */

typedef struct {
  const GilkBoundPlan *bound;
  GilkCostHistory   *measured; /* NULL: no session was given */
  GilkForecast   *hooks;
  double         *shares;      /* by hook */
  gboolean       *over;        /* by hook: removed by the budget */
  guint           n_over;
  double          budget;      /* negative: none */
  GilkForecastSum sum, kept;   /* of all hooks; of those within the budget */
} Forecast;

static void
forecast_clear (Forecast *forecast)
{
  g_clear_pointer (&forecast->measured, gilk_cost_history_unref);
  g_free (forecast->hooks);
  g_free (forecast->shares);
  g_free (forecast->over);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Forecast, forecast_clear)

static const GilkBoundHook *
get_hook (const Forecast *forecast, guint i)
{
  return &g_array_index (forecast->bound->hooks, GilkBoundHook, i);
}

static const char *
get_price_name (GilkCostSource price)
{
  static const char *const names[] = { "assumed", "derived", "measured" };

  return names[price];
}

/* ---- computation ---- */

static gboolean
read_measured (Cli *cli, const char *path, GilkCostHistory **measured, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cli->cancellable, error);

  *measured = store != NULL ? gilk_cost_history_read (store, error) : NULL;

  return *measured != NULL;
}

static GilkForecast
forecast_hook (const Forecast *forecast, const GilkBoundHook *hook)
{
  g_autofree char *place = cli_bound_block (hook);
  double rate = forecast->measured == NULL || hook->error != NULL ? -1
                : gilk_cost_history_rate (forecast->measured, hook->hook->label,
                                          hook->hook->watch == NULL ? cli_bound_function (hook) : NULL, place,
                                          gilk_where_name (hook->hook->where));

  return gilk_forecast_hook (forecast->measured, hook->hook->instrument, hook->choice.tactic, hook->choice.cost, rate);
}

static void
compute_forecast (Forecast *forecast)
{
  guint n = forecast->bound->hooks->len;
  g_autoptr(GArray) over = NULL;

  forecast->hooks = g_new0 (GilkForecast, n + 1);
  forecast->shares = g_new0 (double, n + 1);
  forecast->over = g_new0 (gboolean, n + 1);
  for (guint i = 0; i < n; i++)
    {
      forecast->hooks[i] = forecast_hook (forecast, get_hook (forecast, i));
      forecast->shares[i] = forecast->hooks[i].share;
      if (get_hook (forecast, i)->error == NULL)
        gilk_forecast_add (&forecast->sum, &forecast->hooks[i]);
    }
  over = gilk_plan_cost_excess_hooks (forecast->shares, n, forecast->budget >= 0 ? forecast->budget : INFINITY);
  forecast->n_over = over->len;
  for (guint i = 0; i < over->len; i++)
    forecast->over[g_array_index (over, guint, i)] = TRUE;
  for (guint i = 0; i < n; i++)
    if (!forecast->over[i] && get_hook (forecast, i)->error == NULL)
      gilk_forecast_add (&forecast->kept, &forecast->hooks[i]);
}

/* ---- output ---- */

/* (transfer full) */
static char *
format_share (double share)
{
  if (share < 0)
    return g_strdup ("-");

  return share > 0 && share < SHARE_SHOWN_MIN ? g_strdup ("<0.001 %") : g_strdup_printf ("%.3g %%", 100 * share);
}

static void
hook_to_json (CliJson *json, const Forecast *forecast, guint i)
{
  const GilkForecast *hook = &forecast->hooks[i];

  cli_json_row (json, NULL);
  cli_json_string (json, "hook", get_hook (forecast, i)->hook->label);
  cli_json_double (json, "ns", hook->ns);
  cli_json_string (json, "price", get_price_name (hook->source));
  cli_json_double (json, "hits_per_second", hook->per_second >= 0 ? hook->per_second : NAN);
  cli_json_double (json, "share", hook->share >= 0 ? hook->share : NAN);
  if (forecast->budget >= 0)
    cli_json_bool (json, "over_budget", forecast->over[i]);
  cli_json_end (json);
}

static void
forecast_to_json (Cli *cli, const Forecast *forecast, const char *words)
{
  CliJson *json = cli->doc;

  cli_json_object (json, "forecast");
  cli_json_string (json, "from", words);
  cli_json_double (json, "share", forecast->sum.n_known > 0 ? forecast->sum.share : NAN);
  cli_json_uint (json, "known", forecast->sum.n_known);
  if (forecast->budget >= 0)
    {
      cli_json_double (json, "budget", forecast->budget);
      cli_json_double (json, "share_kept", forecast->kept.share);
      cli_json_uint (json, "over_budget", forecast->n_over);
    }
  cli_json_array (json, "hooks");
  for (guint i = 0; i < forecast->bound->hooks->len; i++)
    if (get_hook (forecast, i)->error == NULL)
      hook_to_json (json, forecast, i);
  cli_json_end (json);
  cli_json_end (json);
}

static void
print_rows (Cli *cli, const Forecast *forecast)
{
  g_autoptr(CliTable) table = cli_table_new (_("<HOOK|>NS A HIT|<PRICE|>HITS/S|>SHARE|<NOTE"));

  for (guint i = 0; i < forecast->bound->hooks->len; i++)
    {
      const GilkForecast *hook = &forecast->hooks[i];
      g_autofree char *rate = hook->per_second >= 0 ? cli_format_rate (hook->per_second) : g_strdup ("-");
      g_autofree char *share = format_share (hook->share);

      if (get_hook (forecast, i)->error != NULL)
        continue;
      cli_table_cell (table, get_hook (forecast, i)->hook->label);
      cli_table_cellf (table, "%.3g", hook->ns);
      cli_table_cell (table, get_price_name (hook->source));
      cli_table_cell (table, rate);
      cli_table_cell (table, share);
      cli_table_cell (table, forecast->over[i] ? _("over the budget") : "");
      cli_table_tint (table, CLI_TINT_WARN);
    }
  cli_print (cli, "\n");
  cli_print_table (cli, table);
}

static void
print_sums (Cli *cli, const Forecast *forecast, const char *words)
{
  g_autofree char *all = format_share (forecast->sum.share), *kept = format_share (forecast->kept.share);
  guint unknown = forecast->sum.n - forecast->sum.n_known;

  if (forecast->sum.n_known == 0)
    cli_print (cli, _("Hit rates are not known: none of the hooks' points was hooked in that session.\n"));
  else
    cli_print (cli, _("Total: about %s of a CPU.\n"), all);
  if (unknown > 0 && forecast->sum.n_known > 0)
    cli_print (cli, ngettext ("Without %u hook, whose point was not hooked in that session.\n",
                              "Without %u hooks, whose points were not hooked in that session.\n", unknown), unknown);
  if (forecast->n_over > 0)
    cli_print (cli, ngettext ("Without %u hook over the budget: about %s.\n",
                              "Without %u hooks over the budget: about %s.\n", forecast->n_over),
               forecast->n_over, kept);
  else if (forecast->budget >= 0 && forecast->sum.n_known > 0)
    cli_print (cli, _("The plan is within the budget.\n"));
  cli_print (cli, "%s\n", words);
}

/* Notes if the rates and costs come from another kernel. */
static void
note_origin (Cli *cli, const Forecast *forecast, GilkTarget *target)
{
  const char *build_id = gilk_target_build_id (target);

  if (forecast->measured != NULL && g_strcmp0 (gilk_cost_history_build_id (forecast->measured), build_id) != 0)
    cli_note (cli, _("The session was recorded on another kernel, %s: rates and costs may differ here."),
              gilk_cost_history_release (forecast->measured));
}

gboolean
cli_plan_forecast_check (const char *rates, const char *budget, GError **error)
{
  double share;

  if (budget != NULL && rates == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                           _("--budget needs --rates SESSION: the cost of a plan depends on its hit rates."));
      return FALSE;
    }
  return budget == NULL || gilk_parse_share (budget, &share, error);
}

gboolean
cli_plan_forecast (Cli *cli, const CliKernel *kernel, const GilkBoundPlan *bound, const char *rates, const char *budget,
                   GError **error)
{
  g_auto(Forecast) forecast = { .bound = bound, .budget = -1 };
  g_autofree char *words = NULL;

  if ((rates != NULL && !read_measured (cli, rates, &forecast.measured, error)) ||
      (budget != NULL && !gilk_parse_share (budget, &forecast.budget, error)))
    return FALSE;
  compute_forecast (&forecast);
  words = gilk_forecast_describe_source (&forecast.sum, forecast.measured, g_get_real_time () / G_USEC_PER_SEC);
  if (cli->doc != NULL)
    forecast_to_json (cli, &forecast, words);
  else
    {
      print_rows (cli, &forecast);
      print_sums (cli, &forecast, words);
    }
  note_origin (cli, &forecast, kernel->target);
  return TRUE;
}
