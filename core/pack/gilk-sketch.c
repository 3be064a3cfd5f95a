/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sketch.c - stores the distribution of integers in little memory
 */
#include "core/pack/gilk-sketch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-key.h"

#define SHIFT (52 - GILK_SKETCH_BITS)
#define HEAD  4                     /* number of doubles in the encoding in front of the cells */
#define BATCH 1024

/* ---- limits of cells ---- */

static inline guint
find_cell (double value)
{
  double size = fabs (value);
  guint cell;

  if (size < 1.0)
    return GILK_SKETCH_SIDE;
  cell = (guint) ((gilk_key_of (size) >> SHIFT) - (gilk_key_of (1.0) >> SHIFT)) + 1;

  return value > 0.0 ? GILK_SKETCH_SIDE + cell : GILK_SKETCH_SIDE - cell;
}

/* Returns the lower limit of the @cell-th cell above zero. */
static double
get_cell_edge (guint cell)
{
  return gilk_key_value (((gilk_key_of (1.0) >> SHIFT) + cell - 1) << SHIFT);
}

static double
get_cell_least (guint cell)
{
  return ceil (get_cell_edge (cell));
}

static double
get_cell_greatest (guint cell)
{
  return floor (nextafter (get_cell_edge (cell + 1), 0.0));
}

double
gilk_sketch_low (guint cell)
{
  if (cell == GILK_SKETCH_SIDE)
    return 0.0;

  return cell > GILK_SKETCH_SIDE ? get_cell_least (cell - GILK_SKETCH_SIDE) : -get_cell_greatest (GILK_SKETCH_SIDE - cell);
}

double
gilk_sketch_high (guint cell)
{
  if (cell == GILK_SKETCH_SIDE)
    return 0.0;

  return cell > GILK_SKETCH_SIDE ? get_cell_greatest (cell - GILK_SKETCH_SIDE) : -get_cell_least (GILK_SKETCH_SIDE - cell);
}

/* ---- creation and destruction ---- */

GilkSketch *
gilk_sketch_new (void)
{
  GilkSketch *sketch = g_new0 (GilkSketch, 1);

  sketch->cells = g_new0 (uint64_t, GILK_SKETCH_CELLS);
  sketch->first = GILK_SKETCH_CELLS;

  return sketch;
}

void
gilk_sketch_free (GilkSketch *sketch)
{
  if (sketch == NULL)
    return;
  g_free (sketch->cells);
  g_free (sketch);
}

GilkSketch *
gilk_sketch_copy (const GilkSketch *sketch)
{
  GilkSketch *copy = gilk_sketch_new ();
  uint64_t *cells = copy->cells;

  if (sketch->first <= sketch->last)
    memcpy (cells + sketch->first, sketch->cells + sketch->first, (sketch->last - sketch->first + 1) * sizeof *cells);
  *copy = *sketch;
  copy->cells = cells;

  return copy;
}

void
gilk_sketch_clear (GilkSketch *sketch)
{
  uint64_t *cells = sketch->cells;

  if (sketch->first <= sketch->last)
    memset (cells + sketch->first, 0, (sketch->last - sketch->first + 1) * sizeof *cells);
  *sketch = (GilkSketch) { .cells = cells, .first = GILK_SKETCH_CELLS };
}

/* ---- adding of numbers ---- */

/* Updates the sketch's minimum, maximum, mean and sum of squared deviations with those of @n more
 * numbers (Chan, Golub and LeVeque, 1979). */
static void
add_moments (GilkSketch *sketch, uint64_t n, double min, double max, long double mean, double squares)
{
  const long double delta = mean - sketch->mean, total = (long double) (sketch->n + n);

  sketch->min = sketch->n == 0 ? min : fmin (sketch->min, min);
  sketch->max = sketch->n == 0 ? max : fmax (sketch->max, max);
  sketch->mean += delta * (long double) n / total;
  sketch->squares += squares + (double) (delta * delta * (long double) sketch->n * (long double) n / total);
  sketch->n += n;
}

