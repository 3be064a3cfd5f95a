/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-measure.c - sums up sample fields as samples come in
 */
#include "core/run/gilk-run-private.h"

void
gilk_run_measure_rows (GilkRun *run,
                       guint    from)
{
  gilk_run_assert_own (run);
  for (guint row = from; row < run->bound->hooks->len && run->n_measures < run->most_measures; row++)
    {
      struct ilk_field fields[ILK_FIELDS_MAX], interval;
      guint n = gilk_bound_fields (run->bound, row, fields);

      for (guint i = 0; i < n && run->n_measures < run->most_measures; i++)
        if (gilk_bound_field_is_amount (&fields[i]))
          {
            gilk_inflow_measure (run->inflow, row, &fields[i]);
            run->n_measures++;
          }
      if (run->n_measures < run->most_measures && gilk_bound_interval (run->bound, row, &interval))
        {
          gilk_inflow_measure (run->inflow, row, &interval);
          run->n_measures++;
        }
    }
}

/* Caller holds the lock. */
static gboolean
has_inflow (const GilkRun *run)
{
  return run->inflow != NULL && (run->state == GILK_RUN_RUNNING || run->state == GILK_RUN_STOPPING || run->finished);
}

void
gilk_run_measure_field (GilkRun                *run,
                        guint                   hook,
                        const struct ilk_field *field)
{
  g_mutex_lock (&run->lock);
  if (has_inflow (run))
    gilk_inflow_measure (run->inflow, hook, field);
  g_mutex_unlock (&run->lock);
}

GilkSketch *
gilk_run_sketch (GilkRun           *run,
                 guint              hook,
                 const char        *field,
                 GilkValueHistory **history)
{
  GilkSketch *sketch = NULL;

  if (history != NULL)
    *history = NULL;
  g_mutex_lock (&run->lock);
  if (has_inflow (run))
    sketch = gilk_inflow_sketch (run->inflow, hook, field, history);
  g_mutex_unlock (&run->lock);

  return sketch;
}
