/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-reach.c - gilk plan new --reach: counters in all that a function reaches
 *
 * Where the closure ends, and why, is told: what lies behind is not counted.
 */
#include "cli/plan-reach.h"

#include <glib/gi18n.h>

#include "cli/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/splice/gilk-reach.h"

#define NAMES_SHOWN 8            /* of one cause */

static guint
add_clone (GilkPlan *plan, const CliKernel *kernel, const GilkReached *reached, gboolean fewest)
{
  g_autoptr(GilkCirculation) circulation = gilk_reach_circulation (reached->cfg, fewest);
  g_autofree char *function = gilk_functions_name (kernel->functions, reached->function);
  guint added = 0;

  for (guint i = 0; i < reached->cfg->n_blocks; i++)
    {
      g_autofree char *block = NULL;
      g_autofree char *label = NULL;
      GilkPlanHook *hook;

      if (!circulation->hooked[i])
        continue;
      block = gilk_cfg_offset_name (reached->cfg, reached->cfg->blocks[i].start);
      label = gilk_plan_make_label (plan, reached->function->name, block, GILK_WHERE_PRE);
      hook = gilk_plan_hook_new (label, function, GILK_WHERE_PRE,
                                 gilk_inline_name (GILK_INLINE_COUNT));
      hook->block = g_steal_pointer (&block);
      hook->tactic = ILK_TACTIC_CLONE;
      hook->inner = reached->depth > 0;
      gilk_cfg_fingerprint (reached->cfg, i, hook->fingerprint);
      g_ptr_array_add (plan->hooks, hook);
      added++;
    }

  return added;
}

/* One sentence for all functions that were left as they are for the same cause. */
static void
note_refused (Cli *cli, const GArray *all, guint from)
{
  guint refusal = g_array_index (all, GilkReached, from).refusal, n = 0;
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const GilkReached *reached = &g_array_index (all, GilkReached, i);

      if (reached->refusal != refusal)
        continue;
      if (i < from)
        return;
      if (n++ < NAMES_SHOWN)
        g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", reached->function->name);
    }
  if (n > NAMES_SHOWN)
    g_string_append_printf (names, ", …");

  cli_note (cli, ngettext ("%u function is called as it is and not counted (%s): %s %s",
                           "%u functions are called as they are and not counted (%s): %s %s", n),
            n, names->str, gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

gboolean
cli_plan_reach (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, guint depth,
                gboolean fewest, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, name, error);
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GArray) all = NULL;
  guint cloned = 0, hooks = 0;

  if (function == NULL)
    return FALSE;
  all = gilk_reach (kernel->functions, kernel->image, function, depth, decoder, error);
  if (all == NULL)
    return FALSE;
  if (g_array_index (all, GilkReached, 0).refusal != 0)
    {
      cli->refusal = g_array_index (all, GilkReached, 0).refusal;
      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("%s cannot be cloned: %s %s"), name,
                   gilk_refusal_cause (cli->refusal), gilk_refusal_remedy (cli->refusal));
      return FALSE;
    }

  for (guint i = 0; i < all->len; i++)
    {
      const GilkReached *reached = &g_array_index (all, GilkReached, i);

      if (reached->refusal != 0)
        {
          note_refused (cli, all, i);
          continue;
        }
      hooks += add_clone (plan, kernel, reached, fewest);
      cloned++;
    }
  cli_note (cli, _("%s: %u functions are cloned up to %u calls deep, with %u counters."), name, cloned,
            depth, hooks);
  return TRUE;
}
