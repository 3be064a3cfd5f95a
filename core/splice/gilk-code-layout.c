/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-layout.c - computes the best order of a function's blocks from execution counts, and
 * its expected benefit
 */
#include "core/splice/gilk-code-layout.h"

#include "core/splice/gilk-footprint.h"

/* ---- counts ---- */

static void
copy_counts (GilkCodeLayout *p, const GilkCirculation *circulation, const GilkCirculationCounts *counts)
{
  for (guint i = 0; i < p->cfg->n_blocks; i++)
    p->blocks[i] = counts->blocks[i];
  for (guint i = 0; i < p->cfg->n_edges; i++)
    if (circulation->edge_statuses[i] == GILK_COUNT_STATUS_FOLLOWS)
      p->edges[i] = counts->edges[i];
  p->calls = p->blocks[p->cfg->entry];
  /* Executions of the entry block that come from back edges are not calls. */
  for (guint i = 0; i < p->cfg->n_edges; i++)
    if (p->cfg->edges[i].to == p->cfg->entry)
      p->calls -= MIN (p->calls, p->edges[i]);
}

/*
 * Estimates the unknown counts of edges that leave @block. The known counts of edges are subtracted
 * from the count of @block, and the rest is divided among the other edges in proportion to the
 * counts of their targets.
 */
static void
share_count (GilkCodeLayout *p, const GilkCirculation *circulation, guint block)
{
  const GilkBlock *b = &p->cfg->blocks[block];
  uint64_t left = p->blocks[block];
  double whole = 0;

  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    if (circulation->edge_statuses[i] == GILK_COUNT_STATUS_FOLLOWS)
      left -= MIN (left, p->edges[i]);
    else
      whole += (double) p->blocks[p->cfg->edges[i].to];
  for (guint i = b->first_out; whole > 0 && i < b->first_out + b->n_out; i++)
    if (circulation->edge_statuses[i] != GILK_COUNT_STATUS_FOLLOWS)
      p->edges[i] = (uint64_t) ((double) left * (double) p->blocks[p->cfg->edges[i].to] / whole);
}

/* ---- the order ---- */

static void
find_order (GilkCodeLayout *p)
{
  const GilkCfg *cfg = p->cfg;
  g_autofree GilkOrderBlock *blocks = g_new0 (GilkOrderBlock, cfg->n_blocks + 1);
  g_autofree GilkOrderEdge *edges = g_new0 (GilkOrderEdge, cfg->n_edges + 1);
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);
  g_autofree guint *all = NULL;
  guint n_edges = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    blocks[i] = (GilkOrderBlock) { (guint) (cfg->blocks[i].end - cfg->blocks[i].start), p->blocks[i] };
  for (guint i = 0; i < cfg->n_edges; i++)
    if (p->edges[i] > 0 && cfg->edges[i].kind != GILK_EDGE_FIXUP)
      edges[n_edges++] = (GilkOrderEdge) { cfg->edges[i].from, cfg->edges[i].to, p->edges[i] };
  all = gilk_order_new (blocks, cfg->n_blocks, cfg->entry, edges, n_edges, p->hot);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (reached[all[i]])
      p->order[p->n_order++] = all[i];
}

/* ---- figures ---- */

/* The cache lines that the code covers, and the number of calls that touch each. */
typedef struct {
  const GilkCodeLayout *layout;
  GHashTable *touched;     /* maps a cache line to the execution count of its most frequent block */
  GHashTable *hot;         /* set of cache lines with hot code */
  uint64_t    low, high;   /* lowest and highest address of hot code */
  GilkLayoutFigures *figures;
} CacheFootprint;

static void
cache_init (CacheFootprint *g, const GilkCodeLayout *layout, GilkLayoutFigures *figures)
{
  *figures = (GilkLayoutFigures) { 0 };
  *g = (CacheFootprint) {
    .layout = layout, .figures = figures, .low = UINT64_MAX,
    .touched = g_hash_table_new (NULL, NULL), .hot = g_hash_table_new (NULL, NULL),
  };
}

static void
touch_lines (CacheFootprint *g, uint64_t at, uint64_t bytes, uint64_t count, gboolean is_hot)
{
  if (bytes == 0 || count == 0)
    return;
  for (uint64_t line = at / GILK_CACHE_LINE; line <= (at + bytes - 1) / GILK_CACHE_LINE; line++)
    {
      gpointer key = GSIZE_TO_POINTER ((gsize) line);
      gsize most = GPOINTER_TO_SIZE (g_hash_table_lookup (g->touched, key));

      g_hash_table_insert (g->touched, key, GSIZE_TO_POINTER (MAX (most, (gsize) count)));
      if (is_hot)
        g_hash_table_add (g->hot, key);
    }
  if (!is_hot)
    return;
  g->figures->hot_bytes += (guint) bytes;
  g->low = MIN (g->low, at);
  g->high = MAX (g->high, at + bytes);
}

static void
cache_finish (CacheFootprint *g)
{
  const double calls = (double) MAX (g->layout->calls, 1);
  GHashTableIter iter;
  gpointer count;

  g_hash_table_iter_init (&iter, g->touched);
  while (g_hash_table_iter_next (&iter, NULL, &count))
    g->figures->lines += MIN (1.0, (double) GPOINTER_TO_SIZE (count) / calls);
  g->figures->hot_lines = g_hash_table_size (g->hot);
  g->figures->span = g->high > g->low ? (guint) (g->high - g->low) : 0;
  g->figures->taken /= calls;
  g->figures->insns /= calls;
  g_hash_table_unref (g->touched);
  g_hash_table_unref (g->hot);
}

