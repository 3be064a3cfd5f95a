/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-columns.c - reduces a hook's samples to columns of pixels; reads tiles where these are
 * short enough, else samples
 */
#include "core/analysis/gilk-hook-samples.h"

#include <string.h>

#include "core/samples/gilk-samples-tiles.h"

#define TIME_MAX 4e18       /* maximum time, ns: the difference of two such times fits in 64 bits */

typedef struct {
  gint64      from_ns, to_ns;       /* to_ns is inclusive */
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

  /* Times usually ascend, so successive samples often fall into the same column. */
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

  /* A tile is counted in one column but adds its extrema to two, so a column can have extrema and a
   * count of 0: set that count to 1. A column without extrema is empty. */
  for (guint c = 0; c < n_columns; c++)
    columns[c].n = last_ns[c] == G_MININT64 ? 0 : MAX (columns[c].n, 1);

  return TRUE;
}
