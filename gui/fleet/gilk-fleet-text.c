/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-text.c - status texts of a fleet (several targets that record one plan): state,
 * refusals and failures of each target
 */
#include "gui/fleet/gilk-fleet-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/link/gilk-lab.h"
#include "core/store/gilk-store.h"

#define POINTS_MAX 3         /* maximum number of points listed per refusal reason */

/* ---- state of a target as text ---- */

static const char *
get_run_state_text (GilkRunState state)
{
  switch (state)
    {
    case GILK_RUN_RUNNING:
      return _("recording");
    case GILK_RUN_STOPPING:
      return _("stopping");
    case GILK_RUN_DONE:
    case GILK_RUN_FAILED:
      return _("ended");
    case GILK_RUN_IDLE:
    case GILK_RUN_ARMING:
    default:
      return _("arming");
    }
}

/* Returns "done", followed by the reason why the target's run ended. Omits the reason if the time
 * was up or the user stopped the run. */
static char *
format_done (const GilkFleetMember *member)
{
  const char *ended = member->run != NULL ? gilk_run_end_reason (member->run) : NULL;
  g_autofree char *output = NULL;

  if (ended == NULL || gilk_store_ended_as_planned (ended))
    return g_strdup (_("done"));
  output = gilk_store_end_reason_text (ended);

  return g_strdup_printf (_("done: %s"), output);
}

char *
gilk_fleet_state_text (GilkFleet             *fleet,
                       guint                  i,
                       const GilkFleetMember *member)
{
  g_autofree char *doing = NULL;
  double fraction;

  switch (member->state)
    {
    case GILK_MEMBER_READY:
      return g_strdup (_("ready"));
    case GILK_MEMBER_RUNNING:
      return g_strdup (get_run_state_text (member->run != NULL ? gilk_run_state (member->run) : GILK_RUN_ARMING));
    case GILK_MEMBER_DONE:
      return format_done (member);
    case GILK_MEMBER_FAILED:
      return g_strdup (_("failed"));
    case GILK_MEMBER_IDLE:
    case GILK_MEMBER_PREPARING:
    default:
      doing = gilk_fleet_progress_text (fleet, i, &fraction);
      return g_strdup_printf ("%s…", doing != NULL ? doing : _("Connecting"));
    }
}

/* ---- refusals and failures as text ---- */

static void
add_line (GString *text, const char *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

static void
add_failure (GString *text, const GilkFleetMember *member, const char *output)
{
  g_autofree char *why = g_strdup_printf ("%s: %s", member->spec, member->error->message);

  add_line (text, why);
  if (output != NULL)
    {
      g_autofree char *last = g_strdup_printf (_("Last console line: %s"), output);

      add_line (text, last);
    }
  if (member->run_number > 0)
    {
      g_autofree char *kept = g_strdup_printf (_("Data recorded before the failure is kept as run "
                                                 "%u of %s."), member->run_number,
                                               member->path);

      add_line (text, kept);
    }
}

/* Returns the reason without the hook's label, so that refusals can be grouped by reason. */
static const char *
get_reason (const GilkFleetRefusal *refusal)
{
  const char *named = strstr (refusal->text, refusal->label), *reason = named != NULL ? strstr (named, ": ") : NULL;

  return reason != NULL ? reason + strlen (": ") : refusal->text;
}

/* Formats a list such as "pipe_write+0x41:pre, pipe_write+0x52:pre and 9 more". (transfer full) */
static char *
list_points (const GPtrArray *refusals)
{
  g_autoptr(GPtrArray) points = g_ptr_array_new ();

  for (guint i = 0; i < refusals->len; i++)
    g_ptr_array_add (points, ((const GilkFleetRefusal *) refusals->pdata[i])->point);

  return gilk_list_names (points, POINTS_MAX);
}

/* Adds a line for @refusals, which all have the same reason. */
static void
add_refusals (GString *text, const char *spec, const GPtrArray *refusals)
{
  const char *reason = get_reason (refusals->pdata[0]);
  g_autofree char *points = list_points (refusals), *line = NULL;

  if (refusals->len == 1)
    line = g_strdup_printf (_("%s refuses %s: %s"), spec, points, reason);
  else
    line = g_strdup_printf (g_dngettext (NULL, "%s refuses %u hook, %s: %s", "%s refuses %u hooks, %s: %s", refusals->len), spec,
                            refusals->len, points, reason);
  add_line (text, line);
}

char *
gilk_fleet_refusals_text (const char      *spec,
                          const GPtrArray *refusals)
{
  GString *text = g_string_new (NULL);
  g_autoptr(GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < refusals->len; i++)
    {
      const char *reason = get_reason (refusals->pdata[i]);
      GPtrArray *group = g_hash_table_lookup (groups, reason);

      if (group == NULL)
        {
          group = g_ptr_array_new ();
          g_hash_table_insert (groups, (gpointer) reason, group);
          g_ptr_array_add (order, group);
        }
      g_ptr_array_add (group, refusals->pdata[i]);
    }
  for (guint i = 0; i < order->len; i++)
    add_refusals (text, spec, order->pdata[i]);

  return g_string_free (text, FALSE);
}

char *
gilk_fleet_problems_text (GilkFleet  *fleet,
                          GHashTable *output)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gilk_fleet_n_members (fleet); i++)
    {
      GilkFleetMember member;

      gilk_fleet_member (fleet, i, &member);
      if (member.state == GILK_MEMBER_IDLE || member.state == GILK_MEMBER_PREPARING)
        continue;                /* skip this target: its thread may still be adding refusals */
      if (member.error != NULL)
        add_failure (text, &member, g_hash_table_lookup (output, member.spec));
      if (member.refusals->len > 0)
        {
          g_autofree char *refused = gilk_fleet_refusals_text (member.spec, member.refusals);

          add_line (text, refused);
        }
    }

  return g_string_free (text, FALSE);
}

/* ---- last console output of a lab ---- */

static void
last_output_thread (GTask *task, gpointer source, gpointer spec, GCancellable *cancellable)
{
  g_task_return_pointer (task, gilk_lab_cause_of_death (spec), g_free);
}

void
gilk_fleet_last_output_async (const char         *spec,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, g_strdup (spec), g_free);
  g_task_run_in_thread (task, last_output_thread);
}

char *
gilk_fleet_last_output_finish (GAsyncResult *result,
                               const char  **spec)
{
  *spec = g_task_get_task_data (G_TASK (result));

  return g_task_propagate_pointer (G_TASK (result), NULL);
}
