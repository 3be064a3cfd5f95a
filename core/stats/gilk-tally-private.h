/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally-private.h - internals of a tally: parameters and results of a pass
 *
 * Cells and brackets are ranges of keys.
 */
#pragma once

#include <math.h>
#include "core/stats/gilk-cells.h"
#include "core/stats/gilk-tally.h"

G_BEGIN_DECLS

#define FINE_BITS   12
#define FINE_CELLS  (1u << FINE_BITS)
#define KEPT_MAX    (1u << 21)      /* maximum number of numbers kept in all brackets together */

enum { QUARTILE_1, QUARTILE_3, N_OWN };   /* quantiles that the bins need */

/* Marks of a cell: none; it contains a bracket; an edge of a bin splits it. */
enum { IS_PLAIN = 0, IS_NARROWED = 1, IS_CUT = 2 };

typedef struct {
  double   position;          /* rank of the quantile, with its fraction */
  uint64_t rank;              /* rank of the lower of its two numbers */
  double   value[2];          /* numbers at @rank and at the next rank */
  gboolean known[2];
} GilkTallyQuantile;

typedef struct {
  uint64_t n, low, high;      /* low, high: smallest and largest key */
} GilkTallyCell;

/* A range of keys that contains wanted ranks. */
typedef struct {
  uint64_t low, high;         /* keys, both inclusive */
  uint64_t below, n;          /* count of numbers below the bracket, and in it */
  gboolean kept;              /* its numbers are kept; else they are counted in finer cells */
  guint    shift;             /* of the finer cells */
} GilkTallyBracket;

/* Parameters of a pass; read-only during the pass. */
typedef struct {
  gboolean  log;
  GilkCells cells;
  gboolean  counting, narrowing, binning;
  GArray   *brackets;         /* GilkTallyBracket, ascending */
  uint8_t  *marks;            /* one mark per cell */
  uint32_t *first_bin, *last_bin;
  double   *edges;
  guint     n_bins;
} GilkTallyPass;

struct _GilkTally {
  GilkTallyPass         *pass;
  gboolean      is_fork;
  guint         wanted_bins;
  GilkTallyQuantile     *quantiles;    /* the N_OWN quartiles, then the requested quantiles */
  guint         n_quantiles;
  double       *found;
  GilkBins      bins;
  gboolean      bins_given, bins_known;
  gboolean      done;

  /* results, added to during a pass */
  uint64_t      n, ignored;
  double        min, max, squares;
  long double   mean;
  gboolean      whole;
  uint64_t     *cells;
  uint64_t      below_high, above_low;    /* largest key in the cell below all others, smallest key
                                           * in the cell above */
  uint64_t     *bin_counts;
  GArray      **kept;         /* uint64_t: keys in each bracket */
  GilkTallyCell    **fine;         /* FINE_CELLS for each bracket that is not kept */
  guint         n_brackets;   /* number of brackets allocated */
};

static inline gboolean
is_counted (const GilkTallyPass *pass, double value)
{
  return isfinite (value) && (!pass->log || value > 0.0);
}

/* ---- adding: gilk-tally-add.c ---- */

void gilk_tally_begin_sums    (GilkTally *tally);
/* Allocate and free the results of narrowing the brackets. */
void gilk_tally_make_brackets (GilkTally *tally);
void gilk_tally_drop_brackets (GilkTally *tally);

/* ---- quantiles: gilk-tally-rank.c ---- */

/* Returns 2 if the quantile lies between two numbers, else 1. */
guint   gilk_tally_sides           (const GilkTallyQuantile *quantile);
double  gilk_tally_quantile        (const GilkTallyQuantile *quantile);
/* Returns the bounds of a quantile, from the brackets of numbers that are unknown. */
void    gilk_tally_bound_quantile  (const GilkTally *tally, const GilkTallyQuantile *quantile,
                                    double *least, double *greatest);
/* Returns the range of keys that occur in a cell. */
GilkTallyBracket gilk_tally_bracket_of_cell (const GilkTally *tally, guint cell);
/* Append to @brackets the brackets of ranks whose numbers are still unknown: after the first pass,
 * and after each narrowing pass. */
void    gilk_tally_find_cells      (GilkTally *tally, GArray *brackets);
void    gilk_tally_find_in_brackets (GilkTally *tally, GArray *brackets);

G_END_DECLS
