/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-forecast.c - forecasts the cost of a plan from costs and hit rates that a session's runs
 * measured
 */
#include "core/cost/gilk-forecast.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/cost/gilk-median.h"
#include "core/plan/gilk-plan.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store.h"

#define SHARE_MAX 64            /* maximum share of one CPU's time that a user can enter; 64 means
                                 * 64 CPUs */
#define SHARE_SHOWN_MIN 5e-5    /* smallest share of one CPU's time that is shown as a number */

/* ---- shares of one CPU's time ---- */

double
gilk_plan_cost_share (double ns,
                      double hits_per_second)
{
  return ns * hits_per_second / 1e9;
}

gboolean
gilk_parse_share (const char *text,
                  double     *share,
                  GError    **error)
{
  char *end;
  double percent = g_ascii_strtod (text, &end);
  g_autofree char *rest = g_strstrip (g_strdup (end));

  if (end == text || !(percent > 0 && percent <= 100 * SHARE_MAX) || (rest[0] != '\0' && !g_str_equal (rest, "%")))
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE, _("Write a share of a processor's time, such as 1 %."));
      return FALSE;
    }
  *share = percent / 100;

  return TRUE;
}

/* Sorts by cost, most expensive first; if two hooks have equal cost, the later hook is first. */
static int
compare_shares (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const double *shares = user_data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (shares[i] != shares[k])
    return shares[i] < shares[k] ? 1 : -1;

  return i < k ? 1 : -1;
}

GArray *
gilk_plan_cost_excess_hooks (const double *shares,
                             guint         n,
                             double        budget)
{
  GArray *over = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  double all = 0;
  guint out = 0;

  for (guint i = 0; i < n; i++)
    {
      all += MAX (shares[i], 0);
      g_array_append_val (over, i);
    }
  g_array_sort_with_data (over, compare_shares, (gpointer) shares);
  while (out < n && all > budget && shares[g_array_index (over, guint, out)] > 0)
    all -= shares[g_array_index (over, guint, out++)];
  g_array_set_size (over, out);

  return over;
}

/* ---- measurements of a session's runs ---- */

struct _GilkCostHistory {
  gatomicrefcount ref_count;
  char       *release, *build_id, *hostname;
  gint64      unix_s;
  GHashTable *costs;           /* key from make_kind_key() -> ns per hit (double) */
  double      per_instruction; /* cost in ns of one instruction of a hook that is reached by a jump;
                                * negative: not measured */
  double      per_trap;        /* additional cost in ns of a hook that is reached by a trap;
                                * negative: not measured */
  GHashTable *points;          /* key from make_point_key() -> hits per second (double) */
  GHashTable *labels;          /* label of a hook -> hits per second (double); only hooks without a
                                * block */
};

static char *
make_kind_key (const char *instrument, const char *tactic, guint instructions)
{
  return g_strdup_printf ("%s\n%s\n%u", instrument, tactic, instructions);
}

static char *
make_point_key (const char *function, const char *block, const char *where)
{
  return g_strdup_printf ("%s\n%s\n%s", function, block, where);
}

/* Adds a value unless @key has one. Runs are added latest first, so the latest value is used. */
static void
keep_first (GHashTable *table, char *key, double value)
{
  if (g_hash_table_contains (table, key))
    g_free (key);
  else
    g_hash_table_insert (table, key, g_memdup2 (&value, sizeof value));
}

/* ---- reads measurements from a session ---- */

static gboolean
is_trap (const char *tactic)
{
  return strcmp (tactic, gilk_tactic_name (ILK_TACTIC_TRAP)) == 0;
}

/* Returns the median; a negative number for an empty array. */
static double
compute_median (GArray *values)
{
  return values->len > 0 ? gilk_median_of ((double *) values->data, values->len, 0.025).value : -1;
}

/* Derives the cost of an instruction, and the additional cost of a trap, from the costs of all
 * kinds of hooks. */
static void
derive_costs (GilkCostHistory *self, const GArray *costs)
{
  g_autoptr(GArray) jumps = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) traps = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);
      double each = MAX (cost->ns, 0) / MAX (cost->instructions, 1);

      if (!is_trap (cost->tactic))
        g_array_append_val (jumps, each);
    }
  if (self->per_instruction < 0)
    self->per_instruction = compute_median (jumps);
  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);
      double each = self->per_instruction >= 0 ? self->per_instruction : GILK_COST_NS_PER_INSTRUCTION;
      double over = MAX (cost->ns - cost->instructions * each, 0);

      if (is_trap (cost->tactic))
        g_array_append_val (traps, over);
    }
  if (self->per_trap < 0)
    self->per_trap = compute_median (traps);
}

static gboolean
read_costs (GilkCostHistory *self, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GArray) costs = gilk_store_costs (store, run->id, error);

  if (costs == NULL)
    return FALSE;
  derive_costs (self, costs);
  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);

      keep_first (self->costs, make_kind_key (cost->instrument, cost->tactic, cost->instructions), MAX (cost->ns, 0));
    }

  return TRUE;
}

static gboolean
read_rates (GilkCostHistory *self, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run->id, error);

  if (hooks == NULL)
    return FALSE;
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);
      double seconds = gilk_stored_hook_seconds (hook, run);

      if (!hook->hits_known || seconds < GILK_COST_MIN_S)
        continue;
      keep_first (self->points, make_point_key (hook->function, hook->block, hook->where), (double) hook->hits / seconds);
      keep_first (self->labels, g_strdup (hook->label), (double) hook->hits / seconds);
    }

  return TRUE;
}

