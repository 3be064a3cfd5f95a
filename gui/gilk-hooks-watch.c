/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hooks-watch.c - periodic poll of other clients' hooks and of the target's modules
 *
 * At most one request is in progress per target. A result for a target that is no longer connected
 * is discarded.
 */
#include "gui/gilk-hooks-watch.h"

#define LOOK_MS   1000
#define LOOK_COST 20            /* polling takes at most this fraction of the time, 1/n */
#define MODULES_EACH 3          /* the modules are read in every n-th poll */

struct _GilkHooksWatch {
  GObject         parent_instance;

  GilkConnection *connection;
  GArray         *others;
  int64_t         epoch_ns;     /* see gilk_hooks_watch_epoch() */
  GilkModuleNews *news;
  guint           n_looks;
  gboolean        seen;
  guint           timer;
  GilkTarget     *asked;        /* target of the poll in progress; only compared */
  gint64          asked_at;
  gint64          next_at;
  gboolean        silent;
};

G_DEFINE_TYPE (GilkHooksWatch, gilk_hooks_watch, G_TYPE_OBJECT)

enum { CHANGED, MODULES, SILENT, N_SIGNALS };
static guint signals[N_SIGNALS];

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

/* Takes @others (transfer full). */
static void
take_others (GilkHooksWatch *self,
             GArray         *others)
{
  const gboolean same = is_same (self->others, others);

  g_array_unref (self->others);
  self->others = others;
  if (!same)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
take_news (GilkHooksWatch *self,
           GilkModuleNews *news)
{
  const gboolean same = gilk_module_news_equal (self->news, news);

  gilk_module_news_free (self->news);
  self->news = news;
  if (!same)
    g_signal_emit (self, signals[MODULES], 0);
}

static void
set_silent (GilkHooksWatch *self,
            gboolean        silent)
{
  if (silent == self->silent)
    return;
  self->silent = silent;
  g_signal_emit (self, signals[SILENT], 0, silent);
}

/* ---- one poll ---- */

typedef struct {
  GilkTarget     *target;
  GilkImage      *image;        /* to poll the modules of; NULL: not in this poll */
  /* out: NULL if the request failed */
  GArray         *others;
  GilkModuleNews *news;
  gboolean        timed;        /* in: read the target's clock if others have hooks */
  int64_t         epoch_ns;     /* out: 0: not read */
} Look;

static void
look_free (gpointer data)
{
  Look *seen = data;

  gilk_target_unref (seen->target);
  g_clear_pointer (&seen->image, gilk_image_unref);
  g_clear_pointer (&seen->others, g_array_unref);
  g_clear_pointer (&seen->news, gilk_module_news_free);
  g_free (seen);
}

/* Returns the offset from the target's monotonic clock, which dates the hooks, to this machine's
   wall clock; 0 on error. */
static int64_t
read_epoch (GilkTarget *target)
{
  struct gilk_clocks clocks;

  if (!gilk_target_clocks (target, &clocks, NULL, NULL, NULL))
    return 0;

  return g_get_real_time () * 1000 - (int64_t) clocks.reading.mono_ns;
}

static void
look_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Look *seen = task_data;

  seen->others = gilk_bound_others_new (seen->target, NULL, NULL, NULL);
  if (seen->timed && seen->others != NULL && seen->others->len > 0)
    seen->epoch_ns = read_epoch (seen->target);
  if (seen->image != NULL && seen->others != NULL)
    seen->news = gilk_image_module_news (seen->image, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
looked_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  GilkHooksWatch *self = GILK_HOOKS_WATCH (object);
  Look *seen = g_task_get_task_data (G_TASK (result));
  const gint64 now = g_get_monotonic_time ();

  if (self->asked == seen->target)
    {
      self->asked = NULL;
      self->next_at = now + LOOK_COST * (now - self->asked_at);
      set_silent (self, FALSE);
    }
  if (seen->target != gilk_connection_target (self->connection))
    return;
  if (seen->epoch_ns != 0)
    self->epoch_ns = seen->epoch_ns;
  if (seen->others != NULL)
    take_others (self, g_steal_pointer (&seen->others));
  if (seen->news != NULL)
    take_news (self, g_steal_pointer (&seen->news));
}

static gboolean
look (gpointer user_data)
{
  GilkHooksWatch *self = user_data;
  GilkTarget *target = gilk_connection_target (self->connection);
  const gint64 now = g_get_monotonic_time ();
  g_autoptr(GTask) task = NULL;
  Look *seen;

  if (self->asked != NULL && self->asked == target)
    {
      set_silent (self, now - self->asked_at > GILK_SILENT_S * G_USEC_PER_SEC);
      return G_SOURCE_CONTINUE;
    }
  if (target == NULL || !gilk_connection_has_driver (self->connection) || now < self->next_at)
    return G_SOURCE_CONTINUE;

  self->asked = target;
  self->asked_at = now;
  task = g_task_new (self, NULL, looked_cb, NULL);
  seen = g_new0 (Look, 1);
  seen->target = gilk_target_ref (target);
  seen->timed = self->epoch_ns == 0;
  if (self->n_looks++ % MODULES_EACH == 0)
    seen->image = gilk_image_ref (gilk_connection_image (self->connection));
  g_task_set_task_data (task, seen, look_free);
  g_task_run_in_thread (task, look_thread);

  return G_SOURCE_CONTINUE;
}

static void
connection_changed (GilkHooksWatch *self)
{
  if (gilk_connection_target (self->connection) != NULL)
    return;
  self->asked = NULL;
  self->next_at = 0;
  self->n_looks = 0;
  self->epoch_ns = 0;
  set_silent (self, FALSE);
  take_news (self, gilk_module_news_new ("", ""));
  if (self->others->len > 0)
    take_others (self, g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status)));
}

void
gilk_hooks_watch_set_seen (GilkHooksWatch *self,
                           gboolean        seen)
{
  if (seen == self->seen)
    return;
  self->seen = seen;
  g_clear_handle_id (&self->timer, g_source_remove);
  if (seen)
    {
      self->timer = g_timeout_add (LOOK_MS, look, self);
      look (self);
    }
}

const GArray *
gilk_hooks_watch_others (GilkHooksWatch *self)
{
  return self->others;
}

const GilkModuleNews *
gilk_hooks_watch_modules (GilkHooksWatch *self)
{
  return self->news;
}

int64_t
gilk_hooks_watch_epoch (GilkHooksWatch *self)
{
  return self->epoch_ns;
}

static void
gilk_hooks_watch_finalize (GObject *object)
{
  GilkHooksWatch *self = GILK_HOOKS_WATCH (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->connection);
  g_array_unref (self->others);
  gilk_module_news_free (self->news);
  G_OBJECT_CLASS (gilk_hooks_watch_parent_class)->finalize (object);
}

static void
gilk_hooks_watch_class_init (GilkHooksWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_hooks_watch_finalize;
  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_HOOKS_WATCH, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MODULES] = g_signal_new ("modules", GILK_TYPE_HOOKS_WATCH, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SILENT] = g_signal_new ("silent", GILK_TYPE_HOOKS_WATCH, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
gilk_hooks_watch_init (GilkHooksWatch *self)
{
  self->others = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  self->news = gilk_module_news_new ("", "");
}

GilkHooksWatch *
gilk_hooks_watch_new (GilkConnection *connection)
{
  GilkHooksWatch *self = g_object_new (GILK_TYPE_HOOKS_WATCH, NULL);

  self->connection = g_object_ref (connection);
  g_signal_connect_object (connection, "changed", G_CALLBACK (connection_changed), self, G_CONNECT_SWAPPED);

  return self;
}
