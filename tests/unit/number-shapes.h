/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number-shapes.h - draws numbers from distributions that instruments may produce; code that
 * sorts, ranks or bins numbers is tested with all of them
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdlib.h>

typedef enum {
  EVEN, LOGNORMAL, NANOSECONDS, FEW_VALUES, MOSTLY_NOUGHT, BOTH_SIGNS, ONE_VALUE, FAR_AWAY, OUT_OF_HINT, TINY_STEPS,
  WIDE_WHOLE, WITH_ODDITIES, N_SHAPES
} Shape;

/* Returns the number with index @i of a series with the given distribution. @hint: with
 * OUT_OF_HINT, numbers from this index on are much greater */
static inline double
draw_number (GRand *rand, Shape shape, gsize i, gsize hint)
{
  double u = g_rand_double (rand);

  switch (shape)
    {
    case LOGNORMAL:
      return exp (8.0 + 2.0 * (u + g_rand_double (rand) + g_rand_double (rand) - 1.5));
    case NANOSECONDS:
      return floor (exp (6.0 + 3.0 * u)) / 1e9;
    case FEW_VALUES:
      return (double) (64 << (int) (u * 4.0));
    case MOSTLY_NOUGHT:
      return u < 0.8 ? 0.0 : 1e-9 * exp (20.0 * u);
    case BOTH_SIGNS:
      return (u - 0.4) * exp (10.0 * g_rand_double (rand));
    case ONE_VALUE:
      return 42.0;
    case FAR_AWAY:
      return 1.8446744e19 + u * 1e12;
    case OUT_OF_HINT:
      return i < hint ? 1.0 + u : 1e6 * (1.0 + u);
    case TINY_STEPS:
      return 1.0 + floor (u * 1000.0) * 0x1p-52;
    case WIDE_WHOLE:
      return floor ((u - 0.5) * 1e12);
    case WITH_ODDITIES:
      return u < 0.01 ? NAN : u < 0.02 ? INFINITY : u < 0.03 ? -0.0 : u < 0.04 ? -1e300 : u;
    case EVEN:
    case N_SHAPES:
    default:
      return u;
    }
}

static inline int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}
