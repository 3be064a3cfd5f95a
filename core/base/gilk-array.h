/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-array.h - makes, sorts and searches arrays
 *
 * The macros evaluate their arguments more than once.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* Evaluates to -1 if @a is less than @b, 1 if @a is greater, else 0. "GILK_ORDER (…) ?: GILK_ORDER
 * (…)" compares by a second key if the first keys are equal. */
#define GILK_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a static GCompareFunc that compares two values of @Type by their member @member. */
#define GILK_DEFINE_ORDER(name, Type, member) \
  static int \
  name (gconstpointer a, gconstpointer b) \
  { \
    return GILK_ORDER (((const Type *) a)->member, ((const Type *) b)->member); \
  }

/* Returns the smallest index @i in 0 … @n - 1 for which @condition, an expression of @i, is false;
 * @n if there is none. @condition must be false for all larger indices, too (binary search). */
#define GILK_BISECT(n, i, condition) \
  ({ \
    __typeof__ ((n) + 0) low_ = 0, high_ = (n); \
    while (low_ < high_) \
      { \
        const __typeof__ ((n) + 0) i = low_ + (high_ - low_) / 2; \
        if (condition) \
          low_ = i + 1; \
        else \
          high_ = i; \
      } \
    low_; \
  })

/* Comparison functions (GCompareFunc) to sort arrays of numbers, and arrays of strings. */
static inline int
gilk_order_int64 (gconstpointer a, gconstpointer b)
{
  return GILK_ORDER (*(const gint64 *) a, *(const gint64 *) b);
}

static inline int
gilk_order_uint64 (gconstpointer a, gconstpointer b)
{
  return GILK_ORDER (*(const uint64_t *) a, *(const uint64_t *) b);
}

static inline int
gilk_order_double (gconstpointer a, gconstpointer b)
{
  return GILK_ORDER (*(const double *) a, *(const double *) b);
}

static inline int
gilk_order_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns an empty array of elements of @size bytes. New elements are zeroed when the array grows;
 * @clear is called for each element that is removed. */
static inline GArray *
gilk_array_new (guint size, GDestroyNotify clear)
{
  GArray *array = g_array_new (FALSE, TRUE, size);

  g_array_set_clear_func (array, clear);

  return array;
}
