/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-count-points.c - chooses the point at which each block of a function is counted, and
 * computes the cost
 */
#include "core/splice/gilk-splice.h"

#define TRAP_COST   500    /* cost of an exception and its return, in instructions */

GilkCirculationPoint *
gilk_count_points (GilkCfg *cfg, GilkDecoder *decoder)
{
  GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autoptr(GilkLiveness) liveness = NULL;

  if (cfg->refusal != 0 || cfg->function->refusal != 0)
    return points;

  liveness = gilk_liveness_new (cfg, decoder);
  for (guint i = 0; i < cfg->n_blocks; i++)
    for (int where = GILK_WHERE_PRE; where <= GILK_WHERE_POST && !points[i].possible; where++)
      {
        GilkChoice choice;

        if (where == GILK_WHERE_POST && !gilk_circulation_runs_through (cfg, i))
          break;
        gilk_splice_preview (cfg, liveness, decoder, i, where, GILK_INLINE_COUNT, &choice, NULL);
        points[i] = (GilkCirculationPoint) {
          .possible = choice.refusal == 0,
          .where = where,
          .cost = 1 + choice.cost + (choice.tactic == ILK_TACTIC_TRAP ? TRAP_COST : 0),
        };
      }

  return points;
}
