/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-history.c - keeps the history of a run's figures in constant memory
 */
#include "core/run/gilk-run-history.h"

#include <math.h>
#include <string.h>

#define FIRST_LENGTH 0.25        /* initial length of the history's slices, in seconds */
#define CPUS_MAX    1024

typedef struct {
  double   seconds;              /* time that the slice covers, in seconds */
  double   fill;
} Slice;

/* A hook with a history of its own. */
typedef struct {
  guint    hook, since;          /* @since: first slice for which the hook's hits are known */
  gboolean pinned;               /* the hook keeps its history even if another hook is busier */
  uint64_t last;
} Row;

struct _GilkRunHistory {
  guint     n;
  double    length, end;
  Slice     slices[GILK_HISTORY_SLICES];
  uint64_t  of_hits[GILK_HISTORY_SLICES], of_lost[GILK_HISTORY_SLICES];
  guint     n_rows, n_hooks, n_cpus;
  Row       rows[GILK_HISTORY_HOOKS];
  guint    *row_of;              /* [hook]: 1 + index in @rows; 0: the hook has no history */
  uint64_t *of_rows;             /* [slice][row]: hits of the hooks that have a history */
  uint64_t *of_cpus;             /* [slice]: hits of each CPU, then lost samples of each CPU; NULL:
                                  * n_cpus is unknown */
  uint64_t  last_hits, last_lost;
  uint64_t *last_cpus;           /* hits and lost samples of the CPUs in the last figures, in the
                                  * layout of one slice of @of_cpus */
};

GilkRunHistory *
gilk_run_history_new (void)
{
  GilkRunHistory *history = g_new0 (GilkRunHistory, 1);

  history->of_rows = g_new0 (uint64_t, GILK_HISTORY_SLICES * GILK_HISTORY_HOOKS);
  history->length = FIRST_LENGTH;

  return history;
}

void
gilk_run_history_free (GilkRunHistory *history)
{
  if (history == NULL)
    return;

  g_free (history->row_of);
  g_free (history->of_rows);
  g_free (history->of_cpus);
  g_free (history->last_cpus);
  g_free (history);
}

void
gilk_run_history_clear (GilkRunHistory *history)
{
  uint64_t *of_rows = history->of_rows;

  g_free (history->row_of);
  g_free (history->of_cpus);
  g_free (history->last_cpus);
  memset (of_rows, 0, GILK_HISTORY_SLICES * GILK_HISTORY_HOOKS * sizeof *of_rows);
  *history = (GilkRunHistory) { .of_rows = of_rows, .length = FIRST_LENGTH };
}

/* ---- slices ---- */

/* Adds the counts of slice @from to those of slice @to, then clears slice @from. */
static void
merge_row (uint64_t *rows, guint width, guint to, guint from)
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
merge_pairs (GilkRunHistory *history)
{
  for (guint i = 0; i < history->n; i++)
    {
      guint to = i / 2;
      Slice slice = history->slices[i];

      history->slices[i] = (Slice) { 0 };
      history->slices[to].seconds += slice.seconds;
      history->slices[to].fill = MAX (history->slices[to].fill, slice.fill);
      merge_row (history->of_hits, 1, to, i);
      merge_row (history->of_lost, 1, to, i);
      merge_row (history->of_rows, GILK_HISTORY_HOOKS, to, i);
      merge_row (history->of_cpus, 2 * history->n_cpus, to, i);
    }
  for (guint row = 0; row < history->n_rows; row++)
    history->rows[row].since = (history->rows[row].since + 1) / 2;
  history->n = (history->n + 1) / 2;
  history->length *= 2;
}

/* Returns the slice that contains the time, or ends at that time. */
static guint
find_slice (const GilkRunHistory *history, double seconds)
{
  double slices = ceil (seconds / history->length);

  return slices > 1 ? (guint) slices - 1 : 0;
}

static guint
get_slice (GilkRunHistory *history, double seconds)
{
  guint at;

  while ((at = find_slice (history, seconds)) >= GILK_HISTORY_SLICES)
    merge_pairs (history);
  history->n = MAX (history->n, at + 1);

  return at;
}

/* Returns by how much a count has grown: @now - *@last, at least 0. Sets *@last to @now. */
static uint64_t
update_growth (uint64_t *last, uint64_t now)
{
  uint64_t by = now > *last ? now - *last : 0;

  *last = now;

  return by;
}

/* Spreads @count evenly over the slices from the time of the last figures to @elapsed. @column:
 * element of the first slice to add to; the elements of consecutive slices are @width apart */
