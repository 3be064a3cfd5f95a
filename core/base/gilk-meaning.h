/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-meaning.h - what a number is, beside a number: as sessions have it (data/schema.sql, "Meanings")
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_MEANING_SYMBOL "symbol"           /* an address of the kernel's */
#define GILK_MEANING_STACK  "stack"            /* the number of a stack of the run; 0: none */
#define GILK_MEANING_ERRNO  "errno"            /* an error if it is from -4095 to -1 */
#define GILK_MEANING_ENUM   "enum "            /* and the enum's name */
#define GILK_MEANING_NS     "ns"               /* of a histogram: its values are nanoseconds */

/* Are the numbers of a field of that name and unit (nullable) those of things, a process or a port? Nobody said so of them: it is
 * what such fields are called. Sums, means and quantiles of them are nothing. */
gboolean gilk_meaning_is_name (const char *name, const char *unit);

G_END_DECLS
