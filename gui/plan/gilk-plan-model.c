/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model.c - the plan being edited, with undo, and the status of its hooks
 *
 * Every edit first pushes a copy of the plan onto the undo stack. Undo only swaps two plans; it
 * does not compute the reverse of an edit. The copies share unchanged hooks with the edited plan,
 * so a copy takes little memory.
 *
 * The status of a hook is stored by the hook's label. As it is often queried by index or by
 * address, for many hooks, the first such query after a change builds lookup tables.
 */
#include "gui/plan/gilk-plan-model.h"

#include "core/base/gilk-progress.h"
#include "core/base/gilk-refusal.h"
#include "core/cost/gilk-forecast.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-event.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-schedule.h"
#include "gui/base/gilk-object.h"

#define UNDO_DEPTH 200

struct _GilkPlanModel {
  GObject     parent_instance;

  GilkPlan   *plan;
  GPtrArray  *undo, *redo;     /* GilkPlan */
  uint64_t    length_ns;       /* length of the run; 0: until stopped */
  GHashTable *status;          /* label -> GilkHookStatus */
  GPtrArray  *status_at;       /* GilkHookStatus of each hook, or NULL; owned by @status */
  guint       update;          /* number of status updates so far */
  guint       cleared;         /* number of the update that last cleared the status of all hooks */
  gboolean    indexed;         /* @by_addr and @by_block are up to date */
  GHashTable *by_addr;         /* key: address, and pre-, post-hook or instruction; value: index +
                                * 1. Only hooks with a known address */
  GilkCostHistory *measured;   /* costs on the current target; NULL: none */
  GHashTable *by_block;        /* "EDGE BLOCK" -> GArray of indices; only hooks without an
                                * address */
};

G_DEFINE_TYPE (GilkPlanModel, gilk_plan_model, G_TYPE_OBJECT)

static GilkPlanHook *
get_hook (GilkPlanModel *self,
          guint          index)
{
  return g_ptr_array_index (self->plan->hooks, index);
}

static void
start_edit (GilkPlanModel *self)
{
  g_ptr_array_add (self->undo, gilk_plan_share (self->plan));
  if (self->undo->len > UNDO_DEPTH)
    g_ptr_array_remove_index (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
}

/* Returns the hook @index for modification. Must be called between start_edit() and end_edit(). */
static GilkPlanHook *
edit_hook (GilkPlanModel *self,
           guint          index)
{
  return gilk_plan_edit_hook (self->plan, index);
}

static void
end_edit (GilkPlanModel *self)
{
  g_signal_emit_by_name (self, "changed");
}

static void
emit_status (GilkPlanModel *self)
{
  g_signal_emit_by_name (self, "status-changed");
}

const GilkPlan *
gilk_plan_model_plan (GilkPlanModel *self)
{
  return self->plan;
}

guint
gilk_plan_model_n_hooks (GilkPlanModel *self)
{
  return self->plan->hooks->len;
}

const GilkPlanHook *
gilk_plan_model_hook (GilkPlanModel *self,
                      guint          index)
{
  return get_hook (self, index);
}

/* ---- status of the hooks ---- */

static void
status_free (gpointer data)
{
  GilkHookStatus *status = data;

  g_free (status->problem);
  g_free (status);
}

static void
init_status (GilkPlanModel *self)
{
  self->status = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, status_free);
  self->status_at = g_ptr_array_new ();
  self->by_addr = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->by_block = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
}

static void
free_status (GilkPlanModel *self)
{
  gilk_discard (self->status, (GDestroyNotify) g_hash_table_unref);
  g_ptr_array_unref (self->status_at);
  g_clear_pointer (&self->measured, gilk_cost_history_unref);
  gilk_discard (self->by_addr, (GDestroyNotify) g_hash_table_unref);
  gilk_discard (self->by_block, (GDestroyNotify) g_hash_table_unref);
}

static void
invalidate_index (GilkPlanModel *self)
{
  self->indexed = FALSE;
  g_ptr_array_set_size (self->status_at, 0);
}

