/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow.c - reloads a run's plan file when it changes
 *
 * Editors write a file in several steps, or replace it. The plan file is therefore read a moment
 * after its last change, and the plan is applied only if the text differs. If the file is invalid,
 * a note is printed and the run continues unchanged.
 */
#include "cli/base/follow.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-stop-condition.h"

#define SETTLE_MS 200

struct _CliFollow {
  Cli          *cli;
  CliKernel    *kernel;
  GilkRun      *run;
  const char   *path;
  char        **hooks, **watchpoints, **until;
  GilkConsent   granted;
  GFileMonitor *monitor;
  char         *seen;      /* text of the file at the last attempt to reload it */
  guint         timeout;
};

GilkPlan *
cli_follow_plan (const char *path, char **hooks, char **watchpoints, GError **error)
{
  g_autoptr(GilkPlan) plan = path != NULL ? gilk_plan_load (path, error) : gilk_plan_new ();

  if (plan == NULL)
    return NULL;
  for (guint i = 0; watchpoints != NULL && watchpoints[i] != NULL; i++)
    {
      GilkPlanHook *hook = gilk_plan_watchpoint_hook_new_line (plan, watchpoints[i], error);

      if (hook == NULL)
        return NULL;
      g_ptr_array_add (plan->hooks, hook);
    }
  for (guint i = 0; hooks != NULL && hooks[i] != NULL; i++)
    {
      g_auto(GilkPointText) point = { 0 };

      if (!gilk_point_text_parse (hooks[i], &point, error))
        return NULL;
      g_ptr_array_add (plan->hooks,
                       gilk_point_text_to_hook (&point, plan,
                                          point.instrument != NULL ? point.instrument
                                          : gilk_inline_name (GILK_INLINE_COUNT)));
    }
  if (plan->hooks->len > 0)
    return gilk_plan_check_programs (plan, error) ? g_steal_pointer (&plan) : NULL;

  if (path != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("%s has no hooks. Add one with \"gilk plan new --append %s\"."), path, path);
  else
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                         _("Nothing to run. Name a plan file, or points with --hook."));
  return NULL;
}

/* Replaces each hook at the returns of a function, at a source line, at an inlined function or at a
 * pattern of functions by one hook per location found. @hooks: points as text, from which the last hooks of @plan were
 * made, in the same order. */
gboolean
cli_follow_find_points (Cli *cli, GilkPlan *plan, char **hooks, CliKernel *kernel, GError **error)
{
  guint n = hooks != NULL ? g_strv_length (hooks) : 0, first = plan->hooks->len - n, count;

  for (guint i = n; i-- > 0;)
    {
      g_auto(GilkPointText) point = { 0 };

      if (!gilk_point_text_parse (hooks[i], &point, NULL))
        continue;
      if (!cli_point_at_locations (cli, plan, first + i, &point, kernel, &count, error))
        return FALSE;
      if (point.at_returns)
        cli_point_at_returns (cli, plan, first + i, count, kernel);
    }

  return TRUE;
}

