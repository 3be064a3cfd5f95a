/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-poll.c - periodic poll of other clients' hooks and of the target's modules
 *
 * At most one request is in progress per target. A result for a target that is no longer connected
 * is discarded.
 */
#include "gui/run/gilk-target-poll.h"

#include "gui/base/gilk-object.h"

#define POLL_MS   1000
#define POLL_COST 20            /* polls are made so seldom that they take at most 1/POLL_COST of
                                 * the time */
#define MODULES_EACH 3          /* the list of modules is read in every n-th poll */

struct _GilkTargetPoll {
  GObject         parent_instance;

  GilkConnection *connection;
  GArray         *others;
  int64_t         epoch_ns;      /* value of gilk_target_poll_epoch() */
  GilkModuleChanges *module_changes;
  guint           n_polls;
  gboolean        visible;
  guint           timer;
  GilkTarget     *polled_target; /* target of the poll in progress; the pointer is only compared */
  gint64          polled_at;
  gint64          next_at;
  gboolean        silent;
};

G_DEFINE_TYPE (GilkTargetPoll, gilk_target_poll, G_TYPE_OBJECT)

static gboolean
is_same (const GArray *a,
         const GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const struct ilk_patch_status *x = &g_array_index (a, struct ilk_patch_status, i);
      const struct ilk_patch_status *y = &g_array_index (b, struct ilk_patch_status, i);

      if (x->id != y->id || x->site != y->site || x->owner_pid != y->owner_pid || x->armed_mono_ns != y->armed_mono_ns)
        return FALSE;
    }

  return TRUE;
}

/* Stores @others (transfer full) as the hooks of other clients. */
static void
set_others (GilkTargetPoll *self,
            GArray         *others)
{
  const gboolean same = is_same (self->others, others);

  g_array_unref (self->others);
  self->others = others;
  if (!same)
    g_signal_emit_by_name (self, "changed");
}

static void
set_module_changes (GilkTargetPoll    *self,
                    GilkModuleChanges *module_changes)
{
  const gboolean same = gilk_module_changes_equal (self->module_changes, module_changes);

  gilk_module_changes_free (self->module_changes);
  self->module_changes = module_changes;
  if (!same)
    g_signal_emit_by_name (self, "modules");
}

static void
set_silent (GilkTargetPoll *self,
            gboolean        silent)
{
  if (silent == self->silent)
    return;
  self->silent = silent;
  g_signal_emit_by_name (self, "silent", silent);
}

/* ---- running one poll ---- */

typedef struct {
  GilkTarget     *target;
  GilkImage      *image;        /* image whose modules are polled; NULL: this poll does not read
                                 * modules */
  /* results: patches (hooked locations) of other clients, changed modules; NULL if the request
   * failed */
  GArray         *others;
  GilkModuleChanges *module_changes;
  gboolean        timed;        /* in: read the clock if other clients have hooks */
  int64_t         epoch_ns;     /* out: value of gilk_target_poll_epoch(); 0: not read */
} Poll;

static void
poll_free (gpointer data)
{
  Poll *job = data;

  gilk_target_unref (job->target);
  g_clear_pointer (&job->image, gilk_image_unref);
  g_clear_pointer (&job->others, g_array_unref);
  g_clear_pointer (&job->module_changes, gilk_module_changes_free);
  g_free (job);
}

/* Returns the difference in ns between this machine's wall clock and the target's monotonic clock;
 * 0 on error. */
static int64_t
read_epoch (GilkTarget *target)
{
  struct gilk_clocks clocks;

  if (!gilk_target_clocks (target, &clocks, NULL, NULL, NULL))
    return 0;

  return g_get_real_time () * 1000 - (int64_t) clocks.pair.mono_ns;
}

