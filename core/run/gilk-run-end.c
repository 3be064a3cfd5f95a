/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-end.c - checks at each tick whether something ends a run before its time
 *
 * A program counts its requests to end the run or to show a message, and each tick reads that
 * counter. Stop conditions need no further requests to the target: they use the counts that the
 * tick has read, and statistics of fields, which are updated as samples come in.
 */
#include "core/run/gilk-run-end.h"

#include <math.h>
#include <string.h>

#include "core/bind/gilk-bound-conditions.h"

void
gilk_run_end_init (GilkRunEnd        *end,
                   GilkTarget        *target,
                   GilkRunSession    *session,
                   const GilkRunRows *rows)
{
  *end = (GilkRunEnd) {
    .target = target, .session = session, .rows = rows,
    .handled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
}

void
gilk_run_end_clear (GilkRunEnd *end)
{
  g_clear_pointer (&end->conditions, g_ptr_array_unref);
  g_clear_pointer (&end->handled, g_hash_table_unref);
  g_clear_pointer (&end->reason, g_free);
}

void
gilk_run_end_set_reason (GilkRunEnd *end, char *reason)
{
  g_free (end->reason);
  end->reason = reason;
}

void
gilk_run_end_find_trigger (GilkRunEnd            *end,
                           const GilkRunCounters *counters)
{
  for (guint i = 0; i < end->rows->n && end->trigger_us == 0; i++)
    {
      const GilkPlanHook *hook = gilk_bound_hook (end->rows->bound, i)->hook;
      uint64_t hits = 0;

      for (guint cpu = 0; hook->triggers && cpu < end->rows->n_cpus; cpu++)
        hits += counters->now[(gsize) i * end->rows->n_cpus + cpu].count;
      if (hits == 0)
        continue;
      end->trigger_us = counters->answered_us + (gint64) MIN (hook->trigger_ns / 1000, G_MAXINT64 / 4);
      gilk_run_end_set_reason (end, g_strdup_printf ("triggered by %s", hook->label));
    }
}

/* ---- requests of programs ---- */

/* A program's counter of requests to end the run or to show a message, and the first row whose
 * program has this counter. */
typedef struct {
  guint           row;
  const GilkProgramMap *map;
} Signal;

static GArray *
list_signals (const GilkRunEnd *end)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Signal));

  for (guint row = 0; row < end->rows->n; row++)
    {
      const GilkProgram *program = gilk_bound_hook (end->rows->bound, row)->program;
      guint n_maps = 0;
      const GilkProgramMap *map = program != NULL ? gilk_program_maps (program, &n_maps) : NULL;

      for (guint i = 0; i < n_maps; i++)
        if (map[i].signal != GILK_SIGNAL_NONE && end->rows->programs[row].n_areas > 0 &&
            !end->rows->programs[row].areas[map[i].area].is_repeated)
          g_array_append_vals (list, &(Signal) { row, &map[i] }, 1);
    }

  return list;
}

static GArray *
list_reads (const GilkRunEnd *end, const GArray *signals)
{
  GArray *reads = g_array_new (FALSE, TRUE, sizeof (struct ilk_memory_read));

  for (guint i = 0; i < signals->len; i++)
    {
      const Signal *one = &g_array_index (signals, Signal, i);
      const GilkArmedArea *area = &end->rows->programs[one->row].areas[one->map->area];

      for (guint cpu = 0; cpu < end->rows->n_cpus; cpu++)
        {
          const struct ilk_memory_read read = {
            .id = area->given.id, .cpu = cpu, .offset = 8 * one->map->element, .bytes = 8,
          };

          g_array_append_val (reads, read);
        }
    }

  return reads;
}

/* Handles a program's first request to end the run or to show a message, and ignores later ones.
 * @times: number of requests so far. Returns FALSE if the request ends the run. */
static gboolean
handle_request (GilkRunEnd *end, const GilkProgramMap *map, uint64_t times, GPtrArray *notices)
{
  if (times == 0 || g_hash_table_contains (end->handled, map->name))
    return TRUE;
  g_hash_table_add (end->handled, g_strdup (map->name));
  if (map->signal == GILK_SIGNAL_NOTIFY)
    {
      g_ptr_array_add (notices, g_strdup (strchr (map->name, ' ') + 1));
      return TRUE;
    }
  gilk_run_end_set_reason (end, g_strdup ("ended by a program"));

  return FALSE;
}

