/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.c - describes the kernel changes (fault injection) that a plan's hooks make
 *
 * The only input is the plan's text, because a session stores a plan only as text.
 */
#include "cli/base/reports.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/plan/gilk-plan.h"
#include "core/program/gilk-program.h"

static GilkPlan *
parse_changing_plan (const char *plan_text)
{
  g_autoptr(GilkPlan) plan = plan_text != NULL ? gilk_plan_parse (plan_text, strlen (plan_text), "", NULL) : NULL;

  return plan != NULL && plan->may_change ? g_steal_pointer (&plan) : NULL;
}

static char *
list_changes (const GilkPlan *plan, const GilkPlanHook *hook)
{
  const char *code = gilk_plan_hook_code (plan, hook);
  guint changes = code != NULL ? gilk_program_text_changes (code) : 0;
  GString *words = g_string_new (NULL);

  for (guint bit = GILK_CHANGE_NULLIFY; bit <= GILK_CHANGE_MEMORY; bit *= 2)
    if (changes & bit)
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", gilk_change_name ((GilkChange) bit));

  return g_string_free (words, words->len == 0);
}

char *
cli_changes_describe (const char *plan_text, const char *label)
{
  g_autoptr(GilkPlan) plan = parse_changing_plan (plan_text);

  for (guint i = 0; plan != NULL && i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (strcmp (hook->label, label) == 0)
        return list_changes (plan, hook);
    }

  return NULL;
}

void
cli_changes_print (Cli *cli, const char *plan_text, gboolean is_over)
{
  g_autoptr(GilkPlan) plan = parse_changing_plan (plan_text);
  g_autoptr(GString) names = g_string_new (NULL);

  if (plan == NULL)
    return;
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      g_autofree char *words = list_changes (plan, hook);

      if (words != NULL)
        g_string_append_printf (names, "%s%s (%s)", names->len > 0 ? ", " : "", hook->label, words);
    }
  if (names->len == 0)
    g_string_append (names, _("none"));
  if (is_over)
    cli_print_tinted (cli, CLI_TINT_WARN, _("This run changed what the kernel did. Hooks that changed it: %s.\n"),
                      names->str);
  else
    cli_note (cli, _("This plan changes what the kernel does. Hooks that change it: %s."), names->str);
}
