/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-value.h - what the second opinion knows of 64 bits
 *
 * Two things that hold at once: which numbers they may be, and whether they are something
 * known by name. Each function gives a set that has all numbers that there may be, or more.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_VALUE_PLAIN,
  GILK_VALUE_BEGIN,        /* what register @which held at the begin */
  GILK_VALUE_STACK,        /* the stack pointer's value at the begin, and @n */
  GILK_VALUE_FLAGS,        /* pushed at stack slot @n; flags @which were as at the begin */
  GILK_VALUE_PREEMPT,      /* the preempt count, */
  GILK_VALUE_CONTEXT,      /* and what of it tells contexts apart */
  GILK_VALUE_GUARD,        /* the guard as it was before this hook set it */
  GILK_VALUE_SEEN,         /* the ring's head as it was read, */
  GILK_VALUE_LIMIT,        /* its limit, */
  GILK_VALUE_MASK,
  GILK_VALUE_BASE,
  GILK_VALUE_HEAD,         /* the head that reserved the open record, and @n; @which: its lower half alone */
  GILK_VALUE_OFFSET,       /* of the record's cell @which in the ring */
  GILK_VALUE_CELL,         /* address of cell @which, and @n */
  GILK_VALUE_GIVEN,        /* computed of numbers of the code, and of what the kernel has at such addresses */
} GilkValueTag;

typedef struct {
  uint8_t  tag;            /* GilkValueTag */
  uint8_t  which;
  uint8_t  zeros;          /* all are as @lo in that many of their lowest bits: up to 64 */
  int32_t  n;
  uint64_t lo, span;       /* from @lo on, around the end; @span is a multiple of 2^@zeros */
} GilkValue;

GilkValue gilk_value_any     (void);
GilkValue gilk_value_number  (uint64_t number);
GilkValue gilk_value_between (uint64_t lo, uint64_t hi);
/* Any number, but known by name. */
GilkValue gilk_value_tagged  (GilkValueTag tag, guint which, int32_t n);
/* The same numbers without the name. */
GilkValue gilk_value_plain   (GilkValue value);
/* The same numbers, known as GILK_VALUE_GIVEN if @is_given. */
GilkValue gilk_value_given   (GilkValue value, gboolean is_given);

gboolean  gilk_value_is_number (const GilkValue *value, uint64_t *number);
/* None is below @lo or above @hi, as unsigned numbers. */
gboolean  gilk_value_is_within (const GilkValue *value, uint64_t lo, uint64_t hi);
/* Known as GILK_VALUE_GIVEN, or a number of the code. */
gboolean  gilk_value_is_given  (const GilkValue *value);
gboolean  gilk_value_may_be    (const GilkValue *value, uint64_t number);
gboolean  gilk_value_is_same   (const GilkValue *a, const GilkValue *b);

/* One or the other. */
GilkValue gilk_value_join   (GilkValue a, GilkValue b);
GilkValue gilk_value_add    (GilkValue a, GilkValue b);
GilkValue gilk_value_minus  (GilkValue a);
GilkValue gilk_value_and    (GilkValue a, GilkValue b);
GilkValue gilk_value_or     (GilkValue a, GilkValue b);     /* or xor */
GilkValue gilk_value_left   (GilkValue a, guint bits);      /* below 64 */
GilkValue gilk_value_right  (GilkValue a, guint bits);
/* Its lowest @bytes, extended by zeros, or by their sign. */
GilkValue gilk_value_low    (GilkValue a, guint bytes);
GilkValue gilk_value_signed (GilkValue a, guint bytes);
/* Leaves those that are from @lo on, around the end, to @hi, or some more. FALSE: there is none */
gboolean  gilk_value_keep   (GilkValue *a, uint64_t lo, uint64_t hi);

G_END_DECLS
