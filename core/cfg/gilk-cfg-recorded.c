/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-recorded.c - makes a function's graph from the blocks and edges in a session
 *
 * A session can be opened without its kernel and is untrusted input: all properties on which layout
 * and painting rely are checked or computed again.
 */
#include "core/base/gilk-error.h"

#include <glib/gi18n.h>
#include "core/cfg/gilk-cfg-private.h"

/* Upper bounds far above the numbers in any kernel function: a session with more is damaged. */
#define BLOCKS_MAX (1u << 16)
#define EDGES_MAX  (1u << 18)

static gboolean
are_valid_blocks (const GilkRecordedBlock *blocks, guint n)
{
  for (guint i = 0; i < n; i++)
    if (blocks[i].start >= blocks[i].end || blocks[i].ending > GILK_END_INDIRECT ||
        (i > 0 && blocks[i].start < blocks[i - 1].end))
      return FALSE;

  return n > 0 && n <= BLOCKS_MAX;
}

static gboolean
are_valid_edges (const GilkEdge *edges, guint n, guint n_blocks)
{
  for (guint i = 0; i < n; i++)
    if (edges[i].from >= n_blocks || edges[i].to >= n_blocks || edges[i].kind > GILK_EDGE_FIXUP ||
        (i > 0 && edges[i].from < edges[i - 1].from))
      return FALSE;

  return n <= EDGES_MAX;
}

static void
extend_range (GilkRange *range, const GilkRecordedBlock *block)
{
  if (range->start == 0 || block->start < range->start)
    range->start = block->start;
  range->end = MAX (range->end, block->end);
}

static void
copy_blocks (GilkCfgFull *full, const GilkRecordedBlock *blocks)
{
  GilkCfg *cfg = &full->cfg;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      cfg->blocks[i].start = blocks[i].start;
      cfg->blocks[i].end = blocks[i].end;
      cfg->blocks[i].first_insn = cfg->n_insns;
      cfg->blocks[i].n_insns = blocks[i].n_insns;
      cfg->blocks[i].ending = blocks[i].ending;
      cfg->blocks[i].flags = blocks[i].cold ? GILK_BLOCK_COLD : 0;
      cfg->n_insns += blocks[i].n_insns;
      extend_range (blocks[i].cold ? &full->recorded.cold : &full->recorded.hot, &blocks[i]);
    }
}

static void
copy_edges (GilkCfg *cfg, const GilkEdge *edges)
{
  for (guint i = 0; i < cfg->n_edges; i++)
    {
      GilkBlock *from = &cfg->blocks[edges[i].from];

      cfg->edges[i] = edges[i];
      cfg->edges[i].back = FALSE;
      if (from->n_out++ == 0)
        from->first_out = i;
      cfg->blocks[edges[i].to].n_in++;
    }
}

GilkCfg *
gilk_cfg_new_recorded (const char              *name,
                       uint64_t                 entry,
                       const GilkRecordedBlock *blocks,
                       guint                    n_blocks,
                       const GilkEdge          *edges,
                       guint                    n_edges,
                       GError                 **error)
{
  GilkCfgFull *full;
  GilkCfg *cfg;

  if (!are_valid_blocks (blocks, n_blocks) || !are_valid_edges (edges, n_edges, n_blocks))
    return gilk_fail_null (error, GILK_ERROR_FORMAT,
        _("The recorded graph of %s is damaged and cannot be drawn. Counts and samples of the session are not "
          "affected."), name);

  full = g_new0 (GilkCfgFull, 1);
  cfg = &full->cfg;
  g_atomic_ref_count_init (&cfg->ref_count);
  cfg->n_blocks = n_blocks;
  cfg->n_edges = n_edges;
  cfg->blocks = g_new0 (GilkBlock, n_blocks);
  cfg->edges = g_new0 (GilkEdge, n_edges + 1);
  copy_blocks (full, blocks);
  copy_edges (cfg, edges);

  cfg->entry = (guint) MAX (gilk_cfg_block_around (cfg, entry), 0);
  cfg->blocks[cfg->entry].flags |= GILK_BLOCK_ENTRY;
  full->recorded_name = g_strdup (name);
  full->recorded.name = full->recorded_name;
  cfg->function = &full->recorded;
  gilk_cfg_find_loops (cfg);

  return cfg;
}
