/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-marks.c - marks of functions: hookable, hooked, hot, recently opened
 *
 * A plan may have 50,000 hooks, so a worker thread looks up the hooked functions by name. The main
 * thread only copies the names for it, and copies a name once if consecutive hooks are in the same
 * function.
 */
#include "gui/functions/gilk-function-rows.h"

#include <string.h>

#define RECENT_MAX 40

typedef struct {
  char    *name;
  uint64_t hits;
} Planned;

typedef struct {
  GilkFunctions *functions;
  GArray        *planned;    /* Planned */
  GStrv          recent;
} MarksJob;

static void
planned_clear (gpointer data)
{
  g_free (((Planned *) data)->name);
}

static void
marks_job_free (gpointer data)
{
  MarksJob *work = data;

  gilk_functions_unref (work->functions);
  g_array_unref (work->planned);
  g_strfreev (work->recent);
  g_free (work);
}

void
gilk_function_marks_free (GilkFunctionMarks *marks)
{
  if (marks == NULL)
    return;
  g_free (marks->bits);
  g_free (marks->n_in_module);
  g_hash_table_unref (marks->hits);
  g_ptr_array_unref (marks->hot);
  g_ptr_array_unref (marks->recent);
  g_free (marks);
}

uint64_t
gilk_function_marks_hits (const GilkFunctionMarks *marks,
                          const GilkFunction      *function)
{
  const uint64_t *hits = g_hash_table_lookup (marks->hits, function);

  return hits != NULL ? *hits : 0;
}

/* ---- code of the worker thread ---- */

static int
compare_hits (gconstpointer a,
              gconstpointer b,
              gpointer      user_data)
{
  const GilkFunctionMarks *marks = user_data;
  uint64_t x = gilk_function_marks_hits (marks, *(const GilkFunction *const *) a);
  uint64_t y = gilk_function_marks_hits (marks, *(const GilkFunction *const *) b);

  return (x < y) - (x > y);
}

static void
add_hits (GilkFunctionMarks  *marks,
          const GilkFunction *function,
          uint64_t            more)
{
  uint64_t *hits = g_hash_table_lookup (marks->hits, function);

  if (more == 0)
    return;
  if (hits == NULL)
    {
      hits = g_new0 (uint64_t, 1);
      g_hash_table_insert (marks->hits, (gpointer) function, hits);
      g_ptr_array_add (marks->hot, (gpointer) function);
    }
  *hits += more;
}

static void
mark_functions (GilkFunctionMarks *marks,
                const MarksJob    *work)
{
  guint count;
  const GilkFunction *all = gilk_functions_all (work->functions, &count);

  for (guint i = 0; i < count; i++)
    {
      marks->bits[i] = all[i].refusal == 0 ? GILK_MARK_HOOKABLE : 0;
      marks->n_in_module[all[i].module]++;
    }
  for (guint i = 0; i < work->planned->len; i++)
    {
      const Planned *planned = &g_array_index (work->planned, Planned, i);
      const GilkFunction *function = gilk_functions_lookup (work->functions, planned->name, NULL);

      if (function == NULL || function < all || function >= all + count)
        continue;
      marks->bits[function - all] |= GILK_MARK_HOOKED | (planned->hits > 0 ? GILK_MARK_HOT : 0);
      add_hits (marks, function, planned->hits);
    }
  for (guint i = 0; work->recent != NULL && work->recent[i] != NULL; i++)
    {
      const GilkFunction *function = gilk_functions_lookup (work->functions, work->recent[i], NULL);

      if (function == NULL || function < all || function >= all + count)
        continue;
      marks->bits[function - all] |= GILK_MARK_RECENT;
      g_ptr_array_add (marks->recent, (gpointer) function);
    }
  for (guint i = 0; i < count; i++)
    for (guint k = 0; k < G_N_ELEMENTS (marks->n_with_bit); k++)
      marks->n_with_bit[k] += marks->bits[i] >> k & 1;
}

static void
load_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  const MarksJob *work = task_data;
  GilkFunctionMarks *marks = g_new0 (GilkFunctionMarks, 1);
  guint count;
  const GilkFunction *all = gilk_functions_all (work->functions, &count);
  guint modules = 1;

  for (guint i = 0; i < count; i++)
    modules = MAX (modules, all[i].module + 1);
  marks->finder = gilk_functions_finder (work->functions);
  marks->bits = g_new0 (uint8_t, count + 1);
  marks->n_in_module = g_new0 (guint, modules + 1);
  marks->hits = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  marks->hot = g_ptr_array_new ();
  marks->recent = g_ptr_array_new ();
  mark_functions (marks, work);
  g_ptr_array_sort_with_data (marks->hot, compare_hits, marks);
  g_task_return_pointer (task, marks, (GDestroyNotify) gilk_function_marks_free);
}

/* ---- code of the main thread ---- */

static GArray *
copy_planned (GilkPlanModel *model)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Planned));
  guint n = gilk_plan_model_n_hooks (model);

  g_array_set_clear_func (all, planned_clear);
  for (guint i = 0; i < n; i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (model, i);
      const GilkHookStatus *status = gilk_plan_model_status (model, i);
      Planned *last = all->len > 0 ? &g_array_index (all, Planned, all->len - 1) : NULL;
      uint64_t hits = status->counted ? status->hits : 0;

      if (!gilk_plan_hook_has_graph (hook))
        continue;
      if (last == NULL || strcmp (last->name, hook->function) != 0)
        {
          Planned planned = { g_strdup (hook->function), 0 };

          g_array_append_val (all, planned);
          last = &g_array_index (all, Planned, all->len - 1);
        }
      last->hits += hits;
    }

  return all;
}

void
gilk_function_marks_load_async (GilkFunctions *functions,
                                GilkPlanModel *model,
                                const char *const   *recent,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  MarksJob *work = g_new0 (MarksJob, 1);

  work->functions = gilk_functions_ref (functions);
  work->planned = copy_planned (model);
  work->recent = g_strdupv ((char **) recent);
  g_task_set_task_data (task, work, marks_job_free);
  g_task_run_in_thread (task, load_thread);
}

GilkFunctionMarks *
gilk_function_marks_load_finish (GAsyncResult *result,
                                 GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
gilk_function_marks_remember (GSettings          *settings,
                              GilkFunctions      *functions,
                              const GilkFunction *function)
{
  g_autofree char *name = gilk_functions_name (functions, function);
  g_auto(GStrv) before = g_settings_get_strv (settings, "recent-functions");
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  g_ptr_array_add (names, name);
  for (guint i = 0; before[i] != NULL && names->len < RECENT_MAX; i++)
    if (g_strcmp0 (before[i], name) != 0)
      g_ptr_array_add (names, before[i]);
  g_ptr_array_add (names, NULL);
  g_settings_set_strv (settings, "recent-functions", (const char *const *) names->pdata);
}
