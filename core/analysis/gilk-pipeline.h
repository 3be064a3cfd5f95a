/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pipeline.h - which stage of a pipeline holds the others up; pure numerics
 *
 * A stage sleeps in its write when its output is full: something downstream is
 * slower. It sleeps in its read when its input is empty: something upstream is
 * slower. The bottleneck is the place with all "output full" before it and all
 * "input empty" behind it. It may itself never have slept, and so may be missing
 * from what was recorded: then the verdict names the gap it must sit in.
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
  double      lean;       /* out: -1 waits for input only .. 1 waits for output only */
} GilkPipelineStage;

typedef struct {
  int      stage;         /* the bottleneck, or -1 */
  int      gap_after;     /* an unseen bottleneck sits behind this stage; -1 if not so */
  double   clarity;       /* 0..1: how far the other stages agree */
} GilkPipelineVerdict;

/* Below this the stages contradict each other and no name should be given. */
#define GILK_PIPELINE_CLEAR 0.5

/**
 * gilk_pipeline_judge:
 * @stages: in the order of the data flow, first producer first; @lean is filled in
 * Returns: FALSE if nothing can be said: fewer than two stages, no sleeps at all,
 *   or stages that contradict each other; the verdict's clarity is set all the same
 */
gboolean gilk_pipeline_judge (GilkPipelineStage   *stages,
                              guint                n_stages,
                              GilkPipelineVerdict *verdict);

G_END_DECLS
