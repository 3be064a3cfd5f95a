/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-schedule.c - checks and changes the schedules of a plan's hooks, and makes schedules of
 * common patterns
 */
#include "core/plan/gilk-plan-schedule.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

gboolean
gilk_plan_check_times (const char   *label,
                       GilkPlanTimes times,
                       uint64_t      run_length_ns,
                       GError      **error)
{
  g_autofree char *who = label != NULL ? g_strdup_printf (_("Hook %s"), label) : g_strdup (_("The hook"));
  g_autofree char *start = gilk_format_duration (times.start_ns);
  g_autofree char *stop = gilk_format_duration (times.stop_ns);
  g_autofree char *lasts = gilk_format_duration (run_length_ns);

  if (times.stop_ns != 0 && times.stop_ns <= times.start_ns)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s stops at %s, which is not after its start at %s. Choose a later stop, or omit it."),
                 who, stop, start);
  else if (run_length_ns != 0 && times.start_ns >= run_length_ns)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s starts at %s, after the run of %s has ended. Start it earlier, or make the run longer."),
                 who, start, lasts);
  else if (run_length_ns != 0 && times.stop_ns > run_length_ns)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s stops at %s, but the run ends after %s. Omit its stop, or make the run longer."),
                 who, stop, lasts);
  else
    return TRUE;

  return FALSE;
}

static GilkPlanTimes
times_of (const GilkPlanHook *hook)
{
  return (GilkPlanTimes) { hook->start_ns, hook->stop_ns };
}

gboolean
gilk_plan_check_schedule (const GilkPlan *plan,
                          uint64_t        run_length_ns,
                          GError        **error)
{
  g_autoptr(GError) first = NULL;
  guint more = 0;

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      uint64_t end = run_length_ns != 0 ? run_length_ns : UINT64_MAX;

      if (hook->start_ns < end && hook->stop_ns <= end && (hook->stop_ns == 0 || hook->stop_ns > hook->start_ns))
        continue;
      if (first == NULL)
        gilk_plan_check_times (hook->label, times_of (hook), run_length_ns, &first);
      else
        more++;
    }
  if (first == NULL)
    return TRUE;

  if (more > 0)
    g_set_error (error, first->domain, first->code,
                 ngettext ("%s %u more hook has the same problem.", "%s %u more hooks have the same problem.", more),
                 first->message, more);
  else
    g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}

/* Returns @ns + @by_ns, clamped to [@least, @most]. */
static uint64_t
move_time (uint64_t ns, int64_t by_ns, uint64_t least, uint64_t most)
{
  uint64_t to = by_ns < 0 ? (ns > (uint64_t) -by_ns ? ns - (uint64_t) -by_ns : 0) : ns + (uint64_t) by_ns;

  return CLAMP (to, least, MAX (most, least));
}

GilkPlanTimes
gilk_plan_move_times (GilkPlanTimes times,
                      GilkTimesPart part,
                      int64_t       by_ns,
                      uint64_t      least_ns,
                      uint64_t      end_ns)
{
  uint64_t stop = times.stop_ns != 0 ? times.stop_ns : end_ns;
  uint64_t length = stop > times.start_ns ? stop - times.start_ns : least_ns;
  gboolean open = times.stop_ns == 0;

  if (part == GILK_TIMES_STOP)
    {
      times.stop_ns = move_time (stop, by_ns, times.start_ns + least_ns, end_ns);
      open = times.stop_ns >= end_ns;
    }
  else
    {
      uint64_t last = part == GILK_TIMES_START || open ? stop - MIN (least_ns, stop) : end_ns - MIN (length, end_ns);

      times.start_ns = move_time (times.start_ns, by_ns, 0, last);
      if (part == GILK_TIMES_BOTH && !open)
        times.stop_ns = times.start_ns + length;
    }
  if (open)
    times.stop_ns = 0;

  return times;
}

/* ---- changing the times of hooks ---- */

static void
set_hook_times (GilkPlan *plan, guint index, GilkPlanTimes times)
{
  GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);

  if (hook->start_ns == times.start_ns && hook->stop_ns == times.stop_ns)
    return;
  hook = gilk_plan_edit_hook (plan, index);
  hook->start_ns = times.start_ns;
  hook->stop_ns = times.stop_ns;
}

/* A hook that no longer follows its leader (the hook after which it started), because its start was
 * moved: the indices of both hooks, and the label of the leader. */
typedef struct {
  guint index, leader;
  char *label;
} DetachedHook;

/* Makes hook @index stop following its leader if its new start, @start_ns, differs from its present
 * one. @leader: index of the leader, or G_MAXUINT */
