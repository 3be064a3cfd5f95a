/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-figure.c - computes figures of a session off the main thread
 *
 * The job looks up its hooks by id in a reader of its own.
 */
#include "gui/gilk-session-figure.h"

#include <glib/gi18n.h>

#include "core/analysis/gilk-hook-split.h"
#include "core/base/gilk-error.h"
#include "core/plot/gilk-plot-name.h"
#include "gui/gilk-text.h"

typedef struct { gint64 run, hook; char *name; } Pick;

typedef struct {
  char         *paths[2];          /* the second: of the compared session; nullable */
  char         *field, *split, *condition;
  gboolean      subtract_cost;
  GilkFigureAsk ask;
  GArray       *picks;             /* Pick */
  guint         n_left;            /* number of picks of the first session, which come first */
  GilkSessionFigureSoon soon;
  gpointer      user_data;
} Job;

static void
pick_clear (gpointer data)
{
  g_free (((Pick *) data)->name);
}

static void
job_clear (gpointer data)
{
  Job *job = data;

  if (job->ask.read != NULL)
    g_atomic_rc_box_release (job->ask.read);
  g_free (job->paths[0]);
  g_free (job->paths[1]);
  g_free (job->field);
  g_free (job->split);
  g_free (job->condition);
  g_array_unref (job->picks);
}

/* Shared by several tasks; nothing writes to it after its creation. */
static void
job_release (gpointer job)
{
  g_atomic_rc_box_release_full (job, job_clear);
}

/* Sources, and the data they point to. */
typedef struct {
  GPtrArray *stores;
  GPtrArray *hooks;                /* GArray of GilkStoredHook, one per pick */
  GArray    *sources;              /* GilkFigureSource */
  GArray    *splits;               /* GilkSplit */
  GPtrArray *costs;                /* GilkHookCost, one per source */
} Found;

static void
found_clear (Found *found)
{
  g_clear_pointer (&found->hooks, g_ptr_array_unref);
  g_clear_pointer (&found->sources, g_array_unref);
  g_clear_pointer (&found->splits, g_array_unref);
  g_clear_pointer (&found->costs, g_ptr_array_unref);
  g_clear_pointer (&found->stores, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, found_clear)

static double
duration_of (const GArray *runs, gint64 id)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, GilkStoredRun, i).id == id)
      return g_array_index (runs, GilkStoredRun, i).duration;

  return 0.0;
}

static gboolean
find_one (Found       *found,
          GilkStore   *store,
          const GArray *runs,
          const Pick  *pick,
          const char  *condition,
          GError     **error)
{
  GArray *hooks = gilk_store_hooks (store, pick->run, error);

  if (hooks == NULL)
    return FALSE;
  g_ptr_array_add (found->hooks, hooks);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);
      const GilkFigureSource source = { .store = store, .hook = hook, .name = pick->name, .condition = condition,
                                        .duration = duration_of (runs, pick->run) };

      if (hook->id != pick->hook)
        continue;
      g_array_append_val (found->sources, source);
      return TRUE;
    }
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s is no longer in the session. Open it again."),
               pick->name);

  return FALSE;
}

static gboolean
split (Found       *found,
       GilkStore   *store,
       const char  *field,
       GError     **error)
{
  const GilkFigureSource source = g_array_index (found->sources, GilkFigureSource, 0);
  uint64_t left;

  found->splits = gilk_hook_split (store, source.hook, field, source.condition, GILK_FIGURE_CURVES_MAX, &left, error);
  if (found->splits == NULL)
    return FALSE;
  if (found->splits->len > 0)
    g_array_set_size (found->sources, 0);
  for (guint i = 0; i < found->splits->len; i++)
    {
      const GilkSplit *one = &g_array_index (found->splits, GilkSplit, i);
      GilkFigureSource part = source;

      part.name = one->name;
      part.condition = one->condition;
      g_array_append_val (found->sources, part);
    }

  return TRUE;
}

/* Looks up the picks from @first up to @end in one of the sessions. */
static gboolean
find_in (Found         *found,
         const Job     *job,
         const char    *path,
         guint          first,
         guint          end,
         GCancellable  *cancellable,
         GError       **error)
{
  GilkStore *store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GArray) runs = NULL;

  if (store == NULL)
    return FALSE;
  g_ptr_array_add (found->stores, store);
  runs = gilk_store_runs (store, error);
  for (guint i = first; runs != NULL && i < end; i++)
    if (!find_one (found, store, runs, &g_array_index (job->picks, Pick, i), job->condition, error))
      return FALSE;

  return runs != NULL;
}

