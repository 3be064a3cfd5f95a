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
  GILK_LITERAL_BEFORE = 32,     /* bytes needed before a string */
  GILK_LITERAL_MAX   = 288,     /* bytes needed in total; longer strings are not recognised */
  GILK_LITERAL_SHOWN  = 60,     /* characters shown; "..." follows if there are more */
};

/*
 * Returns the string at offset @at of @bytes in quotes, with C's escapes. NULL if it is not
 * terminated or contains other bytes, or if it is so short that it could be a number and its
 * neighbours are not strings. (transfer full)
 */
char *gilk_literal (const uint8_t *bytes, gsize length, gsize at);

G_END_DECLS
