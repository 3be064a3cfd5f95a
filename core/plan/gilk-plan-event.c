/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-event.c - parses and formats the events of a plan
 *
 * A plan stores a tracepoint only as text. When the plan is bound to a kernel, gilk-bound-event.h
 * checks whether that kernel has the tracepoint.
 */
#include "core/plan/gilk-plan-event.h"

#include <glib/gi18n.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-private.h"

#define NAME_CHARS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"
#define HZ "hz"

static const struct { const char *prefix; guint kind; } kinds[] = {
  { "tracepoint:", GILK_EVENT_TRACEPOINT }, { "profile:", GILK_EVENT_PROFILE }, { "interval:", GILK_EVENT_INTERVAL },
};

/* Returns the kind of event whose prefix, such as "tracepoint:", @text starts with, and sets @rest
 * to the text after the prefix; 0: no such prefix. */
static guint
find_kind (const char *text, const char **rest)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (text, kinds[i].prefix))
      {
        *rest = text + strlen (kinds[i].prefix);
        return kinds[i].kind;
      }

  return 0;
}

gboolean
gilk_plan_event_is (const char *text)
{
  const char *rest;

  return find_kind (text, &rest) != 0;
}

static gboolean
is_name (const char *text)
{
  return gilk_plan_consists_of (text, NAME_CHARS) && !g_ascii_isdigit (*text) && strlen (text) < GILK_EVENT_NAME_MAX;
}

static gboolean
parse_tracepoint (const char *text, const char *rest, char **what, GError **error)
{
  g_auto(GStrv) words = g_strsplit (rest, ":", 3);
  const guint n = g_strv_length (words);

  if (n >= 1 && n <= 2 && is_name (words[0]) && is_name (words[n - 1]))
    {
      *what = g_strdup (text);
      return TRUE;
    }

  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("\"%s\" is not a tracepoint. Write tracepoint:SYSTEM:NAME as \"gilk find tracepoint:\" lists it, such as "
                      "tracepoint:sched:sched_switch."), text);
}

static gboolean
parse_profile (const char *text, const char *rest, char **what, uint64_t *hz, GError **error)
{
  g_autofree char *digits = g_ascii_strdown (rest, -1);

  if (g_str_has_suffix (digits, HZ))
    digits[strlen (digits) - strlen (HZ)] = '\0';
  if (!gilk_parse_unsigned (digits, 10, 1, GILK_EVENT_HZ_MAX, hz))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("\"%s\" is not a rate. Write profile:99hz, with a whole number of times per second from 1 to %u."), text,
                      GILK_EVENT_HZ_MAX);
  *what = g_strdup_printf ("profile:%" G_GUINT64_FORMAT HZ, (guint64) *hz);

  return TRUE;
}

static gboolean
parse_interval (const char *text, const char *rest, char **what, uint64_t *ns, GError **error)
{
  g_autofree char *canonical = NULL;

  if (!gilk_parse_duration (rest, ns, error))
    return FALSE;
  if (*ns < GILK_EVENT_NS_MIN || *ns > GILK_EVENT_NS_MAX)
    return gilk_fail (error, GILK_ERROR_USAGE, _("\"%s\" is not possible. Choose an interval from 10us to 24h."), text);
  canonical = gilk_format_duration (*ns);
  *what = g_strdup_printf ("interval:%s", canonical);

  return TRUE;
}

gboolean
gilk_plan_event_parse (const char    *text,
                       char         **what,
                       GilkPlanEvent *event,
                       GError       **error)
{
  const char *rest = NULL;
  GilkPlanEvent found = { .kind = find_kind (text, &rest) };
  gboolean good;

  if (found.kind == GILK_EVENT_TRACEPOINT)
    good = parse_tracepoint (text, rest, what, error);
  else if (found.kind == GILK_EVENT_PROFILE)
    good = parse_profile (text, rest, what, &found.amount, error);
  else if (found.kind == GILK_EVENT_INTERVAL)
    good = parse_interval (text, rest, what, &found.amount, error);
  else
    good = gilk_fail (error, GILK_ERROR_USAGE,
                      _("\"%s\" is not an event. Write tracepoint:SYSTEM:NAME, profile:99hz or interval:1s."), text);
  if (good)
    *event = found;

  return good;
}

gboolean
gilk_plan_hook_set_event (GilkPlanHook *hook,
                          const char   *text,
                          GError      **error)
{
  char *what;

  if (!gilk_plan_event_parse (text, &what, &hook->event, error))
    return FALSE;
  g_free (hook->function);
  hook->function = what;
  hook->where = GILK_WHERE_PRE;

  return TRUE;
}

GilkPlanHook *
gilk_plan_event_hook_new (const GilkPlan *plan,
                          const char     *what)
{
  g_autofree char *base = gilk_plan_event_label (what), *label = gilk_plan_unused_label (plan, base);
  GilkPlanHook *hook = gilk_plan_hook_new (label, what, GILK_WHERE_PRE, gilk_inline_name (GILK_INLINE_COUNT));

  gilk_plan_hook_set_event (hook, what, NULL);

  return hook;
}

const char *
gilk_plan_event_name (const char *what)
{
  const char *colon = strrchr (what, ':');

  return colon != NULL ? colon + 1 : what;
}

char *
gilk_plan_event_system (const char *what)
{
  const char *first = strchr (what, ':'), *last = strrchr (what, ':');

  return first != last ? g_strndup (first + 1, (gsize) (last - first) - 1) : NULL;
}

char *
gilk_plan_event_label (const char *what)
{
  char *label = g_str_has_prefix (what, kinds[0].prefix) ? g_strdup (gilk_plan_event_name (what)) : g_strdup (what);

  return g_strcanon (label, GILK_LABEL_CHARS, '-');
}

char *
gilk_plan_event_cut_instrument (char *text)
{
  /* maximum number of colons in the text of the event itself */
  const guint most = g_str_has_prefix (text, kinds[0].prefix) ? 2 : 1;
  guint n = 0;

  for (char *c = text; *c != '\0'; c++)
    if (*c == ':' && n++ == most)
      {
        *c = '\0';
        return g_strdup (c + 1);
      }

  return NULL;
}

guint
gilk_plan_event_tactic (const GilkPlanEvent *event)
{
  return event->kind == GILK_EVENT_TRACEPOINT ? GILK_TACTIC_TRACEPOINT : GILK_TACTIC_TIMER;
}
