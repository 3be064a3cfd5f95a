/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model.c - the plan being edited, with undo, and what is known of its hooks
 *
 * Every edit first puts a copy of the plan on the undo stack, so that undo is
 * a swap and cannot get an edit's reverse wrong. Status is kept by label.
 */
#include "gui/gilk-plan-model.h"

#include "core/base/gilk-refusal.h"
#include "core/run/gilk-plan-watch.h"

#define UNDO_DEPTH 200

struct _GilkPlanModel {
  GObject     parent_instance;

  GilkPlan   *plan;
  GPtrArray  *undo, *redo;     /* GilkPlan */
  GHashTable *status;          /* label -> GilkHookStatus */
  guint       update;          /* of the status of hooks, counted */
  guint       cleared;         /* the update that last forgot all of it */
};

G_DEFINE_TYPE (GilkPlanModel, gilk_plan_model, G_TYPE_OBJECT)

enum { CHANGED, STATUS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
status_free (gpointer data)
{
  GilkHookStatus *status = data;

  g_free (status->problem);
  g_free (status);
}

static GilkHookStatus *
status_of (GilkPlanModel *self,
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

static GilkPlanHook *
hook_at (GilkPlanModel *self,
         guint          index)
{
  return g_ptr_array_index (self->plan->hooks, index);
}

static void
begin_edit (GilkPlanModel *self)
{
  g_ptr_array_add (self->undo, gilk_plan_copy (self->plan));
  if (self->undo->len > UNDO_DEPTH)
    g_ptr_array_remove_index (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
}

static void
end_edit (GilkPlanModel *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
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
  return hook_at (self, index);
}

const GilkHookStatus *
gilk_plan_model_status (GilkPlanModel *self,
                        guint          index)
{
  return status_of (self, hook_at (self, index)->label);
}

gboolean
gilk_plan_model_is_fresh (GilkPlanModel *self,
                          guint          index)
{
  return gilk_plan_model_status (self, index)->update == self->update;
}

int
gilk_plan_model_find (GilkPlanModel *self,
                      const char    *function,
                      const char    *block,
                      uint64_t       addr,
                      GilkWhere      where)
{
  for (guint i = 0; i < self->plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = hook_at (self, i);
      const GilkHookStatus *status = gilk_plan_model_status (self, i);

      if (hook->where != where || hook->watch != NULL)
        continue;
      if (status->addr != 0 && status->addr == addr)
        return i;
      if (status->addr == 0 && gilk_function_is_named (hook->function, function) &&
          g_strcmp0 (hook->block, block) == 0)
        return i;
    }

  return -1;
}

int
gilk_plan_model_index (GilkPlanModel *self,
                       const char    *label)
{
  for (guint i = 0; i < self->plan->hooks->len; i++)
    if (g_strcmp0 (hook_at (self, i)->label, label) == 0)
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

guint
gilk_plan_model_add (GilkPlanModel *self,
                     GilkPlanHook  *hook)
{
  begin_edit (self);
  g_hash_table_remove (self->status, hook->label);
  g_ptr_array_add (self->plan->hooks, hook);
  end_edit (self);

  return self->plan->hooks->len - 1;
}

guint
gilk_plan_model_add_program (GilkPlanModel *self,
                             GilkPlanHook  *hook,
                             const char    *code)
{
  begin_edit (self);
  gilk_plan_set_code (self->plan, hook, code);
  g_hash_table_remove (self->status, hook->label);
  g_ptr_array_add (self->plan->hooks, hook);
  end_edit (self);

  return self->plan->hooks->len - 1;
}

int
gilk_plan_model_add_watch (GilkPlanModel  *self,
                           const char     *text,
                           GError        **error)
{
  GilkPlanHook *hook = gilk_plan_watch_hook_new (self->plan, text, error);

  return hook != NULL ? (int) gilk_plan_model_add (self, hook) : -1;
}

gboolean
gilk_plan_model_set_watch (GilkPlanModel  *self,
                           guint           index,
                           const char     *text,
                           GError        **error)
{
  g_autofree char *before = gilk_plan_watch_text (hook_at (self, index));
  g_autofree char *what = NULL, *program = NULL;
  GilkPlanHook *hook;
  GilkPlanWatch watch;

  if (!gilk_plan_watch_parse (text, &what, &watch, error))
    return FALSE;
  if (g_str_equal (before, text))
    return TRUE;

  begin_edit (self);
  hook = hook_at (self, index);
  program = hook->is_program ? g_strdup (hook->instrument) : NULL;
  gilk_plan_hook_set_watch (hook, text, NULL);
  if (program != NULL)
    {
      g_free (hook->instrument);
      hook->instrument = g_steal_pointer (&program);
    }
  g_hash_table_remove (self->status, hook->label);
  end_edit (self);

  return TRUE;
}

void
gilk_plan_model_remove (GilkPlanModel *self,
                        guint          index)
{
  begin_edit (self);
  g_ptr_array_remove_index (self->plan->hooks, index);
  gilk_plan_drop_programs (self->plan);
  end_edit (self);
}

void
gilk_plan_model_set_instrument (GilkPlanModel *self,
                                guint          index,
                                const char    *instrument)
{
  GilkPlanHook *hook = hook_at (self, index);

  if (hook->watch != NULL || g_str_equal (hook->instrument, instrument))
    return;

  begin_edit (self);
  g_free (hook->instrument);
  hook->instrument = g_strdup (instrument);
  hook->is_program = FALSE;
  g_hash_table_remove_all (hook->params);
  gilk_plan_drop_programs (self->plan);
  end_edit (self);
}

void
gilk_plan_model_set_code (GilkPlanModel *self,
                          guint          index,
                          const char    *code)
{
  if (g_strcmp0 (gilk_plan_hook_code (self->plan, hook_at (self, index)), code) == 0)
    return;

  begin_edit (self);
  gilk_plan_set_code (self->plan, hook_at (self, index), code);
  end_edit (self);
}

void
gilk_plan_model_set_times (GilkPlanModel *self,
                           guint          index,
                           uint64_t       start_ns,
                           uint64_t       stop_ns)
{
  GilkPlanHook *hook = hook_at (self, index);

  if (hook->start_ns == start_ns && hook->stop_ns == stop_ns)
    return;

  begin_edit (self);
  hook->start_ns = start_ns;
  hook->stop_ns = stop_ns;
  end_edit (self);
}

void
gilk_plan_model_set_param (GilkPlanModel *self,
                           guint          index,
                           const char    *name,
                           const char    *value)
{
  GHashTable *params = hook_at (self, index)->params;

  if (g_strcmp0 (g_hash_table_lookup (params, name), value) == 0)
    return;

  begin_edit (self);
  if (value != NULL)
    g_hash_table_replace (params, g_strdup (name), g_strdup (value));
  else
    g_hash_table_remove (params, name);
  end_edit (self);
}

void
gilk_plan_model_set_witness (GilkPlanModel *self,
                             guint          index,
                             gboolean       witness)
{
  GilkPlanHook *hook = hook_at (self, index);

  if (hook->witness == witness)
    return;

  begin_edit (self);
  hook->witness = witness;
  end_edit (self);
}

void
gilk_plan_model_set_ab (GilkPlanModel    *self,
                        const GilkPlanAb *ab)
{
  if (self->plan->ab.period_ns == ab->period_ns && self->plan->ab.seed == ab->seed)
    return;

  begin_edit (self);
  self->plan->ab = *ab;
  end_edit (self);
}

void
gilk_plan_model_stagger (GilkPlanModel *self,
                         uint64_t       step_ns)
{
  begin_edit (self);
  for (guint i = 0; i < self->plan->hooks->len; i++)
    {
      GilkPlanHook *hook = hook_at (self, i);
      uint64_t length = hook->stop_ns > hook->start_ns ? hook->stop_ns - hook->start_ns : 0;

      hook->start_ns = i * step_ns;
      hook->stop_ns = length > 0 ? hook->start_ns + length : 0;
    }
  end_edit (self);
}

void
gilk_plan_model_take_plan (GilkPlanModel *self,
                           GilkPlan      *plan)
{
  begin_edit (self);
  gilk_plan_unref (self->plan);
  self->plan = plan;
  g_hash_table_remove_all (self->status);
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
step (GilkPlanModel *self,
      GPtrArray     *from,
      GPtrArray     *to)
{
  if (from->len == 0)
    return;

  g_ptr_array_add (to, self->plan);
  self->plan = g_ptr_array_steal_index (from, from->len - 1);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_plan_model_undo (GilkPlanModel *self)
{
  step (self, self->undo, self->redo);
}

void
gilk_plan_model_redo (GilkPlanModel *self)
{
  step (self, self->redo, self->undo);
}

static void
take_bound_hook (GilkPlanModel       *self,
                 const GilkBoundHook *hook)
{
  GilkHookStatus *status = status_of (self, hook->hook->label);

  status->update = self->update;
  status->bound = TRUE;
  status->tactic = hook->choice.tactic;
  status->cost = hook->choice.cost;
  status->why_not_splice = hook->choice.why_not_splice;
  status->addr = hook->addr;
  status->program_error = hook->program_error;
  g_clear_pointer (&status->problem, g_free);
  if (hook->error != NULL)
    status->problem = g_strdup (hook->error->message);
  else if (hook->choice.refusal != 0)
    status->problem = g_strdup_printf ("%s %s", gilk_refusal_cause (hook->choice.refusal),
                                       gilk_refusal_remedy (hook->choice.refusal));
}

void
gilk_plan_model_take_bound (GilkPlanModel       *self,
                            const GilkBoundPlan *bound)
{
  self->update++;
  if (bound == NULL)
    {
      g_hash_table_remove_all (self->status);
      self->cleared = self->update;
    }
  else
    for (guint i = 0; i < bound->hooks->len; i++)
      take_bound_hook (self, &g_array_index (bound->hooks, GilkBoundHook, i));

  g_signal_emit (self, signals[STATUS_CHANGED], 0);
}

/* Is anything but the rate another one now? */
static gboolean
take_figure (GilkHookStatus        *status,
             const GilkHookFigures *figure,
             gboolean               running)
{
  const GilkHookStatus before = *status;

  status->counted = figure->hits_known;
  status->live = running && (figure->state == ILK_STATE_ARMED || figure->state == ILK_STATE_TRAPPED);
  status->hits = figure->hits;
  status->lost = figure->lost;
  status->dropped = figure->dropped;
  status->rate = figure->rate;
  if (figure->tactic != ILK_TACTIC_NONE)
    status->tactic = figure->tactic;

  return status->counted != before.counted || status->live != before.live || status->hits != before.hits ||
         status->lost != before.lost || status->dropped != before.dropped || status->tactic != before.tactic;
}

void
gilk_plan_model_take_figures (GilkPlanModel        *self,
                              const GilkBoundPlan  *bound,
                              const GilkRunFigures *figures)
{
  self->update++;
  for (guint i = 0; i < figures->n_hooks && i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GilkHookStatus *status = status_of (self, hook->hook->label);

      if (!status->bound)              /* run before it was checked here */
        take_bound_hook (self, hook);
      if (take_figure (status, &figures->hooks[i], figures->state == GILK_RUN_RUNNING))
        status->update = self->update;
    }

  g_signal_emit (self, signals[STATUS_CHANGED], 0);
}

static void
gilk_plan_model_finalize (GObject *object)
{
  GilkPlanModel *self = GILK_PLAN_MODEL (object);

  gilk_plan_unref (self->plan);
  g_ptr_array_unref (self->undo);
  g_ptr_array_unref (self->redo);
  g_hash_table_unref (self->status);
  G_OBJECT_CLASS (gilk_plan_model_parent_class)->finalize (object);
}

static void
gilk_plan_model_class_init (GilkPlanModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_plan_model_finalize;
  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_PLAN_MODEL, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STATUS_CHANGED] = g_signal_new ("status-changed", GILK_TYPE_PLAN_MODEL, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_plan_model_init (GilkPlanModel *self)
{
  self->plan = gilk_plan_new ();
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);
  self->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);
  self->status = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, status_free);
}

GilkPlanModel *
gilk_plan_model_new (void)
{
  return g_object_new (GILK_TYPE_PLAN_MODEL, NULL);
}
