/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-field-stats.c - computes statistics of a numeric field of a hook's samples during a run
 */
#include "core/run/gilk-field-stats.h"

#include <math.h>
#include <string.h>

#include "core/base/gilk-key.h"
#include "core/bind/gilk-bound-conditions.h"

#define FIRST_LENGTH 0.25        /* initial length of the history's slices, in seconds */
#define SHIFT        48          /* number of low bits of gilk_key_of() that are dropped to get a
                                  * row; the other bits give 16 rows per octave */
#define MARGIN       32          /* number of spare rows allocated whenever rows are added */

#define BATCH     256
#define SETTLE_NS 100000000      /* minimum time between two sortings of timestamps, in ns */
#define LATE_NS   150000000      /* all timestamps older than this, in ns, have arrived: rings are
                                  * read every 20 ms */
#define TIMES_MAX (1u << 22)     /* maximum number of timestamps held back until samples of other
                                  * CPUs have arrived */
#define FAR_NS    (G_MAXINT64 / 4)  /* maximum distance of a time from time zero; later or earlier
                                     * times are clamped */

/* ---- history of values ---- */

typedef struct {
  uint64_t n;
  double   min, max;             /* smallest and largest value; valid if n > 0 */
} Slice;

struct _GilkValueHistory {
  guint     n;
  double    length;
  Slice     slices[GILK_VALUES_SLICES];
  int       first, width;        /* @first: number of the first row in use; @width: number of rows
                                  * in use; row 0 counts zeros */
  uint32_t *cells;               /* number of values in each row of each slice, as [slice][width] */
};

/* ---- rows ---- */

static int
row_of (double value)
{
  double size = fabs (value);
  int row;

  if (!(size >= 1.0))
    return 0;
  row = (int) ((gilk_key_of (size) >> SHIFT) - (gilk_key_of (1.0) >> SHIFT)) + 1;

  return value > 0 ? row : -row;
}

/* Returns the smallest magnitude of values in @row. @row must be above 0. */
static double
row_edge (int row)
{
  return gilk_key_value (((gilk_key_of (1.0) >> SHIFT) + (uint64_t) row - 1) << SHIFT);
}

static double
low_of (int row)
{
  return row == 0 ? 0 : row > 0 ? row_edge (row) : -row_edge (1 - row);
}

static double
high_of (int row)
{
  return row == 0 ? 0 : row > 0 ? row_edge (row + 1) : -row_edge (-row);
}

static void
make_room (GilkValueHistory *history, int row)
{
  int first = history->width == 0 ? row : MIN (history->first, row);
  int end = history->width == 0 ? row + 1 : MAX (history->first + history->width, row + 1);
  uint32_t *cells;

  if (history->width > 0 && row >= history->first && row < history->first + history->width)
    return;
  first -= MARGIN;
  end += MARGIN;
  cells = g_new0 (uint32_t, (gsize) GILK_VALUES_SLICES * (gsize) (end - first));
  for (guint i = 0; i < history->n && history->width > 0; i++)
    memcpy (cells + (gsize) i * (gsize) (end - first) + (history->first - first), history->cells + (gsize) i * (gsize) history->width,
            (gsize) history->width * sizeof *cells);
  g_free (history->cells);
  history->cells = cells;
  history->first = first;
  history->width = end - first;
}

/* ---- slices ---- */

static uint32_t *
cells_of (const GilkValueHistory *history, guint slice)
{
  return history->cells + (gsize) slice * (gsize) history->width;
}

static void
merge_slice (GilkValueHistory *history, guint to, guint from)
{
  Slice *into = &history->slices[to], slice = history->slices[from];

  if (to == from)
    return;
  if (slice.n > 0)
    {
      into->min = into->n > 0 ? fmin (into->min, slice.min) : slice.min;
      into->max = into->n > 0 ? fmax (into->max, slice.max) : slice.max;
      into->n += slice.n;
    }
  history->slices[from] = (Slice) { 0 };
  for (int i = 0; i < history->width; i++)
    cells_of (history, to)[i] += cells_of (history, from)[i];
  memset (cells_of (history, from), 0, (gsize) history->width * sizeof *history->cells);
}

