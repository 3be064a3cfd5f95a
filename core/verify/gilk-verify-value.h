/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-value.h - verifier: known properties of a 64-bit value
 *
 * A value has two properties: the set of numbers that it may be, and a tag if it is a known
 * quantity, such as the ring's head. Sets are over-approximated: each function returns at least all
 * possible numbers.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_VALUE_PLAIN,
  GILK_VALUE_INITIAL,      /* the initial value of register @which */
  GILK_VALUE_STACK,        /* the initial stack pointer plus @n */
  GILK_VALUE_FLAGS,        /* the flags as pushed to stack slot @n; @which: mask of the flags
                            * that had their initial values */
  GILK_VALUE_PREEMPT,      /* the preempt count */
  GILK_VALUE_CONTEXT,      /* the bits of the preempt count that distinguish task, softirq,
                            * hardirq and NMI */
  GILK_VALUE_GUARD,        /* the value that the per-CPU re-entry guard had before this hook set
                            * it */
  GILK_VALUE_READ_HEAD,    /* the value read from the ring's head */
  GILK_VALUE_LIMIT,        /* the ring's limit */
  GILK_VALUE_MASK,
  GILK_VALUE_BASE,
  GILK_VALUE_HEAD,         /* position in the ring at which the open record starts, plus @n; if
                            * @which is 1, only the lower 32 bits of it */
  GILK_VALUE_OFFSET,       /* offset, from the start of the ring's buffer, of the record's cell
                            * @which */
  GILK_VALUE_CELL,         /* address of the record's cell @which, plus @n */
} GilkValueTag;

typedef struct {
  uint8_t  tag;            /* GilkValueTag */
  uint8_t  which;
  uint8_t  zeros;          /* number of low bits in which all numbers equal @lo; at most 64 */
  int32_t  n;
  uint64_t lo, span;       /* the numbers are from @lo to @lo + @span, wrapping around; @span is a
                            * multiple of 2^@zeros */
} GilkValue;

GilkValue gilk_value_any     (void);
GilkValue gilk_value_number  (uint64_t number);
GilkValue gilk_value_between (uint64_t lo, uint64_t hi);
/* Returns a value that has a tag and may be any number. */
GilkValue gilk_value_tagged  (GilkValueTag tag, guint which, int32_t n);
/* Returns @value without its tag: the same set of numbers. */
GilkValue gilk_value_plain   (GilkValue value);

gboolean gilk_value_is_number (const GilkValue *value, uint64_t *number);
/* Returns whether all numbers are in @lo..@hi, unsigned. */
gboolean gilk_value_is_within (const GilkValue *value, uint64_t lo, uint64_t hi);
gboolean gilk_value_may_be    (const GilkValue *value, uint64_t number);

/* Returns a set that contains all numbers of @a and @b. */
GilkValue gilk_value_join        (GilkValue a, GilkValue b);
GilkValue gilk_value_add         (GilkValue a, GilkValue b);
GilkValue gilk_value_negate      (GilkValue a);
GilkValue gilk_value_and         (GilkValue a, GilkValue b);
GilkValue gilk_value_or          (GilkValue a, GilkValue b); /* used for xor as well */
GilkValue gilk_value_shift_left  (GilkValue a, guint bits);  /* @bits must be below 64 */
GilkValue gilk_value_shift_right (GilkValue a, guint bits);
/* Return the lowest @bytes bytes of @a, zero-extended or sign-extended to 64 bits. */
GilkValue gilk_value_low         (GilkValue a, guint bytes);
GilkValue gilk_value_signed      (GilkValue a, guint bytes);
/*
 * Restricts @a to the numbers from @lo upwards to @hi, which may wrap around. The result is a
 * superset and may contain other numbers. Returns FALSE if it is empty.
 */
gboolean  gilk_value_restrict    (GilkValue *a, uint64_t lo, uint64_t hi);

G_END_DECLS
