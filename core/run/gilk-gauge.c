/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gauge.c - sums up a numeric field of a hook's samples as they come in
 */
#include "core/run/gilk-gauge.h"

#include <string.h>

#include "core/bind/gilk-bound-limits.h"

#define BATCH     256
#define SETTLE_NS 100000000      /* period of sorting the times */
#define LATE_NS   150000000      /* older ones are complete: rings are read every 20 ms */
#define TIMES_MAX (1u << 22)     /* held back; a target that sends more is not trusted */
#define FAR_NS    (G_MAXINT64 / 4)      /* from time zero; times beyond are not trusted either */

struct _GilkGauge {
  struct ilk_field  field;
  GilkSketch       *sketch;
  GilkValueHistory *history;
  double            batch[BATCH];        /* values that are not in the sketch yet */
  guint             n_batch;
  GArray           *times;               /* for intervals: gint64, ns, held back; else NULL */
  gint64            newest, looked;      /* latest time; @newest at the last sorting */
  gint64            last;                /* counted time; -FAR_NS: none yet */
};

static void
flush (GilkGauge *gauge)
{
  gilk_sketch_add (gauge->sketch, gauge->batch, gauge->n_batch);
  gauge->n_batch = 0;
}

static void
count (GilkGauge *gauge, gint64 ns, double value)
{
  gauge->batch[gauge->n_batch++] = value;
  if (gauge->n_batch == BATCH)
    flush (gauge);
  gilk_value_history_add (gauge->history, (double) ns / 1e9, value);
}

/* ---- intervals ---- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, other = *(const gint64 *) b;

  return one < other ? -1 : one > other;
}

/* Counts the intervals of times older than LATE_NS, which are complete now. Later
 * ones are ignored. */
static void
settle (GilkGauge *gauge)
{
  gint64 until = gauge->times->len < TIMES_MAX ? gauge->newest - LATE_NS : gauge->newest;
  guint n = 0;

  g_array_sort (gauge->times, compare_times);
  for (; n < gauge->times->len; n++)
    {
      gint64 at = g_array_index (gauge->times, gint64, n);

      if (at > until)
        break;
      if (gauge->last != -FAR_NS && at >= gauge->last)
        count (gauge, at, (double) MAX (at - gauge->last, 1));
      gauge->last = MAX (gauge->last, at);
    }
  if (n > 0)
    g_array_remove_range (gauge->times, 0, n);
  gauge->looked = gauge->newest;
}

/* ---- public functions ---- */

GilkGauge *
gilk_gauge_new (const struct ilk_field *field)
{
  GilkGauge *gauge = g_new0 (GilkGauge, 1);

  gauge->field = *field;
  gauge->sketch = gilk_sketch_new ();
  gauge->history = gilk_value_history_new ();
  gauge->last = gauge->newest = gauge->looked = -FAR_NS;
  if (gilk_bound_field_is_interval (field))
    gauge->times = g_array_new (FALSE, FALSE, sizeof (gint64));

  return gauge;
}

void
gilk_gauge_free (GilkGauge *gauge)
{
  if (gauge == NULL)
    return;

  gilk_sketch_free (gauge->sketch);
  gilk_value_history_free (gauge->history);
  g_clear_pointer (&gauge->times, g_array_unref);
  g_free (gauge);
}

const char *
gilk_gauge_name (const GilkGauge *gauge)
{
  return gauge->field.name;
}

void
gilk_gauge_take (GilkGauge       *gauge,
                 const GilkClock *clock,
                 uint64_t         tsc,
                 const void      *payload,
                 gsize            bytes)
{
  gint64 ns = CLAMP (gilk_clock_ns (clock, tsc), -FAR_NS, FAR_NS);
  double value;

  if (gauge->times == NULL)
    {
      if (gilk_bound_field_read (&gauge->field, payload, bytes, &value))
        count (gauge, ns, value);
      return;
    }
  g_array_append_val (gauge->times, ns);
  if (gauge->looked == -FAR_NS)
    gauge->looked = ns;
  gauge->newest = MAX (gauge->newest, ns);
  if (gauge->newest - gauge->looked >= SETTLE_NS || gauge->times->len >= TIMES_MAX)
    settle (gauge);
}

GilkSketch *
gilk_gauge_sketch (GilkGauge *gauge)
{
  flush (gauge);

  return gilk_sketch_copy (gauge->sketch);
}

GilkValueHistory *
gilk_gauge_history (const GilkGauge *gauge)
{
  return gilk_value_history_copy (gauge->history);
}
