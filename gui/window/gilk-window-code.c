/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-code.c - checks a program while it is typed, before it is added to the plan
 *
 * It binds a plan of that hook alone in the same way as the whole plan. Nothing is checked during a
 * run, because the kernel text then contains the run's jumps.
 */
#include "gui/window/gilk-window-private.h"

#include <string.h>

#include "gui/run/gilk-connection-work.h"

#define CHECK_DELAY_MS 250
#define LABEL          "checked"

/* Adds the hooks that the program names, which it may start and stop. Their instrument does not
 * matter here, so it is count. */
static void
add_named_hooks (GilkPlan       *scratch,
                 const GilkPlan *plan,
                 const char     *code)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      GilkPlanHook *named;

      if (strstr (code, hook->label) == NULL)
        continue;
      named = gilk_plan_hook_copy (hook);
      g_free (named->instrument);
      named->instrument = g_strdup ("count");
      named->is_program = FALSE;
      g_hash_table_remove_all (named->params);
      g_clear_pointer (&named->leader, g_free);
      g_ptr_array_add (scratch->hooks, named);
    }
}

/* Returns a plan whose first hook is the one at @point. (transfer full) */
static GilkPlan *
make_plan (GilkWindow          *self,
           const GilkGraphData *data,
           guint                point,
           const char          *code)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  const int planned = gilk_window_find_hook (self, data, point);
  GilkPlan *scratch = gilk_plan_new ();
  GilkPlanHook *hook = planned >= 0 ? gilk_plan_hook_copy (gilk_plan_model_hook (self->model, planned))
                                    : gilk_window_new_hook (self, plan, data, point);

  scratch->may_change = plan->may_change;
  scratch->crash = plan->crash;
  scratch->run_length_ns = plan->run_length_ns;
  g_free (hook->label);
  hook->label = g_strdup (LABEL);
  hook->is_program = FALSE;             /* that program belongs to the window's plan */
  gilk_plan_set_code (scratch, hook, code);
  g_clear_pointer (&hook->leader, g_free);
  g_ptr_array_add (scratch->hooks, hook);
  add_named_hooks (scratch, plan, code);

  return scratch;
}

static void
check_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkWindow) self = user_data;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->checking)
    return;
  g_clear_object (&self->checking);
  gilk_inspector_set_check (self->inspector, bound != NULL ? &g_array_index (bound->hooks, GilkBoundHook, 0) : NULL);
}

static gboolean
start_check (gpointer user_data)
{
  GilkWindow *self = user_data;
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  const int point = gilk_graph_view_point (self->graph_view);
  g_autofree char *code = gilk_inspector_typed_code (self->inspector);
  g_autoptr(GilkPlan) plan = NULL;

  self->check_source = 0;
  if (code == NULL || data == NULL || data->choices == NULL || point < 0 || data->choices[point].refusal != 0 ||
      gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE || gilk_connection_target (self->connection) == NULL)
    {
      gilk_inspector_set_check (self->inspector, NULL);
      return G_SOURCE_REMOVE;
    }
  plan = make_plan (self, data, (guint) point, code);
  self->checking = g_cancellable_new ();
  gilk_connection_bind_async (self->connection, plan, self->checking, check_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

void
gilk_window_check_code (GilkWindow *self)
{
  gilk_window_stop_checking (self);
  self->check_source = g_timeout_add (CHECK_DELAY_MS, start_check, self);
}

void
gilk_window_stop_checking (GilkWindow *self)
{
  g_clear_handle_id (&self->check_source, g_source_remove);
  if (self->checking != NULL)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
}
