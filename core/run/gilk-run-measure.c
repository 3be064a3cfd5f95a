/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-measure.c - what samples measure, summed up as they come in
 */
#include "core/run/gilk-run-private.h"

void
gilk_run_measure_rows (GilkRun *run,
                       guint    from)
{
  gilk_run_assert_own (run);
  for (guint row = from; row < run->bound->hooks->len && run->n_measures < run->most_measures; row++)
    {
      struct ilk_field fields[ILK_FIELDS_MAX];
      guint n = gilk_bound_fields (run->bound, row, fields);

      for (guint i = 0; i < n && run->n_measures < run->most_measures; i++)
        if (gilk_bound_field_is_number (&fields[i]))
          {
            gilk_inflow_measure (run->inflow, row, &fields[i]);
            run->n_measures++;
          }
    }
}

GilkSketch *
gilk_run_sketch (GilkRun    *run,
                 guint       hook,
                 const char *field)
{
  GilkSketch *sketch = NULL;

  g_mutex_lock (&run->lock);
  if (run->state == GILK_RUN_RUNNING || run->state == GILK_RUN_STOPPING || run->finished)
    sketch = run->inflow != NULL ? gilk_inflow_sketch (run->inflow, hook, field) : NULL;
  g_mutex_unlock (&run->lock);

  return sketch;
}
