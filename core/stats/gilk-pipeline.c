/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pipeline.c - finds the bottleneck of a pipeline of processes; pure numerics
 *
 * Each stage has a lean between -1 (only ever waits for input) and 1 (only ever waits for room in
 * its output). The score of a gap after stage i is the sum of the leans up to stage i, minus the
 * sum of the leans after stage i. The score of a stage is computed in the same way but without its
 * own lean, which gives no evidence about the other stages.
 */
#include "core/stats/gilk-pipeline.h"

#include <math.h>

/* A stage whose sleep rate is this share of the highest rate has its lean (-1: waits for input, 1:
 * waits for output) halved, because a single sleep at start-up proves nothing. */
#define DAMPING 0.05
/* The bottleneck is in a gap between stages only if the gap's score exceeds the score of the best
 * stage by more than this. */
#define GAP_MARGIN 0.5

static double
find_busiest_sleeper (const GilkPipelineStage *stages, guint n_stages)
{
  double most = 0;

  for (guint i = 0; i < n_stages; i++)
    most = MAX (most, stages[i].full + stages[i].empty);
  return most;
}

static void
find_leans (GilkPipelineStage *stages, guint n_stages, double most)
{
  for (guint i = 0; i < n_stages; i++)
    {
      double all = stages[i].full + stages[i].empty;

      stages[i].lean = (stages[i].full - stages[i].empty) / (all + DAMPING * most);
    }
}

gboolean
gilk_pipeline_analyse (GilkPipelineStage   *stages,
                       guint                n_stages,
                       GilkPipelineVerdict *verdict)
{
  double most = find_busiest_sleeper (stages, n_stages);
  double before = 0, behind = 0;
  double best_stage = -INFINITY, best_gap = -INFINITY;
  int stage = -1, gap = -1;

  *verdict = (GilkPipelineVerdict) { -1, -1, 0 };
  for (guint i = 0; i < n_stages; i++)
    stages[i].lean = 0;
  if (n_stages < 2 || most <= 0)
    return FALSE;

  find_leans (stages, n_stages, most);
  for (guint i = 0; i < n_stages; i++)
    behind += stages[i].lean;
  for (guint i = 0; i < n_stages; i++)
    {
      behind -= stages[i].lean;
      if (before - behind > best_stage)
        {
          best_stage = before - behind;
          stage = (int) i;
        }
      before += stages[i].lean;
      if (i + 1 < n_stages && before - behind > best_gap)
        {
          best_gap = before - behind;
          gap = (int) i;
        }
    }

  if (best_gap > best_stage + GAP_MARGIN)
    {
      verdict->gap_after = gap;
      verdict->clarity = CLAMP (best_gap / n_stages, 0, 1);
    }
  else
    {
      verdict->stage = stage;
      verdict->clarity = CLAMP (best_stage / (n_stages - 1), 0, 1);
    }
  if (verdict->clarity >= GILK_PIPELINE_CLEAR)
    return TRUE;

  verdict->stage = verdict->gap_after = -1;
  return FALSE;
}
