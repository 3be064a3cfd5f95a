/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-history.c - how the figures of a run went, in constant memory
 */
#include "core/run/gilk-run-history.h"

#include <math.h>
#include <string.h>

#define FIRST_LENGTH 0.25        /* seconds */
#define CPUS_MOST    1024

typedef struct {
  double   seconds;              /* that its figures are of; 0: none */
  uint64_t hits, lost;
  double   fill;
} Slice;

struct _GilkRunHistory {
  guint     n;
  double    length, end;
  Slice     slices[GILK_HISTORY_SLICES];
  guint     n_hooks, n_cpus;
  uint64_t *of_hooks;            /* [slice][GILK_HISTORY_HOOKS] */
  uint64_t *of_cpus;             /* [slice][n_cpus]; NULL: it is not known how many there are */
  uint64_t  last_hooks[GILK_HISTORY_HOOKS], last_hits, last_lost;
  uint64_t *last_cpus;
};

GilkRunHistory *
gilk_run_history_new (void)
{
  GilkRunHistory *history = g_new0 (GilkRunHistory, 1);

  history->of_hooks = g_new0 (uint64_t, GILK_HISTORY_SLICES * GILK_HISTORY_HOOKS);
  history->length = FIRST_LENGTH;

  return history;
}

void
gilk_run_history_free (GilkRunHistory *history)
{
  if (history == NULL)
    return;

  g_free (history->of_hooks);
  g_free (history->of_cpus);
  g_free (history->last_cpus);
  g_free (history);
}

void
gilk_run_history_clear (GilkRunHistory *history)
{
  uint64_t *of_hooks = history->of_hooks;

  g_free (history->of_cpus);
  g_free (history->last_cpus);
  memset (of_hooks, 0, GILK_HISTORY_SLICES * GILK_HISTORY_HOOKS * sizeof *of_hooks);
  *history = (GilkRunHistory) { .of_hooks = of_hooks, .length = FIRST_LENGTH };
}

/* ---- slices ---- */

/* Row @from is added to row @to, and becomes empty. */
static void
join_row (uint64_t *rows, guint width, guint to, guint from)
{
  if (to == from || rows == NULL)
    return;
  for (guint i = 0; i < width; i++)
    {
      rows[to * width + i] += rows[from * width + i];
      rows[from * width + i] = 0;
    }
}

static void
join_pairs (GilkRunHistory *history)
{
  for (guint i = 0; i < history->n; i++)
    {
      guint to = i / 2;
      Slice slice = history->slices[i];

      history->slices[i] = (Slice) { 0 };
      history->slices[to].seconds += slice.seconds;
      history->slices[to].hits += slice.hits;
      history->slices[to].lost += slice.lost;
      history->slices[to].fill = MAX (history->slices[to].fill, slice.fill);
      join_row (history->of_hooks, GILK_HISTORY_HOOKS, to, i);
      join_row (history->of_cpus, history->n_cpus, to, i);
    }
  history->n = (history->n + 1) / 2;
  history->length *= 2;
}

static guint
slice_at (GilkRunHistory *history, double seconds)
{
  while (seconds >= history->length * GILK_HISTORY_SLICES)
    join_pairs (history);
  history->n = MAX (history->n, (guint) (seconds / history->length) + 1);

  return (guint) (seconds / history->length);
}

/* What it grew by; a hook that is new counts from 0. */
static uint64_t
grown (uint64_t *last, uint64_t now)
{
  uint64_t by = now > *last ? now - *last : 0;

  *last = now;

  return by;
}

static void
know_cpus (GilkRunHistory *history, guint n_cpus)
{
  if (history->of_cpus != NULL || n_cpus == 0)
    return;
  history->n_cpus = MIN (n_cpus, CPUS_MOST);
  history->of_cpus = g_new0 (uint64_t, (gsize) GILK_HISTORY_SLICES * history->n_cpus);
  history->last_cpus = g_new0 (uint64_t, history->n_cpus);
}

void
gilk_run_history_add (GilkRunHistory       *history,
                      const GilkRunFigures *figures)
{
  uint64_t hits = 0;
  Slice *slice;
  guint at;

  if (!(figures->elapsed > history->end) || figures->hooks == NULL)
    return;
  know_cpus (history, figures->n_cpus);
  at = slice_at (history, figures->elapsed);
  slice = &history->slices[at];
  slice->seconds += figures->elapsed - history->end;
  history->end = figures->elapsed;
  history->n_hooks = MIN (figures->n_hooks, GILK_HISTORY_HOOKS);
  for (guint i = 0; i < figures->n_hooks; i++)
    {
      hits += figures->hooks[i].hits;
      if (i < GILK_HISTORY_HOOKS)
        history->of_hooks[at * GILK_HISTORY_HOOKS + i] += grown (&history->last_hooks[i], figures->hooks[i].hits);
    }
  for (guint cpu = 0; cpu < MIN (history->n_cpus, figures->n_cpus); cpu++)
    history->of_cpus[at * history->n_cpus + cpu] += grown (&history->last_cpus[cpu], figures->cpus[cpu].hits);
  slice->hits += grown (&history->last_hits, hits);
  slice->lost += grown (&history->last_lost, figures->lost);
  if (figures->ring_bytes > 0)
    slice->fill = MAX (slice->fill, (double) figures->ring_used / (double) figures->ring_bytes);
}

/* ---- what is known ---- */

guint
gilk_run_history_n (const GilkRunHistory *history)
{
  return history->n;
}

double
gilk_run_history_length (const GilkRunHistory *history)
{
  return history->length;
}

double
gilk_run_history_end (const GilkRunHistory *history)
{
  return history->end;
}

guint
gilk_run_history_n_cpus (const GilkRunHistory *history)
{
  return history->n_cpus;
}

static double
rate_of (const Slice *slice, uint64_t hits)
{
  return slice->seconds > 0 ? (double) hits / slice->seconds : NAN;
}

double
gilk_run_history_rate (const GilkRunHistory *history,
                       guint                 slice,
                       guint                 hook)
{
  const Slice *of = &history->slices[slice];

  return rate_of (of, hook == G_MAXUINT ? of->hits : history->of_hooks[slice * GILK_HISTORY_HOOKS + hook]);
}

double
gilk_run_history_cpu_rate (const GilkRunHistory *history,
                           guint                 slice,
                           guint                 cpu)
{
  return rate_of (&history->slices[slice], history->of_cpus[slice * history->n_cpus + cpu]);
}

uint64_t
gilk_run_history_lost (const GilkRunHistory *history,
                       guint                 slice)
{
  return history->slices[slice].lost;
}

double
gilk_run_history_fill (const GilkRunHistory *history,
                       guint                 slice)
{
  return history->slices[slice].fill;
}

GArray *
gilk_run_history_busiest (const GilkRunHistory *history,
                          guint                 n)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree gboolean *chosen = g_new0 (gboolean, GILK_HISTORY_HOOKS);

  for (guint found = 0; found < n; found++)
    {
      guint best = G_MAXUINT;

      for (guint i = 0; i < history->n_hooks; i++)
        if (!chosen[i] && history->last_hooks[i] > 0 &&
            (best == G_MAXUINT || history->last_hooks[i] > history->last_hooks[best]))
          best = i;
      if (best == G_MAXUINT)
        break;
      chosen[best] = TRUE;
    }
  for (guint i = 0; i < history->n_hooks; i++)
    if (chosen[i])
      g_array_append_val (list, i);

  return list;
}
