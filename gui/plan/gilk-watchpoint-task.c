/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watchpoint-task.c - looks up names for a watchpoint, and checks it, off the main thread
 *
 * A watchpoint is checked in the same way as the plan: it is bound to the kernel together with the
 * plan's other watchpoints, which need debug registers as well.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-watchpoint.h"

#define CHOICES_MAX 200

typedef struct {
  GilkImage     *image;            /* image of the kernel; NULL: not connected */
  GilkFunctions *functions;
  GilkPlan      *others;
  char          *text;
  gboolean       code;
  int            cpu;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->image, gilk_image_unref);
  g_clear_pointer (&job->functions, gilk_functions_unref);
  g_clear_pointer (&job->others, gilk_plan_unref);
  g_free (job->text);
  g_free (job);
}

static Job *
job_new (GilkConnection *connection, const char *text)
{
  Job *job = g_new0 (Job, 1);

  if (gilk_connection_functions (connection) != NULL)
    {
      job->image = gilk_image_ref (gilk_connection_image (connection));
      job->functions = gilk_functions_ref (gilk_connection_functions (connection));
    }
  job->text = g_strdup (text);

  return job;
}

/* ---- looking up names ---- */

static void
choices_thread (GTask        *task,
                gpointer      source,
                gpointer      task_data,
                GCancellable *cancellable)
{
  const Job *job = task_data;
  GPtrArray *choices;

  if (job->image == NULL)
    choices = g_ptr_array_new ();
  else if (job->code)
    choices = gilk_watchpoint_code_choices (job->functions, job->text, CHOICES_MAX);
  else
    choices = gilk_watchpoint_choices (job->image, job->text, CHOICES_MAX, cancellable);
  g_task_return_pointer (task, choices, (GDestroyNotify) g_ptr_array_unref);
}

void
gilk_watchpoint_choices_async (GilkConnection     *connection,
                               const char         *text,
                               gboolean            code,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = job_new (connection, text);

  job->code = code;
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, choices_thread);
}

GPtrArray *
gilk_watchpoint_choices_finish (GAsyncResult *result,
                                GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- checking a watchpoint ---- */

void
gilk_watchpoint_check_free (GilkWatchpointCheck *check)
{
  g_free (check->text);
  g_free (check->facts);
  g_free (check->problem);
  g_free (check);
}

/* Returns a sentence that describes the watched location. (transfer full) */
static char *
describe_place (const struct gilk_watch_point *watch)
{
  if (watch->access == GILK_WATCH_EXECUTE)
    return g_strdup_printf (_("The instruction at 0x%" PRIx64 "."), (uint64_t) watch->address);
  if ((watch->flags & GILK_WATCH_PER_CPU) == 0)
    return g_strdup_printf (g_dngettext (NULL, "%u byte at 0x%" PRIx64 ".", "%u bytes at 0x%" PRIx64 ".", watch->bytes),
                            watch->bytes, (uint64_t) watch->address);
  if (watch->cpu == GILK_WATCH_EACH_CPU)
    return g_strdup_printf (g_dngettext (NULL, "%u byte, one copy per CPU.",
                                         "%u bytes, one copy per CPU.", watch->bytes), watch->bytes);

  return g_strdup_printf (g_dngettext (NULL, "%u byte in the copy of CPU %u.", "%u bytes in the copy of CPU %u.",
                                       watch->bytes), watch->bytes, watch->cpu);
}

static char *
describe_hook (const GilkBoundHook *hook, guint used)
{
  g_autofree char *place = describe_place (&hook->watch);
  g_autofree char *registers = g_strdup_printf (_("%u of %u debug registers will be in use."), used, GILK_WATCHES_MAX);
  g_autofree char *module = g_strcmp0 (hook->watch_module, "kernel") != 0
                            ? g_strdup_printf (_("Module: %s."), hook->watch_module) : NULL;

  return module != NULL ? g_strjoin (" ", place, module, registers, NULL) : g_strjoin (" ", place, registers, NULL);
}

static void
set_result (GilkWatchpointCheck *check, const GilkBoundPlan *bound)
{
  const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, bound->hooks->len - 1);

  if (hook->error == NULL)
    {
      check->facts = describe_hook (hook, bound->hooks->len);
      return;
    }
  check->problem = g_strdup (hook->error->message);
  check->unknown = g_error_matches (hook->error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

/* Sets the chosen CPU for a per-CPU variable whose CPU is not given. */
static void
choose_cpu (const Job *job, GilkWatchpointCheck *check, GilkPlanHook *hook)
{
  check->wants_cpu = hook->watch->access != GILK_WATCH_EXECUTE && gilk_watchpoint_needs_cpu (job->image, hook->function);
  if (check->wants_cpu && hook->watch->cpu == GILK_WATCHPOINT_NO_CPU)
    hook->watch->cpu = job->cpu;
}

static void
check_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  const Job *job = task_data;
  g_autoptr(GilkWatchpointCheck) check = g_new0 (GilkWatchpointCheck, 1);
  g_autoptr(GilkBoundPlan) bound = NULL;
  GilkPlanHook *hook;
  GError *error = NULL;

  hook = gilk_plan_watchpoint_hook_new (job->others, job->text, &error);
  if (hook == NULL)
    {
      check->problem = g_strdup (error->message);
      g_error_free (error);
      g_task_return_pointer (task, g_steal_pointer (&check), (GDestroyNotify) gilk_watchpoint_check_free);
      return;
    }
  g_ptr_array_add (job->others->hooks, hook);
  if (hook->watch->is_movable)          /* a probe program sets the watched address during the
                                         * run */
    check->facts = g_strdup (_("Programs of the plan set the address: watch(LABEL, ADDRESS)."));
  else if (job->image != NULL)
    {
      choose_cpu (job, check, hook);
      bound = gilk_bound_plan_new (job->others, job->functions, job->image, NULL, cancellable, &error);
      if (bound == NULL)
        {
          g_task_return_error (task, error);
          return;
        }
      set_result (check, bound);
    }
  check->text = gilk_plan_watchpoint_text (hook);
  g_task_return_pointer (task, g_steal_pointer (&check), (GDestroyNotify) gilk_watchpoint_check_free);
}

void
gilk_watchpoint_check_async (GilkConnection     *connection,
                             const GilkPlan     *plan,
                             int                 index,
                             const char         *text,
                             int                 cpu,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = job_new (connection, text);

  job->cpu = cpu;
  job->others = gilk_plan_copy (plan);
  for (guint i = plan->hooks->len; i-- > 0;)
    if (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->watch == NULL || (int) i == index)
      g_ptr_array_remove_index (job->others->hooks, i);
  gilk_plan_remove_unused_programs (job->others);
  /* Drop the A/B intervals, in which hooks are switched off and on: a problem of theirs would not
   * be one of the watchpoint. */
  job->others->interleave = (GilkPlanInterleave) { 0 };
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, check_thread);
}

GilkWatchpointCheck *
gilk_watchpoint_check_finish (GAsyncResult *result,
                              GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
