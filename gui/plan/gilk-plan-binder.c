/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-binder.c - binds the edited plan to the connected kernel in the background, to find out
 * how each hook would be placed
 */
#include "gui/plan/gilk-plan-binder.h"

#include "core/emit/gilk-inline.h"
#include "gui/base/gilk-object.h"
#include "gui/run/gilk-connection.h"

#define BIND_DELAY_MS 250

struct _GilkPlanBinder {
  GObject parent_instance;

  GilkPlanModel  *model;
  GilkConnection *connection;
  GilkRecorder   *recorder;
  GilkBanner     *banner;
  GCancellable   *binding;             /* cancels the binding in progress; NULL: none */
  guint           source;              /* id of the timeout that binds the plan; 0: not scheduled */
  char           *moved_text;          /* last message about moved hooks */
};

G_DEFINE_FINAL_TYPE (GilkPlanBinder, gilk_plan_binder, G_TYPE_OBJECT)

static void
cancel_binding (GilkPlanBinder *self)
{
  gilk_cancel (&self->binding);
}

static void
refresh_unknown_instruments (GilkPlanBinder *self)
{
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model); i++)
    {
      const char *name = gilk_plan_model_hook (self->model, i)->instrument;

      if (!gilk_plan_model_hook (self->model, i)->is_program && gilk_inline_by_name (name) == NULL &&
          gilk_connection_instrument (self->connection, name) == NULL)
        {
          gilk_connection_refresh_instruments (self->connection);
          return;
        }
    }
}

/* Reports the hooks that were bound at another location than planned. Shows the message only if it
 * has changed, because the plan is bound after every edit. */
static void
show_moved (GilkPlanBinder      *self,
            const GilkBoundPlan *bound)
{
  g_autofree char *moved = gilk_bound_plan_describe_moved (bound);

  if (moved == NULL)
    gilk_banner_withdraw (self->banner, "moved");
  else if (g_strcmp0 (moved, self->moved_text) != 0)
    gilk_banner_show (self->banner, "moved", GTK_MESSAGE_WARNING, moved, NULL, NULL);
  g_free (self->moved_text);
  self->moved_text = g_steal_pointer (&moved);
}

static void
bound_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkPlanBinder) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->binding)
    return;

  g_clear_object (&self->binding);
  if (bound == NULL)
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  gilk_plan_model_set_bound (self->model, bound);
  show_moved (self, bound);
  refresh_unknown_instruments (self);
  g_signal_emit_by_name (self, "bound", bound);
}

static gboolean
bind_plan (gpointer user_data)
{
  GilkPlanBinder *self = user_data;

  self->source = 0;
  cancel_binding (self);
  if (gilk_plan_model_n_hooks (self->model) == 0 ||
      /* not during a run, because the kernel text then contains the jumps to the run's hooks */
      gilk_recorder_state (self->recorder) != GILK_RECORDER_IDLE ||
      gilk_connection_target (self->connection) == NULL)
    return G_SOURCE_REMOVE;

  self->binding = g_cancellable_new ();
  gilk_connection_bind_async (self->connection, gilk_plan_model_plan (self->model),
                              self->binding, bound_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

void
gilk_plan_binder_schedule (GilkPlanBinder *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  self->source = g_timeout_add (BIND_DELAY_MS, bind_plan, self);
}

GilkPlanBinder *
gilk_plan_binder_new (GilkPlanModel  *model,
                      GilkConnection *connection,
                      GilkRecorder   *recorder,
                      GilkBanner     *banner)
{
  GilkPlanBinder *self = g_object_new (GILK_TYPE_PLAN_BINDER, NULL);

  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  self->banner = g_object_ref (banner);
  g_signal_connect_object (model, "changed", G_CALLBACK (gilk_plan_binder_schedule), self, G_CONNECT_SWAPPED);

  return self;
}

static void
gilk_plan_binder_dispose (GObject *object)
{
  GilkPlanBinder *self = GILK_PLAN_BINDER (object);

  g_clear_handle_id (&self->source, g_source_remove);
  cancel_binding (self);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  g_clear_object (&self->banner);
  g_clear_pointer (&self->moved_text, g_free);
  G_OBJECT_CLASS (gilk_plan_binder_parent_class)->dispose (object);
}

static void
gilk_plan_binder_class_init (GilkPlanBinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_plan_binder_dispose;
  gilk_add_signal (klass, "bound", 1, G_TYPE_POINTER);
}

static void
gilk_plan_binder_init (GilkPlanBinder *self)
{
}