gboolean
gilk_run_end_check_requests (GilkRunEnd *end,
                             GPtrArray  *notices,
                             gboolean   *go_on,
                             GError    **error)
{
  g_autoptr(GArray) signals = list_signals (end);
  g_autoptr(GArray) reads = list_reads (end, signals);
  g_autoptr(GByteArray) bytes = NULL;
  const uint64_t *words;

  gilk_run_session_assert_own (end->session);
  if (reads->len == 0)
    return TRUE;
  bytes = gilk_target_memory_read (end->target, (const struct ilk_memory_read *) reads->data, reads->len, NULL, error);
  if (bytes == NULL)
    return FALSE;
  words = (const uint64_t *) bytes->data;
  for (guint i = 0; i < signals->len; i++)
    {
      uint64_t times = 0;

      for (guint cpu = 0; cpu < end->rows->n_cpus; cpu++)
        times += *words++;
      if (!handle_request (end, g_array_index (signals, Signal, i).map, times, notices))
        *go_on = FALSE;
    }

  return TRUE;
}

/* ---- stop conditions ---- */

void
gilk_run_end_set_conditions (GilkRunEnd *end, const char *until)
{
  g_clear_pointer (&end->conditions, g_ptr_array_unref);
  end->conditions = until != NULL ? gilk_stop_conditions_parse (until, NULL) : NULL;
}

typedef struct {
  double   value;
  uint64_t n;                  /* number of samples that the value was computed from */
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

/* Returns quantile @p of the values in a sketch (a distribution in cells): the middle of the cell
 * that contains the quantile. */
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
measure_quantile (GilkIngest *ingest, const GilkStopCondition *limit, guint hook, const struct ilk_field *field)
{
  g_autoptr(GilkSketch) sketch = NULL;

  gilk_ingest_track_field (ingest, hook, field);
  sketch = gilk_ingest_sketch (ingest, hook, field->name, NULL);

  return (Standing) { get_quantile (sketch, limit->p), sketch->n };
}

static Standing
measure_condition (const GilkRunFigures *now, GilkIngest *ingest, const GilkStopCondition *limit, guint hook,
                   const struct ilk_field *field)
{
  uint64_t stored, hits, lost;

  if (limit->of == GILK_STOP_QUANTILE)
    return measure_quantile (ingest, limit, hook, field);
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

/* Returns TRUE if the condition holds. Appends its status to @status. */
static gboolean
check_condition (GilkRunEnd *end, const GilkStopCondition *limit, const GilkRunFigures *figures, GilkIngest *ingest,
                 GString *status)
{
  g_autofree char *text = gilk_stop_condition_to_text (limit), *now = NULL;
  struct ilk_field field;
  Standing stands;
  double bound;
  guint hook;

  /* The condition's hook was removed: the condition can no longer end the run. */
  if (!gilk_bound_condition (end->rows->bound, limit, &hook, &field, &bound, NULL))
    return FALSE;
  stands = measure_condition (figures, ingest, limit, hook, &field);
  now = format_standing (limit, &field, &stands);
  g_string_append_printf (status, "%s%s: %s", status->len > 0 ? "\n" : "", text, now);
  if (!gilk_stop_condition_holds (limit, bound, stands.value, stands.n))
    return FALSE;
  gilk_run_end_set_reason (end, g_strdup_printf ("condition met: %s (%s)", text, now));

  return TRUE;
}

char *
gilk_run_end_check_conditions (GilkRunEnd           *end,
                               const GilkRunFigures *now,
                               GilkIngest           *ingest,
                               gboolean             *go_on)
{
  g_autoptr(GString) status = NULL;

  gilk_run_session_assert_own (end->session);
  if (end->conditions == NULL)
    return NULL;
  status = g_string_new (NULL);
  for (guint i = 0; i < end->conditions->len && *go_on; i++)
    *go_on = !check_condition (end, g_ptr_array_index (end->conditions, i), now, ingest, status);

  return g_string_free (g_steal_pointer (&status), FALSE);
}
