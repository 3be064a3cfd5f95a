/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-conditions.c - finds the sample fields of a bound plan's hooks, and checks the plan's
 * stop conditions
 */
#include "core/bind/gilk-bound-conditions.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-format.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/emit/gilk-inline.h"

#define HOOKS_NAMED 4          /* maximum number of hooks named in an error message */
#define INTERVAL    "interval" /* name of the field that stands for the time between hits; analyses
                                * use the same name */

/* ---- fields ---- */

guint
gilk_bound_fields (const GilkBoundPlan *bound,
                   guint                hook,
                   struct ilk_field     fields[ILK_FIELDS_MAX])
{
  const GilkBoundHook *of = gilk_bound_hook (bound, hook);
  const GilkInline *known = gilk_inline_by_name (of->hook->instrument);
  const struct ilk_field *from = NULL;
  struct ilk_instrument_desc watch;
  guint n = 0;

  if (!of->takes_samples)
    return 0;
  if (of->hook->watch != NULL && !of->hook->is_program)
    {
      gilk_watchpoint_desc (&watch);
      from = watch.fields;
      n = watch.field_count;
    }
  else if (of->program != NULL)
    from = gilk_program_fields (of->program, &n);
  else if (of->instrument != G_MAXUINT)
    {
      const struct ilk_instrument_desc *desc = &g_array_index (bound->instruments, struct ilk_instrument_desc, of->instrument);

      from = desc->fields;
      n = desc->field_count;
    }
  else if (known != NULL && known->field.name[0] != '\0')
    {
      from = &known->field;
      n = 1;
    }
  n = MIN (n, ILK_FIELDS_MAX);
  if (n > 0)
    memcpy (fields, from, n * sizeof *fields);

  return n;
}

gboolean
gilk_bound_interval (const GilkBoundPlan *bound,
                     guint                hook,
                     struct ilk_field    *field)
{
  if (!gilk_bound_hook (bound, hook)->takes_samples)
    return FALSE;
  *field = (struct ilk_field) { .name = INTERVAL, .unit = "ns", .type = ILK_FIELD_U64 };

  return TRUE;
}

gboolean
gilk_bound_field_is_interval (const struct ilk_field *field)
{
  return field->size == 0 && strcmp (field->name, INTERVAL) == 0;
}

gboolean
gilk_bound_field_is_number (const struct ilk_field *field)
{
  return field->type != ILK_FIELD_TEXT && field->type != ILK_FIELD_HEX64 &&
         (field->meaning == ILK_MEANING_NONE || field->meaning == ILK_MEANING_ERRNO);
}

gboolean
gilk_bound_field_is_amount (const struct ilk_field *field)
{
  return gilk_bound_field_is_number (field) && field->meaning == ILK_MEANING_NONE && !gilk_meaning_is_identifier (field->name, field->unit);
}

gboolean
gilk_bound_field_read (const struct ilk_field *field,
                       const void             *payload,
                       gsize                   bytes,
                       double                 *value)
{
  const uint8_t *at = (const uint8_t *) payload + field->offset;
  gsize size = field->type == ILK_FIELD_U32 || field->type == ILK_FIELD_S32 ? 4 : 8;
  uint64_t wide = 0;
  uint32_t narrow;

  if (field->type == ILK_FIELD_TEXT || field->offset > bytes || bytes - field->offset < size)
    return FALSE;
  if (size == 4)
    {
      memcpy (&narrow, at, size);
      *value = field->type == ILK_FIELD_S32 ? (double) (int32_t) narrow : (double) narrow;
      return TRUE;
    }
  memcpy (&wide, at, size);
  *value = field->type == ILK_FIELD_S64 ? (double) (int64_t) wide : (double) wide;

  return TRUE;
}

/* ---- stop conditions ---- */

