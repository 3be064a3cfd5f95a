/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-status.c - status of the hooks of the edited plan
 *
 * Status is stored by label. Painters and lookups ask by index or by address, often and for many
 * hooks; the indices for that are built on the first query after a change.
 */
#include "gui/plan/gilk-plan-model-private.h"

#include "core/base/gilk-discard.h"
#include "core/base/gilk-refusal.h"
#include "core/run/gilk-forecast.h"

static void
status_free (gpointer data)
{
  GilkHookStatus *status = data;

  g_free (status->problem);
  g_free (status);
}

void
gilk_plan_model_init_status (GilkPlanModel *self)
{
  self->status = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, status_free);
  self->status_at = g_ptr_array_new ();
  self->by_addr = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->by_block = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
}

void
gilk_plan_model_clear_status (GilkPlanModel *self)
{
  gilk_discard (self->status, (GDestroyNotify) g_hash_table_unref);
  g_ptr_array_unref (self->status_at);
  g_clear_pointer (&self->measured, gilk_cost_history_unref);
  gilk_discard (self->by_addr, (GDestroyNotify) g_hash_table_unref);
  gilk_discard (self->by_block, (GDestroyNotify) g_hash_table_unref);
}

void
gilk_plan_model_invalidate_index (GilkPlanModel *self)
{
  self->indexed = FALSE;
  g_ptr_array_set_size (self->status_at, 0);
}

void
gilk_plan_model_remove_status (GilkPlanModel *self,
                               const char    *label)
{
  if (g_hash_table_remove (self->status, label))
    gilk_plan_model_invalidate_index (self);
}

void
gilk_plan_model_remove_all_status (GilkPlanModel *self)
{
  g_hash_table_remove_all (self->status);
  gilk_plan_model_invalidate_index (self);
}

static GilkHookStatus *
ensure_status (GilkPlanModel *self,
               const char    *label)
{
  GilkHookStatus *status = g_hash_table_lookup (self->status, label);

  if (status == NULL)
    {
      status = g_new0 (GilkHookStatus, 1);
      status->update = self->cleared;
      g_hash_table_insert (self->status, g_strdup (label), status);
    }

  return status;
}

const GilkHookStatus *
gilk_plan_model_status (GilkPlanModel *self,
                        guint          index)
{
  if (self->status_at->len != self->plan->hooks->len)
    g_ptr_array_set_size (self->status_at, (int) self->plan->hooks->len);
  if (self->status_at->pdata[index] == NULL)
    self->status_at->pdata[index] = ensure_status (self, gilk_plan_model_hook (self, index)->label);

  return self->status_at->pdata[index];
}

GArray *
gilk_plan_model_refused_hooks (GilkPlanModel *self)
{
  GArray *hooks = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->plan->hooks->len; i++)
    if (gilk_plan_model_status (self, i)->problem != NULL)
      g_array_append_val (hooks, i);

  return hooks;
}

static double
find_rate (GilkPlanModel *self, const GilkPlanHook *hook, const GilkHookStatus *status)
{
  if ((status->counted && status->per_second >= 0) || self->measured == NULL)
    return status->counted ? status->per_second : -1;

  return gilk_cost_history_rate (self->measured, hook->label, hook->watch == NULL ? hook->function : NULL, hook->block,
                                 gilk_where_name (hook->where));
}

GilkPlanForecast *
gilk_plan_model_forecast (GilkPlanModel *self)
{
  GilkPlanForecast *plan = gilk_plan_forecast_new (self->measured);

  for (guint i = 0; i < gilk_plan_model_n_hooks (self); i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self, i);
      const GilkHookStatus *status = gilk_plan_model_status (self, i);
      gboolean can_arm = status->bound && status->problem == NULL;
      GilkForecast forecast;

      if (can_arm)
        forecast = gilk_forecast_hook (self->measured, hook->instrument, status->tactic, status->cost,
                                       find_rate (self, hook, status));
      gilk_plan_forecast_add (plan, can_arm ? &forecast : NULL);
    }

  return plan;
}

GilkCostHistory *
gilk_plan_model_measured (GilkPlanModel *self)
{
  return self->measured;
}

void
gilk_plan_model_set_measured (GilkPlanModel   *self,
                              GilkCostHistory *measured)
{
  g_clear_pointer (&self->measured, gilk_cost_history_unref);
  self->measured = measured != NULL ? gilk_cost_history_ref (measured) : NULL;
  gilk_plan_model_emit_status (self);
}

gboolean
gilk_plan_model_status_changed (GilkPlanModel *self,
                                guint          index)
{
  return gilk_plan_model_status (self, index)->update == self->update;
}

/* ---- lookup by probe point ---- */

static gpointer
make_addr_key (uint64_t addr, GilkWhere where)
{
  return GSIZE_TO_POINTER ((gsize) addr * 4 + where);
}

static char *
make_block_key (const char *block, GilkWhere where)
{
  return g_strdup_printf ("%d %s", (int) where, block);
}

static void
index_hook (GilkPlanModel *self,
            guint          index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self, index);
  const GilkHookStatus *status = gilk_plan_model_status (self, index);
  g_autofree char *key = NULL;
  GArray *there;

  if (hook->watch != NULL)
    return;
  if (status->addr != 0)
    {
      if (!g_hash_table_contains (self->by_addr, make_addr_key (status->addr, hook->where)))
        g_hash_table_insert (self->by_addr, make_addr_key (status->addr, hook->where), GUINT_TO_POINTER (index + 1));
      return;
    }
  if (hook->block == NULL)
    return;
  key = make_block_key (hook->block, hook->where);
  there = g_hash_table_lookup (self->by_block, key);
  if (there == NULL)
    {
      there = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->by_block, g_steal_pointer (&key), there);
    }
  g_array_append_val (there, index);
}

