/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cost-history.c - costs and hit rates that a session's runs measured, for forecasts
 */
#include "core/run/gilk-cost-history.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-median.h"
#include "core/plan/gilk-plan.h"
#include "core/run/gilk-plan-cost.h"
#include "core/store/gilk-store-cost.h"
#include "core/store/gilk-store.h"

struct _GilkCostHistory {
  gatomicrefcount ref_count;
  char       *release, *build_id, *hostname;
  gint64      unix_s;
  GHashTable *costs;           /* kind_key() -> double, ns */
  double      per_instruction; /* ns, of code reached by a jump; negative: not measured */
  double      per_trap;        /* extra ns; negative: not measured */
  GHashTable *points;          /* point_key() -> double, hits per second */
  GHashTable *labels;          /* label -> double, of hooks without a block */
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

/* Keeps the first value, which is that of the latest run. */
static void
keep_first (GHashTable *table, char *key, double value)
{
  if (g_hash_table_contains (table, key))
    g_free (key);
  else
    g_hash_table_insert (table, key, g_memdup2 (&value, sizeof value));
}

/* ---- reading ---- */

static gboolean
is_trap (const char *tactic)
{
  return strcmp (tactic, gilk_tactic_name (ILK_TACTIC_TRAP)) == 0;
}

/* Returns a negative value for an empty array. */
static double
compute_median (GArray *values)
{
  return values->len > 0 ? gilk_median_of ((double *) values->data, values->len, 0.025).value : -1;
}

/* Derives the cost of an instruction, and of a trap on top, from all kinds in @costs. */
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

/* Called for the latest run first. */
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
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("Session %s has no finished run to take costs from. Name a session with a recording."),
               gilk_store_path (store));

  return NULL;
}

GilkCostHistory *
gilk_cost_history_ref (GilkCostHistory *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
gilk_cost_history_unref (GilkCostHistory *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->release);
  g_free (self->build_id);
  g_free (self->hostname);
  g_hash_table_unref (self->costs);
  g_hash_table_unref (self->points);
  g_hash_table_unref (self->labels);
  g_free (self);
}

/* ---- queries ---- */

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

gint64
gilk_cost_history_unix (const GilkCostHistory *self)
{
  return self->unix_s;
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
  g_autofree char *name = function != NULL ? g_strndup (function, strcspn (function, " ")) : NULL;    /* "f [module]" */
  g_autofree char *key = name != NULL && block != NULL ? make_point_key (name, block, where) : NULL;
  const double *rate = key != NULL ? g_hash_table_lookup (self->points, key) : g_hash_table_lookup (self->labels, label);

  return rate != NULL ? *rate : -1;
}