static void
poll_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Poll *job = task_data;

  job->others = gilk_bound_others_new (job->target, NULL, NULL, NULL);
  if (job->timed && job->others != NULL && job->others->len > 0)
    job->epoch_ns = read_epoch (job->target);
  if (job->image != NULL && job->others != NULL)
    job->module_changes = gilk_image_module_changes (job->image, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
polled_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkTargetPoll *self = GILK_TARGET_POLL (object);
  Poll *job = g_task_get_task_data (G_TASK (result));
  const gint64 now = g_get_monotonic_time ();

  if (self->polled_target == job->target)
    {
      self->polled_target = NULL;
      self->next_at = now + POLL_COST * (now - self->polled_at);
      set_silent (self, FALSE);
    }
  if (job->target != gilk_connection_target (self->connection))
    return;
  if (job->epoch_ns != 0)
    self->epoch_ns = job->epoch_ns;
  if (job->others != NULL)
    set_others (self, g_steal_pointer (&job->others));
  if (job->module_changes != NULL)
    set_module_changes (self, g_steal_pointer (&job->module_changes));
}

static gboolean
poll_target (gpointer user_data)
{
  GilkTargetPoll *self = user_data;
  GilkTarget *target = gilk_connection_target (self->connection);
  const gint64 now = g_get_monotonic_time ();
  g_autoptr(GTask) task = NULL;
  Poll *job;

  if (self->polled_target != NULL && self->polled_target == target)
    {
      set_silent (self, now - self->polled_at > GILK_SILENT_S * G_USEC_PER_SEC);
      return G_SOURCE_CONTINUE;
    }
  if (target == NULL || !gilk_connection_has_driver (self->connection) || now < self->next_at)
    return G_SOURCE_CONTINUE;

  self->polled_target = target;
  self->polled_at = now;
  task = g_task_new (self, NULL, polled_cb, NULL);
  job = g_new0 (Poll, 1);
  job->target = gilk_target_ref (target);
  job->timed = self->epoch_ns == 0;
  if (self->n_polls++ % MODULES_EACH == 0)
    job->image = gilk_image_ref (gilk_connection_image (self->connection));
  g_task_set_task_data (task, job, poll_free);
  g_task_run_in_thread (task, poll_thread);

  return G_SOURCE_CONTINUE;
}

static void
connection_changed (GilkTargetPoll *self)
{
  if (gilk_connection_target (self->connection) != NULL)
    return;
  self->polled_target = NULL;
  self->next_at = 0;
  self->n_polls = 0;
  self->epoch_ns = 0;
  set_silent (self, FALSE);
  set_module_changes (self, gilk_module_changes_new ("", ""));
  if (self->others->len > 0)
    set_others (self, g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status)));
}

void
gilk_target_poll_set_visible (GilkTargetPoll *self,
                              gboolean        visible)
{
  if (visible == self->visible)
    return;
  self->visible = visible;
  g_clear_handle_id (&self->timer, g_source_remove);
  if (visible)
    {
      self->timer = g_timeout_add (POLL_MS, poll_target, self);
      poll_target (self);
    }
}

const GArray *
gilk_target_poll_others (GilkTargetPoll *self)
{
  return self->others;
}

const GilkModuleChanges *
gilk_target_poll_modules (GilkTargetPoll *self)
{
  return self->module_changes;
}

int64_t
gilk_target_poll_epoch (GilkTargetPoll *self)
{
  return self->epoch_ns;
}

static void
gilk_target_poll_finalize (GObject *object)
{
  GilkTargetPoll *self = GILK_TARGET_POLL (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->connection);
  g_array_unref (self->others);
  gilk_module_changes_free (self->module_changes);
  G_OBJECT_CLASS (gilk_target_poll_parent_class)->finalize (object);
}

static void
gilk_target_poll_class_init (GilkTargetPollClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_target_poll_finalize;
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "modules", 0);
  gilk_add_signal (klass, "silent", 1, G_TYPE_BOOLEAN);
}

static void
gilk_target_poll_init (GilkTargetPoll *self)
{
  self->others = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  self->module_changes = gilk_module_changes_new ("", "");
}

GilkTargetPoll *
gilk_target_poll_new (GilkConnection *connection)
{
  GilkTargetPoll *self = g_object_new (GILK_TYPE_TARGET_POLL, NULL);

  self->connection = g_object_ref (connection);
  g_signal_connect_object (connection, "changed", G_CALLBACK (connection_changed), self, G_CONNECT_SWAPPED);

  return self;
}
