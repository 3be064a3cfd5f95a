/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-follow.c - start times of hooks that follow others
 *
 * The times of a hook are computed after the times of its leader: walk from hook to leader until
 * the leader's times are known, then back. Each hook is on one such path and costs one step and one
 * lookup.
 */
#include "core/plan/gilk-plan-leader.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

#define NONE     G_MAXUINT
#define LAST_NS  ((uint64_t) G_MAXINT64)

static const GilkPlanHook *
hook_at (const GilkPlan *plan, guint index)
{
  return g_ptr_array_index (plan->hooks, index);
}

/* ---- start times ---- */

typedef struct {
  GilkPlan *plan;
  GArray   *leader_of;
  uint8_t  *known;  /* state of each hook's times: 0: not computed, 1: hook is on @path, 2:
                     * computed */
  GArray   *path;  /* (element-type guint): indexes of hooks, each of which follows the next hook of
                    * the path */
} StartTimes;

/* Fails with the labels of the hooks in a cycle: hook @index and its leader are both on
 * the path. */
static gboolean
fail_cycle (const StartTimes *work, guint index, GError **error)
{
  guint leader = g_array_index (work->leader_of, guint, index);
  g_autoptr(GString) circle = g_string_new (NULL);
  guint i = work->path->len;

  while (i > 0 && g_array_index (work->path, guint, i - 1) != leader)
    i--;
  for (guint named = i - 1; named < work->path->len; named++)
    {
      if (named - i == 8)
        {
          g_string_append (circle, "… → ");
          break;
        }
      g_string_append_printf (circle, "%s → ", hook_at (work->plan, g_array_index (work->path, guint, named))->label);
    }
  g_string_append (circle, hook_at (work->plan, leader)->label);
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("Hooks start after one another in a circle, so none ever starts: %s. Give one "
                 "of them a start time."),
               circle->str);

  return FALSE;
}

/* Checks that hook @index can follow its leader. */
static gboolean
check_leader (const StartTimes *work, guint index, GError **error)
{
  const GilkPlanHook *hook = hook_at (work->plan, index);
  guint leader = g_array_index (work->leader_of, guint, index);

  if (leader == NONE)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Hook %s starts after %s, which is not in the plan. Name a hook that is in "
                   "the plan, or write a start time instead."),
                 hook->label, hook->leader);
  else if (work->known[leader] == 1)
    return fail_cycle (work, index, error);
  else if (hook_at (work->plan, leader)->stop_ns == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Hook %s starts after %s, which stays armed until the run ends, by time or by "
                   "a condition. Give %s a stop time, or give %s a start time."),
                 hook->label, hook->leader, hook->leader, hook->label);
  else
    return TRUE;

  return FALSE;
}

/* Sets the times of hook @index, whose leader has been computed. */
static gboolean
set_times (StartTimes *work, guint index, GError **error)
{
  const GilkPlanHook *hook = hook_at (work->plan, index);
  uint64_t stop_ns = hook_at (work->plan, g_array_index (work->leader_of, guint, index))->stop_ns;
  uint64_t run_length_ns = hook->stop_ns - MIN (hook->start_ns, hook->stop_ns);
  uint64_t start_ns = stop_ns + hook->leader_delay_ns;
  GilkPlanHook *moved;

  if (stop_ns > LAST_NS || hook->leader_delay_ns > LAST_NS || start_ns > LAST_NS || run_length_ns > LAST_NS - start_ns)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("Hook %s would start or stop later than the longest possible run lasts. "
                     "Shorten its times, or those of the hooks that it follows."),
                   hook->label);
      return FALSE;
    }
  if (hook->start_ns == start_ns)
    return TRUE;
  moved = gilk_plan_edit_hook (work->plan, index);
  moved->stop_ns = moved->stop_ns != 0 ? start_ns + run_length_ns : 0;
  moved->start_ns = start_ns;

  return TRUE;
}

static void
detach_leader (StartTimes *work, guint index)
{
  gilk_plan_hook_set_leader (gilk_plan_edit_hook (work->plan, index), NULL, 0);
}

/* Computes the times of hook @index: walks from the hook to the first leader with known times, and
 * sets the times of each hook on the way back. If @error is NULL, detaches hooks that cannot follow
 * their leader. */
static gboolean
compute_start (StartTimes *work, guint index, GError **error)
{
  g_array_set_size (work->path, 0);
  while (work->known[index] == 0)
    {
      work->known[index] = 1;
      g_array_append_val (work->path, index);
      if (hook_at (work->plan, index)->leader == NULL)
        break;
      if (check_leader (work, index, error))
        index = g_array_index (work->leader_of, guint, index);
      else if (error != NULL)
        return FALSE;
      else
        detach_leader (work, index);
    }
  for (guint i = work->path->len; i > 0; i--)
    {
      index = g_array_index (work->path, guint, i - 1);
      work->known[index] = 2;
      if (hook_at (work->plan, index)->leader == NULL || set_times (work, index, error))
        continue;
      if (error != NULL)
        return FALSE;
      detach_leader (work, index);
    }

  return TRUE;
}

static gboolean
compute_all_starts (GilkPlan *plan, GError **error)
{
  g_autoptr(GArray) leader_of = gilk_plan_leader_indices (plan);
  g_autoptr(GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree uint8_t *known = g_new0 (uint8_t, plan->hooks->len + 1);
  StartTimes work = { plan, leader_of, known, path };

  for (guint i = 0; leader_of != NULL && i < plan->hooks->len; i++)
    if (!compute_start (&work, i, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_plan_compute_starts (GilkPlan *plan,
                          GError  **error)
{
  g_autoptr(GError) local = NULL;

  if (compute_all_starts (plan, &local))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

void
gilk_plan_compute_or_detach (GilkPlan *plan)
{
  compute_all_starts (plan, NULL);
}
