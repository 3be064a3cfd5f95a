/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-heat.h - counts values by time and size, for the cells of heat maps and the bins of
 * histograms
 *
 * Values are counted in one pass and in constant memory, whatever their range. The height of a row
 * is a power of two; when the rows no longer cover the range, they are joined in pairs. So grids
 * of one scale can be brought to a common row height without error.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_SCALE_LINEAR,
  GILK_SCALE_WHOLE,         /* linear scale for integers */
  GILK_SCALE_LOG,           /* logarithmic scale, for values above zero only; each row covers the
                             * same ratio */
} GilkScale;

typedef struct {
  GilkScale scale;
  guint     columns, room;  /* @room: maximum number of rows */
  double    from, to;       /* time range of all columns, in seconds */
  int       exponent;       /* row height is 2^exponent, in units of the values or of their log2 */
  double    per_unit;       /* rows per unit of the values or of their log2 */
  gint64    first;          /* row 0 starts at first * 2^exponent, in the unit of @exponent */
  guint     rows;           /* number of rows in use; 0: no values yet */
  uint64_t *cells;          /* @columns arrays of @room rows each, the lowest row first */
  double    min, max;
  uint64_t  n, ignored;     /* @ignored: number of values that are not finite, or not above zero on
                             * a logarithmic scale */
} GilkHeat;

/* Makes an empty map. @columns: 1 for a histogram, which ignores times; @rows: maximum number of
 * rows, at least 8 */
GilkHeat *gilk_heat_new  (guint columns, guint rows, double from, double to, GilkScale scale);
void      gilk_heat_free (GilkHeat *heat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHeat, gilk_heat_free)

/* Counts @n values. Ignores values at times outside [from, to]. */
void     gilk_heat_add     (GilkHeat *heat, const double *times, const double *values, guint n);
/* Joins rows until they are 2^@exponent high. */
void     gilk_heat_coarsen (GilkHeat *heat, int exponent);
/* Joins rows in pairs until there are at most @rows. */
void     gilk_heat_limit   (GilkHeat *heat, guint rows);
/* If all values are equal, joins rows until the row of the value is visible in a plot. */
void     gilk_heat_widen_single_value  (GilkHeat *heat);
/* Returns the lower edge of @row; if @row is the number of rows, the upper edge of the last row.
 * Rows include their lower edge and exclude the upper one. */
double   gilk_heat_edge    (const GilkHeat *heat, guint row);
uint64_t gilk_heat_at      (const GilkHeat *heat, guint column, guint row);
/* Returns the maximum count of a cell; 0 if the map is empty. */
uint64_t gilk_heat_greatest (const GilkHeat *heat);
/* Returns the sum of the counts of @row over all columns. */
uint64_t gilk_heat_row     (const GilkHeat *heat, guint row);
/* Returns the value below which a share @p of all values lies, as if the values of a row were
 * spread evenly over the row. */
double   gilk_heat_quantile (const GilkHeat *heat, double p);

G_END_DECLS
