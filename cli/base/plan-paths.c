/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan-paths.c - gilk plan new --paths: adds hooks that record the paths of slow and of fast calls
 *
 * The path of a call is a number in which each bit stands for a block: it is set if the call
 * reached the block. During the call, a table stores this number by thread. At the end of the call,
 * one of two maps counts the path: one map for slow calls, the other for fast calls.
 *
 * The duration above which a call is slow, called the bound, is either given by the user or learned
 * from the first CLI_PATHS_TO_LEARN calls, which then count as neither slow nor fast. The second
 * longest of them is the initial bound, because the longest may be an extreme outlier. Each later
 * call above the bound raises it by a twentieth; each call below lowers it by a two-thousandth. So
 * the bound settles where one call in a hundred exceeds it. The remainder of each division is
 * carried over to the next call, so that even a bound below 2000 ns can fall.
 */
#include "cli/base/plan-paths.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/base/output.h"

#define TABLES  CLI_PATHS_TABLES
#define START_CODE   TABLES "let none = take(path, tid); started[tid] = now"
#define RESULTS CLI_PATHS_RESULTS
#define CALL    CLI_PATHS_CALL
#define FIXED   TABLES "common global limit = %" PRIu64 "; " RESULTS CALL "if (all > limit) " CLI_PATHS_SLOW "[went]++ else " \
                CLI_PATHS_FAST "[went]++ }"

static gboolean
is_exit (const GilkBlock *block)
{
  return block->ending == GILK_END_RETURN || block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
}

/* Returns whether the block is reached by a branch: by an edge from a block with several
 * successors. */
static gboolean
is_decided (const GilkCfg *cfg, guint block)
{
  for (guint i = 0; i < cfg->n_edges; i++)
    if (cfg->edges[i].to == block && cfg->blocks[cfg->edges[i].from].n_out > 1)
      return TRUE;

  return FALSE;
}

static void
add_program_hook (GilkPlan *plan, const char *name, const GilkCfg *cfg, guint block, GilkWhere where, const char *program)
{
  g_autofree char *at = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
  g_autofree char *label = gilk_plan_make_label (plan, name, at, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, name, where, program);

  hook->is_program = TRUE;
  hook->block = g_steal_pointer (&at);
  gilk_cfg_fingerprint (cfg, block, hook->fingerprint);
  g_ptr_array_add (plan->hooks, hook);
}

static void
add_exits (GilkPlan *plan, const char *name, const GilkCfg *cfg, uint64_t slow_ns)
{
  g_autofree char *code = slow_ns != 0 ? g_strdup_printf (FIXED, slow_ns) : g_strdup_printf (CLI_PATHS_END, CLI_PATHS_TO_LEARN);
  const char *program = gilk_plan_add_program (plan, "paths-end", code);

  for (guint i = 0; i < cfg->n_blocks; i++)
    if ((cfg->blocks[i].n_in > 0 || i == cfg->entry) && is_exit (&cfg->blocks[i]))
      add_program_hook (plan, name, cfg, i, GILK_WHERE_POST, program);
}

/* Adds a hook to each block that a branch leads to, and assigns the block a bit in the number that
 * records a call's path. Returns the number of blocks that got no hook because all bits were
 * taken. */
static guint
add_blocks (GilkPlan *plan, const char *name, const GilkCfg *cfg)
{
  guint bit = 0, left = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      g_autofree char *program = g_strdup_printf (CLI_PATH_PREFIX "%u", bit);
      g_autofree char *code = g_strdup_printf ("common table path[4096]; path[tid] = path[tid] | (1 << %u)", bit);

      if (i == cfg->entry || !is_decided (cfg, i))
        continue;
      if (bit == CLI_PATHS_MAX)
        {
          left++;
          continue;
        }
      add_program_hook (plan, name, cfg, i, GILK_WHERE_PRE, gilk_plan_add_program (plan, program, code));
      bit++;
    }

  return left;
}

gboolean
cli_plan_paths (Cli *cli, GilkPlan *plan, const char *name, CliKernel *kernel, uint64_t slow_ns, GError **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = cli_kernel_cfg (kernel, name, decoder, error);
  guint left;

  if (cfg == NULL)
    return FALSE;
  if (cfg->refusal != 0)
    return cli_refuse (cli, name, cfg->refusal, error);
  if (gilk_plan_program (plan, "paths-end") != NULL)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("The plan already compares the paths of one function, and a plan can do "
                        "that for one function only. Write another plan for %s."), name);

  add_program_hook (plan, name, cfg, cfg->entry, GILK_WHERE_PRE, gilk_plan_add_program (plan, "paths-begin", START_CODE));
  left = add_blocks (plan, name, cfg);
  add_exits (plan, name, cfg, slow_ns);
  if (left > 0)
    cli_note (cli, ngettext ("%s: left out %u block after a branch; a plan has at most %d such "
                             "blocks.",
                             "%s: left out %u blocks after branches; a plan has at most %d such "
                             "blocks.", left), name, left, CLI_PATHS_MAX);
  return TRUE;
}
