/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ecdf.h - computes the empirical distribution function of values, in a few thousand steps
 *
 * With up to GILK_ECDF_EXACT values, each value has its own step. With more values, the steps are
 * at the edges of a grid's rows. The shares at the steps are exact, and at most GilkEcdf.step of
 * all values lie between two steps. An ECDF made from a sketch has its steps at the largest
 * numbers of the sketch's cells.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include "core/pack/gilk-sketch.h"
#include "core/stats/gilk-heat.h"

G_BEGIN_DECLS

#define GILK_ECDF_EXACT 4096

typedef struct _GilkEcdfMaker GilkEcdfMaker;

typedef struct {
  guint    n;
  double  *x;               /* ascending */
  double  *share;           /* share of values <= x if exact or from a sketch, else of values < x;
                             * the last share is 1 */
  gboolean exact;
  double   step;            /* maximum share of values between two steps */
  uint64_t samples, ignored;
} GilkEcdf;

/* Makes an accumulator of values. @scale: with GILK_SCALE_LOG, values that are not above zero are
 * ignored. */
GilkEcdfMaker *gilk_ecdf_maker_new  (GilkScale scale);
void           gilk_ecdf_maker_free (GilkEcdfMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEcdfMaker, gilk_ecdf_maker_free)
void           gilk_ecdf_maker_add  (GilkEcdfMaker *maker, const double *values, guint n);
/* Returns the distribution function of all values that were added. (transfer full) */
GilkEcdf      *gilk_ecdf_maker_end  (GilkEcdfMaker *maker);
/* Computes the distribution function from a sketch, a summary of numbers by counts in cells. @log:
 * if TRUE, numbers that are not above zero are ignored. Returns NULL if a single cell has too many
 * of the numbers. (transfer full) */
GilkEcdf      *gilk_ecdf_of_sketch  (const GilkSketch *sketch, gboolean log);
void           gilk_ecdf_free       (GilkEcdf *ecdf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEcdf, gilk_ecdf_free)

G_END_DECLS
