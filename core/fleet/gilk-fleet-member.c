/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-member.c - prepares a member of a fleet: connects, and binds the plan
 */
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-bound-conditions.h"
#include "core/fleet/gilk-fleet-private.h"
#include "core/plan/gilk-plan-watchpoint.h"

gboolean
gilk_fleet_is_cancelled (GilkFleet *fleet, GError **error)
{
  if (!g_cancellable_is_cancelled (fleet->cancellable))
    return FALSE;
  g_clear_error (error);
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("The run was stopped before it started."));

  return TRUE;
}

static void
set_progress (const char *what, double fraction, gpointer data)
{
  GilkFleetEntry *member = data;

  g_mutex_lock (&member->fleet->lock);
  g_free (member->progress_text);
  member->progress_text = g_strdup (what);
  member->fraction = fraction;
  g_mutex_unlock (&member->fleet->lock);
}

static char *
describe_point (const GilkPlanHook *hook)
{
  if (hook->watch != NULL)
    return gilk_plan_watchpoint_text (hook);

  return g_strdup_printf ("%s%s%s:%s", hook->function, hook->block != NULL ? "" : "@",
                          hook->block != NULL ? hook->block : hook->anchor != NULL ? hook->anchor : "?",
                          gilk_where_name (hook->where));
}

/* Records the hooks that this kernel refuses. Returns the plan without them. (transfer full) */
static GilkPlan *
remove_refused (GilkFleetEntry *member, const GilkBoundPlan *bound)
{
  for (guint i = bound->hooks->len; i-- > 0;)
    {
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);
      GilkFleetRefusal *refusal;

      if (hook->error == NULL)
        continue;
      refusal = g_new0 (GilkFleetRefusal, 1);
      refusal->label = g_strdup (hook->hook->label);
      refusal->point = describe_point (hook->hook);
      refusal->refusal = hook->choice.refusal != 0 ? hook->choice.refusal : gilk_refusal_in_text (hook->error->message);
      refusal->text = g_strdup (hook->error->message);
      g_ptr_array_insert (member->refusals, 0, refusal);
    }

  return gilk_bound_plan_bindable_subset (bound, 0);
}

/* Binds the plan, and repeats this without refused hooks until no hook is refused: each time,
 * others may become possible, or impossible. */
static gboolean
bind_member (GilkFleetEntry *member, GError **error)
{
  GilkFleet *fleet = member->fleet;
  const GilkProgress progress = { set_progress, member };
  g_autoptr(GilkPlan) plan = gilk_plan_copy (fleet->plan);
  gboolean good = TRUE;

  g_mutex_lock (&fleet->plan_lock);
  if (fleet->plan_func != NULL)
    good = fleet->plan_func (plan, member->target, member->image, member->functions, fleet->plan_data, error);
  g_mutex_unlock (&fleet->plan_lock);
  good = good && gilk_plan_check_until (plan, error);
  while (good)
    {
      g_autoptr(GilkBoundPlan) bound = gilk_bound_plan_new (plan, member->functions, member->image, &progress,
                                                            fleet->cancellable, error);
      g_autoptr(GilkPlan) rest = NULL;

      /* A condition never holds if it names a hook that was left out because this kernel refuses
       * it. If no hook was left out, each condition must be valid. */
      if (bound == NULL || (bound->n_failed == 0 && member->refusals->len == 0 && !gilk_bound_check_conditions (bound, error)))
        return FALSE;
      if (bound->n_failed == 0)
        {
          member->bound = g_steal_pointer (&bound);
          return TRUE;
        }
      rest = remove_refused (member, bound);
      if (rest->hooks->len == 0)
        return gilk_bound_plan_check (bound, error);
      gilk_plan_unref (plan);
      plan = g_steal_pointer (&rest);
    }

  return FALSE;
}

static gboolean
connect_member (GilkFleetEntry *member, GError **error)
{
  GilkFleet *fleet = member->fleet;
  const GilkProgress progress = { set_progress, member };

  member->target = gilk_target_open (member->spec, &progress, fleet->cancellable, error);
  if (member->target == NULL)
    return FALSE;
  gilk_target_use_cache (member->target);
  member->image = gilk_image_open (member->target, &progress, fleet->cancellable, error);
  if (member->image == NULL)
    return FALSE;
  member->functions = gilk_functions_new (member->image);
  if (!gilk_target_has_driver (member->target) && !gilk_target_load_driver (member->target, fleet->cancellable, error))
    return FALSE;
  gilk_target_start_clock (member->target);

  return TRUE;
}

void
gilk_fleet_prepare_entry (GilkFleetEntry *member)
{
  if (connect_member (member, &member->error))
    bind_member (member, &member->error);
  gilk_fleet_is_cancelled (member->fleet, &member->error);
}
