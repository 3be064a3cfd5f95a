/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-watchpoint.c - converts watchpoints of a plan to text and back
 *
 * The expression, such as "jiffies_64", is not evaluated here, but when the plan is bound to a
 * kernel (gilk-bound-watchpoint.h).
 */
#include "core/plan/gilk-plan-point.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"
#include "core/plan/gilk-plan-private.h"

#define WHAT_MAX 512

static const char *const accesses[] = { NULL, "w", "rw", "x" };

const char *
gilk_access_name (guint access)
{
  return access > 0 && access < G_N_ELEMENTS (accesses) ? accesses[access] : "?";
}

gboolean
gilk_plan_watchpoint_fail (const char *text, GError **error, const char *format, ...)
{
  g_autofree char *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  return gilk_fail (error, GILK_ERROR_USAGE, _("Cannot watch \"%s\": %s"), text, why);
}

/* Parses an access and optionally a size in bytes, such as "w", "rw8" or "x". */
static gboolean
read_access (const char *word, GilkPlanWatchpoint *watch)
{
  for (guint i = 1; i < G_N_ELEMENTS (accesses); i++)
    {
      const char *rest = word + strlen (accesses[i]);
      uint64_t bytes = 0;

      if (!g_str_has_prefix (word, accesses[i]))
        continue;
      if (*rest != '\0' && (i == GILK_WATCH_EXECUTE || !gilk_parse_unsigned (rest, 10, 1, 8, &bytes) ||
                            (bytes & (bytes - 1)) != 0))
        return FALSE;
      watch->access = i;
      watch->bytes = (guint) bytes;
      return TRUE;
    }

  return FALSE;
}

static gboolean
read_option (const char *text, const char *word, GilkPlanWatchpoint *watch, GError **error)
{
  uint64_t number;

  if (strcmp (word, "cpu=each") == 0)
    watch->cpu = GILK_WATCHPOINT_EACH_CPU;
  else if (g_str_has_prefix (word, "cpu=") &&
           gilk_parse_unsigned (word + strlen ("cpu="), 10, 0, G_MAXINT16, &number))
    watch->cpu = (int) number;
  else if (g_str_has_prefix (word, "limit=") &&
           gilk_parse_unsigned (word + strlen ("limit="), 10, 100, 10000000, &number))
    watch->rate_limit = number;
  else
    return gilk_plan_watchpoint_fail (text, error, _("Unknown option \"%s\". Write cpu=N, cpu=each, or limit=N with N from 100 "
                                                     "to 10000000 accesses per second."), word);

  return TRUE;
}

gboolean
gilk_plan_watchpoint_parse (const char         *text,
                            char              **what,
                            GilkPlanWatchpoint *watch,
                            GError            **error)
{
  const char *colon = strrchr (text, ':');
  GilkPlanWatchpoint read = { .cpu = GILK_WATCHPOINT_NO_CPU };
  g_auto(GStrv) words = NULL;
  g_autofree char *name = NULL;

  if (!g_utf8_validate (text, -1, NULL) || strlen (text) > WHAT_MAX)
    return gilk_plan_watchpoint_fail ("?", error, _("the specification is not UTF-8 text, or too long. Correct the "
                                                    "specification."));
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return gilk_plan_watchpoint_fail ("?", error, _("the specification contains control characters. Remove them."));
  if (colon == NULL || colon == text)
    return gilk_plan_watchpoint_fail (text, error, _("the kind of access is missing. Write NAME:w for writes, NAME:rw for all "
                                                     "accesses, or FUNCTION+0x10:x for execution of an instruction."));
  words = g_strsplit (colon + 1, ",", 8);
  if (words[0] == NULL || !read_access (words[0], &read))
    return gilk_plan_watchpoint_fail (text, error, _("\"%s\" is not a kind of access. Write w, rw or x; w and rw may have a "
                                                     "size of 1, 2, 4 or 8 bytes after them."), words[0] != NULL ? words[0] : "");
  for (guint i = 1; words[i] != NULL; i++)
    if (!read_option (text, words[i], &read, error))
      return FALSE;
  name = g_strstrip (g_strndup (text, (gsize) (colon - text)));
  if (*name == '\0')
    return gilk_plan_watchpoint_fail (text, error, _("the variable is missing. Write its name, or an address."));
  read.is_movable = strcmp (name, GILK_WATCHPOINT_MOVABLE) == 0;
  if (read.is_movable && read.cpu != GILK_WATCHPOINT_NO_CPU)
    return gilk_plan_watchpoint_fail (text, error,
                                      _("an address that programs set is the same on all "
                                        "processors. Remove cpu=."));
  *what = g_steal_pointer (&name);
  *watch = read;

  return TRUE;
}

char *
gilk_plan_watchpoint_text (const GilkPlanHook *hook)
{
  GString *text = g_string_new (hook->function);

  g_string_append_printf (text, ":%s", gilk_access_name (hook->watch->access));
  if (hook->watch->bytes != 0)
    g_string_append_printf (text, "%u", hook->watch->bytes);
  if (hook->watch->cpu == GILK_WATCHPOINT_EACH_CPU)
    g_string_append (text, ",cpu=each");
  else if (hook->watch->cpu >= 0)
    g_string_append_printf (text, ",cpu=%d", hook->watch->cpu);
  if (hook->watch->rate_limit != 0)
    g_string_append_printf (text, ",limit=%" PRIu64, hook->watch->rate_limit);

  return g_string_free (text, FALSE);
}

gboolean
gilk_plan_hook_set_watchpoint (GilkPlanHook *hook,
                               const char   *text,
                               GError      **error)
{
  GilkPlanWatchpoint watch;
  char *what;

  if (!gilk_plan_watchpoint_parse (text, &what, &watch, error))
    return FALSE;
  g_free (hook->function);
  hook->function = what;
  g_free (hook->instrument);
  hook->instrument = g_strdup (GILK_WATCHPOINT_INSTRUMENT);
  hook->where = watch.access == GILK_WATCH_EXECUTE ? GILK_WHERE_PRE : GILK_WHERE_POST;
  g_free (hook->watch);
  hook->watch = g_memdup2 (&watch, sizeof watch);

  return TRUE;
}
