/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-meaning.h - meanings of a number in addition to its value, as in sessions (data/schema.sql,
 * "Meanings")
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_MEANING_SYMBOL "symbol"           /* an address in the kernel */
#define GILK_MEANING_STACK  "stack"            /* number of a stack of the run; 0: none */
#define GILK_MEANING_ERRNO  "errno"            /* an error if between -4095 and -1 */
#define GILK_MEANING_ENUM   "enum "            /* followed by the enum's name */
#define GILK_MEANING_NS     "ns"               /* of a histogram: values are nanoseconds */

/* Returns whether numbers of a field with that name and unit (nullable) seem to be identifiers,
 * such as a process or a port, of which sums, means and quantiles are meaningless. This is a
 * guess by usual names. */
gboolean gilk_meaning_is_identifier (const char *name, const char *unit);

G_END_DECLS
