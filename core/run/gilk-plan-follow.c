/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-follow.c - when hooks start that follow others
 *
 * A hook with a leader is worked out after that: the way from hook to leader is gone until one is that is known, and
 * back. Each hook is on one such way, so that the whole costs a step and a look-up each.
 */
#include "core/run/gilk-plan-follow.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

#define NONE     G_MAXUINT
#define LAST_NS  ((uint64_t) G_MAXINT64)

static const GilkPlanHook *
hook_at (const GilkPlan *plan, guint index)
{
  return g_ptr_array_index (plan->hooks, index);
}

/* ---- when they start ---- */

/* What is being worked out. */
typedef struct {
  GilkPlan *plan;
  GArray   *leader_of;
  uint8_t  *known;              /* 0: not yet, 1: it is on the way, 2: yes */
  GArray   *way;                /* (element-type guint): each the follower of the next */
} Work;

/* Hook @index is on the way, and so is its leader: names them all. */
static gboolean
fail_circle (const Work *work, guint index, GError **error)
{
  guint leader = g_array_index (work->leader_of, guint, index);
  g_autoptr(GString) circle = g_string_new (NULL);
  guint i = work->way->len;

  while (i > 0 && g_array_index (work->way, guint, i - 1) != leader)
    i--;
  for (guint named = i - 1; named < work->way->len; named++)
    {
      if (named - i == 8)
        {
          g_string_append (circle, "… → ");
          break;
        }
      g_string_append_printf (circle, "%s → ", hook_at (work->plan, g_array_index (work->way, guint, named))->label);
    }
  g_string_append (circle, hook_at (work->plan, leader)->label);
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("Hooks start after one another in a circle, so that none ever does: %s. Let one of them start at a time."),
               circle->str);

  return FALSE;
}

/* Can hook @index follow its leader? */
static gboolean
check_leader (const Work *work, guint index, GError **error)
{
  const GilkPlanHook *hook = hook_at (work->plan, index);
  guint leader = g_array_index (work->leader_of, guint, index);

  if (leader == NONE)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Hook %s starts after %s, which the plan has not. Name one of its hooks, or let it start at a time."),
                 hook->label, hook->follows);
  else if (work->known[leader] == 1)
    return fail_circle (work, index, error);
  else if (hook_at (work->plan, leader)->stop_ns == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Hook %s starts after %s, which works until the run ends, by time or by a condition. Give %s a time at "
                   "which it stops, or let %s start at a time."), hook->label, hook->follows, hook->follows, hook->label);
  else
    return TRUE;

  return FALSE;
}

/* The leader of hook @index is known. */
static gboolean
place (Work *work, guint index, GError **error)
{
  const GilkPlanHook *hook = hook_at (work->plan, index);
  uint64_t stop_ns = hook_at (work->plan, g_array_index (work->leader_of, guint, index))->stop_ns;
  uint64_t lasts_ns = hook->stop_ns - MIN (hook->start_ns, hook->stop_ns);
  uint64_t start_ns = stop_ns + hook->follows_ns;
  GilkPlanHook *moved;

  if (stop_ns > LAST_NS || hook->follows_ns > LAST_NS || start_ns > LAST_NS || lasts_ns > LAST_NS - start_ns)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("Hook %s starts or stops later than any run lasts. Let it, or those that it follows, work for less time."),
                   hook->label);
      return FALSE;
    }
  if (hook->start_ns == start_ns)
    return TRUE;
  moved = gilk_plan_edit_hook (work->plan, index);
  moved->stop_ns = moved->stop_ns != 0 ? start_ns + lasts_ns : 0;
  moved->start_ns = start_ns;

  return TRUE;
}

static void
loosen (Work *work, guint index)
{
  gilk_plan_hook_follow (gilk_plan_edit_hook (work->plan, index), NULL, 0);
}

/* From hook @index to a leader that is known, and back. @error NULL: what cannot follow, does not */
static gboolean
work_out (Work *work, guint index, GError **error)
{
  g_array_set_size (work->way, 0);
  while (work->known[index] == 0)
    {
      work->known[index] = 1;
      g_array_append_val (work->way, index);
      if (hook_at (work->plan, index)->follows == NULL)
        break;
      if (check_leader (work, index, error))
        index = g_array_index (work->leader_of, guint, index);
      else if (error != NULL)
        return FALSE;
      else
        loosen (work, index);
    }
  for (guint i = work->way->len; i > 0; i--)
    {
      index = g_array_index (work->way, guint, i - 1);
      work->known[index] = 2;
      if (hook_at (work->plan, index)->follows == NULL || place (work, index, error))
        continue;
      if (error != NULL)
        return FALSE;
      loosen (work, index);
    }

  return TRUE;
}

static gboolean
work_out_all (GilkPlan *plan, GError **error)
{
  g_autoptr(GArray) leader_of = gilk_plan_leader_of (plan);
  g_autoptr(GArray) way = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree uint8_t *known = g_new0 (uint8_t, plan->hooks->len + 1);
  Work work = { plan, leader_of, known, way };

  for (guint i = 0; leader_of != NULL && i < plan->hooks->len; i++)
    if (!work_out (&work, i, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_plan_work_out (GilkPlan *plan,
                    GError  **error)
{
  g_autoptr(GError) local = NULL;

  if (work_out_all (plan, &local))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

void
gilk_plan_settle (GilkPlan *plan)
{
  work_out_all (plan, NULL);
}