static void
remove_status (GilkPlanModel *self,
               const char    *label)
{
  if (g_hash_table_remove (self->status, label))
    invalidate_index (self);
}

static void
remove_all_status (GilkPlanModel *self)
{
  g_hash_table_remove_all (self->status);
  invalidate_index (self);
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

  return gilk_cost_history_rate (self->measured, hook->label, gilk_plan_hook_has_graph (hook) ? hook->function : NULL, hook->block,
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
  emit_status (self);
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

  if (!gilk_plan_hook_has_graph (hook))
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

/* ---- results of binding and figures of runs ---- */

/* Returns the cause and the remedy of a refusal. The text omits the hook's name, because it is
 * shown next to the hook. */
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
      remove_all_status (self);
      self->cleared = self->update;
    }
  else
    for (guint i = 0; i < bound->hooks->len; i++)
      set_bound_hook (self, &g_array_index (bound->hooks, GilkBoundHook, i));

  emit_status (self);
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
  emit_status (self);
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
  emit_status (self);
}

/* Returns the hits per second of the time in which the hook was armed; a negative value if that
 * time was too short. */
static double
compute_mean_rate (const GilkPlanHook *hook, uint64_t hits, double elapsed)
{
  double until = hook->stop_ns != 0 ? MIN ((double) hook->stop_ns / 1e9, elapsed) : elapsed;
  double worked = until - (double) hook->start_ns / 1e9;

  return worked >= GILK_COST_MIN_S ? (double) hits / worked : -1;
}

/* Copies the counts of a hook from a run to @status. Returns whether anything but the rate has
 * changed. */
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

      if (!status->bound)              /* the run was started before the edited plan had been bound,
                                        * so take the run's binding */
        set_bound_hook (self, hook);
      status->per_second = compute_mean_rate (hook->hook, figures->hooks[i].hits, figures->elapsed);
      if (set_figure (status, &figures->hooks[i], figures->state == GILK_RUN_RUNNING))
        status->update = self->update;
    }

  emit_status (self);
}

/* ---- editing the plan, and undo ---- */

int
gilk_plan_model_index (GilkPlanModel *self,
                       const char    *label)
{
  for (guint i = 0; i < self->plan->hooks->len; i++)
    if (g_strcmp0 (get_hook (self, i)->label, label) == 0)
      return i;

  return -1;
}

void
gilk_plan_model_set_origin (GilkPlanModel *self,
                            const char    *release,
                            const char    *build_id)
{
  gilk_plan_set_origin (self->plan, release, build_id);
}

void
gilk_plan_model_add_many (GilkPlanModel *self,
                          GPtrArray     *hooks,
                          const char    *code)
{
  if (hooks->len == 0)
    return;

  start_edit (self);
  for (guint i = 0; i < hooks->len; i++)
    {
      GilkPlanHook *hook = g_ptr_array_index (hooks, i);

      if (code != NULL)
        gilk_plan_set_code (self->plan, hook, code);
      remove_status (self, hook->label);
      g_ptr_array_add (self->plan->hooks, gilk_plan_hook_ref (hook));
    }
  gilk_plan_compute_or_detach (self->plan);
  invalidate_index (self);
  end_edit (self);
}

guint
gilk_plan_model_add (GilkPlanModel *self,
                     GilkPlanHook  *hook)
{
  g_autoptr(GPtrArray) hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);

  g_ptr_array_add (hooks, hook);
  gilk_plan_model_add_many (self, hooks, NULL);

  return self->plan->hooks->len - 1;
}

int
gilk_plan_model_add_watchpoint (GilkPlanModel *self,
                                const char    *text,
                                GError       **error)
{
  GilkPlanHook *hook = gilk_plan_watchpoint_hook_new (self->plan, text, error);

  return hook != NULL ? (int) gilk_plan_model_add (self, hook) : -1;
}

