/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-figure.c - computes figures of a session off the main thread
 *
 * The job opens the session file itself, and looks up its hooks by id.
 */
#include "gui/session/gilk-session.h"

#include <glib/gi18n.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"
#include "core/plot/gilk-plot-name.h"
#include "gui/base/gilk-text.h"

/* A hook to draw, identified by its run's id and its own id, and its name in the legend. */
typedef struct { gint64 run, hook; char *name; } Pick;

typedef struct {
  char         *paths[2];          /* paths of the session and of the session to compare it with
                                    * (nullable) */
  char         *field, *split, *condition;
  gboolean      subtract_cost;
  GilkFigureAsk ask;
  GArray       *picks;             /* Pick */
  guint         n_left;            /* number of hooks in @picks that belong to the first session;
                                    * they come first */
  GilkSessionPreviewFunc preview;
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

/* Releases a reference to a job. Several tasks may share a job, because it is not modified after
 * its creation. */
static void
job_release (gpointer job)
{
  g_atomic_rc_box_release_full (job, job_clear);
}

/* The sources of data for a figure, and the objects to which they point. */
typedef struct {
  GPtrArray *stores;
  GPtrArray *hooks;                /* for each Pick: GArray of GilkStoredHook, the run's hooks */
  GArray    *sources;              /* GilkFigureSource */
  GArray    *splits;               /* GilkSplit */
  GPtrArray *costs;                /* element-type GilkHookCost, one per source */
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
find_duration (const GArray *runs, gint64 id)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, GilkStoredRun, i).id == id)
      return g_array_index (runs, GilkStoredRun, i).duration;

  return 0.0;
}

static gboolean
find_source (Found       *found,
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
                                        .duration = find_duration (runs, pick->run) };

      if (hook->id != pick->hook)
        continue;
      g_array_append_val (found->sources, source);
      return TRUE;
    }
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("%s is no longer in the session. Open the session again."), pick->name);

  return FALSE;
}

static gboolean
split_hook (Found      *found,
            GilkStore  *store,
            const char *field,
            GError    **error)
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

/* Opens the session at @path, and looks up in it the hooks to draw that have indices from @first to
 * @end - 1. */
static gboolean
find_in_session (Found        *found,
                 const Job    *job,
                 const char   *path,
                 guint         first,
                 guint         end,
                 GCancellable *cancellable,
                 GError      **error)
{
  GilkStore *store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GArray) runs = NULL;

  if (store == NULL)
    return FALSE;
  g_ptr_array_add (found->stores, store);
  runs = gilk_store_runs (store, error);
  for (guint i = first; runs != NULL && i < end; i++)
    if (!find_source (found, store, runs, &g_array_index (job->picks, Pick, i), job->condition, error))
      return FALSE;

  return runs != NULL;
}

static gboolean
find_sources (Found        *found,
              const Job    *job,
              GCancellable *cancellable,
              GError      **error)
{
  found->stores = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_store_free);
  found->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  found->sources = g_array_new (FALSE, FALSE, sizeof (GilkFigureSource));
  if (!find_in_session (found, job, job->paths[0], 0, job->n_left, cancellable, error) ||
      (job->paths[1] != NULL && !find_in_session (found, job, job->paths[1], job->n_left, job->picks->len, cancellable, error)))
    return FALSE;

  return job->split == NULL || split_hook (found, found->stores->pdata[0], job->split, error);
}

/* Makes each source subtract the measured cost of a hit. Sources cannot share a GilkHookCost,
 * because it also counts the intervals of its source that are shorter than the cost. */
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
} Preview;

static void
preview_free (gpointer data)
{
  Preview *preview = data;

  gilk_figure_free (preview->figure);
  g_object_unref (preview->task);
  g_free (preview);
}

static gboolean
show_preview (gpointer data)
{
  Preview *preview = data;
  const Job *job = g_task_get_task_data (preview->task);

  if (!g_task_get_completed (preview->task))
    job->preview (g_task_get_cancellable (preview->task), g_steal_pointer (&preview->figure), job->user_data);

  return G_SOURCE_REMOVE;
}

/* The figure of a session, and that of the session to compare it with (nullable). */
typedef struct { GilkFigure *figure, *comparison; } FigurePair;

static void
pair_free (gpointer data)
{
  FigurePair *pair = data;

  g_clear_pointer (&pair->figure, gilk_figure_free);
  g_clear_pointer (&pair->comparison, gilk_figure_free);
  g_free (pair);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FigurePair, pair_free)

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
name_figures (const Job   *job,
              const Found *found,
              FigurePair  *pair)
{
  guint n = found->sources->len, n_left = pair->comparison != NULL ? job->n_left : n;

  name_figure (job, found, 0, n_left, pair->figure);
  name_figure (job, found, n_left, n, pair->comparison);
}

/* Computes the figure of a single session. First makes a rough figure, and shows it while the exact
 * one is being computed. If the rough figure is exact already, returns it. */
