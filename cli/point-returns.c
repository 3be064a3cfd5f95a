/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-returns.c - a hook at each place in which a function returns
 */
#include "cli/point-returns.h"

#include <glib/gi18n.h>

#include "cli/output.h"
#include "core/cfg/gilk-function-user.h"

static gboolean
is_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry;
}

/* Numbers of its returns that control gets to, in the order of anchors: the function's own, then its cold part's. */
static GArray *
returns_of (const GilkCfg *cfg, guint *elsewhere)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  guint number = 0;

  *elsewhere = 0;
  for (guint cold = 0; cold <= 1; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      {
        const GilkBlock *block = &cfg->blocks[i];

        if (((block->flags & GILK_BLOCK_COLD) != 0) != cold)
          continue;
        if (is_reached (cfg, i))
          *elsewhere += block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
        if (block->ending != GILK_END_RETURN)
          continue;
        number++;
        if (is_reached (cfg, i))
          g_array_append_val (numbers, number);
      }
  return numbers;
}

static GilkPlanHook *
hook_at (const GilkPlanHook *hook, guint number)
{
  GilkPlanHook *copy = gilk_plan_hook_copy (hook);

  g_free (copy->anchor);
  copy->anchor = g_strdup_printf ("return#%u", number);
  g_free (copy->label);
  copy->label = g_strdup_printf ("%s-%u", hook->label, number);
  return copy;
}

void
cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  const GilkFunction *function = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GArray) numbers = NULL;
  guint elsewhere = 0;

  /* There the one hook sees them all. */
  if (gilk_function_is_user (hook->function))
    return;
  function = gilk_functions_lookup (kernel->functions, hook->function, NULL);
  cfg = function != NULL ? gilk_cfg_new (kernel->functions, function, decoder, NULL) : NULL;
  if (cfg == NULL)
    return;
  numbers = returns_of (cfg, &elsewhere);
  if (elsewhere > 0)
    cli_note (cli, ngettext ("%s also ends in a jump to another function, in %u of its blocks: calls that leave there "
                             "are not seen at its returns.",
                             "%s also ends in jumps to other functions, in %u of its blocks: calls that leave there "
                             "are not seen at its returns.", elsewhere), function->name, elsewhere);
  if (numbers->len < 2)
    return;
  for (guint i = 0; i < numbers->len; i++)
    g_ptr_array_insert (plan->hooks, (int) (index + 1 + i), hook_at (hook, g_array_index (numbers, guint, i)));
  g_ptr_array_remove_index (plan->hooks, index);
}
