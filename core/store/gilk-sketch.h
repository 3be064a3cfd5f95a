/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sketch.h - the distribution of integers in little memory
 *
 * A sketch is stored with the samples of a chunk, so that a first plot of 10^8 samples need not
 * read them.
 *
 * Numbers of similar magnitude are counted together in cells. Numbers below 2^11 have a cell each;
 * above, an octave has 2^10 cells, so that a cell's width is 0.1 % of its numbers. Negative numbers
 * mirror this. Minimum, maximum, mean and sum of squared deviations are kept as well. Sketches of
 * parts add up to the sketch of the whole.
 *
 * Encoding, little endian:
 *
 *   f64 x 4   minimum, maximum, mean, sum of squared deviations from the mean
 *   then two numbers for each cell that is not empty, ascending: its distance from the previous
 *   such cell (for the first: from the lowest cell), and its count. Each number takes 7 bits a
 *   byte, the lowest first; the 8th bit is set if more follow
 *
 * Threads: any, one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Number of cells on either side of zero, which has its own cell; magnitudes are below 2^64. */
#define GILK_SKETCH_BITS 10
#define GILK_SKETCH_SIDE ((64 << GILK_SKETCH_BITS) + 1)
#define GILK_SKETCH_CELLS (2 * GILK_SKETCH_SIDE + 1)

typedef struct {
  uint64_t  n, ignored;         /* ignored: samples without the number */
  double    min, max;           /* valid if n > 0 */
  double    squares;
  long double mean;             /* must hold means of signed and unsigned 64-bit numbers */
  guint     first, last;        /* range of cells that may be non-empty; empty if first > last */
  uint64_t *cells;              /* GILK_SKETCH_CELLS */
} GilkSketch;

GilkSketch *gilk_sketch_new   (void);
void        gilk_sketch_free  (GilkSketch *sketch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSketch, gilk_sketch_free)
void        gilk_sketch_clear (GilkSketch *sketch);
/* (transfer full) */
GilkSketch *gilk_sketch_copy  (const GilkSketch *sketch);

/* @values: integers within 64 bits. */
void        gilk_sketch_add   (GilkSketch *sketch, const double *values, guint n);
/* Appends the encoded sketch. */
void        gilk_sketch_write (const GilkSketch *sketch, GByteArray *to);
/* Adds an encoded sketch of @n numbers. FALSE: malformed, or of another count; the contents of
 * @sketch are then undefined. */
gboolean    gilk_sketch_read  (GilkSketch *sketch, const uint8_t *bytes, gsize size, uint64_t n);
/* Checks that mean and squares are consistent with the cells. */
gboolean    gilk_sketch_sound (const GilkSketch *sketch);

/* Whether both describe the same numbers. */
gboolean    gilk_sketch_equal (const GilkSketch *one, const GilkSketch *other);

/* Return the smallest and the greatest integer of a cell. */
double      gilk_sketch_low   (guint cell);
double      gilk_sketch_high  (guint cell);

G_END_DECLS
