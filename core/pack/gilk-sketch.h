/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sketch.h - stores the distribution of integers in little memory
 *
 * A sketch is stored with the samples of a chunk, so that a first plot of 10^8 samples does not
 * have to read the samples.
 *
 * Numbers of similar magnitude are counted together in cells. Each number below 2^11 has its own
 * cell; above, each octave has 2^10 cells, so that a cell's width is at most 0.1 % of its numbers.
 * The cells of negative numbers mirror those of positive numbers. A sketch also has minimum,
 * maximum, mean and sum of squared deviations. Sketches of parts add up to the sketch of the whole.
 *
 * Encoding, little endian:
 *
 *   f64 x 4   minimum, maximum, mean, sum of squared deviations from the mean
 *   then two numbers for each cell that is not empty, ascending: its distance from the previous
 *   such cell (for the first: from the lowest cell), and its count. Numbers are encoded as LEB128:
 *   7 bits per byte, the lowest first; the 8th bit is set if more bytes follow
 *
 * Threads: any, one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* There are GILK_SKETCH_SIDE cells on either side of zero, which has its own cell. Magnitudes are
 * below 2^64. */
#define GILK_SKETCH_BITS 10
#define GILK_SKETCH_SIDE ((64 << GILK_SKETCH_BITS) + 1)
#define GILK_SKETCH_CELLS (2 * GILK_SKETCH_SIDE + 1)

typedef struct {
  uint64_t  n, ignored;         /* @n: count of numbers; @ignored: count of samples
                                 * without a number */
  double    min, max;           /* smallest and largest number; valid if @n > 0 */
  double    squares;
  long double mean;             /* mean of the numbers; can represent the mean of any 64-bit
                                 * integers, signed or unsigned */
  guint     first, last;        /* indices of the first and last cell that may be non-empty; no
                                 * cells if first > last */
  uint64_t *cells;              /* array of GILK_SKETCH_CELLS counts, one per cell */
} GilkSketch;

GilkSketch *gilk_sketch_new   (void);
void        gilk_sketch_free  (GilkSketch *sketch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSketch, gilk_sketch_free)
void        gilk_sketch_clear (GilkSketch *sketch);
/* Copies the sketch. (transfer full) */
GilkSketch *gilk_sketch_copy  (const GilkSketch *sketch);

/* Adds @n numbers to the sketch. @values: integers that fit into 64 bits, signed or unsigned */
void        gilk_sketch_add   (GilkSketch *sketch, const double *values, guint n);
/* Appends the encoded sketch to @to. */
void        gilk_sketch_write (const GilkSketch *sketch, GByteArray *to);
/* Adds an encoded sketch of @n numbers to @sketch. Returns FALSE if it is malformed or its count is
 * not @n; @sketch is then undefined. */
gboolean    gilk_sketch_read  (GilkSketch *sketch, const uint8_t *bytes, gsize size, uint64_t n);
/* Checks that mean and squared deviations are consistent with the cells. */
gboolean    gilk_sketch_sound (const GilkSketch *sketch);

/* Returns whether both sketches describe the same numbers. */
gboolean    gilk_sketch_equal (const GilkSketch *one, const GilkSketch *other);

/* gilk_sketch_low() returns the smallest integer of a cell, gilk_sketch_high() the largest. */
double      gilk_sketch_low   (guint cell);
double      gilk_sketch_high  (guint cell);

G_END_DECLS
