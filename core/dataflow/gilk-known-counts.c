/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-known-counts.c - derives block and edge counts from measured counts that still change
 */
#include "core/dataflow/gilk-circulation.h"

#include "core/base/gilk-memory.h"

static void
copy_counts (GilkKnownCounts       *known,
             const GilkCirculation *circulation,
             GilkCirculationCounts *counts)
{
  for (guint i = 0; i < known->n_blocks; i++)
    {
      gboolean follows = circulation->block_statuses[i] == GILK_COUNT_STATUS_FOLLOWS;

      known->blocks[i] = follows ? counts->blocks[i] : GILK_COUNT_UNKNOWN;
      known->inferred[i] = follows && !circulation->hooked[i];
    }
  for (guint i = 0; i < known->n_edges; i++)
    known->edges[i] = circulation->edge_statuses[i] == GILK_COUNT_STATUS_FOLLOWS ? counts->edges[i] : GILK_COUNT_UNKNOWN;
  known->contradictory = counts->faults->len > 0;
}

GilkKnownCounts *
gilk_known_counts_new (GilkCfg        *cfg,
                       const uint64_t *measured)
{
  g_autofree GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autoptr(GilkCirculation) circulation = NULL;
  g_autoptr(GilkCirculationCounts) counts = NULL;
  GilkKnownCounts *known;
  gboolean any = FALSE;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      points[i] = (GilkCirculationPoint) { measured[i] != GILK_COUNT_UNKNOWN, GILK_WHERE_PRE, 1 };
      any |= points[i].possible;
    }
  if (!any)
    return NULL;
  circulation = gilk_circulation_new (cfg, points, GILK_CIRCULATION_ALL);
  if (circulation->refusal != 0)
    return NULL;
  counts = gilk_circulation_solve (circulation, measured);

  known = g_new0 (GilkKnownCounts, 1);
  g_atomic_ref_count_init (&known->ref_count);
  known->n_blocks = cfg->n_blocks;
  known->n_edges = cfg->n_edges;
  known->blocks = g_new (uint64_t, cfg->n_blocks + 1);
  known->edges = g_new (uint64_t, cfg->n_edges + 1);
  known->inferred = g_new0 (uint8_t, cfg->n_blocks + 1);
  copy_counts (known, circulation, counts);

  return known;
}

GILK_DEFINE_REF (GilkKnownCounts, gilk_known_counts, ref_count)

void
gilk_known_counts_unref (GilkKnownCounts *known)
{
  if (known == NULL || !g_atomic_ref_count_dec (&known->ref_count))
    return;

  gilk_free_all (known->blocks, known->edges, known->inferred, known);
}
