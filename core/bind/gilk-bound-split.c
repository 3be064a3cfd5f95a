/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-split.c - splits blocks where a plan has hooks in front of single instructions
 */
#include "core/bind/gilk-bound-private.h"

#include "core/cfg/gilk-cfg.h"

static GilkBoundHook *
hook_at (GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

/* Returns a map from each unsplit graph to a GArray of the addresses to split it at. */
static GHashTable *
collect_split_points (GilkBoundPlan *bound)
{
  GHashTable *cuts = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = hook_at (bound, i);
      GArray *at;

      if (hook->where != GILK_WHERE_AT || hook->addr == 0)
        continue;
      at = g_hash_table_lookup (cuts, hook->cfg);
      if (at == NULL)
        {
          at = g_array_new (FALSE, FALSE, sizeof (uint64_t));
          g_hash_table_insert (cuts, hook->cfg, at);
        }
      g_array_append_val (at, hook->addr);
    }

  return cuts;
}

static guint
preview_tactic (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder, guint block, GilkWhere where)
{
  GilkChoice choice;

  gilk_splice_preview (cfg, liveness, decoder, block, where, GILK_INSTRUMENT_MODULE, &choice, NULL);

  return choice.refusal != 0 ? ILK_TACTIC_NONE : choice.tactic;
}

/* Moves the hook from the start of its block to the end of the block that was split off in front of
 * it, if a hook can be spliced there but not here. */
static void
choose_side (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder, GilkBoundHook *hook)
{
  const GilkBlock *before = hook->block > 0 ? &cfg->blocks[hook->block - 1] : NULL;

  if (before == NULL || before->end != hook->addr || before->ending != GILK_END_FALL ||
      hook->where != GILK_WHERE_PRE || cfg->blocks[hook->block].n_in != 1 ||
      preview_tactic (cfg, liveness, decoder, hook->block, GILK_WHERE_PRE) == ILK_TACTIC_SPLICE ||
      preview_tactic (cfg, liveness, decoder, hook->block - 1, GILK_WHERE_POST) != ILK_TACTIC_SPLICE)
    return;
  hook->block--;
  hook->where = GILK_WHERE_POST;
}

/* Moves a hook from the unsplit graph to the same point in the split one. */
static void
move_hook (GilkCfg *cut, const GilkLiveness *liveness, GilkDecoder *decoder, GilkBoundHook *hook)
{
  const GilkBlock *b = &hook->cfg->blocks[hook->block];

  if (hook->where == GILK_WHERE_POST)
    hook->block = (guint) gilk_cfg_block_around (cut, b->end - 1);
  else if (hook->where == GILK_WHERE_PRE)
    hook->block = (guint) gilk_cfg_block_at (cut, b->start);
  else if (gilk_point_edge (cut, hook->addr, &hook->block, &hook->where) && liveness != NULL)
    choose_side (cut, liveness, decoder, hook);
  gilk_cfg_unref (hook->cfg);
  hook->cfg = gilk_cfg_ref (cut);
}

static void
split_graph (GilkBoundPlan *bound, GilkDecoder *decoder, const GilkCfg *whole, const GArray *at)
{
  g_autoptr(GilkCfg) cut = gilk_cfg_new_cut (whole, decoder, (const uint64_t *) (const void *) at->data, at->len);
  g_autoptr(GilkLiveness) liveness = cut->refusal == 0 ? gilk_liveness_new (cut, decoder) : NULL;

  for (guint i = 0; i < bound->hooks->len; i++)
    if (hook_at (bound, i)->cfg == whole && hook_at (bound, i)->addr != 0)
      move_hook (cut, liveness, decoder, hook_at (bound, i));
}

void
gilk_bound_split_blocks (GilkBoundPlan *bound, GilkDecoder *decoder)
{
  g_autoptr(GHashTable) cuts = collect_split_points (bound);
  GHashTableIter iter;
  gpointer whole, at;

  g_hash_table_iter_init (&iter, cuts);
  while (g_hash_table_iter_next (&iter, &whole, &at))
    split_graph (bound, decoder, whole, at);
}
