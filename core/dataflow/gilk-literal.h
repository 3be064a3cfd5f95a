/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-literal.h - recognises string literals in memory, and quotes them
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_LITERAL_BEFORE = 32,     /* bytes wanted in front of a string, and */
  GILK_LITERAL_MAX   = 288,     /* in total: longer strings are not recognised */
  GILK_LITERAL_SHOWN  = 60,     /* characters shown; "..." follows if there are more */
};

/*
 * Returns the string at @at in @bytes in quotes, with C's escapes. NULL if it is not terminated or
 * has other bytes in it, or if it is so short that it could be a number and its neighbours are not
 * strings. (transfer full)
 */
char *gilk_literal (const uint8_t *bytes, gsize length, gsize at);

G_END_DECLS
