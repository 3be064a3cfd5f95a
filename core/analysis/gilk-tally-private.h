/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally-private.h - the parts of a tally: what a pass goes by, and what it adds
 *
 * Cells and brackets are ranges of keys.
 */
#pragma once

#include <math.h>
#include "core/analysis/gilk-cells.h"
#include "core/analysis/gilk-tally.h"

G_BEGIN_DECLS

#define FINE_BITS   12
#define FINE_CELLS  (1u << FINE_BITS)
#define KEPT_MAX    (1u << 21)      /* numbers of all brackets together */

enum { QUARTILE_1, QUARTILE_3, N_OWN };   /* ranks that the bins need */

/* Marks of a cell: a bracket lies in it; an edge of a bin goes through it. */
enum { IS_PLAIN = 0, IS_NARROWED = 1, IS_CUT = 2 };

typedef struct {
  double   position;          /* of a quantile: rank and what is behind its point */
  uint64_t rank;              /* of the smaller of its two numbers */
  double   value[2];          /* at rank and at the next */
  gboolean known[2];
} GilkTallyQuantile;

typedef struct {
  uint64_t n, low, high;      /* keys that were in it */
} GilkTallyCell;

/* Where one or more ranks lie. */
typedef struct {
  uint64_t low, high;         /* keys, both in it */
  uint64_t below, n;          /* numbers below it, and in it */
  gboolean kept;              /* its numbers are kept, else counted in finer cells */
  guint    shift;             /* of those */
} GilkTallyBracket;

/* What a pass goes by; nobody writes it meanwhile. */
typedef struct {
  gboolean  log;
  GilkCells cells;
  gboolean  counting, narrowing, binning;
  GArray   *brackets;         /* GilkTallyBracket, ascending */
  uint8_t  *marks;            /* of each cell */
  uint32_t *first_bin, *last_bin;
  double   *edges;
  guint     n_bins;
} GilkTallyPass;

struct _GilkTally {
  GilkTallyPass         *pass;
  gboolean      is_fork;
  guint         wanted_bins;
  GilkTallyQuantile     *quantiles;    /* N_OWN, then as asked for */
  guint         n_quantiles;
  double       *found;
  GilkBins      bins;
  gboolean      bins_given, bins_known;
  gboolean      done;

  /* what is added */
  uint64_t      n, ignored;
  double        min, max, squares;
  long double   mean;
  gboolean      whole;
  uint64_t     *cells;
  uint64_t      below_high, above_low;    /* keys in the cells beside the others */
  uint64_t     *bin_counts;
  GArray      **kept;         /* uint64_t, keys, of each bracket */
  GilkTallyCell    **fine;         /* FINE_CELLS of each bracket that is not kept */
  guint         n_brackets;   /* that there is room for */
};

static inline gboolean
is_counted (const GilkTallyPass *pass, double value)
{
  return isfinite (value) && (!pass->log || value > 0.0);
}

/* ---- what is added: gilk-tally-add.c ---- */

void gilk_tally_begin_sums    (GilkTally *tally);
/* Room for what the pass narrows down; and away with it. */
void gilk_tally_make_brackets (GilkTally *tally);
void gilk_tally_drop_brackets (GilkTally *tally);

/* ---- quantiles: gilk-tally-rank.c ---- */

/* 2 if it lies between two numbers. */
guint   gilk_tally_sides           (const GilkTallyQuantile *quantile);
double  gilk_tally_quantile        (const GilkTallyQuantile *quantile);
/* The least and the greatest that it can be; of unknown numbers by their brackets. */
void    gilk_tally_bound_quantile  (const GilkTally *tally, const GilkTallyQuantile *quantile,
                                    double *least, double *greatest);
/* Keys of a cell, of those there are. */
GilkTallyBracket gilk_tally_bracket_of_cell (const GilkTally *tally, guint cell);
/* Brackets of the ranks that are not known yet, behind the first pass, and behind each that narrowed
 * them: into @brackets. */
void    gilk_tally_find_cells      (GilkTally *tally, GArray *brackets);
void    gilk_tally_find_in_brackets (GilkTally *tally, GArray *brackets);

G_END_DECLS
