/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-format.h - defines the meanings of numbers, and formats numbers with SI prefix and unit
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

/* The next three functions format several labels with the same SI prefix. */

/* Returns @unit (nullable) without its prefix. @exponent: (out): the prefix's power of ten.
 * (transfer none) */
const char *gilk_unit_base (const char *unit, int *exponent);
/* Returns the power of ten of the SI prefix for a value in units of @base; 0: no prefix. Seconds
 * get no prefix above one second, percentages never get one, and numbers without a unit only from
 * 100,000 on. */
int   gilk_unit_prefix   (double value, const char *base, int digits);
/* Formats @value, which is already divided by 10^@exponent, with @decimals decimal places and the
 * prefix for 10^@exponent. */
char *gilk_format_scaled (double value, int decimals, int exponent, const char *base);

/*
 * Meanings of recorded numbers, such as an address or an errno. Session files store these strings
 * (data/schema.sql, "Meanings").
 */

#define GILK_MEANING_SYMBOL "symbol"           /* an address in the kernel */
#define GILK_MEANING_STACK  "stack"            /* id of a stack trace in the run; 0: none */
#define GILK_MEANING_ERRNO  "errno"            /* a number that is a negated errno if it is between
                                                * -4095 and -1 */
#define GILK_MEANING_ENUM   "enum "            /* prefix of the string; the enum's name follows */
#define GILK_MEANING_TEXT   "text"             /* the hash of a text, which is the value's name */
#define GILK_MEANING_NS     "ns"               /* only for histograms: the values are nanoseconds */

/* Returns whether numbers of a field with this name and unit (nullable) seem to be identifiers,
 * such as process ids or ports, whose sums, means and quantiles are meaningless. This is a guess,
 * based on common names. */
gboolean gilk_meaning_is_identifier (const char *name, const char *unit);

/* Lists names for a sentence: "a, b, c and 4 more". @names: (element-type utf8); @most: number of names
 * listed, or one more if that is all of them. (transfer full) */
char *gilk_list_names (const GPtrArray *names, guint most);

G_END_DECLS
