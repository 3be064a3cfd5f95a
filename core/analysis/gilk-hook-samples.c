/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-samples.c - summarises one hook's samples: reduces them to columns of pixels, counts
 * hits, reads distributions from sketches, splits samples by a field, computes durations of calls
 */
#include "core/analysis/gilk-hook-samples.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-numbers.h"
#include "core/analysis/gilk-hook-stream.h"
#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/samples/gilk-samples-tiles.h"
#include "core/samples/gilk-samples.h"
#include "core/stats/gilk-ranks.h"

#define TIME_MAX 4e18       /* maximum time, ns: the difference of two such times fits in 64 bits */

typedef struct {
  gint64      from_ns, to_ns;       /* range of time that the columns cover, including to_ns */
  double      per_ns;               /* columns per ns */
  GilkColumn *columns;
  gint64     *last_ns;              /* time of each column's last value */
  guint       n;
} View;

static guint
find_column (const View *view, gint64 t_ns)
{
  double at = (double) (t_ns - view->from_ns) * view->per_ns;

  return at >= view->n ? view->n - 1 : (guint) MAX (at, 0.0);
}

static void
widen_column (View *view, guint c, double min, double max, double last, gint64 last_ns)
{
  GilkColumn *column = &view->columns[c];

  if (view->last_ns[c] == G_MININT64)
    {
      column->min = min;
      column->max = max;
    }
  column->min = MIN (column->min, min);
  column->max = MAX (column->max, max);
  if (last_ns < view->last_ns[c])
    return;
  column->last = last;
  view->last_ns[c] = last_ns;
}

static gboolean
show_tile (const GilkSampleTile *tile, gpointer data)
{
  View *view = data;
  guint first = find_column (view, tile->from_ns), last = find_column (view, tile->to_ns);
  double middle = tile->min + (tile->max - tile->min) / 2.0;

  if (last > first + 1)
    return FALSE;
  view->columns[find_column (view, tile->from_ns + (tile->to_ns - tile->from_ns) / 2)].n += tile->n;
  widen_column (view, first, tile->min, tile->max, middle, tile->from_ns);
  if (last > first)
    widen_column (view, last, tile->min, tile->max, middle, tile->to_ns);

  return TRUE;
}

static void
show_samples (const gint64 *t_ns, const double *values, guint n, gpointer data)
{
  View *view = data;

  /* Times usually ascend, so successive samples often fall into the same column and are added to it
   * together. */
  for (guint i = 0; i < n;)
    {
      guint c = find_column (view, t_ns[i]), last = i, begin = i;
      double min = values[i], max = values[i];

      for (i++; i < n && find_column (view, t_ns[i]) == c; i++)
        {
          min = MIN (min, values[i]);
          max = MAX (max, values[i]);
          last = t_ns[i] >= t_ns[last] ? i : last;
        }
      view->columns[c].n += i - begin;
      widen_column (view, c, min, max, values[last], t_ns[last]);
    }
}

gboolean
gilk_hook_columns (GilkStore            *store,
                   const GilkStoredHook *hook,
                   const char           *field,
                   double                from,
                   double                to,
                   GilkColumn           *columns,
                   guint                 n_columns,
                   GError              **error)
{
  g_autofree gint64 *last_ns = g_new (gint64, n_columns + 1);
  View view = { .from_ns = (gint64) CLAMP (from * 1e9, -TIME_MAX, TIME_MAX),
                .to_ns = (gint64) CLAMP (to * 1e9, -TIME_MAX, TIME_MAX),
                .columns = columns, .last_ns = last_ns, .n = n_columns };
  const GilkSampleViewer viewer = { show_tile, show_samples };

  memset (columns, 0, n_columns * sizeof *columns);
  if (n_columns == 0 || view.to_ns <= view.from_ns)
    return TRUE;
  view.per_ns = n_columns / (double) (view.to_ns - view.from_ns);
  for (guint c = 0; c < n_columns; c++)
    last_ns[c] = G_MININT64;
  if (!gilk_samples_view (store, hook, field, view.from_ns, view.to_ns + 1, &viewer, &view, error))
    return FALSE;

  /* A tile (a summary of many samples) may lie in two columns. It adds its extrema to both, but its
   * count to one, so a column can have extrema and a count of 0: set that count to 1. A column
   * without extrema is empty. */
  for (guint c = 0; c < n_columns; c++)
    columns[c].n = last_ns[c] == G_MININT64 ? 0 : MAX (columns[c].n, 1);

  return TRUE;
}

/* ---- counts a hook's hits in part of a run, or those that meet a condition ---- */

/* Returns the counter's value at time @at, interpolated between readings. After the last reading
 * the value stays the same. */