static void
widen_range (GilkSketch *sketch, guint first, guint last)
{
  sketch->first = MIN (sketch->first, first);
  sketch->last = MAX (sketch->last, last);
}

static void
add_batch (GilkSketch *sketch, const double *values, guint n)
{
  double min = values[0], max = values[0], squares = 0.0;
  long double mean;
  __int128 sum = 0;             /* the sum of BATCH signed or unsigned 64-bit integers fits
                                 * exactly */

  for (guint i = 0; i < n; i++)
    {
      min = values[i] < min ? values[i] : min;
      max = values[i] > max ? values[i] : max;
      sum += (__int128) values[i];
    }
  mean = (long double) sum / n;
  for (guint i = 0; i < n; i++)
    squares += (values[i] - (double) mean) * (values[i] - (double) mean);
  add_moments (sketch, n, min, max, mean, squares);
  widen_range (sketch, find_cell (min), find_cell (max));
  for (guint i = 0; i < n; i++)
    sketch->cells[find_cell (values[i])]++;
}

void
gilk_sketch_add (GilkSketch   *sketch,
                 const double *values,
                 guint         n)
{
  for (guint at = 0; at < n; at += BATCH)
    add_batch (sketch, values + at, MIN (n - at, BATCH));
}

/* ---- encoding, decoding and comparison ---- */

static void
write_number (GByteArray *to, uint64_t number)
{
  uint8_t bytes[10];
  guint n = 0;

  for (; number > 0x7f; number >>= 7)
    bytes[n++] = (uint8_t) (number | 0x80);
  bytes[n++] = (uint8_t) number;
  g_byte_array_append (to, bytes, n);
}

/* Decodes a LEB128 number. Returns FALSE if it is truncated or has more than 63 bits. */
static inline gboolean
read_number (const uint8_t **at, const uint8_t *end, uint64_t *number)
{
  guint shift = 0;

  for (*number = 0; *at < end && shift < 63; shift += 7)
    {
      const uint8_t byte = *(*at)++;

      *number |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
        return TRUE;
    }

  return FALSE;
}

void
gilk_sketch_write (const GilkSketch *sketch,
                   GByteArray       *to)
{
  const double head[HEAD] = { sketch->min, sketch->max, (double) sketch->mean, sketch->squares };
  guint before = 0;

  for (guint i = 0; i < HEAD; i++)
    {
      uint64_t bits;

      memcpy (&bits, &head[i], sizeof bits);
      bits = GUINT64_TO_LE (bits);
      g_byte_array_append (to, (const guint8 *) &bits, sizeof bits);
    }
  for (guint i = sketch->first; i <= sketch->last && i < GILK_SKETCH_CELLS; i++)
    {
      if (sketch->cells[i] == 0)
        continue;
      write_number (to, i - before);
      write_number (to, sketch->cells[i]);
      before = i;
    }
}

/* Adds encoded cells to the sketch. Returns FALSE if a cell is invalid, or if the sum of the cells'
 * counts is not @n. */
static gboolean
read_cells (GilkSketch *sketch, const uint8_t *at, const uint8_t *end, uint64_t n, guint *first, guint *last)
{
  uint64_t left = n, cell = 0;

  for (gboolean begun = FALSE; at < end; begun = TRUE)
    {
      uint64_t step, count;

      if (!read_number (&at, end, &step) || !read_number (&at, end, &count) || (begun && step == 0) ||
          step >= GILK_SKETCH_CELLS - cell || count == 0 || count > left)
        return FALSE;
      cell += step;
      left -= count;
      sketch->cells[cell] += count;
      *first = begun ? *first : (guint) cell;
    }
  *last = (guint) cell;

  return left == 0;
}