gboolean
cli_follow_until (GilkPlan *plan, char *const *conditions, GError **error)
{
  g_autoptr(GString) text = g_string_new (plan->until);

  for (guint i = 0; conditions != NULL && conditions[i] != NULL; i++)
    {
      g_autofree char *tidy = NULL;

      if (!gilk_stop_conditions_normalize (conditions[i], &tidy, error))
        return FALSE;
      if (tidy != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", tidy);
    }
  g_free (plan->until);
  plan->until = text->len > 0 ? g_strdup (text->str) : NULL;

  return TRUE;
}

static GilkBoundPlan *
bind_changed_plan (CliFollow *follow, GError **error)
{
  g_autoptr(GilkPlan) plan = cli_follow_plan (follow->path, follow->hooks, follow->watchpoints, error);
  const GilkPlan *now = gilk_run_live_plan (follow->run)->plan;
  g_autoptr(GilkBoundPlan) bound = NULL;

  if (plan == NULL || !cli_follow_until (plan, follow->until, error))
    return NULL;
  plan->may_change |= now->may_change;
  plan->crash = MAX (plan->crash, now->crash);
  plan->run_length_ns = now->run_length_ns;
  if (!cli_follow_find_points (follow->cli, plan, follow->hooks, follow->kernel, error))
    return NULL;
  bound = gilk_bound_plan_next (plan, gilk_run_live_plan (follow->run), follow->kernel->functions,
                                follow->kernel->image, NULL, follow->cli->cancellable, error);
  if (bound == NULL || !gilk_bound_plan_check (bound, error))
    return NULL;

  return g_steal_pointer (&bound);
}

static void
apply_changes (CliFollow *follow)
{
  g_autoptr(GError) error = NULL;
  GilkBoundPlan *bound = bind_changed_plan (follow, &error);
  guint added = 0, removed = 0;

  if (bound != NULL)
    {
      g_autofree char *until = g_strdup (bound->plan->until);

      gilk_bound_plan_count_changes (bound, gilk_run_live_plan (follow->run), &added, &removed);
      if (added + removed == 0)
        gilk_bound_plan_free (bound);
      else
        {
          g_autofree char *moved = gilk_bound_plan_describe_moved (bound);

          if (moved != NULL)
            cli_note (follow->cli, "%s", moved);
          gilk_run_change (follow->run, bound, follow->granted, &error);
        }
      if (error == NULL)
        gilk_run_set_until (follow->run, until);
    }

  cli_progress_clear (follow->cli->progress);
  if (error != NULL)
    cli_note (follow->cli, _("The plan file has changed, but could not be applied to the run: %s"), error->message);
  else if (added + removed > 0)
    cli_note (follow->cli, ngettext ("Updated the run: %u hook added, %u removed.",
                                     "Updated the run: %u hooks added, %u removed.", added),
              added, removed);
}

static gboolean
on_settled (gpointer data)
{
  CliFollow *follow = data;
  GilkRunState state = gilk_run_state (follow->run);
  g_autofree char *text = NULL;

  /* Changes are possible only once the run has started. */
  if (state == GILK_RUN_IDLE || state == GILK_RUN_ARMING)
    return G_SOURCE_CONTINUE;
  follow->timeout = 0;
  if (state != GILK_RUN_RUNNING || !g_file_get_contents (follow->path, &text, NULL, NULL) ||
      g_strcmp0 (text, follow->seen) == 0)
    return G_SOURCE_REMOVE;
  g_free (follow->seen);
  follow->seen = g_steal_pointer (&text);
  apply_changes (follow);

  return G_SOURCE_REMOVE;
}

static void
on_file (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, gpointer data)
{
  CliFollow *follow = data;

  if (follow->timeout != 0)
    g_source_remove (follow->timeout);
  follow->timeout = g_timeout_add (SETTLE_MS, on_settled, follow);
}

CliFollow *
cli_follow_new (Cli *cli, CliKernel *kernel, GilkRun *run, const char *path, char **hooks, char **watchpoints,
                char **until, GilkConsent granted)
{
  CliFollow *follow = g_new0 (CliFollow, 1);
  g_autoptr(GFile) file = g_file_new_for_path (path);

  follow->cli = cli;
  follow->kernel = kernel;
  follow->run = run;
  follow->path = path;
  follow->hooks = hooks;
  follow->watchpoints = watchpoints;
  follow->until = until;
  follow->granted = granted;
  follow->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (follow->monitor != NULL)
    g_signal_connect (follow->monitor, "changed", G_CALLBACK (on_file), follow);
  else
    cli_note (cli, _("Cannot watch %s for changes, so changes to it will not be applied to the run."), path);
  /* Check the file once without waiting for a change: it may have changed since the plan was
   * read. */
  follow->timeout = g_timeout_add (SETTLE_MS, on_settled, follow);

  return follow;
}

void
cli_follow_free (CliFollow *follow)
{
  if (follow->timeout != 0)
    g_source_remove (follow->timeout);
  g_clear_object (&follow->monitor);
  g_free (follow->seen);
  g_free (follow);
}
