/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-conditions.c - evaluates a run's stop conditions at each tick
 *
 * Needs no requests of its own: counts are those of the tick, and fields are summed up as samples
 * come in.
 */
#include "core/run/gilk-run-private.h"

#include <math.h>

/* ---- new conditions ---- */

/* Takes over new conditions. Their text and names were checked when they were set. */
static void
apply_new_conditions (GilkRun *run)
{
  g_autofree char *until = NULL;
  gboolean is_new;

  g_mutex_lock (&run->lock);
  is_new = run->until_is_new;
  run->until_is_new = FALSE;
  until = g_strdup (run->until);
  g_mutex_unlock (&run->lock);
  if (!is_new)
    return;
  g_clear_pointer (&run->limits, g_ptr_array_unref);
  run->limits = until != NULL ? gilk_stop_conditions_parse (until, NULL) : NULL;
}

/* ---- current values ---- */

typedef struct {
  double   value;
  uint64_t n;                  /* samples that it was computed from */
} Standing;

static void
sum_samples (const GilkRunFigures *now, guint hook, uint64_t *stored, uint64_t *hits, uint64_t *lost)
{
  *stored = *hits = *lost = 0;
  for (guint i = hook != G_MAXUINT ? hook : 0; i < (hook != G_MAXUINT ? hook + 1 : now->n_hooks); i++)
    {
      *stored += now->hooks[i].stored;
      *hits += now->hooks[i].hits;
      *lost += now->hooks[i].lost;
    }
}

/* Returns the value below which a share of @p lies: the middle of its cell. */
static double
get_quantile (const GilkSketch *sketch, double p)
{
  uint64_t rank = (uint64_t) CLAMP (ceil (p * (double) sketch->n) - 1, 0, (double) sketch->n), before = 0;

  if (p <= 0 || p >= 1)
    return sketch->n == 0 ? 0 : p <= 0 ? sketch->min : sketch->max;
  for (guint i = sketch->first; i <= sketch->last && i < GILK_SKETCH_CELLS; i++)
    if ((before += sketch->cells[i]) > rank)
      return CLAMP ((gilk_sketch_low (i) + gilk_sketch_high (i)) / 2, sketch->min, sketch->max);

  return 0;
}

static Standing
measure_quantile (GilkRun *run, const GilkStopCondition *limit, guint hook, const struct ilk_field *field)
{
  g_autoptr(GilkSketch) sketch = NULL;

  gilk_ingest_track_field (run->ingest, hook, field);
  sketch = gilk_ingest_sketch (run->ingest, hook, field->name, NULL);

  return (Standing) { get_quantile (sketch, limit->p), sketch->n };
}

static Standing
measure_condition (GilkRun *run, const GilkStopCondition *limit, guint hook, const struct ilk_field *field)
{
  const GilkRunFigures *now = &run->figures;     /* only this thread writes them */
  uint64_t stored, hits, lost;

  if (limit->of == GILK_STOP_QUANTILE)
    return measure_quantile (run, limit, hook, field);
  sum_samples (now, hook, &stored, &hits, &lost);
  switch (limit->of)
    {
    case GILK_STOP_SAMPLES:
      return (Standing) { (double) stored, 1 };
    case GILK_STOP_HITS:
      return (Standing) { (double) hits, 1 };
    case GILK_STOP_SIZE:
      return (Standing) { (double) now->bytes, 1 };
    case GILK_STOP_LOST_SHARE:
      return (Standing) { stored + lost > 0 ? (double) lost / (double) (stored + lost) : 0, stored + lost };
    case GILK_STOP_LOST:
    default:
      return (Standing) { (double) lost, 1 };
    }
}

static char *
format_standing (const GilkStopCondition *limit, const struct ilk_field *field, const Standing *stands)
{
  g_autofree char *value = gilk_stop_condition_format_value (limit, field->unit, stands->value);

  return limit->of == GILK_STOP_QUANTILE || limit->of == GILK_STOP_LOST_SHARE
    ? g_strdup_printf ("%s, n = %" G_GUINT64_FORMAT, value, (guint64) stands->n) : g_steal_pointer (&value);
}

/* ---- all conditions ---- */

/* Returns TRUE if the condition holds. */
static gboolean
check_condition (GilkRun *run, const GilkStopCondition *limit, GString *status)
{
  g_autofree char *text = gilk_stop_condition_to_text (limit), *now = NULL;
  struct ilk_field field;
  Standing stands;
  double bound;
  guint hook;

  /* The condition's hook was removed: it can no longer end the run. */
  if (!gilk_bound_condition (run->bound, limit, &hook, &field, &bound, NULL))
    return FALSE;
  stands = measure_condition (run, limit, hook, &field);
  now = format_standing (limit, &field, &stands);
  g_string_append_printf (status, "%s%s: %s", status->len > 0 ? "\n" : "", text, now);
  if (!gilk_stop_condition_holds (limit, bound, stands.value, stands.n))
    return FALSE;
  g_free (run->end_word);
  run->end_word = g_strdup_printf ("condition met: %s (%s)", text, now);

  return TRUE;
}

void
gilk_run_check_conditions (GilkRun  *run,
                           gboolean *go_on)
{
  g_autoptr(GString) status = NULL;

  gilk_run_assert_own (run);
  apply_new_conditions (run);
  if (run->limits != NULL)
    status = g_string_new (NULL);
  for (guint i = 0; run->limits != NULL && i < run->limits->len && *go_on; i++)
    *go_on = !check_condition (run, g_ptr_array_index (run->limits, i), status);
  g_mutex_lock (&run->lock);
  g_free (run->condition_status);
  run->condition_status = status != NULL ? g_string_free (g_steal_pointer (&status), FALSE) : NULL;
  g_mutex_unlock (&run->lock);
}
