/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inspector-code.c - program editor of the inspector: errors, and when the plan takes the text
 */
#include "gui/inspector/gilk-inspector-private.h"

#include <glib/gi18n.h>
#include <string.h>

char *
gilk_inspector_code (GilkInspector *self)
{
  return gilk_inspector_is_program (self) ? gilk_code_view_code (self->code) : NULL;
}

void
gilk_inspector_show_code_problem (GilkInspector *self,
                                  const char    *problem)
{
  g_autofree char *unfit = gilk_inspector_is_program (self) ? gilk_code_view_problem (self->code) : NULL;
  g_autofree char *text = unfit != NULL ? g_strdup_printf (_("Not applied. %s"), unfit) : g_strdup (problem);

  gtk_label_set_text (self->code_problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->code_problem), text != NULL && gilk_inspector_is_program (self));
}

char *
gilk_inspector_describe_program (GilkInspector *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  int index = gilk_inspector_planned (self);
  const GilkPlanHook *hook = index >= 0 ? gilk_plan_model_hook (self->model, index) : NULL;
  guint users = hook != NULL && hook->is_program ? gilk_plan_count_program_users (plan, hook->instrument) : 0;

  if (users > 1)
    return g_strdup_printf (ngettext ("%u other hook runs %s too, and gets the changes made here. Ctrl+Enter applies them "
                                      "to the plan.",
                                      "%u other hooks run %s too, and get the changes made here. Ctrl+Enter applies them "
                                      "to the plan.", users - 1), users - 1, hook->instrument);

  return g_strdup (_("A small program that runs at each hit, such as: if (cpu == 0) sample(pid, comm). Ctrl+Enter applies "
                     "it to the plan."));
}

/* Strips the program's name from @problem, because the message is shown below that program. */
static const char *
skip_name (const char         *problem,
           const GilkPlanHook *hook)
{
  g_autofree char *name = g_strdup_printf (_("Program %s: %s"), hook->instrument, "");

  return problem != NULL && g_str_has_prefix (problem, name) ? problem + strlen (name) : problem;
}

void
gilk_inspector_show_planned_code (GilkInspector        *self,
                                  const GilkPlanHook   *hook,
                                  const GilkHookStatus *status)
{
  const char *code = gilk_plan_hook_code (gilk_plan_model_plan (self->model), hook);
  g_autofree char *typed = NULL;

  gilk_code_view_show (self->code, code, &status->program_error);
  typed = gilk_code_view_typed (self->code);
  if (code != NULL && strcmp (typed, code) == 0)
    gilk_inspector_show_code_problem (self, status->program_error.line > 0 ? skip_name (status->problem, hook) : NULL);
}

void
gilk_inspector_code_edited (GilkInspector *self)
{
  g_autofree char *unfit = gilk_code_view_problem (self->code);

  if (unfit != NULL)
    gilk_inspector_show_code_problem (self, NULL);
  g_signal_emit_by_name (self, "code-edited");
}

const char *
gilk_inspector_planned_problem (GilkInspector *self,
                                int            index)
{
  const GilkHookStatus *status = gilk_plan_model_status (self->model, (guint) index);

  return status->program_error.line > 0 ? NULL : status->problem;
}

char *
gilk_inspector_typed_code (GilkInspector *self)
{
  g_autofree char *problem = gilk_inspector_is_program (self) ? gilk_code_view_problem (self->code) : NULL;

  return gilk_inspector_is_program (self) && self->point >= 0 && problem == NULL ? gilk_code_view_typed (self->code) : NULL;
}

void
gilk_inspector_set_check (GilkInspector       *self,
                          const GilkBoundHook *hook)
{
  g_autofree char *typed = gilk_code_view_typed (self->code);

  if (hook == NULL || hook->code == NULL)
    gilk_inspector_show_code_problem (self, NULL);
  else if (strcmp (hook->code, typed) == 0)
    {
      gilk_code_view_mark_error (self->code, hook->code, &hook->program_error);
      gilk_inspector_show_code_problem (self, hook->error != NULL ? skip_name (hook->error->message, hook->hook) : NULL);
    }
}

void
gilk_inspector_code_left (GilkInspector *self)
{
  g_autofree char *code = gilk_inspector_code (self);
  int index = gilk_inspector_planned (self);

  if (self->filling || code == NULL)
    return;
  if (index >= 0)
    gilk_plan_model_set_code (self->model, index, code);
  gilk_inspector_show_help (self);
}

/* Takes the program into the plan, adding the point if necessary. On error the text stays and
   the reason is shown. */
void
gilk_inspector_code_entered (GilkInspector *self)
{
  g_autofree char *code = gilk_inspector_typed_code (self);

  if (gilk_inspector_planned (self) >= 0)
    gilk_inspector_code_left (self);
  else if (code != NULL)
    g_signal_emit_by_name (self, "toggle");
  else
    gilk_inspector_show_code_problem (self, NULL);
}