static GilkFigure *
make_single (GTask     *task,
             const Job *job,
             Found     *found,
             GError   **error)
{
  const GilkFigureSource *sources = (const GilkFigureSource *) (gpointer) found->sources->data;
  GilkFigure *figure = gilk_figure_preview (&job->ask, sources, found->sources->len, NULL);
  Preview *preview;

  if (figure != NULL && !figure->is_preview)
    return figure;
  if (figure != NULL)
    {
      preview = g_new (Preview, 1);
      *preview = (Preview) { g_object_ref (task), figure };
      name_figure (job, found, 0, found->sources->len, figure);
      g_main_context_invoke_full (g_task_get_context (task), g_task_get_priority (task), show_preview, preview, preview_free);
    }

  return gilk_figure_make (&job->ask, sources, found->sources->len, error);
}

static gboolean
make_figures (GTask      *task,
              const Job  *job,
              Found      *found,
              FigurePair *pair,
              GError    **error)
{
  if (job->subtract_cost && !subtract_costs (found, error))
    return FALSE;
  if (job->paths[1] != NULL)
    return gilk_figure_make_pair (&job->ask, (const GilkFigureSource *) (gpointer) found->sources->data, found->sources->len,
                                  job->n_left, &pair->figure, &pair->comparison, error);
  pair->figure = make_single (task, job, found, error);

  return pair->figure != NULL;
}

/* If @error answers the user's request (see gilk_text_is_answer()), makes a figure that shows the
 * error's message instead of data. Otherwise returns FALSE. */
static gboolean
show_refusal (const Job  *job,
              FigurePair *pair,
              GError    **error)
{
  if (!gilk_text_is_answer (*error))
    return FALSE;
  pair->figure = gilk_figure_new (job->ask.kind);
  pair->figure->message = g_strdup ((*error)->message);
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
  g_autoptr(FigurePair) pair = g_new0 (FigurePair, 1);
  GError *error = NULL;

  if (!find_sources (&found, job, cancellable, &error) || (!make_figures (task, job, &found, pair, &error) && !show_refusal (job, pair, &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  name_figures (job, &found, pair);
  g_task_return_pointer (task, g_steal_pointer (&pair), pair_free);
}

static void
add_picks (Job                   *job,
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
gilk_session_figure_async (GilkSession                 *session,
                           const GilkFigureAsk         *ask,
                           const GilkSessionPick       *picks,
                           guint                        n,
                           const GilkSessionComparison *comparison,
                           const char                  *split,
                           const char                  *condition,
                           gboolean                     subtract_cost,
                           GCancellable                *cancellable,
                           GilkSessionPreviewFunc       preview,
                           GAsyncReadyCallback          callback,
                           gpointer                     user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_atomic_rc_box_new0 (Job);

  job->preview = preview;
  job->user_data = user_data;
  job->paths[0] = g_strdup (session->path);
  job->ask = *ask;
  job->ask.both = comparison == NULL;
  if (ask->read != NULL)
    job->ask.read = g_atomic_rc_box_acquire (ask->read);
  job->ask.field = job->field = g_strdup (ask->field);
  job->split = comparison == NULL ? g_strdup (split) : NULL;
  job->condition = g_strdup (condition);
  job->subtract_cost = subtract_cost;
  job->n_left = n;
  job->picks = g_array_new (FALSE, FALSE, sizeof (Pick));
  g_array_set_clear_func (job->picks, pick_clear);
  add_picks (job, picks, n);
  if (comparison != NULL)
    {
      job->paths[1] = g_strdup (comparison->session->path);
      add_picks (job, comparison->picks, comparison->n);
    }
  g_task_set_task_data (task, job, job_release);
  g_task_run_in_thread (task, figure_thread);
}

GilkFigure *
gilk_session_figure_finish (GAsyncResult *result,
                            GilkFigure  **comparison,
                            GError      **error)
{
  g_autoptr(FigurePair) pair = g_task_propagate_pointer (G_TASK (result), error);

  *comparison = pair != NULL ? g_steal_pointer (&pair->comparison) : NULL;

  return pair != NULL ? g_steal_pointer (&pair->figure) : NULL;
}

/* ---- computing the distance of two series ---- */

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

  if (find_sources (&found, job, cancellable, &error) &&
      gilk_figure_compare (&job->ask, (const GilkFigureSource *) (gpointer) found.sources->data, found.sources->len,
                           &compared, &error))
    g_task_return_pointer (task, compared, (GDestroyNotify) gilk_figure_compared_free);
  else
    g_task_return_error (task, error);
}

void
gilk_session_distance_async (GAsyncResult       *figure,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, g_task_get_cancellable (G_TASK (figure)), callback, user_data);

  g_task_set_task_data (task, g_atomic_rc_box_acquire (g_task_get_task_data (G_TASK (figure))), job_release);
  g_task_run_in_thread (task, distance_thread);
}

GilkFigureCompared *
gilk_session_distance_finish (GAsyncResult *result,
                              GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
