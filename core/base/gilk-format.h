/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-format.h - numbers with SI prefix and unit, the same in every locale
 *
 * Threads: any. All strings are (transfer full), unless a function says otherwise.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Formats a value with SI prefix and unit, in @digits significant digits: "2.31 µs", "1.28 M".
 * @unit may be NULL, or have a prefix itself ("ns"). */
char *gilk_format_si     (double value, const char *unit, int digits);
/* The same with a plus sign in front of positive values. */
char *gilk_format_signed (double value, const char *unit, int digits);
/* Formats a count: "1,204,331". Exact up to 2^53. */
char *gilk_format_count  (double value);

/* For labels that share one prefix: */

/* Returns @unit (nullable) without its prefix, of which @exponent is the power of ten.
 * (transfer none) */
const char *gilk_unit_base (const char *unit, int *exponent);
/* Returns the power of ten of the prefix for a value in units of @base. Plain numbers get none (0)
 * below 100 000 and none for fractions; seconds get none above one. */
int   gilk_unit_prefix   (double value, const char *base, int digits);
/* Formats @value with @decimals, and with the prefix of 10^@exponent, by which it is already
 * divided. */
char *gilk_format_scaled (double value, int decimals, int exponent, const char *base);

G_END_DECLS
