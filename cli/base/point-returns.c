/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * point-returns.c - replaces a hook by hooks at all returns of a function
 */
#include "cli/base/follow.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-user.h"

/* Makes a hook at an exit: at a return, identified by its anchor, or at a tail call, identified
 * by its block. */
static GilkPlanHook *
make_exit_hook (const GilkPlanHook *hook, const GilkCfg *cfg, const GilkCfgExit *at, guint number)
{
  GilkPlanHook *copy = gilk_plan_hook_copy (hook);

  g_clear_pointer (&copy->anchor, g_free);
  if (at->number > 0)
    copy->anchor = g_strdup_printf ("return#%u", at->number);
  else
    {
      copy->block = gilk_cfg_offset_name (cfg, cfg->blocks[at->block].start);
      gilk_cfg_fingerprint (cfg, at->block, copy->fingerprint);
    }
  g_free (copy->label);
  copy->label = g_strdup_printf ("%s-%u", hook->label, number);
  return copy;
}

/* Whether the hook's program uses the return value. Such a hook cannot be placed at a tail call,
 * where the value is not computed yet. */
static gboolean
uses_return_value (const GilkPlan *plan, const GilkPlanHook *hook)
{
  const char *code = hook->is_program ? gilk_plan_hook_code (plan, hook) : NULL;

  return code != NULL && strstr (code, "retval") != NULL;
}

static gboolean
has_tail_call (const GArray *exits)
{
  for (guint i = 0; i < exits->len; i++)
    if (g_array_index (exits, GilkCfgExit, i).number == 0)
      return TRUE;
  return FALSE;
}

static void
note_tail_calls (Cli *cli, const GilkCfg *cfg, guint count)
{
  if (count > 0)
    cli_note (cli, ngettext ("In %u block, %s jumps into another function. Calls of %s that leave by "
                             "that jump do not pass any of its returns.",
                             "In %u blocks, %s jumps into other functions. Calls of %s that leave by "
                             "these jumps do not pass any of its returns.", count),
              count, cfg->function->name, cfg->function->name);
}

/* Removes tail calls from @exits. Returns the number of blocks that leave the function by a
 * jump. */
static guint
drop_tail_calls (const GilkCfg *cfg, GArray *exits)
{
  guint count = 0;

  for (guint i = exits->len; i-- > 0;)
    if (g_array_index (exits, GilkCfgExit, i).number == 0)
      {
        g_array_remove_index (exits, i);
        count++;
      }
  for (guint i = 0; i < cfg->n_blocks; i++)
    count += cfg->blocks[i].ending == GILK_END_INDIRECT && (cfg->blocks[i].n_in > 0 || i == cfg->entry);
  return count;
}

void
cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  const gboolean is_user = gilk_function_is_user (hook->function);
  const GilkFunction *function = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GArray) exits = NULL;
  gboolean whole;

  function = gilk_functions_lookup (kernel->functions, hook->function, NULL);
  cfg = function != NULL ? gilk_cfg_new (kernel->functions, function, decoder, NULL) : NULL;
  if (cfg == NULL)
    return;
  exits = gilk_cfg_exits (cfg, &whole);
  /* In user programs, hooks at exits may miss returns or return values. Therefore keep the single
   * return hook, for which the kernel intercepts returns. */
  if (is_user && (!whole || (uses_return_value (plan, hook) && has_tail_call (exits) &&
                             gilk_image_user_runtime (cfg->image) == GILK_ELF_RETURNS)))
    return;
  if (!is_user || uses_return_value (plan, hook))
    note_tail_calls (cli, cfg, drop_tail_calls (cfg, exits));
  if (exits->len < 2)
    return;
  for (guint i = 0; i < exits->len; i++)
    {
      const GilkCfgExit *at = &g_array_index (exits, GilkCfgExit, i);

      g_ptr_array_insert (plan->hooks, (int) (index + 1 + i), make_exit_hook (hook, cfg, at, at->number > 0 && !is_user ? at->number : i + 1));
    }
  g_ptr_array_remove_index (plan->hooks, index);
}
