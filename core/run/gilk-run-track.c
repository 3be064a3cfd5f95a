/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-track.c - sums up sample fields as samples come in
 */
#include "core/run/gilk-run-private.h"

void
gilk_run_track_rows (GilkRun *run,
                     guint    from)
{
  gilk_run_assert_own (run);
  for (guint row = from; row < run->bound->hooks->len && run->n_tracked < run->tracked_max; row++)
    {
      struct ilk_field fields[ILK_FIELDS_MAX], interval;
      guint n = gilk_bound_fields (run->bound, row, fields);

      for (guint i = 0; i < n && run->n_tracked < run->tracked_max; i++)
        if (gilk_bound_field_is_amount (&fields[i]))
          {
            gilk_ingest_track_field (run->ingest, row, &fields[i]);
            run->n_tracked++;
          }
      if (run->n_tracked < run->tracked_max && gilk_bound_interval (run->bound, row, &interval))
        {
          gilk_ingest_track_field (run->ingest, row, &interval);
          run->n_tracked++;
        }
    }
}

/* Caller holds the lock. */
static gboolean
has_ingest (const GilkRun *run)
{
  return run->ingest != NULL && (run->state == GILK_RUN_RUNNING || run->state == GILK_RUN_STOPPING || run->finished);
}

void
gilk_run_track_field (GilkRun                *run,
                      guint                   hook,
                      const struct ilk_field *field)
{
  g_mutex_lock (&run->lock);
  if (has_ingest (run))
    gilk_ingest_track_field (run->ingest, hook, field);
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
  if (has_ingest (run))
    sketch = gilk_ingest_sketch (run->ingest, hook, field, history);
  g_mutex_unlock (&run->lock);

  return sketch;
}