static void
make_index (GilkPlanModel *self)
{
  if (self->indexed)
    return;

  g_hash_table_remove_all (self->by_addr);
  g_hash_table_remove_all (self->by_block);
  for (guint i = 0; i < self->plan->hooks->len; i++)
    index_hook (self, i);
  self->indexed = TRUE;
}

int
gilk_plan_model_find (GilkPlanModel *self,
                      const char    *function,
                      const char    *block,
                      uint64_t       addr,
                      GilkWhere      where)
{
  g_autofree char *key = make_block_key (block != NULL ? block : "", where);
  const GArray *there;
  guint known;

  make_index (self);
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_addr, make_addr_key (addr, where)));
  there = g_hash_table_lookup (self->by_block, key);
  for (guint i = 0; there != NULL && i < there->len; i++)
    {
      guint index = g_array_index (there, guint, i);

      if (known != 0 && index > known - 1)
        break;
      if (gilk_function_is_named (gilk_plan_model_hook (self, index)->function, function))
        return (int) index;
    }

  return (int) known - 1;
}

/* ---- reports from the kernel ---- */

/* Omits the hook's name: the text is shown next to the hook. */
static char *
format_refusal (guint refusal)
{
  return g_strdup_printf ("%s %s", gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

static void
set_bound_hook (GilkPlanModel       *self,
                const GilkBoundHook *hook)
{
  GilkHookStatus *status = ensure_status (self, hook->hook->label);

  self->indexed &= status->addr == hook->addr;
  status->update = self->update;
  status->bound = TRUE;
  status->tactic = hook->choice.tactic;
  status->cost = hook->choice.cost;
  status->why_not_splice = hook->choice.why_not_splice;
  status->addr = hook->addr;
  status->program_error = hook->program_error;
  g_clear_pointer (&status->problem, g_free);
  if (hook->choice.refusal != 0)
    status->problem = format_refusal (hook->choice.refusal);
  else if (hook->error != NULL)
    status->problem = g_strdup (hook->error->message);
  else if (status->refused != 0)
    status->problem = format_refusal (status->refused);
}

void
gilk_plan_model_set_bound (GilkPlanModel       *self,
                           const GilkBoundPlan *bound)
{
  self->update++;
  if (bound == NULL)
    {
      gilk_plan_model_remove_all_status (self);
      self->cleared = self->update;
    }
  else
    for (guint i = 0; i < bound->hooks->len; i++)
      set_bound_hook (self, &g_array_index (bound->hooks, GilkBoundHook, i));

  gilk_plan_model_emit_status (self);
}

void
gilk_plan_model_set_refusal (GilkPlanModel *self,
                             const char    *label,
                             guint          refusal)
{
  GilkHookStatus *status = ensure_status (self, label);

  status->update = ++self->update;
  status->refused = refusal;
  g_free (status->problem);
  status->problem = format_refusal (refusal);
  gilk_plan_model_emit_status (self);
}

void
gilk_plan_model_clear_refusals (GilkPlanModel *self)
{
  GHashTableIter iter;
  gpointer value;

  self->update++;
  g_hash_table_iter_init (&iter, self->status);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GilkHookStatus *status = value;

      if (status->refused == 0)
        continue;
      status->refused = 0;
      status->update = self->update;
      g_clear_pointer (&status->problem, g_free);
    }
  gilk_plan_model_emit_status (self);
}

/* Returns hits per second while the hook was armed; negative if that was too short. */
static double
compute_mean_rate (const GilkPlanHook *hook, uint64_t hits, double elapsed)
{
  double until = hook->stop_ns != 0 ? MIN ((double) hook->stop_ns / 1e9, elapsed) : elapsed;
  double worked = until - (double) hook->start_ns / 1e9;

  return worked >= GILK_COST_MIN_S ? (double) hits / worked : -1;
}

/* Copies the figures; returns whether anything but the rate has changed. */
static gboolean
set_figure (GilkHookStatus        *status,
            const GilkHookFigures *figure,
            gboolean               running)
{
  const GilkHookStatus before = *status;

  status->counted = figure->hits_known;
  status->live = running && (figure->state == ILK_STATE_ARMED || figure->state == ILK_STATE_TRAPPED);
  status->hits = figure->hits;
  status->lost = figure->lost;
  status->missed = figure->missed;
  status->rate = figure->rate;
  if (figure->tactic != ILK_TACTIC_NONE)
    status->tactic = figure->tactic;

  return status->counted != before.counted || status->live != before.live || status->hits != before.hits ||
         status->lost != before.lost || status->missed != before.missed || status->tactic != before.tactic;
}

void
gilk_plan_model_update_figures (GilkPlanModel        *self,
                                const GilkBoundPlan  *bound,
                                const GilkRunFigures *figures)
{
  self->update++;
  for (guint i = 0; i < figures->n_hooks && i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GilkHookStatus *status = ensure_status (self, hook->hook->label);

      if (!status->bound)              /* the run started before the plan was checked here */
        set_bound_hook (self, hook);
      status->per_second = compute_mean_rate (hook->hook, figures->hooks[i].hits, figures->elapsed);
      if (set_figure (status, &figures->hooks[i], figures->state == GILK_RUN_RUNNING))
        status->update = self->update;
    }

  gilk_plan_model_emit_status (self);
}
