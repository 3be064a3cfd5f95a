/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-watchpoint-line.c - parses a watchpoint on a command line: LABEL=WHAT:HOW { PROGRAM }
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/plan/gilk-plan-private.h"
#include "core/plan/gilk-plan-watchpoint.h"

/* Cuts "{ PROGRAM }" off the end of @text. Returns FALSE if the closing brace is missing, or a plan
 * cannot store the program. */
static gboolean
cut_program (const char *whole, char *text, char **code, GError **error)
{
  char *begin = strchr (text, '{'), *end;

  if (begin == NULL)
    return TRUE;
  end = begin + strlen (g_strchomp (begin)) - 1;
  if (*end != '}')
    return gilk_plan_watchpoint_fail (whole, error, _("its program is not closed. Write NAME:w { ... }, in quotes for the "
                                                      "shell."));
  *begin = *end = '\0';
  *code = g_strdup (g_strstrip (begin + 1));
  g_strchomp (text);

  return gilk_plan_check_code (*code, error);
}

/* Cuts "LABEL=" off the start of @text. Returns the label; NULL: there is none. */
static char *
cut_label (char *text)
{
  gsize n = strspn (text, GILK_LABEL_CHARS);
  char *label = n > 0 && text[n] == '=' ? g_strndup (text, n) : NULL;

  if (label != NULL)
    memmove (text, text + n + 1, strlen (text + n + 1) + 1);

  return label;
}

static gboolean
is_label_used (const GilkPlan *plan, const char *label)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (strcmp (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, label) == 0)
      return TRUE;

  return FALSE;
}

GilkPlanHook *
gilk_plan_watchpoint_hook_new_line (GilkPlan   *plan,
                                    const char *text,
                                    GError    **error)
{
  g_autofree char *rest = g_strdup (text), *label = cut_label (rest), *code = NULL;
  GilkPlanHook *hook;

  if (label != NULL && is_label_used (plan, label))
    {
      gilk_plan_watchpoint_fail (text, error, _("the plan already has a hook labelled %s. Choose another label."), label);
      return NULL;
    }
  if (!cut_program (text, rest, &code, error))
    return NULL;
  hook = gilk_plan_watchpoint_hook_new (plan, rest, error);
  if (hook == NULL)
    return NULL;
  if (hook->watch->is_movable && label == NULL)
    {
      gilk_plan_watchpoint_fail (text, error, _("programs set its address, and refer to the "
                                                "watchpoint by its label. Write LABEL=?:w8."));
      gilk_plan_hook_unref (hook);
      return NULL;
    }
  if (label != NULL)
    {
      g_free (hook->label);
      hook->label = g_steal_pointer (&label);
    }
  if (code != NULL)
    gilk_plan_set_code (plan, hook, code);

  return hook;
}
