/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-callees.c - makes hooks that count how often each block of a function's callees is
 * executed
 */
#include "core/plan/gilk-plan-callees.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"

#define NAMES_SHOWN 8            /* maximum number of functions that a message names for each
                                  * reason */

void
gilk_plan_callees_free (GilkPlanCallees *reach)
{
  g_ptr_array_unref (reach->hooks);
  g_array_unref (reach->reached);
  g_free (reach);
}

/* ---- hooks that count, in clones ---- */

static GilkPlanHook *
make_counter (const GilkPlan *plan, const GilkCallee *reached, const char *function, guint index)
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

/* Adds hooks that clone function @reached and count the executions of its blocks. @work: a copy of
 * the plan with the hooks added so far, in which new labels must be unique */
static void
add_clone (GilkPlanCallees *reach, GilkPlan *work, GilkFunctions *functions, const GilkCallee *reached, gboolean fewest)
{
  g_autoptr(GilkCirculation) circulation = gilk_callees_circulation (reached->cfg, fewest);
  g_autofree char *function = gilk_functions_name (functions, reached->function);

  for (guint i = 0; i < reached->cfg->n_blocks; i++)
    if (circulation->hooked[i])
      {
        GilkPlanHook *hook = make_counter (work, reached, function, i);

        g_ptr_array_add (work->hooks, hook);
        g_ptr_array_add (reach->hooks, gilk_plan_hook_ref (hook));
      }
  reach->n_cloned++;
}

static gboolean
add_all_clones (GilkPlanCallees *reach, const GilkPlan *plan, GilkFunctions *functions, gboolean fewest,
                const GilkProgress *progress, GCancellable *cancellable, GError **error)
{
  g_autoptr(GilkPlan) work = gilk_plan_share (plan);

  for (guint i = 0; i < reach->reached->len; i++)
    {
      const GilkCallee *reached = &g_array_index (reach->reached, GilkCallee, i);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      gilk_progress (progress, _("Choosing counters"), (double) i / reach->reached->len);
      if (reached->refusal == 0)
        add_clone (reach, work, functions, reached, fewest);
    }

  return TRUE;
}

GilkPlanCallees *
gilk_plan_callees_new (const GilkPlan                *plan,
                       const GilkPlanCalleesSettings *settings,
                       GilkFunctions                 *functions,
                       GilkImage                     *image,
                       GilkDecoder                   *decoder,
                       const GilkProgress            *progress,
                       GCancellable                  *cancellable,
                       GError                       **error)
{
  const GilkFunction *first = gilk_functions_lookup (functions, settings->function, error);
  g_autoptr(GArray) reached = first != NULL
    ? gilk_callees_find (functions, image, first, settings->depth, decoder, progress, cancellable, error) : NULL;
  g_autoptr(GilkPlanCallees) reach = NULL;
  guint refusal;

  if (reached == NULL)
    return NULL;
  refusal = g_array_index (reached, GilkCallee, 0).refusal;
  if (refusal != 0)
    return gilk_fail_null (error, GILK_ERROR_REFUSED,
                           _("Cannot clone %s: %s %s"), settings->function,
                           gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
  reach = g_new0 (GilkPlanCallees, 1);
  reach->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  reach->reached = g_steal_pointer (&reached);

  return add_all_clones (reach, plan, functions, settings->fewest, progress, cancellable, error) ? g_steal_pointer (&reach) : NULL;
}

/* ---- describes functions that cannot be cloned ---- */

/*
 * Returns a sentence about all functions that cannot be cloned for the same reason as function
 * @from. Returns NULL if the reason applies to an earlier function, whose sentence then covers
 * @from.
 */
static char *
describe_refusal (const GArray *all, guint from)
{
  guint refusal = g_array_index (all, GilkCallee, from).refusal, n = 0;
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const GilkCallee *reached = &g_array_index (all, GilkCallee, i);

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
gilk_plan_callees_describe_uncounted (const GilkPlanCallees *reach)
{
  GPtrArray *left = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < reach->reached->len; i++)
    {
      char *words = g_array_index (reach->reached, GilkCallee, i).refusal != 0 ? describe_refusal (reach->reached, i) : NULL;

      if (words != NULL)
        g_ptr_array_add (left, words);
    }

  return left;
}