static void
spread_count (GilkRunHistory *history, uint64_t *column, guint width, double elapsed, uint64_t count)
{
  guint from = (guint) (history->end / history->length), to = find_slice (history, elapsed);
  uint64_t given = 0;

  for (guint i = from; i <= to; i++)
    {
      double share = (MIN ((i + 1) * history->length, elapsed) - history->end) / (elapsed - history->end);
      uint64_t until = i == to ? count : (uint64_t) rint (share * (double) count);

      column[(gsize) i * width] += until - given;
      given = until;
    }
}

static void
alloc_cpus (GilkRunHistory *history, guint n_cpus)
{
  if (history->of_cpus != NULL || n_cpus == 0)
    return;
  history->n_cpus = MIN (n_cpus, CPUS_MAX);
  history->of_cpus = g_new0 (uint64_t, (gsize) GILK_HISTORY_SLICES * 2 * history->n_cpus);
  history->last_cpus = g_new0 (uint64_t, 2 * history->n_cpus);
}

static void
grow_hooks (GilkRunHistory *history, guint n_hooks)
{
  if (n_hooks <= history->n_hooks)
    return;
  history->row_of = g_renew (guint, history->row_of, n_hooks);
  memset (history->row_of + history->n_hooks, 0, (n_hooks - history->n_hooks) * sizeof *history->row_of);
  history->n_hooks = n_hooks;
}

/* ---- gives rows to the busiest hooks ---- */

static void
assign_row (GilkRunHistory *history, guint row, Row to)
{
  if (row < history->n_rows)
    history->row_of[history->rows[row].hook] = 0;
  else
    history->n_rows++;
  for (guint i = 0; i < history->n; i++)
    history->of_rows[i * GILK_HISTORY_HOOKS + row] = 0;
  history->rows[row] = to;
  history->row_of[to.hook] = row + 1;
}

/* Returns the row of the least busy hook that may be replaced; G_MAXUINT: there is none */
static guint
find_least_busy_row (const GilkRunHistory *history)
{
  guint least = G_MAXUINT;

  for (guint row = 0; row < history->n_rows; row++)
    if (!history->rows[row].pinned && (least == G_MAXUINT || history->rows[row].last < history->rows[least].last))
      least = row;

  return least;
}

/* Gives each hook a row (a history of its own) at its first hit, while rows are free. After that, a
 * hook without a row takes the row of the least busy hook once it has more than twice as many hits
 * as that hook. */
static void
choose_rows (GilkRunHistory *history, const GilkRunFigures *figures, guint at)
{
  guint busiest = G_MAXUINT, least;

  for (guint i = 0; i < figures->n_hooks; i++)
    {
      if (history->row_of[i] != 0 || figures->hooks[i].hits == 0)
        continue;
      if (history->n_rows < GILK_HISTORY_HOOKS)
        assign_row (history, history->n_rows, (Row) { .hook = i });
      else if (busiest == G_MAXUINT || figures->hooks[i].hits > figures->hooks[busiest].hits)
        busiest = i;
    }
  if (busiest == G_MAXUINT)
    return;
  least = find_least_busy_row (history);
  if (least != G_MAXUINT && history->rows[least].last < figures->hooks[busiest].hits / 2)
    assign_row (history, least, (Row) { .hook = busiest, .since = at + 1, .last = figures->hooks[busiest].hits });
}

void
gilk_run_history_pin (GilkRunHistory *history,
                      const guint    *hooks,
                      guint           n)
{
  for (guint row = 0; row < history->n_rows; row++)
    history->rows[row].pinned = FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint row = hooks[i] < history->n_hooks ? history->row_of[hooks[i]] : G_MAXUINT;

      if (row == G_MAXUINT)
        continue;
      if (row == 0)
        {
          row = (history->n_rows < GILK_HISTORY_HOOKS ? history->n_rows : find_least_busy_row (history)) + 1;
          if (row == 0)
            continue;
          assign_row (history, row - 1, (Row) { .hook = hooks[i], .since = history->n, .last = UINT64_MAX });
        }
      history->rows[row - 1].pinned = TRUE;
    }
}

