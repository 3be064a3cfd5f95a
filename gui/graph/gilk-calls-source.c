/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-source.c - call graph of the connected kernel, shared by all views
 */
#include "gui/graph/gilk-calls.h"

#include "core/store/gilk-store-calls.h"
#include "gui/base/gilk-object.h"

struct _GilkCallsSource {
  GObject         parent_instance;

  GilkFunctions  *functions;
  GilkImage      *image;
  GilkCallGraph  *graph;             /* NULL until it is built */
  GCancellable   *building, *reading;
  char           *session;           /* path of the session last read or being read */
  GArray         *seen;
  GHashTable     *hits;
};

G_DEFINE_FINAL_TYPE (GilkCallsSource, gilk_calls_source, G_TYPE_OBJECT)

/* ---- calls in the kernel's code ---- */

static void
build_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  GError *error = NULL;
  GilkCallGraph *graph = gilk_call_graph_new (task_data, NULL, cancellable, &error);

  if (graph == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, graph, (GDestroyNotify) gilk_call_graph_unref);
}

static void
graph_built_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  GilkCallsSource *self = GILK_CALLS_SOURCE (object);
  GilkCallGraph *graph = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->building || graph == NULL)
    {
      gilk_call_graph_unref (graph);
      return;
    }
  g_clear_object (&self->building);
  self->graph = graph;
  g_signal_emit_by_name (self, "changed");
}

GilkCallGraph *
gilk_calls_source_graph (GilkCallsSource *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->graph != NULL || self->building != NULL || self->functions == NULL)
    return self->graph;
  self->building = g_cancellable_new ();
  task = g_task_new (self, self->building, graph_built_cb, NULL);
  g_task_set_task_data (task, gilk_functions_ref (self->functions), (GDestroyNotify) gilk_functions_unref);
  g_task_run_in_thread (task, build_thread);

  return NULL;
}

/* ---- calls recorded by a run ---- */

typedef struct {
  char          *path;
  GilkFunctions *functions;
  GArray        *seen;
  GHashTable    *hits;
} ReadJob;

static void
read_job_free (gpointer data)
{
  ReadJob *reading = data;

  g_free (reading->path);
  gilk_functions_unref (reading->functions);
  g_clear_pointer (&reading->seen, g_array_unref);
  g_clear_pointer (&reading->hits, g_hash_table_unref);
  g_free (reading);
}

static gboolean
read_last_run (ReadJob      *reading,
               GCancellable *cancellable,
               GError      **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (reading->path, cancellable, error);
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, error) : NULL;
  gint64 run;

  if (runs == NULL || runs->len == 0)
    return FALSE;
  run = g_array_index (runs, GilkStoredRun, runs->len - 1).id;
  reading->seen = gilk_store_seen_calls (store, run, reading->functions, error);
  if (reading->seen != NULL)
    reading->hits = gilk_store_call_hits (store, run, reading->functions, error);

  return reading->hits != NULL;
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  g_task_return_boolean (task, read_last_run (task_data, cancellable, NULL));
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  GilkCallsSource *self = GILK_CALLS_SOURCE (object);
  ReadJob *reading = g_task_get_task_data (G_TASK (result));

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  g_clear_object (&self->reading);
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  self->seen = g_steal_pointer (&reading->seen);
  self->hits = g_steal_pointer (&reading->hits);
  g_signal_emit_by_name (self, "changed");
}

static void
clear_session (GilkCallsSource *self)
{
  gilk_cancel (&self->reading);
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->seen, g_array_unref);
  g_clear_pointer (&self->hits, g_hash_table_unref);
}

void
gilk_calls_source_set_session (GilkCallsSource *self,
                               const char      *path)
{
  g_autoptr(GTask) task = NULL;
  ReadJob *reading;

  if (g_strcmp0 (path, self->session) == 0 || self->functions == NULL)
    return;
  clear_session (self);
  self->session = g_strdup (path);
  if (path == NULL)
    return;
  reading = g_new0 (ReadJob, 1);
  reading->path = g_strdup (path);
  reading->functions = gilk_functions_ref (self->functions);
  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, read_cb, NULL);
  g_task_set_task_data (task, reading, read_job_free);
  g_task_run_in_thread (task, read_thread);
}

/* ---- getters, and GObject life cycle ---- */

void
gilk_calls_source_set_kernel (GilkCallsSource *self,
                              GilkFunctions   *functions,
                              GilkImage       *image)
{
  if (functions == self->functions)
    return;
  gilk_cancel (&self->building);
  clear_session (self);
  g_clear_pointer (&self->graph, gilk_call_graph_unref);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->image, gilk_image_unref);
  if (functions == NULL)
    return;
  self->functions = gilk_functions_ref (functions);
  self->image = gilk_image_ref (image);
}

GilkFunctions *
gilk_calls_source_functions (GilkCallsSource *self)
{
  return self->functions;
}

GilkImage *
gilk_calls_source_image (GilkCallsSource *self)
{
  return self->image;
}

GArray *
gilk_calls_source_indirect_calls (GilkCallsSource *self)
{
  return self->seen;
}

GHashTable *
gilk_calls_source_hits (GilkCallsSource *self)
{
  return self->hits;
}

static void
gilk_calls_source_dispose (GObject *object)
{
  gilk_calls_source_set_kernel (GILK_CALLS_SOURCE (object), NULL, NULL);
  G_OBJECT_CLASS (gilk_calls_source_parent_class)->dispose (object);
}

static void
gilk_calls_source_class_init (GilkCallsSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_calls_source_dispose;
  gilk_add_signal (klass, "changed", 0);
}

static void
gilk_calls_source_init (GilkCallsSource *self)
{
}

GilkCallsSource *
gilk_calls_source_new (void)
{
  return g_object_new (GILK_TYPE_CALLS_SOURCE, NULL);
}
