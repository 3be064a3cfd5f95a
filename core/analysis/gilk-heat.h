/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-heat.h - how many values were where and when: cells of a heat map, bins of a histogram
 *
 * One pass in constant memory, whatever the range of values turns out to be: a row is a power of
 * two high, and where the rows are too few for the range, rows are joined by pairs. So all grids
 * of a scale can be brought to one height of rows without error.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_SCALE_LINEAR,
  GILK_SCALE_WHOLE,         /* linear, of whole numbers: a row holds so many of them */
  GILK_SCALE_LOG,           /* values above zero alone; rows are equal in ratio */
} GilkScale;

typedef struct {
  GilkScale scale;
  guint     columns, room;  /* room: the most rows there can be */
  double    from, to;       /* seconds, of all columns */
  int       exponent;       /* a row is 2^exponent high: of the unit, or in log2 of it */
  double    per_unit;       /* rows in one of that measure */
  gint64    first;          /* row 0 is from first * 2^exponent on */
  guint     rows;           /* in use; 0: no value yet */
  uint64_t *cells;          /* @columns columns of @room rows each, the lowest first */
  double    min, max;
  uint64_t  n, ignored;     /* ignored: not finite, or not above zero where it had to be */
} GilkHeat;

/* @columns 1: a histogram, times are not looked at. @rows: at least 8 */
GilkHeat *gilk_heat_new     (guint columns, guint rows, double from, double to, GilkScale scale);
void      gilk_heat_free    (GilkHeat *heat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHeat, gilk_heat_free)

/* Values at times outside [from, to] are not counted. */
void      gilk_heat_add     (GilkHeat *heat, const double *times, const double *values, guint n);
/* Joins rows until they are 2^@exponent high. */
void      gilk_heat_coarsen (GilkHeat *heat, int exponent);
/* Joins rows by pairs until there are no more than @rows. */
void      gilk_heat_limit   (GilkHeat *heat, guint rows);
/* Where all values are one, rows become so high that they can be seen beside the value. */
void      gilk_heat_settle  (GilkHeat *heat);
/* Lower edge of a row; of @row == rows the upper one of the last. In a row are the values that are
 * not below its lower edge and below its upper one. */
double    gilk_heat_edge    (const GilkHeat *heat, guint row);
uint64_t  gilk_heat_at      (const GilkHeat *heat, guint column, guint row);
/* Samples in the cell that has most; 0: there are none. */
uint64_t  gilk_heat_greatest (const GilkHeat *heat);
/* Of all columns. */
uint64_t  gilk_heat_row     (const GilkHeat *heat, guint row);
/* The value that a share @p of all are below, as if those of a row were spread evenly over it. */
double    gilk_heat_quantile (const GilkHeat *heat, double p);

G_END_DECLS