/*
 * Returns how often a jump or branch at the end of the block leads to another function. It is a
 * taken branch in any layout.
 */
static uint64_t
count_jumps_out (const GilkCodeLayout *p, guint block)
{
  const GilkBlock *b = &p->cfg->blocks[block];
  uint64_t stays = 0;

  if (b->ending != GILK_END_TAIL_CALL && b->ending != GILK_END_INDIRECT && b->ending != GILK_END_JCC)
    return 0;
  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    stays += p->edges[i];

  return p->blocks[block] - MIN (p->blocks[block], stays);
}

static void
compute_before (const GilkCodeLayout *p, GilkLayoutFigures *figures)
{
  const GilkCfg *cfg = p->cfg;
  CacheFootprint g;

  cache_init (&g, p, figures);
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      touch_lines (&g, cfg->blocks[i].start, cfg->blocks[i].end - cfg->blocks[i].start, p->blocks[i], p->hot[i]);
      figures->insns += (double) p->blocks[i] * cfg->blocks[i].n_insns;
      figures->taken += (double) count_jumps_out (p, i);
    }
  for (guint i = 0; i < cfg->n_edges; i++)
    if (cfg->blocks[cfg->edges[i].from].end != cfg->blocks[cfg->edges[i].to].start &&
        cfg->edges[i].kind != GILK_EDGE_FIXUP)
      figures->taken += (double) p->edges[i];
  cache_finish (&g);
}

/* Adds to the figures the jumps and branches at the end of @block in a clone. @next: the block
 * placed after @block; an edge to any other block is a taken branch. If the block ends with a
 * branch and then a jump, the jump is reached only when the branch is not taken. */
static void
add_block_end (const GilkCodeLayout *p, guint block, guint next, GilkLayoutFigures *after)
{
  const GilkBlock *b = &p->cfg->blocks[block];
  gboolean falls = FALSE;

  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    falls |= p->cfg->edges[i].to == next;
  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    {
      const GilkEdge *edge = &p->cfg->edges[i];

      if (edge->to == next || edge->kind == GILK_EDGE_FIXUP)
        continue;
      after->taken += (double) p->edges[i];
      if (!falls && edge->kind == GILK_EDGE_TAKEN)
        after->insns -= (double) p->edges[i];
    }
  after->taken += (double) count_jumps_out (p, block);
}

void
gilk_code_layout_after (const GilkCodeLayout *p,
                        const GilkCode       *code,
                        uint64_t              slot,
                        uint64_t              entered,
                        GilkLayoutFigures    *after)
{
  uint64_t start = p->cfg->function->hot.start;
  uint64_t first = p->cfg->insns[gilk_point_first (p->cfg, p->cfg->entry)].addr;
  CacheFootprint g;

  cache_init (&g, p, after);
  for (guint i = 0; i < code->blocks->len; i++)
    {
      const GilkCodeBlock *b = &g_array_index (code->blocks, GilkCodeBlock, i);

      touch_lines (&g, slot + b->offset, b->length, p->blocks[b->block], p->hot[b->block]);
      after->insns += (double) p->blocks[b->block] * b->insns;
      add_block_end (p, b->block, i + 1 < code->blocks->len ? b[1].block : G_MAXUINT, after);
    }
  touch_lines (&g, start, first + GILK_JUMP_BYTES - start, entered, FALSE);
  after->taken += (double) entered;
  after->insns += (double) entered * (1 + gilk_point_first (p->cfg, p->cfg->entry) -
                                      p->cfg->blocks[p->cfg->entry].first_insn);
  cache_finish (&g);
}

uint64_t
gilk_code_layout_calls (const GilkCodeLayout *p,
                        uint64_t              target)
{
  uint64_t calls = 0;

  for (guint b = 0; b < p->cfg->n_blocks; b++)
    for (guint i = p->cfg->blocks[b].first_insn; i < p->cfg->blocks[b].first_insn + p->cfg->blocks[b].n_insns; i++)
      if (p->cfg->insns[i].target == target && gilk_cfg_block_around (p->cfg, target) < 0)
        calls += p->blocks[b];

  return calls;
}

/* ---- the whole function ---- */

GilkCodeLayout *
gilk_code_layout_new (const GilkCirculation       *circulation,
                      const GilkCirculationCounts *counts)
{
  GilkCodeLayout *p = g_new0 (GilkCodeLayout, 1);
  GilkCfg *cfg = circulation->cfg;

  p->cfg = gilk_cfg_ref (cfg);
  p->blocks = g_new0 (uint64_t, cfg->n_blocks + 1);
  p->edges = g_new0 (uint64_t, cfg->n_edges + 1);
  p->hot = g_new0 (gboolean, cfg->n_blocks + 1);
  p->order = g_new0 (guint, cfg->n_blocks + 1);
  copy_counts (p, circulation, counts);
  for (guint i = 0; i < cfg->n_blocks; i++)
    share_count (p, circulation, i);
  find_order (p);
  compute_before (p, &p->before);

  return p;
}

void
gilk_code_layout_free (GilkCodeLayout *p)
{
  if (p == NULL)
    return;

  gilk_cfg_unref (p->cfg);
  g_free (p->blocks);
  g_free (p->edges);
  g_free (p->hot);
  g_free (p->order);
  g_free (p);
}
