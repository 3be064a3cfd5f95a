/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-user.c - probe points of a plan in user-space programs
 */
#include "core/bind/gilk-bound-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/cfg/gilk-cfg.h"

/* Returns the index of the instruction that starts at @addr; G_MAXUINT: none. */
static guint
find_insn (const GilkCfg *cfg, guint block, uint64_t addr)
{
  const GilkBlock *b = &cfg->blocks[block];

  for (guint i = b->first_insn; i < b->first_insn + b->n_insns; i++)
    if (cfg->insns[i].addr == addr)
      return i;

  return G_MAXUINT;
}

static void
refuse_offset (GilkBoundHook *hook)
{
  g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("Cannot hook %s%s: no instruction starts there. See gilk cfg %s for the function's instructions."),
               hook->hook->function, hook->hook->block, hook->hook->function);
}

/* Returns TRUE if @addr is within @block, not its start, and the function is the planned one. */
static gboolean
is_within (const GilkBoundHook *hook, uint64_t addr, guint block)
{
  const char *print = hook->hook->fingerprint;

  return addr != hook->cfg->blocks[block].start && (print[0] == '\0' || gilk_cfg_is_graph (hook->cfg, print));
}

static gboolean
place_in_block (GilkBoundHook *hook, uint64_t addr, guint block)
{
  guint insn = find_insn (hook->cfg, block, addr);

  if (insn == G_MAXUINT || hook->hook->where == GILK_WHERE_POST)
    {
      refuse_offset (hook);
      return FALSE;
    }
  hook->block = block;
  hook->at = insn + 1;
  hook->addr = addr;

  return TRUE;
}

/* Hooks all returns of the function: with a post-hook if it is known to have only one exit,
 * otherwise with a uprobe at its first instruction, so that the kernel catches each return. */
static gboolean
place_returns (GilkBoundHook *hook)
{
  gboolean whole;
  g_autoptr(GArray) exits = gilk_cfg_exits (hook->cfg, &whole);
  guint insn = find_insn (hook->cfg, hook->cfg->entry, hook->cfg->function->hot.start);

  if (insn == G_MAXUINT)
    {
      g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("Cannot hook %s: none of its instructions could be read. Choose another function."),
                   hook->hook->function);
      return FALSE;
    }
  /* A program may use the return value, and after a tail call another function sets that. */
  if (whole && exits->len == 1 && (g_array_index (exits, GilkCfgExit, 0).number > 0 || !hook->hook->is_program))
    {
      hook->block = g_array_index (exits, GilkCfgExit, 0).block;
      hook->addr = hook->cfg->blocks[hook->block].start;
      return TRUE;
    }
  hook->block = hook->cfg->entry;
  hook->at = insn + 1;
  hook->addr = hook->cfg->function->hot.start;
  hook->returns = TRUE;

  return TRUE;
}

gboolean
gilk_bound_user_find_place (GilkBoundHook  *hook,
                            const GilkPlan *plan,
                            const char     *release,
                            const char     *build_id)
{
  const GilkPlanHook *planned = hook->hook;
  uint64_t addr;
  int block;

  /* A uprobe can be in front of any instruction, so no block has to be split for it. */
  if (hook->where == GILK_WHERE_AT)
    hook->where = GILK_WHERE_PRE;

  if (planned->anchor != NULL && strcmp (planned->anchor, "return") == 0 && hook->cfg->n_blocks > 0)
    return place_returns (hook);
  if (planned->block != NULL && gilk_cfg_parse_offset (hook->cfg, planned->block, &addr))
    {
      block = gilk_cfg_block_around (hook->cfg, addr);
      if (block < 0)
        {
          refuse_offset (hook);
          return FALSE;
        }
      if (is_within (hook, addr, (guint) block))
        return place_in_block (hook, addr, (guint) block);
    }
  if (!gilk_rebind (hook->cfg, plan, planned, release, build_id, &addr, &hook->moved, &hook->error))
    return FALSE;
  block = gilk_cfg_block_around (hook->cfg, addr);
  if (block >= 0 && addr != hook->cfg->blocks[block].start)
    return place_in_block (hook, addr, (guint) block);
  hook->block = (guint) block;
  hook->addr = addr;

  return TRUE;
}
