/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sketch.h - how whole numbers are spread, in little room: kept with the samples of a chunk, so that
 * the first picture of 10^8 of them need not read them
 *
 * Numbers of like size are counted together, in cells: numbers below 2^11 one by one, above
 * that 2^10 cells an octave, so that a cell is 0.1 % of its numbers wide; those below zero
 * alike. Beside that least, greatest, mean and sum of squares are known as they are. Sketches of parts, put
 * together, are that of the whole.
 *
 * As bytes, little endian:
 *
 *   f64 x 4   least, greatest, mean, sum of squares of what each is off the mean
 *   then of each cell that is not empty, ascending, two numbers of 7 bits a byte, the lowest first, the
 *   8th bit says that more follow: how many cells it is behind the one before (the first: behind the lowest
 *   there is), and how many numbers are in it
 *
 * Threads: any, one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Cells on either side of zero, which has one of its own: numbers are below 2^64. */
#define GILK_SKETCH_BITS 10
#define GILK_SKETCH_SIDE ((64 << GILK_SKETCH_BITS) + 1)
#define GILK_SKETCH_CELLS (2 * GILK_SKETCH_SIDE + 1)

typedef struct {
  uint64_t  n, ignored;         /* ignored: samples that have no such number */
  double    min, max;           /* if n > 0 */
  double    squares;
  long double mean;             /* of numbers of 64 bits on both sides of zero, too */
  guint     first, last;        /* cells that may not be empty; first > last: all are */
  uint64_t *cells;              /* GILK_SKETCH_CELLS */
} GilkSketch;

GilkSketch *gilk_sketch_new   (void);
void        gilk_sketch_free  (GilkSketch *sketch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSketch, gilk_sketch_free)
void        gilk_sketch_clear (GilkSketch *sketch);
/* (transfer full) */
GilkSketch *gilk_sketch_copy  (const GilkSketch *sketch);

/* @values: whole, and of 64 bits. */
void        gilk_sketch_add   (GilkSketch *sketch, const double *values, guint n);
/* Appends bytes. */
void        gilk_sketch_write (const GilkSketch *sketch, GByteArray *to);
/* Adds what bytes tell of @n numbers. FALSE: they are no sketch of so many; what @sketch holds is worth nothing then. */
gboolean    gilk_sketch_read  (GilkSketch *sketch, const uint8_t *bytes, gsize size, uint64_t n);
/* Mean and squares are such as the cells allow. */
gboolean    gilk_sketch_sound (const GilkSketch *sketch);

/* The same numbers. */
gboolean    gilk_sketch_equal (const GilkSketch *one, const GilkSketch *other);

/* The least and the greatest whole number of a cell. */
double      gilk_sketch_low   (guint cell);
double      gilk_sketch_high  (guint cell);

G_END_DECLS
