/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-token.h - a program's text as words, numbers and marks, each with its place
 *
 * Threads: any. What is returned is the caller's.
 */
#pragma once

#include "core/program/gilk-source.h"

G_BEGIN_DECLS

typedef enum {
  GILK_TOKEN_END,
  GILK_TOKEN_NAME,
  GILK_TOKEN_NUMBER,         /* also 'c' */
  GILK_TOKEN_STRING,         /* its part is without the quotes */
  GILK_TOKEN_MARK,
} GilkTokenKind;

/* A mark is its one or two characters. */
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
 * Returns: of GilkToken, the last a GILK_TOKEN_END; NULL: @source says what is wrong
 */
GArray *gilk_tokens_new (GilkSource *source);

G_END_DECLS
