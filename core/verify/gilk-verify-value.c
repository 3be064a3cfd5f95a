/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-value.c - verifier: sets of 64-bit numbers, as a range that may wrap, and a residue
 * modulo a power of 2
 *
 * Because a range may wrap around, it can express both signed and unsigned bounds, and an addition
 * loses no precision.
 */
#include "core/verify/gilk-verify-value.h"

static uint64_t
make_mask (guint bits)
{
  return bits >= 64 ? UINT64_MAX : (UINT64_C (1) << bits) - 1;
}

static guint
count_trailing_zeros (uint64_t number)
{
  return number == 0 ? 64 : (guint) __builtin_ctzll (number);
}

static GilkValue
make_value (uint64_t lo,
            uint64_t span,
            guint    zeros)
{
  span &= ~make_mask (zeros);

  return (GilkValue) { .zeros = (uint8_t) (span == 0 ? 64 : zeros), .lo = lo, .span = span };
}

GilkValue
gilk_value_any (void)
{
  return make_value (0, UINT64_MAX, 0);
}

GilkValue
gilk_value_number (uint64_t number)
{
  return make_value (number, 0, 64);
}

GilkValue
gilk_value_between (uint64_t lo,
                    uint64_t hi)
{
  return make_value (lo, hi - lo, 0);
}

GilkValue
gilk_value_tagged (GilkValueTag tag,
                   guint        which,
                   int32_t      n)
{
  GilkValue value = gilk_value_any ();

  value.tag = (uint8_t) tag;
  value.which = (uint8_t) which;
  value.n = n;

  return value;
}

GilkValue
gilk_value_plain (GilkValue value)
{
  value.tag = GILK_VALUE_PLAIN;
  value.which = 0;
  value.n = 0;

  return value;
}

gboolean
gilk_value_is_number (const GilkValue *value,
                      uint64_t        *number)
{
  *number = value->lo;

  return value->span == 0;
}

/* Returns whether the range of unsigned numbers wraps around from UINT64_MAX to 0. */
static gboolean
range_wraps (const GilkValue *value)
{
  return value->lo + value->span < value->lo;
}

/* Returns the largest unsigned number in the range. */
static uint64_t
get_maximum (const GilkValue *value)
{
  return range_wraps (value) ? UINT64_MAX : value->lo + value->span;
}

gboolean
gilk_value_is_within (const GilkValue *value,
                      uint64_t         lo,
                      uint64_t         hi)
{
  return !range_wraps (value) && value->lo >= lo && value->lo + value->span <= hi;
}

gboolean
gilk_value_may_be (const GilkValue *value,
                   uint64_t         number)
{
  uint64_t distance = number - value->lo;

  return distance <= value->span && (distance & make_mask (value->zeros)) == 0;
}

/* Returns the span (last minus first number) of the range that starts at @from->lo and covers both
 * @from and @to. */
static uint64_t
join_spans (const GilkValue *from,
            const GilkValue *to)
{
  uint64_t distance = to->lo - from->lo, end = distance + to->span;

  return end < distance ? UINT64_MAX : MAX (end, from->span);
}

GilkValue
gilk_value_join (GilkValue a,
                 GilkValue b)
{
  uint64_t from_a = join_spans (&a, &b), from_b = join_spans (&b, &a);
  guint zeros = MIN (MIN (a.zeros, b.zeros), count_trailing_zeros (a.lo - b.lo));
  GilkValue both = from_a <= from_b ? make_value (a.lo, from_a, zeros) : make_value (b.lo, from_b, zeros);

  if (a.tag == b.tag && a.which == b.which && a.n == b.n)
    {
      both.tag = a.tag;
      both.which = a.which;
      both.n = a.n;
    }

  return both;
}

GilkValue
gilk_value_add (GilkValue a,
                GilkValue b)
{
  uint64_t span = a.span + b.span;

  return make_value (a.lo + b.lo, span < a.span ? UINT64_MAX : span, MIN (a.zeros, b.zeros));
}

GilkValue
gilk_value_negate (GilkValue a)
{
  return make_value (-(a.lo + a.span), a.span, a.zeros);
}

