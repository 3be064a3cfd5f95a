/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pipeline.h - finds the bottleneck of a pipeline of processes; pure numerics
 *
 * A stage sleeps in its write when its output is full: something downstream is slower. It sleeps in
 * its read when its input is empty: something upstream is slower. The bottleneck is where stages
 * upstream find their output full and stages downstream find their input empty. It may itself never
 * sleep, and so be missing from the recording: then the verdict names the gap it must be in.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;       /* borrowed */
  double      full;       /* sleeps per second with the output full */
  double      empty;      /* sleeps per second with the input empty */
  double      lean;       /* (out): from -1 (only waits for input) to 1 (only waits for output) */
} GilkPipelineStage;

typedef struct {
  int      stage;         /* index of the stage that is the bottleneck, or -1 */
  int      gap_after;     /* index of the stage before the gap in which an unrecorded bottleneck
                           * must be, or -1 */
  double   clarity;       /* how well the other stages agree on the bottleneck, 0 to 1 */
} GilkPipelineVerdict;

/* Minimum clarity: below it the stages contradict each other, and no bottleneck should be
 * reported. */
#define GILK_PIPELINE_CLEAR 0.5

/**
 * gilk_pipeline_analyse:
 * @stages: in the order of the data flow, first producer first; @lean is filled in
 * Returns: FALSE if a verdict is impossible: fewer than two stages, no sleeps at all, or stages
 * that contradict each other; the verdict's clarity is set even then
 */
gboolean gilk_pipeline_analyse (GilkPipelineStage   *stages,
                                guint                n_stages,
                                GilkPipelineVerdict *verdict);

G_END_DECLS
