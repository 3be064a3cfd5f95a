/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-program.c - the named programs of a plan
 *
 * In sessions a program is an instrument, so its name has the same maximum length and must differ
 * from the names of instruments.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/emit/gilk-inline.h"
#include "core/plan/gilk-plan-private.h"
#include "core/program/gilk-program.h"

void
gilk_plan_program_free (GilkPlanProgram *program)
{
  gilk_free_all (program->name, program->code, program);
}

gboolean
gilk_plan_is_program_name (const char *name)
{
  return *name != '\0' && strlen (name) <= GILK_PROGRAM_NAME_MAX && name[strspn (name, GILK_LABEL_CHARS)] == '\0' &&
         gilk_inline_by_name (name) == NULL;
}

gboolean
gilk_plan_check_code (const char *code,
                      GError    **error)
{
  if (*code == '\0')
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FORMAT, _("The program is empty. Write at least count()."));
      return FALSE;
    }
  if (strlen (code) > GILK_PROGRAM_TEXT_MAX)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("The program is longer than %d bytes. Split it in two."), GILK_PROGRAM_TEXT_MAX);
  for (const char *c = code; *c != '\0'; c = g_utf8_next_char (c))
    if (g_unichar_iscntrl (g_utf8_get_char (c)) && strchr ("\n\t", *c) == NULL)
      {
        g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FORMAT,
                             _("The program contains a control character. Remove it."));
        return FALSE;
      }

  return TRUE;
}

const GilkPlanProgram *
gilk_plan_program (const GilkPlan *plan,
                   const char     *name)
{
  return g_hash_table_lookup (plan->program_named, name);
}

const char *
gilk_plan_hook_code (const GilkPlan     *plan,
                     const GilkPlanHook *hook)
{
  const GilkPlanProgram *program = hook->is_program ? gilk_plan_program (plan, hook->instrument) : NULL;

  return program != NULL ? program->code : NULL;
}

/* Makes a program name that is unused in the plan, such as "vfs_write-entry-pre-2", from @like,
 * which is shortened if it is too long. */
static char *
make_name (const GilkPlan *plan, const char *like)
{
  g_autofree char *base = g_strdup (like);
  char *name;

  g_strcanon (base, GILK_LABEL_CHARS, '_');
  name = g_strndup (base, GILK_PROGRAM_NAME_MAX);
  for (guint n = 2; !gilk_plan_is_program_name (name) || gilk_plan_program (plan, name) != NULL; n++)
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
  g_hash_table_insert (plan->program_named, program->name, program);

  return program->name;
}

void
gilk_plan_set_code (GilkPlan     *plan,
                    GilkPlanHook *hook,
                    const char   *code)
{
  GilkPlanProgram *program = hook->is_program ? g_hash_table_lookup (plan->program_named, hook->instrument) : NULL;

  if (program != NULL)
    {
      g_free (program->code);
      program->code = g_strdup (code);
      return;
    }

  g_free (hook->instrument);
  hook->instrument = g_strdup (gilk_plan_add_program (plan, hook->label, code));
  hook->is_program = TRUE;
  g_hash_table_remove_all (hook->params);
}

guint
gilk_plan_count_program_users (const GilkPlan *plan,
                               const char     *name)
{
  guint n = 0;

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      n += hook->is_program && strcmp (hook->instrument, name) == 0;
    }

  return n;
}

void
gilk_plan_remove_unused_programs (GilkPlan *plan)
{
  g_autoptr(GHashTable) had = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (hook->is_program)
        g_hash_table_add (had, hook->instrument);
    }
  for (guint i = 0; i < plan->programs->len; i++)
    {
      GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      if (g_hash_table_contains (had, program->name))
        {
          /* swap unused programs to the end of the array; the end is cut off and freed below */
          g_ptr_array_index (plan->programs, i) = g_ptr_array_index (plan->programs, n);
          g_ptr_array_index (plan->programs, n++) = program;
        }
      else
        g_hash_table_remove (plan->program_named, program->name);
    }
  g_ptr_array_set_size (plan->programs, n);
}

void
gilk_plan_hook_drop_program (GilkPlan     *plan,
                             GilkPlanHook *hook,
                             const char   *instrument)
{
  g_free (hook->instrument);
  hook->instrument = g_strdup (instrument);
  hook->is_program = FALSE;
  g_hash_table_remove_all (hook->params);
  gilk_plan_remove_unused_programs (plan);
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
                     _("Hook %s has program=%s, but there is no [program %s]. Add it, or correct the name."),
                     hook->label, hook->instrument, hook->instrument);
      else if (hook->is_program && g_hash_table_size (hook->params) > 0)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has parameters, but programs take none. Remove the hook's "
                       "param.NAME= keys."), hook->label);
      else if (!hook->is_program && there)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has instrument=%s, but the plan also has a program of that name. Write program=%s, or "
                       "rename the program."), hook->label, hook->instrument, hook->instrument);
      else
        continue;
      return FALSE;
    }

  return TRUE;
}