static void
merge_pairs (GilkValueHistory *history)
{
  for (guint i = 0; i < history->n; i++)
    merge_slice (history, i / 2, i);
  history->n = (history->n + 1) / 2;
  history->length *= 2;
}

void
gilk_value_history_add (GilkValueHistory *history,
                        double            seconds,
                        double            value)
{
  int row = row_of (value);
  Slice *slice;
  guint at;

  seconds = fmax (seconds, 0);
  while (seconds >= history->length * GILK_VALUES_SLICES)
    merge_pairs (history);
  at = (guint) (seconds / history->length);
  make_room (history, row);
  history->n = MAX (history->n, at + 1);
  slice = &history->slices[at];
  slice->min = slice->n > 0 ? fmin (slice->min, value) : value;
  slice->max = slice->n > 0 ? fmax (slice->max, value) : value;
  slice->n++;
  cells_of (history, at)[row - history->first]++;
}

/* ---- construction ---- */

GilkValueHistory *
gilk_value_history_new (void)
{
  GilkValueHistory *history = g_new0 (GilkValueHistory, 1);

  history->length = FIRST_LENGTH;

  return history;
}

void
gilk_value_history_free (GilkValueHistory *history)
{
  if (history == NULL)
    return;

  g_free (history->cells);
  g_free (history);
}

GilkValueHistory *
gilk_value_history_copy (const GilkValueHistory *history)
{
  GilkValueHistory *copy = g_new (GilkValueHistory, 1);

  *copy = *history;
  copy->cells = g_new0 (uint32_t, (gsize) GILK_VALUES_SLICES * (gsize) history->width + 1);
  if (history->width > 0)
    memcpy (copy->cells, history->cells, (gsize) history->n * (gsize) history->width * sizeof *copy->cells);

  return copy;
}

/* ---- queries ---- */

guint
gilk_value_history_n (const GilkValueHistory *history)
{
  return history->n;
}

double
gilk_value_history_length (const GilkValueHistory *history)
{
  return history->length;
}

uint64_t
gilk_value_history_count (const GilkValueHistory *history,
                          guint                   slice)
{
  return history->slices[slice].n;
}

double
gilk_value_history_quantile (const GilkValueHistory *history,
                             guint                   slice,
                             double                  p)
{
  const Slice *of = &history->slices[slice];
  double wanted = p * (double) of->n, before = 0;

  if (of->n == 0)
    return NAN;
  if (p <= 0 || p >= 1)
    return p <= 0 ? of->min : of->max;
  for (int i = 0; i < history->width; i++)
    {
      double here = cells_of (history, slice)[i];
      double low = low_of (history->first + i), high = high_of (history->first + i);

      if (before + here >= wanted && here > 0)
        return CLAMP (low + (high - low) * (wanted - before) / here, of->min, of->max);
      before += here;
    }

  return of->max;
}

/* ---- a field ---- */

struct _GilkFieldStats {
  struct ilk_field  field;
  GilkSketch       *sketch;
  GilkValueHistory *history;
  double            batch[BATCH];        /* values that are not in the sketch yet */
  guint             n_batch;
  GArray           *times;               /* (element-type gint64): timestamps held back, in ns;
                                          * NULL: the field is not "interval" */
  gint64            newest, looked;      /* @newest: latest timestamp so far; @looked: @newest when
                                          * timestamps were last sorted */
  gint64            last;                /* latest timestamp processed; -FAR_NS: none yet */
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

/* Adds the intervals between timestamps older than LATE_NS: all such timestamps have arrived. A
 * timestamp that arrives after that delay is ignored. */
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