/* Returns the number of low bits that are 0 in all numbers of the set. */
static guint
count_clear_bits (const GilkValue *value)
{
  return MIN (value->zeros, count_trailing_zeros (value->lo));
}

GilkValue
gilk_value_and (GilkValue a,
                GilkValue b)
{
  uint64_t hi = MIN (get_maximum (&a), get_maximum (&b));
  guint zeros = MAX (count_clear_bits (&a), count_clear_bits (&b));

  if (a.span == 0 && b.span == 0)
    return gilk_value_number (a.lo & b.lo);

  return make_value (0, hi, zeros);
}

GilkValue
gilk_value_or (GilkValue a,
               GilkValue b)
{
  uint64_t bits = get_maximum (&a) | get_maximum (&b);

  return make_value (0, bits == 0 ? 0 : make_mask (64 - (guint) __builtin_clzll (bits)),
                     MIN (count_clear_bits (&a), count_clear_bits (&b)));
}

GilkValue
gilk_value_shift_left (GilkValue a,
                       guint     bits)
{
  guint zeros = MIN (64, a.zeros + bits);

  if (range_wraps (&a) || get_maximum (&a) > UINT64_MAX >> bits)
    return make_value (a.lo << bits, UINT64_MAX, zeros);

  return make_value (a.lo << bits, a.span << bits, zeros);
}

GilkValue
gilk_value_shift_right (GilkValue a,
                        guint     bits)
{
  if (range_wraps (&a))
    return make_value (0, UINT64_MAX >> bits, 0);

  return make_value (a.lo >> bits, (get_maximum (&a) >> bits) - (a.lo >> bits), a.zeros > bits ? a.zeros - bits : 0);
}

GilkValue
gilk_value_low (GilkValue a,
                guint     bytes)
{
  uint64_t mask = make_mask (8 * bytes);

  if (gilk_value_is_within (&a, 0, mask))
    return gilk_value_plain (a);
  if (a.span == 0)
    return gilk_value_number (a.lo & mask);

  return make_value (0, mask, MIN (count_clear_bits (&a), 8 * bytes));
}

GilkValue
gilk_value_signed (GilkValue a,
                   guint     bytes)
{
  uint64_t positive = make_mask (8 * bytes - 1);

  if (bytes == 8 || gilk_value_is_within (&a, 0, positive))
    return gilk_value_plain (a);
  if (a.span == 0)
    return gilk_value_number (a.lo & (positive + 1) ? a.lo | ~positive : a.lo & positive);

  return make_value (~positive, 2 * positive + 1, 0);
}

/* Replaces the range of @a by [@lo, @hi], but keeps its residue, the low bits that all its numbers
 * share. Returns FALSE if no number of [@lo, @hi] has that residue. */
static gboolean
restrict_range (GilkValue *a,
                uint64_t   lo,
                uint64_t   hi)
{
  uint64_t odd = make_mask (a->zeros), first = a->lo + ((lo - a->lo + odd) & ~odd);

  if (first - lo > hi - lo)
    return FALSE;
  a->lo = first;
  a->span = (hi - first) & ~odd;
  if (a->span == 0)
    a->zeros = 64;

  return TRUE;
}

gboolean
gilk_value_restrict (GilkValue *a,
                     uint64_t   lo,
                     uint64_t   hi)
{
  uint64_t first = lo - a->lo, last = first + (hi - lo), odd = make_mask (a->zeros);
  gboolean begins_within = first <= a->span, passes_begin = last < first;

  if ((a->zeros < 64 && (a->span | odd) == UINT64_MAX) || (begins_within && passes_begin))
    return hi - lo > a->span || restrict_range (a, lo, hi);
  if (passes_begin)
    first = 0;
  last = MIN (last, a->span) & ~odd;
  if ((!begins_within && !passes_begin) || first + odd < first || ((first + odd) & ~odd) > last)
    return FALSE;

  first = (first + odd) & ~odd;
  a->lo += first;
  a->span = last - first;
  if (a->span == 0)
    a->zeros = 64;

  return TRUE;
}
