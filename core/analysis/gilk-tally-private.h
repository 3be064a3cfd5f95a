/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tally-private.h - the parts of a tally: what a pass goes by, and what it adds
 *
 * A double's bits, seen as an integer, are in the order of the numbers: that is its key. Cells
 * and brackets are ranges of keys.
 */
#pragma once

#include <math.h>
#include <string.h>

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
  uint64_t  base;             /* key of the first cell */
  guint     shift, n_cells;   /* and two more: of what is below and above all of them */
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
  gboolean      bins_known;
  gboolean      done;

  /* what is added */
  uint64_t      n, ignored;
  double        min, max, mean, squares;
  gboolean      whole;
  uint64_t     *cells;
  uint64_t      below_high, above_low;    /* keys in the cells beside the others */
  uint64_t     *bin_counts;
  GArray      **kept;         /* uint64_t, keys, of each bracket */
  GilkTallyCell    **fine;         /* FINE_CELLS of each bracket that is not kept */
  guint         n_brackets;   /* that there is room for */
};

/* ---- keys ---- */

static inline uint64_t
key_of (double value)
{
  uint64_t bits;

  memcpy (&bits, &value, sizeof bits);

  return bits ^ ((uint64_t) ((int64_t) bits >> 63) | (uint64_t) 1 << 63);
}

static inline double
value_of (uint64_t key)
{
  uint64_t bits = key >> 63 != 0 ? key ^ (uint64_t) 1 << 63 : ~key;
  double value;

  memcpy (&value, &bits, sizeof value);

  return value;
}

static inline guint
gilk_cell_below (const GilkTallyPass *pass)
{
  return pass->n_cells;
}

static inline guint
gilk_cell_above (const GilkTallyPass *pass)
{
  return pass->n_cells + 1;
}

static inline guint
cell_of (const GilkTallyPass *pass, uint64_t key)
{
  uint64_t cell = (key - pass->base) >> pass->shift;

  return key < pass->base ? gilk_cell_below (pass)
         : cell < pass->n_cells ? (guint) cell : gilk_cell_above (pass);
}

/* So that @span and all below it come to less than 1 << @bits. */
static inline guint
shift_for (uint64_t span, guint bits)
{
  guint wide = span == 0 ? 0 : 64 - (guint) __builtin_clzll (span);

  return wide > bits ? wide - bits : 0;
}

static inline gboolean
is_counted (const GilkTallyPass *pass, double value)
{
  return isfinite (value) && (!pass->log || value > 0.0);
}

/* A GCompareFunc. */
static inline int
compare_keys (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
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