static void
detach_leader (GilkPlan *plan, guint index, uint64_t start_ns, guint leader, GArray *detached)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  DetachedHook was = { index, leader, NULL };

  if (leader == G_MAXUINT || hook->start_ns == start_ns)
    return;
  was.label = g_strdup (hook->leader);
  g_array_append_val (detached, was);
  gilk_plan_hook_set_leader (gilk_plan_edit_hook (plan, index), NULL, 0);
}

/* Makes each hook of @detached follow its leader again, unless it now starts before the leader
 * stops. The times of all other hooks must be up to date. */
static void
reattach_hooks (GilkPlan *plan, const GArray *detached)
{
  for (guint i = 0; i < detached->len; i++)
    {
      const DetachedHook *was = &g_array_index (detached, DetachedHook, i);
      uint64_t stop_ns = ((const GilkPlanHook *) g_ptr_array_index (plan->hooks, was->leader))->stop_ns;
      GilkPlanHook *hook = gilk_plan_edit_hook (plan, was->index);

      if (stop_ns != 0 && hook->start_ns >= stop_ns)
        gilk_plan_hook_set_leader (hook, was->label, hook->start_ns - stop_ns);
      g_free (was->label);
    }
}

void
gilk_plan_set_times (GilkPlan            *plan,
                     const guint         *indices,
                     const GilkPlanTimes *times,
                     guint                n,
                     uint64_t             run_length_ns)
{
  g_autoptr(GArray) leader_of = gilk_plan_leader_indices (plan);
  g_autofree uint8_t *leads = gilk_plan_leader_flags (plan);
  g_autoptr(GArray) detached = g_array_new (FALSE, FALSE, sizeof (DetachedHook));

  for (guint i = 0; i < n; i++)
    {
      guint index = indices[i];
      uint64_t stop_ns = ((const GilkPlanHook *) g_ptr_array_index (plan->hooks, index))->stop_ns;
      GilkPlanTimes to = times[i];

      if (leads != NULL && leads[index] && to.stop_ns == 0)
        to.stop_ns = run_length_ns > to.start_ns ? run_length_ns : MAX (stop_ns, to.start_ns + 1);
      if (leader_of != NULL)
        detach_leader (plan, index, to.start_ns, g_array_index (leader_of, guint, index), detached);
      set_hook_times (plan, index, to);
    }
  gilk_plan_compute_or_detach (plan);
  reattach_hooks (plan, detached);
}

/* ---- common schedules ---- */

/* Numbers the turns in which hooks are on: sets @turns to the turn of each hook, from 0. Returns
 * the number of turns. */
static guint
number_turns (const GilkPlan *plan,
              gboolean        by_function,
              guint          *turns)
{
  g_autoptr(GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      gpointer turn;

      if (by_function && g_hash_table_lookup_extended (known, hook->function, NULL, &turn))
        {
          turns[i] = GPOINTER_TO_UINT (turn);
          continue;
        }
      turns[i] = n++;
      if (by_function)
        g_hash_table_insert (known, hook->function, GUINT_TO_POINTER (turns[i]));
    }

  return n;
}

static GilkPlanTimes
compute_hook_times (const GilkPlanHook *hook,
                    GilkScheduleKind    kind,
                    uint64_t            step_ns,
                    guint               turn)
{
  GilkPlanTimes times = { 0, 0 };

  if (kind == GILK_SCHEDULE_TOGETHER)
    return times;
  times.start_ns = turn * step_ns;
  if (kind == GILK_SCHEDULE_IN_TURN)
    times.stop_ns = times.start_ns + step_ns;
  else if (hook->stop_ns > hook->start_ns)
    times.stop_ns = times.start_ns + (hook->stop_ns - hook->start_ns);

  return times;
}

GArray *
gilk_plan_make_schedule (const GilkPlan  *plan,
                         GilkScheduleKind kind,
                         uint64_t         step_ns,
                         gboolean         by_function,
                         uint64_t         run_length_ns,
                         GError         **error)
{
  g_autoptr(GArray) all = g_array_new (FALSE, FALSE, sizeof (GilkPlanTimes));
  g_autofree guint *turns = g_new0 (guint, plan->hooks->len + 1);
  guint n = number_turns (plan, by_function, turns);

  if (kind == GILK_SCHEDULE_IN_TURN && step_ns == 0 && n > 0)
    step_ns = run_length_ns / n;
  if (kind != GILK_SCHEDULE_TOGETHER && step_ns == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                           _("With a step of 0, all hooks would start at the same time. Write a step, such as 1s."));
      return NULL;
    }
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      GilkPlanTimes times = compute_hook_times (hook, kind, step_ns, turns[i]);

      if (!gilk_plan_check_times (hook->label, times, run_length_ns, error))
        return NULL;
      g_array_append_val (all, times);
    }

  return g_steal_pointer (&all);
}

