/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-pipeline.c - tests that the bottleneck of a pipeline is found at any stage, or no stage is
 * named
 */
#include <math.h>

#include "core/stats/gilk-pipeline.h"

#define STAGES 5

/* Makes the sleep statistics of a pipeline with the slow stage @slow. A fraction @noise of the
 * sleeps suggests another stage. */
static void
make_stages (GilkPipelineStage *stages, guint slow, double noise)
{
  for (guint i = 0; i < STAGES; i++)
    {
      stages[i] = (GilkPipelineStage) { .name = "stage" };
      if (i < slow)
        {
          stages[i].full = 100.0 / (i + 1);
          stages[i].empty = i > 0 ? noise * stages[i].full : 0;
        }
      else if (i > slow)
        {
          stages[i].empty = 80.0 / i;
          stages[i].full = i + 1 < STAGES ? noise * stages[i].empty : 0;
        }
    }
}

static void
test_everywhere (void)
{
  const double noises[] = { 0, 0.02, 0.1, 0.25 };

  for (guint n = 0; n < G_N_ELEMENTS (noises); n++)
    for (guint slow = 0; slow < STAGES; slow++)
      {
        GilkPipelineStage stages[STAGES];
        GilkPipelineVerdict verdict;

        make_stages (stages, slow, noises[n]);
        g_assert_true (gilk_pipeline_analyse (stages, STAGES, &verdict));
        g_assert_cmpint (verdict.stage, ==, slow);
        g_assert_cmpint (verdict.gap_after, ==, -1);
        g_assert_cmpfloat (verdict.clarity, >=, GILK_PIPELINE_CLEAR);
        g_assert_cmpfloat (verdict.clarity, <=, 1);
      }
}

/* Tests that a single sleep of a stage when the pipeline starts does not change which stage is
 * named as the bottleneck. */
static void
test_start_up (void)
{
  GilkPipelineStage stages[] = {
    { "cat", 60, 0, 0 }, { "tr", 30, 0.1, 0 }, { "sed", 0, 0.1, 0 }, { "grep", 0, 60, 0 },
  };
  GilkPipelineVerdict verdict;

  g_assert_true (gilk_pipeline_analyse (stages, G_N_ELEMENTS (stages), &verdict));
  g_assert_cmpint (verdict.stage, ==, 2);
  g_assert_cmpfloat (fabs (stages[2].lean), <, 0.5);
  g_assert_cmpfloat (stages[0].lean, >, 0.9);
  g_assert_cmpfloat (stages[3].lean, <, -0.9);
}

/* Tests that the bottleneck can be a stage without recorded sleeps, which is reported by its
 * position in the list of stages. */
static void
test_unseen (void)
{
  GilkPipelineStage stages[] = { { "cat", 60, 0, 0 }, { "tr", 30, 0, 0 }, { "grep", 0, 60, 0 } };
  GilkPipelineVerdict verdict;

  g_assert_true (gilk_pipeline_analyse (stages, G_N_ELEMENTS (stages), &verdict));
  g_assert_cmpint (verdict.stage, ==, -1);
  g_assert_cmpint (verdict.gap_after, ==, 1);
}

static void
test_no_verdict (void)
{
  GilkPipelineStage backwards[] = { { "a", 0, 60, 0 }, { "b", 0, 0, 0 }, { "c", 60, 0, 0 } };
  GilkPipelineStage asleep[] = { { "a", 0, 0, 0 }, { "b", 0, 0, 0 } };
  GilkPipelineStage one[] = { { "a", 10, 0, 0 } };
  GilkPipelineStage even[] = { { "a", 9, 9, 0 }, { "b", 9, 9, 0 }, { "c", 9, 9, 0 } };
  GilkPipelineVerdict verdict;

  g_assert_false (gilk_pipeline_analyse (asleep, 2, &verdict));
  g_assert_false (gilk_pipeline_analyse (one, 1, &verdict));
  g_assert_false (gilk_pipeline_analyse (NULL, 0, &verdict));
  g_assert_false (gilk_pipeline_analyse (even, 3, &verdict));
  g_assert_cmpint (verdict.stage, ==, -1);
  g_assert_cmpint (verdict.gap_after, ==, -1);
  g_assert_false (gilk_pipeline_analyse (backwards, 3, &verdict));
  g_assert_cmpfloat (verdict.clarity, <, GILK_PIPELINE_CLEAR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/everywhere", test_everywhere);
  g_test_add_func ("/pipeline/start-up", test_start_up);
  g_test_add_func ("/pipeline/unseen", test_unseen);
  g_test_add_func ("/pipeline/no-verdict", test_no_verdict);
  return g_test_run ();
}
