/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-case.c - makes the result of a self-test case, with its figures
 */
#include "core/selftest/gilk-selftest-private.h"

const char *
gilk_verdict_name (GilkVerdict verdict)
{
  static const char *const names[] = { "ok", "note", "skipped", "failed" };

  return names[verdict];
}

void
gilk_selftest_begin_case (GilkSelftest *test,
                          const char   *what,
                          double        fraction)
{
  test->fraction = fraction;
  test->case_us = g_get_monotonic_time ();
  gilk_progress (&test->progress, what, fraction);
}

GilkSelftestCase *
gilk_selftest_case_new (const char *name,
                        GilkVerdict verdict,
                        char       *sentence)
{
  GilkSelftestCase *ended = g_new0 (GilkSelftestCase, 1);

  *ended = (GilkSelftestCase) {
    .name = name, .verdict = verdict, .sentence = sentence,
    .figures = g_array_new (FALSE, FALSE, sizeof (GilkSelftestFigure)),
  };

  return ended;
}

void
gilk_selftest_case_add_figure (GilkSelftestCase *ended,
                               const char       *name,
                               double            value)
{
  const GilkSelftestFigure figure = { name, value };

  g_array_append_val (ended->figures, figure);
}

void
gilk_selftest_case_free (GilkSelftestCase *ended)
{
  g_array_unref (ended->figures);
  g_free (ended->sentence);
  g_free (ended);
}

void
gilk_selftest_end_case (GilkSelftest     *test,
                        GilkSelftestCase *ended)
{
  ended->seconds = (double) (g_get_monotonic_time () - test->case_us) / 1e6;
  g_ptr_array_add (test->cases, ended);
  if (test->func != NULL)
    test->func (ended, test->user_data);
}