static gboolean
is_same_machine (const GilkCostHistory *self, const GilkStoredRun *run, const GilkStoredOrigin *origin)
{
  return strcmp (self->build_id, run->build_id) == 0 && strcmp (self->hostname, origin->hostname) == 0;
}

/* Adds the measurements of a run. Must be called for the latest run first. */
static gboolean
read_run (GilkCostHistory *self, GilkStore *store, const GilkStoredRun *run, GError **error)
{
  g_auto(GilkStoredOrigin) origin = { 0 };

  if (!gilk_store_origin (store, run->id, &origin, error))
    return FALSE;
  if (self->release == NULL)
    {
      self->release = g_strdup (run->release);
      self->build_id = g_strdup (run->build_id);
      self->hostname = g_strdup (origin.hostname);
      self->unix_s = (gint64) (origin.zero_unix_ns / 1000000000);
    }

  return !is_same_machine (self, run, &origin) ||
         (read_costs (self, store, run, error) && read_rates (self, store, run, error));
}

static GilkCostHistory *
history_new (void)
{
  GilkCostHistory *self = g_new0 (GilkCostHistory, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->costs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->points = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->per_instruction = self->per_trap = -1;

  return self;
}

GilkCostHistory *
gilk_cost_history_read (GilkStore *store,
                        GError   **error)
{
  g_autoptr(GilkCostHistory) self = history_new ();
  g_autoptr(GArray) runs = gilk_store_runs (store, error);

  if (runs == NULL)
    return NULL;
  for (guint i = runs->len; i-- > 0;)
    {
      const GilkStoredRun *run = &g_array_index (runs, GilkStoredRun, i);

      if (run->duration > 0 && !read_run (self, store, run, error))
        return NULL;
    }
  if (self->release != NULL)
    return g_steal_pointer (&self);
  return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
      _("Session %s has no finished run to take costs from. Name a session with a recording."),
      gilk_store_path (store));
}

GILK_DEFINE_REF (GilkCostHistory, gilk_cost_history, ref_count)

void
gilk_cost_history_unref (GilkCostHistory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  gilk_free_all (self->release, self->build_id, self->hostname);
  g_hash_table_unref (self->costs);
  g_hash_table_unref (self->points);
  g_hash_table_unref (self->labels);
  g_free (self);
}

/* ---- looks up measurements ---- */

const char *
gilk_cost_history_release (const GilkCostHistory *self)
{
  return self->release;
}

const char *
gilk_cost_history_build_id (const GilkCostHistory *self)
{
  return self->build_id;
}

const char *
gilk_cost_history_hostname (const GilkCostHistory *self)
{
  return self->hostname;
}

guint
gilk_cost_history_n_costs (const GilkCostHistory *self)
{
  return g_hash_table_size (self->costs);
}

double
gilk_cost_history_ns (const GilkCostHistory *self,
                      const char            *instrument,
                      const char            *tactic,
                      guint                  instructions,
                      GilkCostSource        *price)
{
  g_autofree char *key = make_kind_key (instrument, tactic, instructions);
  const double *known = self != NULL ? g_hash_table_lookup (self->costs, key) : NULL;
  gboolean derived = self != NULL && (is_trap (tactic) ? self->per_trap : self->per_instruction) >= 0;
  double each = self != NULL && self->per_instruction >= 0 ? self->per_instruction : GILK_COST_NS_PER_INSTRUCTION;
  double trap = self != NULL && self->per_trap >= 0 ? self->per_trap : GILK_COST_NS_TRAP;

  *price = known != NULL ? GILK_COST_SOURCE_MEASURED : derived ? GILK_COST_SOURCE_DERIVED : GILK_COST_SOURCE_ASSUMED;

  return known != NULL ? *known : instructions * each + (is_trap (tactic) ? trap : 0);
}

double
gilk_cost_history_rate (const GilkCostHistory *self,
                        const char            *label,
                        const char            *function,
                        const char            *block,
                        const char            *where)
{
  g_autofree char *name = function != NULL ? g_strndup (function, strcspn (function, " ")) : NULL;  /* cut " [module]" */
  g_autofree char *key = name != NULL && block != NULL ? make_point_key (name, block, where) : NULL;
  const double *rate = key != NULL ? g_hash_table_lookup (self->points, key) : g_hash_table_lookup (self->labels, label);

  return rate != NULL ? *rate : -1;
}

/* ---- forecasts ---- */

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
         : gilk_cost_history_rate (measured, hook->hook->label, gilk_plan_hook_has_graph (hook->hook) ? gilk_bound_hook_function (hook) : NULL,
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

/* ---- forecasts as text ---- */

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

/* Returns an age such as "3 min ago", or the date. (transfer full) */
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
  return g_strdup_printf (_("Assumes %.1f ns per instruction of a hit and %d ns more per trap, "
                            "because nothing was measured on this kernel yet. A run measures "
                            "these costs."), GILK_COST_NS_PER_INSTRUCTION, GILK_COST_NS_TRAP);
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
  age = format_age (self->measured->unix_s, now);
  text = g_string_new (NULL);
  g_string_append_printf (text, _("The cost of a hit was measured on this kernel %s."), age);
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
