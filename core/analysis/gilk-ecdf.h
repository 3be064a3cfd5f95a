/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ecdf.h - which share of values is at most so great, in some thousand steps
 *
 * Up to GILK_ECDF_EXACT values each has its step. Beyond, steps are at the edges of a grid's rows,
 * and exact there; between two of them lies at most GilkEcdf.step of all. Of a sketch steps are at the greatest numbers
 * of its cells.
 *
 * Threads: any, one at a time.
 */
#pragma once

#include "core/analysis/gilk-heat.h"
#include "core/store/gilk-sketch.h"

G_BEGIN_DECLS

#define GILK_ECDF_EXACT 4096

typedef struct _GilkEcdfMaker GilkEcdfMaker;

typedef struct {
  guint    n;
  double  *x;               /* ascending */
  double  *share;           /* of all values: at most x if exact or of a sketch, else below x; the last is 1 */
  gboolean exact;
  double   step;            /* the greatest share between two steps */
  uint64_t samples, ignored;
} GilkEcdf;

/* GILK_SCALE_LOG: values above zero alone. */
GilkEcdfMaker *gilk_ecdf_maker_new  (GilkScale scale);
void           gilk_ecdf_maker_free (GilkEcdfMaker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEcdfMaker, gilk_ecdf_maker_free)
void           gilk_ecdf_maker_add  (GilkEcdfMaker *maker, const double *values, guint n);
/* (transfer full) */
GilkEcdf      *gilk_ecdf_maker_end  (GilkEcdfMaker *maker);
/* @log: numbers above zero alone. NULL: too many are in one cell to tell. (transfer full) */
GilkEcdf      *gilk_ecdf_of_sketch  (const GilkSketch *sketch, gboolean log);
void           gilk_ecdf_free       (GilkEcdf *ecdf);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEcdf, gilk_ecdf_free)

G_END_DECLS