static gboolean
find (Found         *found,
      const Job     *job,
      GCancellable  *cancellable,
      GError       **error)
{
  found->stores = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_store_free);
  found->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  found->sources = g_array_new (FALSE, FALSE, sizeof (GilkFigureSource));
  if (!find_in (found, job, job->paths[0], 0, job->n_left, cancellable, error) ||
      (job->paths[1] != NULL && !find_in (found, job, job->paths[1], job->n_left, job->picks->len, cancellable, error)))
    return FALSE;

  return job->split == NULL || split (found, found->stores->pdata[0], job->split, error);
}

/* Uses a cost per source, because each counts the intervals shorter than that cost. */
static gboolean
subtract_costs (Found   *found,
                GError **error)
{
  found->costs = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < found->sources->len; i++)
    {
      GilkFigureSource *source = &g_array_index (found->sources, GilkFigureSource, i);
      GilkHookCost *cost = g_new0 (GilkHookCost, 1);

      g_ptr_array_add (found->costs, cost);
      if (!gilk_hook_cost_of (source->store, source->hook, cost, error))
        return FALSE;
      source->cost = cost;
    }

  return TRUE;
}

/* A preliminary figure on its way to the main thread. */
typedef struct {
  GTask      *task;
  GilkFigure *figure;
} Soon;

static void
soon_free (gpointer data)
{
  Soon *soon = data;

  gilk_figure_free (soon->figure);
  g_object_unref (soon->task);
  g_free (soon);
}

static gboolean
show_soon (gpointer data)
{
  Soon *soon = data;
  const Job *job = g_task_get_task_data (soon->task);

  if (!g_task_get_completed (soon->task))
    job->soon (g_task_get_cancellable (soon->task), g_steal_pointer (&soon->figure), job->user_data);

  return G_SOURCE_REMOVE;
}

/* A figure, and that of the compared session, if any. */
typedef struct { GilkFigure *figure, *beside; } Made;

static void
made_free (gpointer data)
{
  Made *made = data;

  g_clear_pointer (&made->figure, gilk_figure_free);
  g_clear_pointer (&made->beside, gilk_figure_free);
  g_free (made);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Made, made_free)

static void
name_figure (const Job   *job,
             const Found *found,
             guint        first,
             guint        end,
             GilkFigure  *figure)
{
  if (figure == NULL)
    return;
  gilk_plot_name_figure (figure, &job->ask, (const GilkFigureSource *) (gpointer) found->sources->data + first, end - first,
                         job->split, job->condition);
  name_figure (job, found, first, end, figure->other);
}

static void
name_made (const Job   *job,
           const Found *found,
           Made        *made)
{
  guint n = found->sources->len, n_left = made->beside != NULL ? job->n_left : n;

  name_figure (job, found, 0, n_left, made->figure);
  name_figure (job, found, n_left, n, made->beside);
}

/* Shows a rough figure while the exact one is computed. A preliminary figure that is
 * exact is the result. */
static GilkFigure *
make_alone (GTask     *task,
            const Job *job,
            Found     *found,
            GError   **error)
{
  const GilkFigureSource *sources = (const GilkFigureSource *) (gpointer) found->sources->data;
  GilkFigure *figure = gilk_figure_soon (&job->ask, sources, found->sources->len, NULL);
  Soon *soon;

  if (figure != NULL && !figure->rough)
    return figure;
  if (figure != NULL)
    {
      soon = g_new (Soon, 1);
      *soon = (Soon) { g_object_ref (task), figure };
      name_figure (job, found, 0, found->sources->len, figure);
      g_main_context_invoke_full (g_task_get_context (task), g_task_get_priority (task), show_soon, soon, soon_free);
    }

  return gilk_figure_make (&job->ask, sources, found->sources->len, error);
}

static gboolean
make (GTask     *task,
      const Job *job,
      Found     *found,
      Made      *made,
      GError   **error)
{
  if (job->subtract_cost && !subtract_costs (found, error))
    return FALSE;
  if (job->paths[1] != NULL)
    return gilk_figure_make_beside (&job->ask, (const GilkFigureSource *) (gpointer) found->sources->data, found->sources->len,
                                    job->n_left, &made->figure, &made->beside, error);
  made->figure = make_alone (task, job, found, error);

  return made->figure != NULL;
}

