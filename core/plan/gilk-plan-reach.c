/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-reach.c - counts the callees of a function
 */
#include "core/plan/gilk-plan-reach.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"

#define NAMES_SHOWN 8            /* per reason */

void
gilk_plan_reach_free (GilkPlanReach *reach)
{
  g_ptr_array_unref (reach->hooks);
  g_array_unref (reach->reached);
  g_free (reach);
}

/* ---- counters ---- */

static GilkPlanHook *
counter_new (const GilkPlan *plan, const GilkReached *reached, const char *function, guint index)
{
  g_autofree char *block = gilk_cfg_offset_name (reached->cfg, reached->cfg->blocks[index].start);
  g_autofree char *label = gilk_plan_make_label (plan, reached->function->name, block, GILK_WHERE_PRE);
  GilkPlanHook *hook = gilk_plan_hook_new (label, function, GILK_WHERE_PRE, gilk_inline_name (GILK_INLINE_COUNT));

  hook->block = g_steal_pointer (&block);
  hook->tactic = ILK_TACTIC_CLONE;
  hook->inner = reached->depth > 0;
  gilk_cfg_fingerprint (reached->cfg, index, hook->fingerprint);

  return hook;
}

/* @work: the plan with the hooks added so far, so that labels are unique */
static void
add_clone (GilkPlanReach *reach, GilkPlan *work, GilkFunctions *functions, const GilkReached *reached, gboolean fewest)
{
  g_autoptr(GilkCirculation) circulation = gilk_reach_circulation (reached->cfg, fewest);
  g_autofree char *function = gilk_functions_name (functions, reached->function);

  for (guint i = 0; i < reached->cfg->n_blocks; i++)
    if (circulation->hooked[i])
      {
        GilkPlanHook *hook = counter_new (work, reached, function, i);

        g_ptr_array_add (work->hooks, hook);
        g_ptr_array_add (reach->hooks, gilk_plan_hook_ref (hook));
      }
  reach->n_cloned++;
}

static gboolean
add_all (GilkPlanReach *reach, const GilkPlan *plan, GilkFunctions *functions, gboolean fewest,
         const GilkProgress *progress, GCancellable *cancellable, GError **error)
{
  g_autoptr(GilkPlan) work = gilk_plan_share (plan);

  for (guint i = 0; i < reach->reached->len; i++)
    {
      const GilkReached *reached = &g_array_index (reach->reached, GilkReached, i);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      gilk_progress (progress, _("Choosing counters"), (double) i / reach->reached->len);
      if (reached->refusal == 0)
        add_clone (reach, work, functions, reached, fewest);
    }

  return TRUE;
}

GilkPlanReach *
gilk_plan_reach (const GilkPlan           *plan,
                 const GilkPlanReachWish  *wish,
                 GilkFunctions            *functions,
                 GilkImage                *image,
                 GilkDecoder              *decoder,
                 const GilkProgress       *progress,
                 GCancellable             *cancellable,
                 GError                  **error)
{
  const GilkFunction *first = gilk_functions_lookup (functions, wish->function, error);
  g_autoptr(GArray) reached = first != NULL
    ? gilk_reach (functions, image, first, wish->depth, decoder, progress, cancellable, error) : NULL;
  g_autoptr(GilkPlanReach) reach = NULL;
  guint refusal;

  if (reached == NULL)
    return NULL;
  refusal = g_array_index (reached, GilkReached, 0).refusal;
  if (refusal != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("Cannot clone %s: %s %s"), wish->function,
                   gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
      return NULL;
    }
  reach = g_new0 (GilkPlanReach, 1);
  reach->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  reach->reached = g_steal_pointer (&reached);

  return add_all (reach, plan, functions, wish->fewest, progress, cancellable, error) ? g_steal_pointer (&reach) : NULL;
}

/* ---- functions that cannot be cloned ---- */

/* Describes all functions with the same refusal as the one at @from; NULL: an
 * earlier one had it. */
static char *
left_words (const GArray *all, guint from)
{
  guint refusal = g_array_index (all, GilkReached, from).refusal, n = 0;
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const GilkReached *reached = &g_array_index (all, GilkReached, i);

      if (reached->refusal != refusal)
        continue;
      if (i < from)
        return NULL;
      if (n++ < NAMES_SHOWN)
        g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", reached->function->name);
    }
  if (n > NAMES_SHOWN)
    g_string_append (names, ", …");

  return g_strdup_printf (g_dngettext (NULL, "%u function is called without being counted (%s): %s %s",
                                       "%u functions are called without being counted (%s): %s %s", n),
                          n, names->str, gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

GPtrArray *
gilk_plan_reach_left (const GilkPlanReach *reach)
{
  GPtrArray *left = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < reach->reached->len; i++)
    {
      char *words = g_array_index (reach->reached, GilkReached, i).refusal != 0 ? left_words (reach->reached, i) : NULL;

      if (words != NULL)
        g_ptr_array_add (left, words);
    }

  return left;
}
