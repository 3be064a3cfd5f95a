/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-heat.c - counts values by time and size, for the cells of heat maps and the bins of
 * histograms
 */
#include "core/stats/gilk-heat.h"

#include <math.h>
#include <string.h>

/* Minimum heights of rows, as powers of two: on a linear scale 2^-40 of the first value, on a
 * logarithmic scale 2^-10 of an octave. Rows of integers are at least 1 high. */
#define FINEST_LINEAR (-40)
#define FINEST_LOG    (-10)
/* Limit on row numbers: doubles represent integers up to 2^53 exactly. */
#define ROW_MAX       1e15

GilkHeat *
gilk_heat_new (guint     columns,
               guint     rows,
               double    from,
               double    to,
               GilkScale scale)
{
  GilkHeat *heat = g_new0 (GilkHeat, 1);

  heat->scale = scale;
  heat->columns = MAX (columns, 1);
  heat->room = MAX (rows, 8);
  heat->from = from;
  heat->to = to;
  heat->min = INFINITY;
  heat->max = -INFINITY;
  heat->cells = g_new0 (uint64_t, (gsize) heat->columns * heat->room);

  return heat;
}

void
gilk_heat_free (GilkHeat *heat)
{
  if (heat == NULL)
    return;

  g_free (heat->cells);
  g_free (heat);
}

/* Returns the position of a value on the scale on which rows have equal height. */
static double
value_to_position (GilkScale scale, double value)
{
  return scale == GILK_SCALE_LOG ? log2 (value) : scale == GILK_SCALE_WHOLE ? value + 0.5 : value;
}

static double
position_to_value (GilkScale scale, double place)
{
  return scale == GILK_SCALE_LOG ? exp2 (place) : scale == GILK_SCALE_WHOLE ? place - 0.5 : place;
}

static uint64_t *
get_column (const GilkHeat *heat, guint column)
{
  return heat->cells + (gsize) column * heat->room;
}

static void
start_rows (GilkHeat *heat, double place)
{
  int size = place != 0.0 ? ilogb (place) : 0;

  heat->exponent = heat->scale == GILK_SCALE_LOG ? FINEST_LOG
                   : heat->scale == GILK_SCALE_WHOLE ? MAX (0, size - 45)
                   : CLAMP (size, -900, 900) + FINEST_LINEAR;
  heat->per_unit = ldexp (1.0, -heat->exponent);
  heat->first = (gint64) floor (place * heat->per_unit);
  heat->rows = 1;
}

static void
join_pairs (GilkHeat *heat)
{
  gint64 first = heat->first >> 1;
  guint shift = (guint) (heat->first & 1), rows = (heat->rows + shift + 1) / 2;

  for (guint c = 0; c < heat->columns; c++)
    {
      uint64_t *cells = get_column (heat, c);

      /* In ascending order, each row is read before it is overwritten. */
      for (guint r = 0; r < rows; r++)
        {
          gint64 low = 2 * (gint64) r - shift, high = low + 1;
          uint64_t sum = low >= 0 ? cells[low] : 0;

          if (high < (gint64) heat->rows)
            sum += cells[high];
          cells[r] = sum;
        }
      memset (cells + rows, 0, (heat->rows - rows) * sizeof *cells);
    }
  heat->first = first;
  heat->rows = rows;
  heat->per_unit = ldexp (1.0, -++heat->exponent);
}

/* Extends the range of rows to include @low to @high. The caller makes sure that these rows fit in
 * @heat->room. */
static void
extend_rows (GilkHeat *heat, gint64 low, gint64 high)
{
  guint shift = (guint) (heat->first - MIN (low, heat->first));
  gint64 end = MAX (high + 1, heat->first + heat->rows);

  for (guint c = 0; shift > 0 && c < heat->columns; c++)
    {
      uint64_t *cells = get_column (heat, c);

      memmove (cells + shift, cells, heat->rows * sizeof *cells);
      memset (cells, 0, shift * sizeof *cells);
    }
  heat->first -= shift;
  heat->rows = (guint) (end - heat->first);
}

