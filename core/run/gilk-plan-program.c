/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-program.c - the programs of a plan, by name
 *
 * In a session a program is an instrument, so its name is as short as theirs, and is no other's.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "core/run/gilk-plan-private.h"

void
gilk_plan_program_free (GilkPlanProgram *program)
{
  g_free (program->name);
  g_free (program->code);
  g_free (program);
}

gboolean
gilk_plan_program_named (const char *name)
{
  return *name != '\0' && strlen (name) <= GILK_PROGRAM_NAME_MAX && name[strspn (name, GILK_LABEL_CHARS)] == '\0' &&
         gilk_inline_by_name (name) == NULL;
}

const GilkPlanProgram *
gilk_plan_program (const GilkPlan *plan,
                   const char     *name)
{
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      if (strcmp (program->name, name) == 0)
        return program;
    }

  return NULL;
}

const char *
gilk_plan_hook_code (const GilkPlan     *plan,
                     const GilkPlanHook *hook)
{
  const GilkPlanProgram *program = hook->is_program ? gilk_plan_program (plan, hook->instrument) : NULL;

  return program != NULL ? program->code : NULL;
}

/* "vfs_write-entry-pre-2", its end kept short enough. */
static char *
make_name (const GilkPlan *plan, const char *like)
{
  g_autofree char *base = g_strdup (like);
  char *name;

  g_strcanon (base, GILK_LABEL_CHARS, '_');
  name = g_strndup (base, GILK_PROGRAM_NAME_MAX);
  for (guint n = 2; !gilk_plan_program_named (name) || gilk_plan_program (plan, name) != NULL; n++)
    {
      g_autofree char *end = g_strdup_printf ("-%u", n);

      g_free (name);
      name = g_strdup_printf ("%.*s%s", (int) (GILK_PROGRAM_NAME_MAX - strlen (end)), base, end);
    }

  return name;
}

const char *
gilk_plan_add_program (GilkPlan   *plan,
                       const char *name,
                       const char *code)
{
  GilkPlanProgram *program = g_new0 (GilkPlanProgram, 1);

  program->name = make_name (plan, name);
  program->code = g_strdup (code);
  g_ptr_array_add (plan->programs, program);

  return program->name;
}

void
gilk_plan_set_code (GilkPlan     *plan,
                    GilkPlanHook *hook,
                    const char   *code)
{
  for (guint i = 0; hook->is_program && i < plan->programs->len; i++)
    {
      GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      if (strcmp (program->name, hook->instrument) == 0)
        {
          g_free (program->code);
          program->code = g_strdup (code);
          return;
        }
    }

  g_free (hook->instrument);
  hook->instrument = g_strdup (gilk_plan_add_program (plan, hook->label, code));
  hook->is_program = TRUE;
  g_hash_table_remove_all (hook->params);
}

void
gilk_plan_drop_programs (GilkPlan *plan)
{
  for (guint i = plan->programs->len; i-- > 0; )
    {
      const GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);
      gboolean is_had = FALSE;

      for (guint h = 0; h < plan->hooks->len && !is_had; h++)
        {
          const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, h);

          is_had = hook->is_program && strcmp (hook->instrument, program->name) == 0;
        }
      if (!is_had)
        g_ptr_array_remove_index (plan->programs, i);
    }
}

gboolean
gilk_plan_check_programs (const GilkPlan *plan,
                          GError        **error)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);
      gboolean there = gilk_plan_program (plan, hook->instrument) != NULL;

      if (hook->is_program && !there)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has program=%s, and there is no [program %s]. Add it, or correct the name."),
                     hook->label, hook->instrument, hook->instrument);
      else if (hook->is_program && g_hash_table_size (hook->params) > 0)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has parameters, and a program takes none. Remove its param.NAME=."), hook->label);
      else if (!hook->is_program && there)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has instrument=%s, which is the name of a program of the plan as well. Write program=%s, "
                       "or rename the program."), hook->label, hook->instrument, hook->instrument);
      else
        continue;
      return FALSE;
    }

  return TRUE;
}