gboolean
gilk_plan_model_set_watchpoint (GilkPlanModel *self,
                                guint          index,
                                const char    *text,
                                GError       **error)
{
  g_autofree char *before = gilk_plan_watchpoint_text (get_hook (self, index));
  g_autofree char *what = NULL, *program = NULL;
  GilkPlanHook *hook;
  GilkPlanWatchpoint watch;

  if (!gilk_plan_watchpoint_parse (text, &what, &watch, error))
    return FALSE;
  if (g_str_equal (before, text))
    return TRUE;

  start_edit (self);
  hook = edit_hook (self, index);
  program = hook->is_program ? g_strdup (hook->instrument) : NULL;
  gilk_plan_hook_set_watchpoint (hook, text, NULL);
  if (program != NULL)
    {
      g_free (hook->instrument);
      hook->instrument = g_steal_pointer (&program);
    }
  remove_status (self, hook->label);
  end_edit (self);

  return TRUE;
}

gboolean
gilk_plan_model_put_event (GilkPlanModel *self,
                           int            index,
                           const char    *text,
                           const char    *code,
                           GError       **error)
{
  g_autofree char *what = NULL;
  GilkPlanEvent event;
  GilkPlanHook *hook;

  if (!gilk_plan_event_parse (text, &what, &event, error) || (code != NULL && !gilk_plan_check_code (code, error)))
    return FALSE;
  start_edit (self);
  if (index < 0)
    {
      hook = gilk_plan_event_hook_new (self->plan, what);
      g_ptr_array_add (self->plan->hooks, hook);
    }
  else
    {
      hook = edit_hook (self, (guint) index);
      gilk_plan_hook_set_event (hook, what, NULL);
    }
  if (code != NULL)
    gilk_plan_set_code (self->plan, hook, code);
  else if (hook->is_program)
    gilk_plan_hook_drop_program (self->plan, hook, gilk_inline_name (GILK_INLINE_COUNT));
  remove_status (self, hook->label);
  invalidate_index (self);
  end_edit (self);

  return TRUE;
}

void
gilk_plan_model_remove (GilkPlanModel *self,
                        guint          index)
{
  start_edit (self);
  g_ptr_array_remove_index (self->plan->hooks, index);
  gilk_plan_remove_unused_programs (self->plan);
  gilk_plan_compute_or_detach (self->plan);
  invalidate_index (self);
  end_edit (self);
}

void
gilk_plan_model_remove_many (GilkPlanModel *self,
                             const guint   *indices,
                             guint          n)
{
  g_autofree gboolean *gone = g_new0 (gboolean, self->plan->hooks->len + 1);
  guint kept = 0;

  if (n == 0)
    return;

  start_edit (self);
  for (guint i = 0; i < n; i++)
    gone[indices[i]] = TRUE;
  for (guint i = 0; i < self->plan->hooks->len; i++)
    if (gone[i])
      gilk_plan_hook_unref (get_hook (self, i));
    else
      self->plan->hooks->pdata[kept++] = get_hook (self, i);
  self->plan->hooks->len = kept;
  gilk_plan_remove_unused_programs (self->plan);
  gilk_plan_compute_or_detach (self->plan);
  invalidate_index (self);
  end_edit (self);
}

void
gilk_plan_model_set_instrument (GilkPlanModel *self,
                                guint          index,
                                const char    *instrument)
{
  GilkPlanHook *hook = get_hook (self, index);

  if (hook->watch != NULL || g_str_equal (hook->instrument, instrument))
    return;

  start_edit (self);
  hook = edit_hook (self, index);
  gilk_plan_hook_drop_program (self->plan, hook, instrument);
  end_edit (self);
}

void
gilk_plan_model_set_code (GilkPlanModel *self,
                          guint          index,
                          const char    *code)
{
  if (g_strcmp0 (gilk_plan_hook_code (self->plan, get_hook (self, index)), code) == 0)
    return;

  start_edit (self);
  gilk_plan_set_code (self->plan, edit_hook (self, index), code);
  end_edit (self);
}

void
gilk_plan_model_set_times (GilkPlanModel *self,
                           guint          index,
                           uint64_t       start_ns,
                           uint64_t       stop_ns)
{
  const GilkPlanTimes times = { start_ns, stop_ns };

  gilk_plan_model_set_many_times (self, &index, &times, 1);
}

