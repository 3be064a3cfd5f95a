/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model.c - the plan being edited, with undo, and the status of its hooks
 *
 * Every edit first pushes the current plan onto the undo stack, so that undo is a swap and cannot
 * get the reverse of an edit wrong. Plans on the stack share their hooks with the edited plan: a
 * step costs only as much as it changes.
 */
#include "gui/plan/gilk-plan-model-private.h"

#include "core/plan/gilk-plan-leader.h"
#include "core/plan/gilk-plan-watchpoint.h"

#define UNDO_DEPTH 200

G_DEFINE_TYPE (GilkPlanModel, gilk_plan_model, G_TYPE_OBJECT)

enum { CHANGED, STATUS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

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

/* Returns the hook for modification; call between start_edit() and end_edit(). */
static GilkPlanHook *
edit_hook (GilkPlanModel *self,
           guint          index)
{
  return gilk_plan_edit_hook (self->plan, index);
}

static void
end_edit (GilkPlanModel *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_plan_model_emit_status (GilkPlanModel *self)
{
  g_signal_emit (self, signals[STATUS_CHANGED], 0);
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
      gilk_plan_model_remove_status (self, hook->label);
      g_ptr_array_add (self->plan->hooks, gilk_plan_hook_ref (hook));
    }
  gilk_plan_compute_or_detach (self->plan);
  gilk_plan_model_invalidate_index (self);
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
  gilk_plan_model_remove_status (self, hook->label);
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
  gilk_plan_model_invalidate_index (self);
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
  gilk_plan_model_invalidate_index (self);
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
  g_free (hook->instrument);
  hook->instrument = g_strdup (instrument);
  hook->is_program = FALSE;
  g_hash_table_remove_all (hook->params);
  gilk_plan_remove_unused_programs (self->plan);
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

/* Returns @stop as typed. An unchanged stop is converted to match the new start: both are absolute
 * times, or the start is relative and the stop is the hook's duration. */
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
  gilk_plan_model_invalidate_index (self);
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
                               const GilkPlanAb *ab)
{
  if (self->plan->ab.period_ns == ab->period_ns && self->plan->ab.seed == ab->seed)
    return;

  start_edit (self);
  self->plan->ab = *ab;
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
                              const GilkPlanAb    *ab)
{
  start_edit (self);
  gilk_plan_apply_schedule (self->plan, times, kind, by_function);
  self->plan->ab = *ab;
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
  gilk_plan_model_remove_all_status (self);
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
  gilk_plan_model_remove_all_status (self);
  gilk_plan_model_invalidate_index (self);
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
  gilk_plan_model_invalidate_index (self);
  g_signal_emit (self, signals[CHANGED], 0);
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
  gilk_plan_model_clear_status (self);
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
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref_async);
  self->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref_async);
  gilk_plan_model_init_status (self);
}

GilkPlanModel *
gilk_plan_model_new (void)
{
  return g_object_new (GILK_TYPE_PLAN_MODEL, NULL);
}
