/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source.h - the text of a program: its tokens, its first error, and names to suggest in
 * errors
 *
 * Text is untrusted: its length, nesting and numbers are bounded. Only the first error is kept,
 * because later errors may be caused by the first one.
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/base/gilk-error.h"

G_BEGIN_DECLS

enum { GILK_PROGRAM_TEXT_MAX = 16384, GILK_PROGRAM_DEPTH_MAX = 64 };

typedef struct {
  uint32_t line, column;     /* counted from 1 */
  uint32_t offset, length;   /* position and length in the program text, in bytes */
} GilkProgramError;

/* A range of the program's text, in bytes. */
typedef struct {
  uint32_t offset, length;
} GilkTextPart;

typedef struct {
  const char      *text;
  GError          *error;        /* the first error in the program */
  GilkProgramError where;
} GilkSource;

/* Returns the range from the start of @first to the end of @last. */
GilkTextPart gilk_text_join    (GilkTextPart first, GilkTextPart last);

/* Sets the program's error at @at, unless it has an error already. Returns: FALSE */
gboolean     gilk_source_fail  (GilkSource *source, GilkTextPart at, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Returns the text of @part for use in a message: printable, and cut off if it is long. (transfer
 * full) */
char        *gilk_source_quote (const GilkSource *source, GilkTextPart part);

/*
 * Tokenizer: splits a program into words, numbers and marks, each with its position.
 *
 * Threads: any. Results belong to the caller.
 */

typedef enum {
  GILK_TOKEN_END,
  GILK_TOKEN_NAME,
  GILK_TOKEN_NUMBER,         /* a number or a character, 'c' */
  GILK_TOKEN_STRING,         /* a string; the token's @part excludes the quotes */
  GILK_TOKEN_MARK,
} GilkTokenKind;

/* A mark (operator or punctuation) is encoded as its one or two characters. */
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

/*
 * Finds the name that is most similar to an unknown one, to suggest it in an error.
 *
 * Threads: one thread at a time.
 */

typedef struct {
  const char *wanted;
  char       *best;
  guint       distance;
} GilkSimilar;

void  gilk_similar_init   (GilkSimilar *near, const char *wanted);
void  gilk_similar_add    (GilkSimilar *near, const char *name);
/* Returns the most similar name offered, or NULL if none is similar. (transfer full) */
char *gilk_similar_finish (GilkSimilar *near);

G_END_DECLS