void
gilk_plan_model_set_many_times (GilkPlanModel       *self,
                                const guint         *indices,
                                const GilkPlanTimes *times,
                                guint                n)
{
  gboolean differ = FALSE;

  for (guint i = 0; i < n && !differ; i++)
    {
      const GilkPlanHook *hook = get_hook (self, indices[i]);

      differ = hook->start_ns != times[i].start_ns || hook->stop_ns != times[i].stop_ns;
    }
  if (!differ)
    return;

  start_edit (self);
  gilk_plan_set_times (self->plan, indices, times, n, self->length_ns);
  end_edit (self);
}

GilkPlan *
gilk_plan_model_copy_with_times (GilkPlanModel       *self,
                                 const guint         *indices,
                                 const GilkPlanTimes *times,
                                 guint                n)
{
  GilkPlan *plan = gilk_plan_share (self->plan);

  gilk_plan_set_times (plan, indices, times, n, self->length_ns);

  return plan;
}

void
gilk_plan_model_set_length (GilkPlanModel *self,
                            uint64_t       length_ns)
{
  self->length_ns = length_ns;
}

uint64_t
gilk_plan_model_length (GilkPlanModel *self)
{
  return self->length_ns;
}

/* Returns the stop time to set, as text; NULL: none. Returns @stop if the user has changed it, or
 * if the kind of start stays the same. If the start changes from a time to "after" another hook,
 * returns the stop as a duration; if it changes from "after" to a time, returns the stop as a
 * time. */
static char *
adjust_stop (const GilkPlanHook *hook,
             const char         *start,
             const char         *stop)
{
  g_autofree char *was = gilk_plan_stop_text (hook);
  GilkPlanHook other = { .start_ns = hook->start_ns, .stop_ns = hook->stop_ns, .leader = hook->label };

  if (*stop == '\0')
    return NULL;
  if (g_strcmp0 (was, stop) != 0 || (hook->leader != NULL) == g_str_has_prefix (start, "after "))
    return g_strdup (stop);
  if (hook->leader == NULL)
    return gilk_plan_stop_text (&other);
  if (!gilk_parse_duration (*start != '\0' ? start : "0", &other.start_ns, NULL))
    return g_strdup (stop);

  return gilk_format_duration (other.start_ns + hook->stop_ns - hook->start_ns);
}

gboolean
gilk_plan_model_enter_times (GilkPlanModel *self,
                             guint          index,
                             const char    *start,
                             const char    *stop,
                             GError       **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_share (self->plan);
  const GilkPlanHook *before = get_hook (self, index), *hook;
  g_autofree char *adjusted = adjust_stop (before, start, stop);

  if (!gilk_plan_parse_times (gilk_plan_edit_hook (plan, index), *start != '\0' ? start : NULL, adjusted, error) ||
      !gilk_plan_compute_starts (plan, error))
    return FALSE;
  hook = g_ptr_array_index (plan->hooks, index);
  if (!gilk_plan_check_times (NULL, (GilkPlanTimes) { hook->start_ns, hook->stop_ns }, self->length_ns, error))
    return FALSE;
  if (hook->start_ns == before->start_ns && hook->stop_ns == before->stop_ns &&
      g_strcmp0 (hook->leader, before->leader) == 0 && hook->leader_delay_ns == before->leader_delay_ns)
    return TRUE;

  start_edit (self);
  gilk_plan_unref_async (self->plan);
  self->plan = g_steal_pointer (&plan);
  invalidate_index (self);
  end_edit (self);

  return TRUE;
}

void
gilk_plan_model_set_param (GilkPlanModel *self,
                           guint          index,
                           const char    *name,
                           const char    *value)
{
  GHashTable *params = get_hook (self, index)->params;

  if (g_strcmp0 (g_hash_table_lookup (params, name), value) == 0)
    return;

  start_edit (self);
  params = edit_hook (self, index)->params;
  if (value != NULL)
    g_hash_table_replace (params, g_strdup (name), g_strdup (value));
  else
    g_hash_table_remove (params, name);
  end_edit (self);
}

void
gilk_plan_model_set_control (GilkPlanModel *self,
                             guint          index,
                             gboolean       control)
{
  if (get_hook (self, index)->control == control)
    return;

  start_edit (self);
  edit_hook (self, index)->control = control;
  end_edit (self);
}

