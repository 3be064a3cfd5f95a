/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-format.h - formats numbers with SI prefix and unit, the same in every locale
 *
 * Threads: any. All strings are (transfer full), unless a function says otherwise.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats a value with SI prefix and unit and @digits significant digits: "2.31 µs", "1.28 M".
 * @unit may be NULL, or have a prefix itself, such as "ns". */
char *gilk_format_si     (double value, const char *unit, int digits);
/* Works like gilk_format_si(), but puts a plus sign in front of positive values. */
char *gilk_format_signed (double value, const char *unit, int digits);
/* Formats a count: "1,204,331". Exact up to 2^53. */
char *gilk_format_count  (double value);

/* Functions to format several labels with the same prefix: */

/* Returns @unit (nullable) without its prefix. @exponent: (out): the prefix's power of ten.
 * (transfer none) */
const char *gilk_unit_base (const char *unit, int *exponent);
/* Returns the power of ten of the prefix for a value in units of @base; 0: no prefix. Plain numbers
 * below 100 000 and fractions get no prefix, nor do seconds above one. */
int   gilk_unit_prefix   (double value, const char *base, int digits);
/* Formats @value, which is already divided by 10^@exponent, with @decimals decimal places and the
 * prefix for 10^@exponent. */
char *gilk_format_scaled (double value, int decimals, int exponent, const char *base);

G_END_DECLS
