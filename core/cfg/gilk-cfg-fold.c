/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-fold.c - folds regions of a function's graph
 */
#include "core/cfg/gilk-cfg-fold.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/cfg/gilk-cfg.h"

typedef struct {
  guint     head, size;      /* @head: the block that is shown for the whole region; @size: number
                              * of blocks in the region */
  gboolean *in;              /* for each block: whether it is in the region */
} Region;

struct _GilkCfgFold {
  guint   n_blocks;
  GArray *regions;           /* Region */
  guint  *shown, *size;      /* for each block: results of gilk_cfg_fold_shown() and
                              * gilk_cfg_fold_size() */
};

GILK_DEFINE_CLEAR (region_clear, Region, self, g_free (self->in))

static Region *
get_region (const GilkCfgFold *fold, guint i)
{
  return &g_array_index (fold->regions, Region, i);
}

/* Finds, for each block, the block that is shown in its place: the head of the outermost region
 * around it, which is the largest one. */
static void
update_shown (GilkCfgFold *fold)
{
  for (guint b = 0; b < fold->n_blocks; b++)
    {
      const Region *outer = NULL;

      for (guint i = 0; i < fold->regions->len; i++)
        if (get_region (fold, i)->in[b] && (outer == NULL || get_region (fold, i)->size > outer->size))
          outer = get_region (fold, i);
      fold->shown[b] = outer != NULL ? outer->head : b;
      fold->size[b] = outer != NULL ? outer->size : 1;
    }
}

GilkCfgFold *
gilk_cfg_fold_new (const GilkCfg *cfg)
{
  GilkCfgFold *fold = g_new0 (GilkCfgFold, 1);

  fold->n_blocks = cfg->n_blocks;
  fold->regions = gilk_array_new (sizeof (Region), region_clear);
  fold->shown = g_new0 (guint, cfg->n_blocks + 1);
  fold->size = g_new0 (guint, cfg->n_blocks + 1);
  update_shown (fold);

  return fold;
}

GilkCfgFold *
gilk_cfg_fold_copy (const GilkCfgFold *fold)
{
  const GilkCfg shape = { .n_blocks = fold->n_blocks };
  GilkCfgFold *copy = gilk_cfg_fold_new (&shape);

  for (guint i = 0; i < fold->regions->len; i++)
    {
      Region region = *get_region (fold, i);

      region.in = g_memdup2 (region.in, (fold->n_blocks + 1) * sizeof *region.in);
      g_array_append_val (copy->regions, region);
    }
  update_shown (copy);

  return copy;
}

void
gilk_cfg_fold_free (GilkCfgFold *fold)
{
  if (fold == NULL)
    return;
  g_array_unref (fold->regions);
  gilk_free_all (fold->shown, fold->size, fold);
}

/* ---- folds and opens regions ---- */

/* Returns the function's entry if it is in the region, else the first block with an edge from
 * outside. */
static guint
find_head (const GilkCfg *cfg, const gboolean *in)
{
  guint head = cfg->n_blocks;

  if (in[cfg->entry])
    return cfg->entry;
  for (guint e = 0; e < cfg->n_edges; e++)
    if (in[cfg->edges[e].to] && !in[cfg->edges[e].from])
      head = MIN (head, cfg->edges[e].to);
  for (guint b = 0; b < cfg->n_blocks && head == cfg->n_blocks; b++)
    if (in[b])
      head = b;

  return head;
}

static guint
count_blocks (const gboolean *in, guint n)
{
  guint size = 0;

  for (guint b = 0; b < n; b++)
    size += in[b] != FALSE;

  return size;
}

/* Returns whether the two sets of blocks overlap, but neither contains the other. */
static gboolean
is_overlapping (const gboolean *a, const gboolean *b, guint n)
{
  guint common = 0, alone_a = 0, alone_b = 0;

  for (guint i = 0; i < n; i++)
    {
      common += a[i] && b[i];
      alone_a += a[i] && !b[i];
      alone_b += b[i] && !a[i];
    }

  return common > 0 && alone_a > 0 && alone_b > 0;
}

/* Adds to @in, a set of blocks, the regions that partly overlap it, until no such region is left.
 * Returns for each region whether it was added. (transfer full) */
static gboolean *
join_overlapping (const GilkCfgFold *fold, gboolean *in)
{
  gboolean *joined = g_new0 (gboolean, fold->regions->len + 1);

  for (guint i = 0; i < fold->regions->len;)
    {
      const Region *other = get_region (fold, i);

      if (joined[i] || !is_overlapping (in, other->in, fold->n_blocks))
        {
          i++;
          continue;
        }
      for (guint b = 0; b < fold->n_blocks; b++)
        in[b] = in[b] || other->in[b];
      joined[i] = TRUE;
      i = 0;
    }

  return joined;
}

static gboolean
has_region (const GilkCfgFold *fold, const gboolean *blocks)
{
  for (guint i = 0; i < fold->regions->len; i++)
    if (memcmp (get_region (fold, i)->in, blocks, fold->n_blocks * sizeof *blocks) == 0)
      return TRUE;

  return FALSE;
}