void
gilk_plan_model_set_intervals (GilkPlanModel    *self,
                               const GilkPlanInterleave *interleave)
{
  if (self->plan->interleave.period_ns == interleave->period_ns && self->plan->interleave.seed == interleave->seed)
    return;

  start_edit (self);
  self->plan->interleave = *interleave;
  end_edit (self);
}

void
gilk_plan_model_set_stop_conditions (GilkPlanModel *self,
                                     const char    *until)
{
  if (g_strcmp0 (self->plan->until, until) == 0)
    return;

  start_edit (self);
  g_free (self->plan->until);
  self->plan->until = g_strdup (until);
  end_edit (self);
}

void
gilk_plan_model_set_schedule (GilkPlanModel       *self,
                              const GilkPlanTimes *times,
                              GilkScheduleKind     kind,
                              gboolean             by_function,
                              const GilkPlanInterleave    *interleave)
{
  start_edit (self);
  gilk_plan_apply_schedule (self->plan, times, kind, by_function);
  self->plan->interleave = *interleave;
  end_edit (self);
}

void
gilk_plan_model_set_initial_plan (GilkPlanModel *self,
                                  GilkPlan      *plan)
{
  gilk_plan_unref_async (self->plan);
  self->plan = plan;
  g_ptr_array_set_size (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
  remove_all_status (self);
  end_edit (self);
}

void
gilk_plan_model_save_history (GilkPlanModel   *self,
                              GilkPlanHistory *history)
{
  gilk_plan_history_set_steps (history, self->undo, self->redo);
}

void
gilk_plan_model_restore_history (GilkPlanModel         *self,
                                 const GilkPlanHistory *history)
{
  for (guint i = 0; i < history->undo->len; i++)
    g_ptr_array_add (self->undo, gilk_plan_share (history->undo->pdata[i]));
  for (guint i = 0; i < history->redo->len; i++)
    g_ptr_array_add (self->redo, gilk_plan_share (history->redo->pdata[i]));
  end_edit (self);
}

void
gilk_plan_model_replace_plan (GilkPlanModel *self,
                              GilkPlan      *plan)
{
  start_edit (self);
  gilk_plan_unref_async (self->plan);
  self->plan = plan;
  remove_all_status (self);
  invalidate_index (self);
  end_edit (self);
}

gboolean
gilk_plan_model_can_undo (GilkPlanModel *self)
{
  return self->undo->len > 0;
}

gboolean
gilk_plan_model_can_redo (GilkPlanModel *self)
{
  return self->redo->len > 0;
}

static void
move_history (GilkPlanModel *self,
              GPtrArray     *from,
              GPtrArray     *to)
{
  if (from->len == 0)
    return;

  g_ptr_array_add (to, self->plan);
  self->plan = g_ptr_array_steal_index (from, from->len - 1);
  invalidate_index (self);
  g_signal_emit_by_name (self, "changed");
}

void
gilk_plan_model_undo (GilkPlanModel *self)
{
  move_history (self, self->undo, self->redo);
}

void
gilk_plan_model_redo (GilkPlanModel *self)
{
  move_history (self, self->redo, self->undo);
}

static void
gilk_plan_model_finalize (GObject *object)
{
  GilkPlanModel *self = GILK_PLAN_MODEL (object);

  gilk_plan_unref_async (self->plan);
  g_ptr_array_unref (self->undo);
  g_ptr_array_unref (self->redo);
  free_status (self);
  G_OBJECT_CLASS (gilk_plan_model_parent_class)->finalize (object);
}

static void
gilk_plan_model_class_init (GilkPlanModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_model_finalize;
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "status-changed", 0);
}

static void
gilk_plan_model_init (GilkPlanModel *self)
{
  self->plan = gilk_plan_new ();
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref_async);
  self->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref_async);
  init_status (self);
}

GilkPlanModel *
gilk_plan_model_new (void)
{
  return g_object_new (GILK_TYPE_PLAN_MODEL, NULL);
}