void
gilk_plan_apply_schedule (GilkPlan            *plan,
                          const GilkPlanTimes *times,
                          GilkScheduleKind     kind,
                          gboolean             by_function)
{
  g_autofree guint *turns = g_new0 (guint, plan->hooks->len + 1);
  guint n = number_turns (plan, by_function, turns);
  g_autofree const char **first = g_new0 (const char *, n + 1);

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const char *leader = kind == GILK_SCHEDULE_IN_TURN && turns[i] > 0 ? first[turns[i] - 1] : NULL;
      const GilkPlanHook *hook;

      set_hook_times (plan, i, times[i]);
      hook = g_ptr_array_index (plan->hooks, i);
      if (g_strcmp0 (hook->leader, leader) != 0 || hook->leader_delay_ns != 0)
        gilk_plan_hook_set_leader (gilk_plan_edit_hook (plan, i), leader, 0);
      hook = g_ptr_array_index (plan->hooks, i);
      if (first[turns[i]] == NULL)
        first[turns[i]] = hook->label;
    }
}

/*
 * Makes hooks follow other hooks.
 *
 * A hook may start when another hook, its leader, stops. The leader's times must then be computed
 * first: the code goes from hook to leader until it reaches a leader whose times are known, and
 * then computes the times on the way back. Each hook is visited on one such path only, so the time
 * is linear in the number of hooks.
 */

#define NONE     G_MAXUINT
#define LAST_NS  ((uint64_t) G_MAXINT64)

static const GilkPlanHook *
hook_at (const GilkPlan *plan, guint index)
{
  return g_ptr_array_index (plan->hooks, index);
}

/* ---- start times of hooks that follow a leader ---- */

typedef struct {
  GilkPlan *plan;
  GArray   *leader_of;
  uint8_t  *known;  /* state of each hook's times: 0: not computed, 1: hook is on @path, 2:
                     * computed */
  GArray   *path;  /* (element-type guint): indices of hooks; the leader of each hook is the next
                    * one in the array */
} StartTimes;

/* Fails with an error that lists the hooks of a cycle, which was found because both hook @index and
 * its leader are on the path. */
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
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("Hooks start after one another in a circle, so none ever starts: %s. Give one "
        "of them a start time."),
      circle->str);
}

/* Checks that hook @index can follow its leader, i.e. start when that hook stops. */
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

/* Sets the times of hook @index from the times of its leader, which have been computed. */
static gboolean
set_times (StartTimes *work, guint index, GError **error)
{
  const GilkPlanHook *hook = hook_at (work->plan, index);
  uint64_t stop_ns = hook_at (work->plan, g_array_index (work->leader_of, guint, index))->stop_ns;
  uint64_t run_length_ns = hook->stop_ns - MIN (hook->start_ns, hook->stop_ns);
  uint64_t start_ns = stop_ns + hook->leader_delay_ns;
  GilkPlanHook *moved;

  if (stop_ns > LAST_NS || hook->leader_delay_ns > LAST_NS || start_ns > LAST_NS || run_length_ns > LAST_NS - start_ns)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("Hook %s would start or stop after the end of the longest possible run. "
                        "Shorten its times, or those of the hooks that it follows."),
                      hook->label);
  if (hook->start_ns == start_ns)
    return TRUE;
  moved = gilk_plan_edit_hook (work->plan, index);
  moved->stop_ns = moved->stop_ns != 0 ? start_ns + run_length_ns : 0;
  moved->start_ns = start_ns;

  return TRUE;
}

static void
detach_follower (StartTimes *work, guint index)
{
  gilk_plan_hook_set_leader (gilk_plan_edit_hook (work->plan, index), NULL, 0);
}

/*
 * Computes the times of hook @index: walks from the hook to the first leader with known times, and
 * sets the times of each hook on the way back. If @error is NULL, a hook that cannot follow its
 * leader is made independent of it.
 */
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
        detach_follower (work, index);
    }
  for (guint i = work->path->len; i > 0; i--)
    {
      index = g_array_index (work->path, guint, i - 1);
      work->known[index] = 2;
      if (hook_at (work->plan, index)->leader == NULL || set_times (work, index, error))
        continue;
      if (error != NULL)
        return FALSE;
      detach_follower (work, index);
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