void
gilk_run_history_add (GilkRunHistory       *history,
                      const GilkRunFigures *figures)
{
  uint64_t hits = 0;
  guint from, at;

  if (!(figures->elapsed > history->end) || figures->hooks == NULL)
    return;
  alloc_cpus (history, figures->n_cpus);
  grow_hooks (history, figures->n_hooks);
  at = get_slice (history, figures->elapsed);
  from = (guint) (history->end / history->length);
  choose_rows (history, figures, at);
  for (guint i = 0; i < figures->n_hooks; i++)
    hits += figures->hooks[i].hits;
  for (guint row = 0; row < history->n_rows; row++)
    if (history->rows[row].hook < figures->n_hooks)
      spread_count (history, history->of_rows + row, GILK_HISTORY_HOOKS, figures->elapsed,
                    update_growth (&history->rows[row].last, figures->hooks[history->rows[row].hook].hits));
  for (guint cpu = 0; cpu < MIN (history->n_cpus, figures->n_cpus); cpu++)
    {
      uint64_t *of = history->of_cpus + cpu, *last = history->last_cpus + cpu;

      spread_count (history, of, 2 * history->n_cpus, figures->elapsed, update_growth (last, figures->cpus[cpu].hits));
      spread_count (history, of + history->n_cpus, 2 * history->n_cpus, figures->elapsed,
                    update_growth (last + history->n_cpus, figures->cpus[cpu].lost));
    }
  spread_count (history, history->of_hits, 1, figures->elapsed, update_growth (&history->last_hits, hits));
  spread_count (history, history->of_lost, 1, figures->elapsed, update_growth (&history->last_lost, figures->lost));
  for (guint i = from; i <= at; i++)
    history->slices[i].seconds += MIN ((i + 1) * history->length, figures->elapsed) - MAX (i * history->length, history->end);
  if (figures->ring_bytes > 0)
    history->slices[at].fill = MAX (history->slices[at].fill, (double) figures->ring_used / (double) figures->ring_bytes);
  history->end = figures->elapsed;
}

/* ---- queries ---- */

guint
gilk_run_history_n (const GilkRunHistory *history)
{
  return history->n;
}

guint
gilk_run_history_n_full (const GilkRunHistory *history)
{
  /* The last slice counts as full if at most a tenth of it is missing. */
  gboolean whole = history->n > 0 && history->end >= (history->n - 0.1) * history->length;

  return history->n > 1 && !whole ? history->n - 1 : history->n;
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
compute_rate (const Slice *slice, uint64_t hits)
{
  return slice->seconds > 0 ? (double) hits / slice->seconds : NAN;
}

double
gilk_run_history_rate (const GilkRunHistory *history,
                       guint                 slice,
                       guint                 hook)
{
  const Slice *of = &history->slices[slice];
  guint row = hook < history->n_hooks ? history->row_of[hook] : 0;

  if (hook == G_MAXUINT)
    return compute_rate (of, history->of_hits[slice]);

  return row == 0 || slice < history->rows[row - 1].since ? NAN
         : compute_rate (of, history->of_rows[slice * GILK_HISTORY_HOOKS + row - 1]);
}

double
gilk_run_history_cpu_rate (const GilkRunHistory *history,
                           guint                 slice,
                           guint                 cpu)
{
  return compute_rate (&history->slices[slice], history->of_cpus[slice * 2 * history->n_cpus + cpu]);
}

double
gilk_run_history_cpu_lost (const GilkRunHistory *history,
                           guint                 slice,
                           guint                 cpu)
{
  return compute_rate (&history->slices[slice], history->of_cpus[(slice * 2 + 1) * history->n_cpus + cpu]);
}

uint64_t
gilk_run_history_cpu_lost_all (const GilkRunHistory *history,
                               guint                 cpu)
{
  return history->last_cpus[history->n_cpus + cpu];
}

uint64_t
gilk_run_history_lost (const GilkRunHistory *history,
                       guint                 slice)
{
  return history->of_lost[slice];
}

double
gilk_run_history_fill (const GilkRunHistory *history,
                       guint                 slice)
{
  return history->slices[slice].fill;
}

static int
compare_hooks (gconstpointer a, gconstpointer b)
{
  guint one = *(const guint *) a, other = *(const guint *) b;

  return one < other ? -1 : one > other;
}

GArray *
gilk_run_history_busiest (const GilkRunHistory *history,
                          guint                 n)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean chosen[GILK_HISTORY_HOOKS] = { FALSE };

  for (guint found = 0; found < n; found++)
    {
      guint best = G_MAXUINT;

      for (guint row = 0; row < history->n_rows; row++)
        if (!chosen[row] && history->rows[row].last > 0 && history->rows[row].last < UINT64_MAX &&
            (best == G_MAXUINT || history->rows[row].last > history->rows[best].last))
          best = row;
      if (best == G_MAXUINT)
        break;
      chosen[best] = TRUE;
      g_array_append_val (list, history->rows[best].hook);
    }
  g_array_sort (list, compare_hooks);

  return list;
}