/* Lists the names of the fields that are numbers. (transfer full) (nullable) */
static char *
name_numbers (const struct ilk_field *fields, guint n)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (gilk_bound_field_is_number (&fields[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", fields[i].name);

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static gboolean
find_field (const GilkBoundPlan *bound, guint hook, const GilkStopCondition *limit, struct ilk_field *field, GError **error)
{
  struct ilk_field fields[ILK_FIELDS_MAX];
  guint n = gilk_bound_fields (bound, hook, fields);
  g_autofree char *text = NULL, *numbers = NULL;

  for (guint i = 0; i < n; i++)
    if (strcmp (fields[i].name, limit->field) == 0 && gilk_bound_field_is_number (&fields[i]))
      {
        *field = fields[i];
        return TRUE;
      }
  text = gilk_stop_condition_to_text (limit);
  numbers = name_numbers (fields, n);
  if (numbers != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Condition “%s” is not possible: samples of hook %s have no numeric field %s. "
                   "Their numeric fields: %s."), text, limit->hook,
                 limit->field, numbers);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Condition “%s” is not possible: hook %s with instrument %s records no "
                   "numeric field. Give the hook an instrument or a program that does."),
                 text, limit->hook, gilk_bound_hook (bound, hook)->hook->instrument);

  return FALSE;
}

/* Returns the labels of the first HOOKS_NAMED hooks. (transfer full) */
static char *
name_hooks (const GilkBoundPlan *bound)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (bound->hooks->len, HOOKS_NAMED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", gilk_bound_hook (bound, i)->hook->label);
  if (bound->hooks->len > HOOKS_NAMED)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

static gboolean
find_hook (const GilkBoundPlan *bound, const GilkStopCondition *limit, guint *hook, GError **error)
{
  g_autofree char *text = NULL, *hooks = NULL;

  *hook = G_MAXUINT;
  if (limit->hook == NULL)
    return TRUE;
  for (guint i = bound->hooks->len; i > 0; i--)
    if (!gilk_bound_hook (bound, i - 1)->removed && strcmp (gilk_bound_hook (bound, i - 1)->hook->label, limit->hook) == 0)
      {
        *hook = i - 1;
        return TRUE;
      }
  text = gilk_stop_condition_to_text (limit);
  hooks = name_hooks (bound);
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("Condition “%s” names hook %s, which the plan does not have. Name one of the "
                 "plan's hooks (%s), or remove the condition."), text, limit->hook, hooks);

  return FALSE;
}

gboolean
gilk_bound_condition (const GilkBoundPlan     *bound,
                      const GilkStopCondition *limit,
                      guint                   *hook,
                      struct ilk_field        *field,
                      double                  *number,
                      GError                 **error)
{
  gboolean samples = limit->of == GILK_STOP_SAMPLES || limit->of == GILK_STOP_LOST || limit->of == GILK_STOP_LOST_SHARE;
  g_autofree char *text = NULL;

  memset (field, 0, sizeof *field);
  if (!find_hook (bound, limit, hook, error))
    return FALSE;
  if (samples && *hook != G_MAXUINT && !gilk_bound_hook (bound, *hook)->takes_samples)
    {
      text = gilk_stop_condition_to_text (limit);
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Condition “%s” is not possible: hook %s takes no samples. Use its hits, or give it an instrument "
                     "that takes samples."), text, limit->hook);
      return FALSE;
    }

  return (limit->of != GILK_STOP_QUANTILE || find_field (bound, *hook, limit, field, error)) &&
         gilk_stop_condition_threshold (limit, field->unit, number, error);
}

gboolean
gilk_bound_check_conditions (const GilkBoundPlan *bound,
                             GError             **error)
{
  g_autoptr(GPtrArray) limits = bound->plan->until != NULL ? gilk_stop_conditions_parse (bound->plan->until, error) : NULL;
  struct ilk_field field;
  double number;
  guint hook;

  if (limits == NULL)
    return bound->plan->until == NULL;
  for (guint i = 0; i < limits->len; i++)
    if (!gilk_bound_condition (bound, g_ptr_array_index (limits, i), &hook, &field, &number, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_plan_check_until (const GilkPlan *plan,
                       GError        **error)
{
  g_autoptr(GArray) hooks = g_array_new (FALSE, TRUE, sizeof (GilkBoundHook));
  const GilkBoundPlan bare = { .plan = (GilkPlan *) plan, .hooks = hooks };
  g_autoptr(GPtrArray) limits = plan->until != NULL ? gilk_stop_conditions_parse (plan->until, error) : NULL;
  guint hook;

  for (guint i = 0; limits != NULL && i < plan->hooks->len; i++)
    g_array_append_vals (hooks, &(GilkBoundHook) { .hook = g_ptr_array_index (plan->hooks, i) }, 1);
  for (guint i = 0; limits != NULL && i < limits->len; i++)
    if (!find_hook (&bare, g_ptr_array_index (limits, i), &hook, error))
      return FALSE;

  return limits != NULL || plan->until == NULL;
}