/* Returns FALSE if the error is not an answer that can be shown in place of a figure. */
static gboolean
take_refusal (const Job  *job,
              Made       *made,
              GError    **error)
{
  if (!gilk_text_is_answer (*error))
    return FALSE;
  made->figure = gilk_figure_new (job->ask.kind);
  made->figure->message = g_strdup ((*error)->message);
  g_clear_error (error);

  return TRUE;
}

static void
figure_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const Job *job = task_data;
  g_auto(Found) found = { NULL };
  g_autoptr(Made) made = g_new0 (Made, 1);
  GError *error = NULL;

  if (!find (&found, job, cancellable, &error) || (!make (task, job, &found, made, &error) && !take_refusal (job, made, &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  name_made (job, &found, made);
  g_task_return_pointer (task, g_steal_pointer (&made), made_free);
}

static void
pick (Job                   *job,
      const GilkSessionPick *picks,
      guint                  n)
{
  for (guint i = 0; i < n; i++)
    {
      const Pick one = { picks[i].hook->run, picks[i].hook->id, g_strdup (picks[i].name) };

      g_array_append_val (job->picks, one);
    }
}

void
gilk_session_figure_async (GilkSession             *session,
                           const GilkFigureAsk     *ask,
                           const GilkSessionPick   *picks,
                           guint                    n,
                           const GilkSessionBeside *beside,
                           const char              *split,
                           const char              *condition,
                           gboolean                 subtract_cost,
                           GCancellable            *cancellable,
                           GilkSessionFigureSoon    soon,
                           GAsyncReadyCallback      callback,
                           gpointer                 user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_atomic_rc_box_new0 (Job);

  job->soon = soon;
  job->user_data = user_data;
  job->paths[0] = g_strdup (session->path);
  job->ask = *ask;
  job->ask.both = beside == NULL;
  if (ask->read != NULL)
    job->ask.read = g_atomic_rc_box_acquire (ask->read);
  job->ask.field = job->field = g_strdup (ask->field);
  job->split = beside == NULL ? g_strdup (split) : NULL;
  job->condition = g_strdup (condition);
  job->subtract_cost = subtract_cost;
  job->n_left = n;
  job->picks = g_array_new (FALSE, FALSE, sizeof (Pick));
  g_array_set_clear_func (job->picks, pick_clear);
  pick (job, picks, n);
  if (beside != NULL)
    {
      job->paths[1] = g_strdup (beside->session->path);
      pick (job, beside->picks, beside->n);
    }
  g_task_set_task_data (task, job, job_release);
  g_task_run_in_thread (task, figure_thread);
}

GilkFigure *
gilk_session_figure_finish (GAsyncResult  *result,
                            GilkFigure   **beside,
                            GError       **error)
{
  g_autoptr(Made) made = g_task_propagate_pointer (G_TASK (result), error);

  *beside = made != NULL ? g_steal_pointer (&made->beside) : NULL;

  return made != NULL ? g_steal_pointer (&made->figure) : NULL;
}

/* ---- distance of two series ---- */

static void
distance_thread (GTask        *task,
                 gpointer      source,
                 gpointer      task_data,
                 GCancellable *cancellable)
{
  const Job *job = task_data;
  g_auto(Found) found = { NULL };
  GError *error = NULL;
  GilkFigureCompared *compared = NULL;

  if (find (&found, job, cancellable, &error) &&
      gilk_figure_compare (&job->ask, (const GilkFigureSource *) (gpointer) found.sources->data, found.sources->len,
                           &compared, &error))
    g_task_return_pointer (task, compared, (GDestroyNotify) gilk_figure_compared_free);
  else
    g_task_return_error (task, error);
}

void
gilk_session_distance_async (GAsyncResult        *figure,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, g_task_get_cancellable (G_TASK (figure)), callback, user_data);

  g_task_set_task_data (task, g_atomic_rc_box_acquire (g_task_get_task_data (G_TASK (figure))), job_release);
  g_task_run_in_thread (task, distance_thread);
}

GilkFigureCompared *
gilk_session_distance_finish (GAsyncResult  *result,
                              GError       **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
