/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-literal.h - is it a text of the program that lies there, and how is it shown
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
  GILK_LITERAL_BEFORE = 32,      /* bytes that should be there before a text, and */
  GILK_LITERAL_MOST   = 288,     /* in all: longer ones are none */
  GILK_LITERAL_SHOWN  = 60,      /* of a text: of a longer one there follows "..." */
};

/*
 * The text at @at of @bytes in quotes, with C's escapes; NULL: it has no end, something in it is not text, or
 * it is so short that the same bytes may as well be a number, and what is around it is not texts. (transfer full)
 */
char *gilk_literal (const uint8_t *bytes, gsize length, gsize at);

G_END_DECLS
