/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-leader.c - makes hooks follow other hooks, and converts times of hooks to text and back
 */
#include "core/plan/gilk-plan-schedule.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define AFTER    "after"
#define LATER    " + "
#define NONE     G_MAXUINT

static const GilkPlanHook *
hook_at (const GilkPlan *plan, guint index)
{
  return g_ptr_array_index (plan->hooks, index);
}

/* ---- times as text ---- */

static gboolean
has_after_prefix (const char *start)
{
  return start != NULL && g_str_has_prefix (start, AFTER) && (start[strlen (AFTER)] == ' ' || start[strlen (AFTER)] == '\0');
}

/* Parses "LEADER" or "LEADER + TIME". */
static gboolean
parse_after (const char *text, char **leader, uint64_t *later_ns, GError **error)
{
  const char *later = strstr (text, LATER);
  g_autofree char *label = later != NULL ? g_strndup (text, (gsize) (later - text)) : g_strdup (text);

  g_strstrip (label);
  if (later != NULL && !gilk_parse_duration (later + strlen (LATER), later_ns, error))
    return FALSE;
  if (*label != '\0' && strpbrk (label, " \t") == NULL)
    {
      *leader = g_steal_pointer (&label);
      return TRUE;
    }
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("“after%s” names no hook. Write “after”, the name of a hook, and optionally a "
        "delay, for example “after writes + 1s”."),
      text);
}

gboolean
gilk_plan_parse_times (GilkPlanHook *hook,
                       const char   *start,
                       const char   *stop,
                       GError      **error)
{
  gboolean after = has_after_prefix (start);
  gboolean lasts = stop != NULL && *stop == '+';
  uint64_t later_ns = 0, start_ns = 0, stop_ns = 0;
  g_autofree char *leader = NULL;

  if (after ? !parse_after (start + strlen (AFTER), &leader, &later_ns, error)
            : start != NULL && !gilk_parse_duration (start, &start_ns, error))
    return FALSE;
  if (stop != NULL && !gilk_parse_duration (stop + (lasts ? 1 : 0), &stop_ns, error))
    return FALSE;
  if (stop != NULL && after && !lasts)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("The hook starts when %s stops, but its stop, %s, counts from the start of "
                   "the run. Write how long the hook stays armed, such as +2s, or omit its stop."),
                 leader, stop);
  else if (lasts && !after)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("The hook starts at a time of the run, but its stop, %s, is relative to its "
                   "start. Write a stop that counts from the start of the run; relative stops "
                   "are for hooks that start after another hook."), stop);
  else
    {
      gilk_plan_hook_set_leader (hook, leader, later_ns);
      hook->start_ns = start_ns;
      hook->stop_ns = stop_ns;
      return TRUE;
    }

  return FALSE;
}

char *
gilk_plan_start_text (const GilkPlanHook *hook)
{
  g_autofree char *later = gilk_format_duration (hook->leader_delay_ns);

  if (hook->leader == NULL)
    return gilk_format_duration (hook->start_ns);
  if (hook->leader_delay_ns == 0)
    return g_strconcat (AFTER " ", hook->leader, NULL);

  return g_strconcat (AFTER " ", hook->leader, LATER, later, NULL);
}

char *
gilk_plan_stop_text (const GilkPlanHook *hook)
{
  g_autofree char *length = NULL;

  if (hook->stop_ns == 0)
    return NULL;
  if (hook->leader == NULL)
    return gilk_format_duration (hook->stop_ns);
  length = gilk_format_duration (hook->stop_ns - MIN (hook->start_ns, hook->stop_ns));

  return g_strconcat ("+", length, NULL);
}

/* ---- leaders of hooks ---- */

void
gilk_plan_hook_set_leader (GilkPlanHook *hook,
                           const char   *label,
                           uint64_t      later_ns)
{
  char *follows = g_strdup (label);

  g_free (hook->leader);
  hook->leader = follows;
  hook->leader_delay_ns = label != NULL ? later_ns : 0;
}

static gboolean
has_follower (const GilkPlan *plan)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (hook_at (plan, i)->leader != NULL)
      return TRUE;

  return FALSE;
}

GArray *
gilk_plan_leader_indices (const GilkPlan *plan)
{
  g_autoptr(GHashTable) by_label = NULL;
  GArray *leaders;

  if (!has_follower (plan))
    return NULL;

  by_label = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < plan->hooks->len; i++)
    g_hash_table_insert (by_label, hook_at (plan, i)->label, GUINT_TO_POINTER (i + 1));
  leaders = g_array_sized_new (FALSE, FALSE, sizeof (guint), plan->hooks->len);
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const char *follows = hook_at (plan, i)->leader;
      guint found = follows != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (by_label, follows)) : 0;
      guint leader = found != 0 ? found - 1 : NONE;

      g_array_append_val (leaders, leader);
    }

  return leaders;
}

uint8_t *
gilk_plan_leader_flags (const GilkPlan *plan)
{
  g_autoptr(GArray) leader_of = gilk_plan_leader_indices (plan);
  uint8_t *leads;

  if (leader_of == NULL)
    return NULL;
  leads = g_new0 (uint8_t, plan->hooks->len);
  for (guint i = 0; i < leader_of->len; i++)
    if (g_array_index (leader_of, guint, i) != NONE)
      leads[g_array_index (leader_of, guint, i)] = 1;

  return leads;
}
