/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-token.h - tokenizer: words, numbers and marks of a program, each with its position
 *
 * Threads: any. Results belong to the caller.
 */
#pragma once

#include "core/language/gilk-source.h"

G_BEGIN_DECLS

typedef enum {
  GILK_TOKEN_END,
  GILK_TOKEN_NAME,
  GILK_TOKEN_NUMBER,         /* a number or a character, 'c' */
  GILK_TOKEN_STRING,         /* the token's part excludes the quotes */
  GILK_TOKEN_MARK,
} GilkTokenKind;

/* A mark is encoded as its one or two characters. */
#define GILK_MARK(c)     ((guint) (c))
#define GILK_MARKS(a, b) ((guint) (a) | (guint) (b) << 8)

typedef struct {
  GilkTokenKind kind;
  guint         mark;
  GilkTextPart  part;
  uint64_t      number;
  gboolean      is_unsigned;
} GilkToken;

/**
 * gilk_tokens_new:
 * Returns: (element-type GilkToken): the tokens, followed by a GILK_TOKEN_END; NULL with the error
 * in @source
 */
GArray *gilk_tokens_new (GilkSource *source);

G_END_DECLS
