/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-field-stats.c - sums up a numeric field of a hook's samples as they come in
 */
#include "core/run/gilk-field-stats.h"

#include <string.h>

#include "core/bind/gilk-bound-conditions.h"

#define BATCH     256
#define SETTLE_NS 100000000      /* period of sorting the times */
#define LATE_NS   150000000      /* older ones are complete: rings are read every 20 ms */
#define TIMES_MAX (1u << 22)     /* held back; a target that sends more is not trusted */
#define FAR_NS    (G_MAXINT64 / 4)      /* from time zero; times beyond are not trusted either */

struct _GilkFieldStats {
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
flush_batch (GilkFieldStats *stats)
{
  gilk_sketch_add (stats->sketch, stats->batch, stats->n_batch);
  stats->n_batch = 0;
}

static void
add_value (GilkFieldStats *stats, gint64 ns, double value)
{
  stats->batch[stats->n_batch++] = value;
  if (stats->n_batch == BATCH)
    flush_batch (stats);
  gilk_value_history_add (stats->history, (double) ns / 1e9, value);
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
count_complete_intervals (GilkFieldStats *stats)
{
  gint64 until = stats->times->len < TIMES_MAX ? stats->newest - LATE_NS : stats->newest;
  guint n = 0;

  g_array_sort (stats->times, compare_times);
  for (; n < stats->times->len; n++)
    {
      gint64 at = g_array_index (stats->times, gint64, n);

      if (at > until)
        break;
      if (stats->last != -FAR_NS && at >= stats->last)
        add_value (stats, at, (double) MAX (at - stats->last, 1));
      stats->last = MAX (stats->last, at);
    }
  if (n > 0)
    g_array_remove_range (stats->times, 0, n);
  stats->looked = stats->newest;
}

/* ---- public functions ---- */

GilkFieldStats *
gilk_field_stats_new (const struct ilk_field *field)
{
  GilkFieldStats *stats = g_new0 (GilkFieldStats, 1);

  stats->field = *field;
  stats->sketch = gilk_sketch_new ();
  stats->history = gilk_value_history_new ();
  stats->last = stats->newest = stats->looked = -FAR_NS;
  if (gilk_bound_field_is_interval (field))
    stats->times = g_array_new (FALSE, FALSE, sizeof (gint64));

  return stats;
}

void
gilk_field_stats_free (GilkFieldStats *stats)
{
  if (stats == NULL)
    return;

  gilk_sketch_free (stats->sketch);
  gilk_value_history_free (stats->history);
  g_clear_pointer (&stats->times, g_array_unref);
  g_free (stats);
}

const char *
gilk_field_stats_name (const GilkFieldStats *stats)
{
  return stats->field.name;
}

void
gilk_field_stats_add (GilkFieldStats  *stats,
                      const GilkClock *clock,
                      uint64_t         tsc,
                      const void      *payload,
                      gsize            bytes)
{
  gint64 ns = CLAMP (gilk_clock_ns (clock, tsc), -FAR_NS, FAR_NS);
  double value;

  if (stats->times == NULL)
    {
      if (gilk_bound_field_read (&stats->field, payload, bytes, &value))
        add_value (stats, ns, value);
      return;
    }
  g_array_append_val (stats->times, ns);
  if (stats->looked == -FAR_NS)
    stats->looked = ns;
  stats->newest = MAX (stats->newest, ns);
  if (stats->newest - stats->looked >= SETTLE_NS || stats->times->len >= TIMES_MAX)
    count_complete_intervals (stats);
}

GilkSketch *
gilk_field_stats_sketch (GilkFieldStats *stats)
{
  flush_batch (stats);

  return gilk_sketch_copy (stats->sketch);
}

GilkValueHistory *
gilk_field_stats_history (const GilkFieldStats *stats)
{
  return gilk_value_history_copy (stats->history);
}