/* Returns the row that contains @place, a position on the scale on which rows have equal heights.
 * Creates or joins rows as needed. */
static guint
ensure_row (GilkHeat *heat, double place)
{
  if (heat->rows == 0)
    start_rows (heat, place);
  for (;;)
    {
      double at = floor (place * heat->per_unit);

      if (fabs (at) < ROW_MAX)
        {
          gint64 row = (gint64) at;
          gint64 low = MIN (row, heat->first), high = MAX (row + 1, heat->first + heat->rows);

          if (high - low <= heat->room)
            {
              if (row < heat->first || row >= heat->first + heat->rows)
                extend_rows (heat, row, row);
              return (guint) (row - heat->first);
            }
        }
      join_pairs (heat);
    }
}

void
gilk_heat_add (GilkHeat     *heat,
               const double *times,
               const double *values,
               guint         n)
{
  double per_second = heat->columns / (heat->to - heat->from);

  for (guint i = 0; i < n; i++)
    {
      double value = values[i];
      guint column = 0, row;

      if (heat->columns > 1)
        {
          if (!(times[i] >= heat->from && times[i] <= heat->to))
            continue;
          column = MIN ((guint) ((times[i] - heat->from) * per_second), heat->columns - 1);
        }
      if (!isfinite (value) || (heat->scale == GILK_SCALE_LOG && !(value > 0.0)))
        {
          heat->ignored++;
          continue;
        }
      row = ensure_row (heat, value_to_position (heat->scale, value));
      get_column (heat, column)[row]++;
      heat->min = MIN (heat->min, value);
      heat->max = MAX (heat->max, value);
      heat->n++;
    }
}

void
gilk_heat_coarsen (GilkHeat *heat,
                   int       exponent)
{
  while (heat->rows > 0 && heat->exponent < exponent)
    join_pairs (heat);
}

void
gilk_heat_limit (GilkHeat *heat,
                 guint     rows)
{
  while (heat->rows > MAX (rows, 2))
    join_pairs (heat);
}

void
gilk_heat_widen_single_value (GilkHeat *heat)
{
  if (heat->n == 0 || heat->min < heat->max)
    return;
  gilk_heat_coarsen (heat, heat->scale == GILK_SCALE_WHOLE ? 0
                           : heat->scale == GILK_SCALE_LOG ? -3
                           : heat->min != 0.0 ? ilogb (heat->min) - 5 : -5);
}

double
gilk_heat_edge (const GilkHeat *heat,
                guint           row)
{
  return position_to_value (heat->scale, ldexp ((double) (heat->first + row), heat->exponent));
}

uint64_t
gilk_heat_at (const GilkHeat *heat,
              guint           column,
              guint           row)
{
  return get_column (heat, column)[row];
}

uint64_t
gilk_heat_row (const GilkHeat *heat,
               guint           row)
{
  uint64_t sum = 0;

  for (guint c = 0; c < heat->columns; c++)
    sum += gilk_heat_at (heat, c, row);

  return sum;
}

double
gilk_heat_quantile (const GilkHeat *heat,
                    double          p)
{
  double wanted = p * (double) heat->n, below = 0.0;

  for (guint r = 0; r < heat->rows; r++)
    {
      double here = (double) gilk_heat_row (heat, r);

      if (here > 0.0 && below + here >= wanted)
        {
          double place = ldexp ((double) (heat->first + r) + (wanted - below) / here, heat->exponent);

          return CLAMP (position_to_value (heat->scale, place), heat->min, heat->max);
        }
      below += here;
    }

  return heat->n > 0 ? heat->max : NAN;
}

uint64_t
gilk_heat_greatest (const GilkHeat *heat)
{
  uint64_t most = 0;

  for (guint c = 0; c < heat->columns; c++)
    for (guint r = 0; r < heat->rows; r++)
      most = MAX (most, gilk_heat_at (heat, c, r));

  return most;
}