static double
interpolate_count (const GArray *times,
                   const GArray *values,
                   double        at)
{
  double t0 = 0.0, v0 = 0.0;

  for (guint i = 0; i < times->len; i++)
    {
      double t = g_array_index (times, double, i), v = g_array_index (values, double, i);

      if (t >= at)
        return t > t0 ? v0 + (v - v0) * CLAMP ((at - t0) / (t - t0), 0.0, 1.0) : v;
      t0 = t;
      v0 = v;
    }

  return v0;
}

static gboolean
count_readings (GilkStore            *store,
                const GilkStoredHook *hook,
                double                from,
                double                to,
                uint64_t             *hits,
                gboolean             *known,
                GError              **error)
{
  g_autoptr(GArray) times = NULL, values = NULL;

  if (!gilk_store_count_series (store, hook, &times, &values, error))
    return FALSE;
  *known = times->len > 0;
  *hits = (uint64_t) llrint (MAX (0.0, interpolate_count (times, values, to) - interpolate_count (times, values, from)));

  return TRUE;
}

static gboolean
count_samples (GilkStore            *store,
               const GilkStoredHook *hook,
               const GilkHitsAsk    *ask,
               uint64_t             *hits,
               GError              **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GError) local = NULL;
  GilkSampleBlock block;

  if (samples == NULL || (ask->condition != NULL && !gilk_samples_add_condition (samples, ask->condition, error)))
    return FALSE;
  gilk_samples_set_range (samples, gilk_hook_ask_ns (ask->from, G_MININT64), gilk_hook_ask_ns (ask->to, G_MAXINT64));
  gilk_samples_values_only (samples);
  for (*hits = 0; gilk_samples_next (samples, &block, &local); *hits += block.n)
    ;
  return gilk_check_end (&local, error);
}

gboolean
gilk_hook_hits (GilkStore            *store,
                const GilkStoredHook *hook,
                const GilkHitsAsk    *ask,
                uint64_t             *hits,
                gboolean             *known,
                GError              **error)
{
  *hits = 0;
  *known = hook->stored > 0;
  if (*known)
    return count_samples (store, hook, ask, hits, error);

  return ask->condition != NULL || count_readings (store, hook, ask->from, ask->to, hits, known, error);
}

/* ---- gets the distribution of a hook's numbers from stored sketches, without reading them ---- */

#define MANY      200000          /* minimum number of samples for which sketches (summaries of
                                   * distributions) are used; with fewer, reading all of them is as
                                   * fast */
#define READ_MOST 1000000         /* maximum number of samples to read where a sketch (stored
                                   * summary of their distribution) is missing */

GilkSketch *
gilk_hook_sketch (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const GilkHookAsk    *ask,
                  GError              **error)
{
  gboolean is_time = gilk_field_kind (ask->field) != GILK_FIELD_OWN;

  if (hook->stored < MANY || ask->condition != NULL || is_time)
    return NULL;

  return gilk_samples_sketch (store, hook, ask->field, gilk_hook_ask_ns (ask->from, G_MININT64),
                              gilk_hook_ask_ns (ask->to, G_MAXINT64), READ_MOST, error);
}

/* ---- a hook's samples by process, CPU or any field ---- */

GILK_DEFINE_CLEAR (split_clear, GilkSplit, split, gilk_free_all (split->name, split->condition))

static int
compare_splits (gconstpointer a, gconstpointer b)
{
  const GilkStoredGroup *x = a, *y = b;

  return GILK_ORDER (y->count, x->count) ?: strcmp (x->value, y->value);
}

GILK_DEFINE_CLEAR (group_clear, GilkStoredGroup, self, g_free (self->value))

static GArray *
count_cpus (GilkStore *store, const GilkStoredHook *hook, const char *condition, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GArray) counts = g_array_new (FALSE, TRUE, sizeof (uint64_t));
  GArray *groups;
  GilkSampleBlock block;
  GError *local = NULL;

  if (samples == NULL || (condition != NULL && !gilk_samples_add_condition (samples, condition, error)))
    return NULL;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        /* Limit the CPU number, because a damaged file may have any number. */
        guint cpu = MIN (block.cpu[i], 1u << 16);

        if (cpu >= counts->len)
          g_array_set_size (counts, cpu + 1);
        g_array_index (counts, uint64_t, cpu)++;
      }
  if (!gilk_check_end (&local, error))
    return NULL;

  groups = gilk_array_new (sizeof (GilkStoredGroup), group_clear);
  for (guint cpu = 0; cpu < counts->len; cpu++)
    if (g_array_index (counts, uint64_t, cpu) > 0)
      {
        const GilkStoredGroup group = { .value = g_strdup_printf ("%u", cpu), .count = g_array_index (counts, uint64_t, cpu) };

        g_array_append_val (groups, group);
      }

  return groups;
}