gboolean
gilk_cfg_fold_add (GilkCfgFold *fold, const GilkCfg *cfg, const gboolean *blocks)
{
  Region region = { 0 };
  g_autofree gboolean *joined = NULL;

  if (has_region (fold, blocks))
    return FALSE;
  region.in = g_new0 (gboolean, fold->n_blocks + 1);
  memcpy (region.in, blocks, fold->n_blocks * sizeof *blocks);
  joined = join_overlapping (fold, region.in);
  region.size = count_blocks (region.in, fold->n_blocks);
  if (region.size < 2 || region.size == fold->n_blocks)
    {
      g_free (region.in);
      return FALSE;
    }
  for (guint i = fold->regions->len; i-- > 0;)
    if (joined[i])
      g_array_remove_index (fold->regions, i);
  region.head = find_head (cfg, region.in);
  g_array_append_val (fold->regions, region);
  update_shown (fold);

  return TRUE;
}

guint
gilk_cfg_fold_loops (GilkCfgFold *fold, const GilkCfg *cfg)
{
  g_autofree gboolean *in = g_new0 (gboolean, cfg->n_blocks + 1);
  guint n = 0;

  for (guint head = 0; head < cfg->n_blocks; head++)
    if (cfg->blocks[head].flags & GILK_BLOCK_LOOP_HEAD && gilk_cfg_loop_blocks (cfg, head, in) > 1)
      n += gilk_cfg_fold_add (fold, cfg, in);

  return n;
}

static gboolean
open_largest_region (GilkCfgFold *fold, guint block)
{
  guint largest = fold->regions->len;

  for (guint i = 0; i < fold->regions->len; i++)
    if (get_region (fold, i)->in[block] &&
        (largest == fold->regions->len || get_region (fold, i)->size > get_region (fold, largest)->size))
      largest = i;
  if (largest == fold->regions->len)
    return FALSE;
  g_array_remove_index (fold->regions, largest);
  update_shown (fold);

  return TRUE;
}

gboolean
gilk_cfg_fold_open (GilkCfgFold *fold, guint block)
{
  return open_largest_region (fold, block);
}

gboolean
gilk_cfg_fold_show (GilkCfgFold *fold, guint block)
{
  gboolean opened = FALSE;

  while (open_largest_region (fold, block))
    opened = TRUE;

  return opened;
}

void
gilk_cfg_fold_clear (GilkCfgFold *fold)
{
  g_array_set_size (fold->regions, 0);
  update_shown (fold);
}

/* ---- queries about folded blocks ---- */

gboolean
gilk_cfg_fold_is_empty (const GilkCfgFold *fold)
{
  return fold->regions->len == 0;
}

guint
gilk_cfg_fold_n_blocks (const GilkCfgFold *fold)
{
  return fold->n_blocks;
}

guint
gilk_cfg_fold_shown (const GilkCfgFold *fold, guint block)
{
  return fold->shown[block];
}

guint
gilk_cfg_fold_size (const GilkCfgFold *fold, guint block)
{
  return fold->size[block];
}

/* ---- finds regions that can be folded ---- */

guint
gilk_cfg_fold_loop_at (const GilkCfg *cfg, guint block, gboolean *blocks)
{
  g_autoptr(GArray) heads = gilk_cfg_loops_around (cfg, block);

  return heads->len > 0 ? gilk_cfg_loop_blocks (cfg, g_array_index (heads, guint, heads->len - 1), blocks) : 0;
}

/* Finds the blocks that can be reached from the entry without passing block @without; G_MAXUINT: no
 * block is avoided. */
static void
mark_reachable (const GilkCfg *cfg, guint without, gboolean *reached)
{
  g_autoptr(GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));

  memset (reached, 0, (cfg->n_blocks + 1) * sizeof *reached);
  if (cfg->entry == without)
    return;
  reached[cfg->entry] = TRUE;
  g_array_append_val (open, cfg->entry);
  while (open->len > 0)
    {
      const GilkBlock *block = &cfg->blocks[g_array_index (open, guint, open->len - 1)];

      g_array_set_size (open, open->len - 1);
      for (guint e = block->first_out; e < block->first_out + block->n_out; e++)
        {
          guint to = cfg->edges[e].to;

          if (to == without || reached[to])
            continue;
          reached[to] = TRUE;
          g_array_append_val (open, to);
        }
    }
}

guint
gilk_cfg_fold_dominated (const GilkCfg *cfg, guint block, gboolean *blocks)
{
  g_autofree gboolean *all = g_new0 (gboolean, cfg->n_blocks + 1);

  mark_reachable (cfg, G_MAXUINT, all);
  mark_reachable (cfg, block, blocks);
  for (guint b = 0; b < cfg->n_blocks; b++)
    blocks[b] = b == block || (all[b] && !blocks[b]);

  return count_blocks (blocks, cfg->n_blocks);
}
