/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-targets.c - gilk plan new --targets: adds hooks that record the targets of indirect calls
 */
#include "cli/record/plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/dataflow/gilk-operand.h"
#include "core/store/gilk-store-calls.h"

#define TARGETS_MAX 64                 /* maximum number of targets of a call that its map can count
                                        * on each CPU */

typedef struct {
  Cli         *cli;
  GilkPlan    *plan;
  const char  *name;                    /* name of the function, as the user wrote it */
  GilkCfg     *cfg;
  GilkDecoder *decoder;
  guint        n_inexpressible;         /* number of calls whose target no probe program can
                                         * compute */
} Targets;

/* Returns the name of the probe program that counts the targets of a call. @target: expression that
 * computes the target; all calls with the same expression share one program. (transfer none) */
static const char *
add_target_program (GilkPlan *plan, const char *target)
{
  g_autofree char *code = g_strdup_printf ("map " GILK_TARGET_MAP "[%d]; " GILK_TARGET_MAP "[symbol(%s)]++", TARGETS_MAX,
                                           target);
  g_autofree char *name = NULL;

  for (guint i = 0; i < plan->programs->len; i++)
    {
      const GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      if (strcmp (program->code, code) == 0)
        return program->name;
    }
  name = *target == '%' ? g_strconcat ("target-", target + 1, NULL) : g_strdup ("target-loaded");
  return gilk_plan_add_program (plan, name, code);
}

/* Returns the reason (GilkRefusal) why no hook can be placed directly in front of the instruction
 * at @addr; 0: a hook can be placed there. */
static guint
get_refusal (const Targets *targets, uint64_t addr)
{
  g_autoptr(GilkCfg) cut = gilk_cfg_new_cut (targets->cfg, targets->decoder, &addr, 1);
  g_autoptr(GilkLiveness) liveness = NULL;
  GilkChoice choice;
  GilkWhere where;
  guint block;

  if (cut->refusal != 0)
    return cut->refusal;
  if (!gilk_point_edge (cut, addr, &block, &where))
    return GILK_REFUSAL_UNREACHED;
  liveness = gilk_liveness_new (cut, targets->decoder);
  gilk_splice_preview (cut, liveness, targets->decoder, block, where, GILK_INSTRUMENT_MODULE, &choice, NULL);
  return choice.refusal;
}

static void
add_hook (Targets *targets, const GilkIndirect *indirect)
{
  uint64_t addr = targets->cfg->insns[indirect->insn].addr;
  g_autofree char *place = gilk_cfg_offset_name (targets->cfg, addr);
  guint refusal = get_refusal (targets, addr);
  g_autofree char *label = NULL;
  GilkPlanHook *hook;

  if (refusal != 0)
    {
      cli_note (targets->cli, _("%s%s is left out: %s %s"), targets->name, place, gilk_refusal_cause (refusal),
                gilk_refusal_remedy (refusal));
      return;
    }
  label = gilk_plan_make_label (targets->plan, targets->name, place, GILK_WHERE_AT);
  hook = gilk_plan_hook_new (label, targets->name, GILK_WHERE_AT, add_target_program (targets->plan, indirect->target));
  hook->is_program = TRUE;
  hook->block = g_steal_pointer (&place);
  gilk_cfg_insn_fingerprint (targets->cfg, addr, hook->fingerprint);
  g_ptr_array_add (targets->plan->hooks, hook);
}

static gboolean
is_reached (const GilkCfg *cfg, uint64_t addr)
{
  int block = gilk_cfg_block_around (cfg, addr);

  return block >= 0 && (cfg->blocks[block].n_in > 0 || (guint) block == cfg->entry);
}

static void
add_hooks (Targets *targets)
{
  g_autoptr(GArray) all = gilk_indirect_in (targets->cfg);

  for (guint i = 0; i < all->len; i++)
    {
      const GilkIndirect *indirect = &g_array_index (all, GilkIndirect, i);

      if (!is_reached (targets->cfg, targets->cfg->insns[indirect->insn].addr))
        continue;
      if (indirect->target != NULL)
        add_hook (targets, indirect);
      else
        targets->n_inexpressible++;
    }
}

gboolean
cli_plan_targets (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, name, decoder, error);
  Targets targets = { .cli = cli, .plan = plan, .name = name, .decoder = decoder };
  guint before = plan->hooks->len;

  if (cfg == NULL)
    return FALSE;
  if (cfg->refusal != 0)
    return cli_refuse (cli, name, cfg->refusal, error);
  targets.cfg = cfg;
  add_hooks (&targets);
  if (targets.n_inexpressible > 0)
    cli_note (cli, ngettext ("Left out %u indirect call of %s, whose target a program cannot read.",
                             "Left out %u indirect calls of %s, whose targets a program cannot read.",
                           targets.n_inexpressible), targets.n_inexpressible, name);
  if (plan->hooks->len > before)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("%s makes no indirect call whose target a program can read. See \"gilk cfg %s\" for its calls."),
                    name, name);
}