/* Returns TRUE if values of the field need quotes in a condition. */
static gboolean
is_text (GilkStore *store, const GilkStoredHook *hook, const char *field)
{
  g_autoptr(GArray) fields = gilk_store_fields (store, hook->run, hook->instrument, NULL);
  const GilkStoredField *found = fields != NULL ? gilk_stored_field_find (fields, field) : NULL;

  return found != NULL && found->type == ILK_FIELD_TEXT;
}

GArray *
gilk_hook_split (GilkStore            *store,
                 const GilkStoredHook *hook,
                 const char           *field,
                 const char           *condition,
                 guint                 most,
                 uint64_t             *left,
                 GError              **error)
{
  g_autoptr(GArray) groups = strcmp (field, "cpu") == 0
    ? count_cpus (store, hook, condition, error)
    : gilk_store_group_between (store, hook, field, G_MININT64, G_MAXINT64, condition, error);
  const char *quote = is_text (store, hook, field) ? "\"" : "";
  GArray *splits;

  if (groups == NULL)
    return NULL;
  g_array_sort (groups, compare_splits);
  splits = gilk_array_new (sizeof (GilkSplit), split_clear);
  *left = 0;
  for (guint i = 0; i < groups->len; i++)
    {
      const GilkStoredGroup *group = &g_array_index (groups, GilkStoredGroup, i);
      g_autofree char *value = g_utf8_make_valid (group->value, -1);
      GilkSplit split;

      if (i >= most)
        {
          *left += group->count;
          continue;
        }
      split = (GilkSplit) { g_strdup_printf ("%s %s", field, value),
                            g_strdup_printf ("%s%s%s == %s%s%s", condition != NULL ? condition : "",
                                             condition != NULL ? " and " : "", field, quote, group->value, quote), group->count };
      g_array_append_val (splits, split);
    }

  return splits;
}

/*
 * Computes durations of a function's calls.
 *
 * Statistics need several passes over the durations. Each pass reads and pairs the samples again.
 */

#define BATCH 1024

typedef struct {
  GilkHookElapsed *elapsed;
  GilkSpanCounts   counts;     /* numbers of calls by kind, from the latest pass */
} Reader;

static gboolean
add_durations (GilkSweep *sweep, gpointer data, GError **error)
{
  Reader *reader = data;
  double durations[BATCH];
  GError *local = NULL;
  GilkElapsedBlock block;

  if (!gilk_hook_elapsed_begin (reader->elapsed, G_MININT64, G_MAXINT64, error))
    return FALSE;
  while (gilk_hook_elapsed_next (reader->elapsed, &block, &local))
    for (guint i = 0; i < block.n; i += BATCH)
      {
        guint n = MIN (block.n - i, BATCH);

        for (guint k = 0; k < n; k++)
          durations[k] = (double) block.ns[i + k];
        gilk_sweep_add (sweep, 0, durations, n);
      }
  reader->counts = gilk_hook_elapsed_counts (reader->elapsed);
  return gilk_check_end (&local, error);
}

/* ---- statistics of the durations of calls ---- */

static const guint percents[] = { 0, 50, 90, 99, 100 };

typedef struct {
  guint    asked[G_N_ELEMENTS (percents)];
  gboolean any;
} Asked;

static void
request_percentiles (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data)
{
  Asked *asked = data;

  asked->any = side->n > 0;
  for (guint i = 0; asked->any && i < G_N_ELEMENTS (percents); i++)
    asked->asked[i] = gilk_ranks_request (ranks, MAX ((side->n * percents[i] + 99) / 100, 1) - 1);
}

gboolean
gilk_hook_spans (GilkStore            *store,
                 const GilkStoredHook *hooks,
                 guint                 n_hooks,
                 gboolean              subtract_cost,
                 GilkHookSpans        *spans,
                 GError              **error)
{
  g_autoptr(GilkHookElapsed) elapsed = NULL;
  Reader reader = { .elapsed = NULL };
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  Asked asked = { .any = FALSE };
  GilkSweepRanks look = { request_percentiles, &asked, ranks, 0 };
  g_autoptr(GilkSweep) sweep = gilk_sweep_new (1.0, 0, NULL, 0, gilk_sweep_ranks_viewer (), &look);
  GilkHookSpans found = { .lost = 0 };
  uint64_t *const figures[] = { &found.min, &found.median, &found.p90, &found.p99, &found.max };

  g_assert (n_hooks > 0);
  elapsed = gilk_hook_elapsed_new (store, hooks, n_hooks, subtract_cost, error);
  if (elapsed == NULL)
    return FALSE;
  reader.elapsed = elapsed;
  if (!gilk_hook_sweep_passes (sweep, add_durations, &reader, error))
    return FALSE;
  found.counts = reader.counts;
  for (guint i = 0; i < n_hooks; i++)
    found.lost += hooks[i].lost;
  for (guint i = 0; asked.any && i < G_N_ELEMENTS (figures); i++)
    *figures[i] = (uint64_t) gilk_ranks_value (ranks, asked.asked[i]);
  *spans = found;

  return TRUE;
}
