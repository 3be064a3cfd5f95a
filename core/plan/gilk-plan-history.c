/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-history.c - converts the undo and redo steps of a plan to bytes that are stored with
 * the plan
 */
#include "core/plan/gilk-plan-history.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define MAGIC "gilk-plan-history 1"
#define TYPE  "(ssayasas)"         /* GVariant type of a stored history: MAGIC, checksum of the
                                    * plan's text, path of the plan's file, texts of undo steps,
                                    * texts of redo steps */

GilkPlanHistory *
gilk_plan_history_new (void)
{
  GilkPlanHistory *history = g_new0 (GilkPlanHistory, 1);

  history->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);
  history->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);

  return history;
}

void
gilk_plan_history_free (GilkPlanHistory *history)
{
  g_ptr_array_unref (history->undo);
  g_ptr_array_unref (history->redo);
  g_free (history->file);
  g_free (history);
}

static void
share_nearest (GPtrArray *to, const GPtrArray *from)
{
  guint begin = from->len, hooks = 0;

  while (begin > 0 && from->len - begin < GILK_PLAN_HISTORY_STEPS)
    {
      hooks += ((const GilkPlan *) from->pdata[begin - 1])->hooks->len;
      if (hooks > GILK_PLAN_HISTORY_HOOKS)
        break;
      begin--;
    }
  for (guint i = begin; i < from->len; i++)
    g_ptr_array_add (to, gilk_plan_share (from->pdata[i]));
}

void
gilk_plan_history_set_steps (GilkPlanHistory *history,
                             const GPtrArray *undo,
                             const GPtrArray *redo)
{
  share_nearest (history->undo, undo);
  share_nearest (history->redo, redo);
}

static GVariant *
plans_to_texts (const GPtrArray *plans)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < plans->len; i++)
    g_ptr_array_add (texts, gilk_plan_to_text (plans->pdata[i]));

  return g_variant_new_strv ((const char *const *) texts->pdata, texts->len);
}

GBytes *
gilk_plan_history_pack (const GilkPlanHistory *history,
                        const char            *text)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  GVariant *members[] = {
    g_variant_new_string (MAGIC), g_variant_new_string (sum),
    g_variant_new_bytestring (history->file != NULL ? history->file : ""), plans_to_texts (history->undo), plans_to_texts (history->redo),
  };
  g_autoptr(GVariant) all = g_variant_ref_sink (g_variant_new_tuple (members, G_N_ELEMENTS (members)));

  return g_variant_get_data_as_bytes (all);
}

static gboolean
read_plans (GPtrArray *plans, GVariant *all, gsize member, GError **error)
{
  g_autoptr(GVariant) array = g_variant_get_child_value (all, member);
  gsize n = g_variant_n_children (array);

  for (gsize i = 0; i < MIN (n, GILK_PLAN_HISTORY_STEPS); i++)
    {
      g_autoptr(GVariant) text = g_variant_get_child_value (array, i);
      gsize length;
      const char *words = g_variant_get_string (text, &length);
      GilkPlan *plan = gilk_plan_parse (words, length, _("a step of the undo history"), error);

      if (plan == NULL)
        return FALSE;
      g_ptr_array_add (plans, plan);
    }

  return TRUE;
}

GilkPlanHistory *
gilk_plan_history_read (GBytes     *bytes,
                        const char *text,
                        GError    **error)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autoptr(GVariant) all = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (TYPE), bytes, FALSE));
  g_autoptr(GilkPlanHistory) history = gilk_plan_history_new ();
  const char *magic, *of, *file;

  if (g_variant_is_normal_form (all))
    {
      g_variant_get (all, "(&s&s^&ayasas)", &magic, &of, &file, NULL, NULL);
      if (strcmp (magic, MAGIC) == 0 && strcmp (of, sum) == 0)
        {
          history->file = *file != '\0' ? g_strdup (file) : NULL;
          if (!read_plans (history->undo, all, 3, error) || !read_plans (history->redo, all, 4, error))
            return NULL;
          return g_steal_pointer (&history);
        }
    }
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FORMAT,
                       _("The plan's history is damaged, or belongs to another plan. Earlier edits cannot be undone."));

  return NULL;
}