gboolean
gilk_sketch_read (GilkSketch    *sketch,
                  const uint8_t *bytes,
                  gsize          size,
                  uint64_t       n)
{
  double head[HEAD];
  guint first = 0, last;

  if (n == 0 || size < sizeof head || n > G_MAXUINT64 - sketch->n)
    return FALSE;
  for (guint i = 0; i < HEAD; i++)
    {
      uint64_t bits;

      memcpy (&bits, bytes + i * sizeof bits, sizeof bits);
      bits = GUINT64_FROM_LE (bits);
      memcpy (&head[i], &bits, sizeof bits);
      if (!(fabs (head[i]) <= G_MAXDOUBLE) || (i < 2 && !(fabs (head[i]) <= 0x1p64)))
        return FALSE;
    }
  if (!read_cells (sketch, bytes + sizeof head, bytes + size, n, &first, &last) ||
      find_cell (head[0]) != first || find_cell (head[1]) != last || head[0] != rint (head[0]) || head[1] != rint (head[1]))
    return FALSE;
  widen_range (sketch, first, last);
  add_moments (sketch, n, head[0], head[1], head[2], head[3]);

  return TRUE;
}

/* Compares the sketch's mean and deviation with those of a distribution in which each number is in
 * the middle of its cell. The two means differ by at most the mean half width of a cell; the two
 * root mean square deviations by at most the root mean square of the half widths (triangle
 * inequality). */
gboolean
gilk_sketch_sound (const GilkSketch *sketch)
{
  double n = (double) sketch->n, mean = 0.0, off = 0.0, off_squares = 0.0, squares = 0.0, spread;

  if (sketch->n == 0)
    return TRUE;
  for (guint i = sketch->first; i <= sketch->last; i++)
    {
      double half = (gilk_sketch_high (i) - gilk_sketch_low (i)) / 2.0, share = (double) sketch->cells[i] / n;

      mean += share * (gilk_sketch_low (i) + half);
      off += share * half;
      off_squares += share * half * half;
    }
  for (guint i = sketch->first; i <= sketch->last; i++)
    {
      double middle = gilk_sketch_low (i) + (gilk_sketch_high (i) - gilk_sketch_low (i)) / 2.0 - mean;

      squares += (double) sketch->cells[i] / n * middle * middle;
    }
  spread = sqrt (squares);

  return fabs ((double) sketch->mean - mean) <= off + 1e-9 * (fabs (mean) + spread) && sketch->squares >= 0.0 &&
         fabs (sqrt (sketch->squares / n) - spread) <= sqrt (off_squares) + 1e-9 * (fabs (mean) + spread);
}

/* Returns whether two sums are equal apart from their last digits, which depend on the order of
 * addition. */
static gboolean
is_near (double a, double b)
{
  return fabs (a - b) <= 1e-9 * (fabs (a) + fabs (b));
}

/* Returns whether the means and squared deviations of two sketches agree within a tolerance. A
 * mean is accurate only to the rounding error of the largest number, even if the mean is close
 * to zero. */
static gboolean
are_moments_near (const GilkSketch *one, const GilkSketch *other)
{
  const double step = DBL_EPSILON * fmax (fabs (one->min), fabs (one->max)), n = (double) one->n;
  const double spread = sqrt (fmax (one->squares, other->squares) / n);

  return fabs ((double) (one->mean - other->mean)) <= 1e-9 * fabs ((double) one->mean) + step &&
         (is_near (one->squares, other->squares) || fabs (one->squares - other->squares) <= 2.0 * n * step * (spread + step));
}

gboolean
gilk_sketch_equal (const GilkSketch *one,
                   const GilkSketch *other)
{
  return one->n == other->n && one->first == other->first && one->last == other->last &&
         (one->n == 0 || (one->min == other->min && one->max == other->max && are_moments_near (one, other) &&
                          memcmp (one->cells + one->first, other->cells + one->first,
                                  (one->last - one->first + 1) * sizeof *one->cells) == 0));
}
