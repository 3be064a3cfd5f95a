/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-meaning.h - defines the meanings of numbers, such as an address or an errno; sessions store
 * the same texts (data/schema.sql, "Meanings")
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_MEANING_SYMBOL "symbol"           /* an address in the kernel */
#define GILK_MEANING_STACK  "stack"            /* id of a stack trace in the run; 0: none */
#define GILK_MEANING_ERRNO  "errno"            /* a negative error number if between -4095 and -1 */
#define GILK_MEANING_ENUM   "enum "            /* prefix: the enum's name follows */
#define GILK_MEANING_NS     "ns"               /* only for histograms: the values are nanoseconds */

/* Returns whether numbers of a field with this name and unit (nullable) seem to be identifiers,
 * such as process ids or ports, whose sums, means and quantiles are meaningless. This is a guess,
 * based on common names. */
gboolean gilk_meaning_is_identifier (const char *name, const char *unit);

G_END_DECLS
