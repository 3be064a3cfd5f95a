/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-complete.h - completes words in a program
 *
 * The text need not be a valid program. Complete declarations and "let"s in front of the cursor are
 * read, and the operand in front of a "." or "->". Text after the cursor is ignored.
 *
 * Threads: any. Results belong to the caller.
 */
#pragma once

#include "core/image/gilk-symbols.h"
#include "core/language/gilk-program-place.h"
#include "core/language/gilk-source.h"

G_BEGIN_DECLS

enum { GILK_COMPLETIONS_MAX = 500 };

typedef enum {
  GILK_COMPLETES_NAME,         /* declared name, argument, or built-in value */
  GILK_COMPLETES_MEMBER,
  GILK_COMPLETES_WORD,         /* a keyword of the language; @about shows the syntax in which it is
                                * used */
  GILK_COMPLETES_TYPE,
  GILK_COMPLETES_CONSTANT,
  GILK_COMPLETES_REGISTER,
  GILK_COMPLETES_LABEL,        /* label of a hook */
  GILK_COMPLETES_FUNCTION,
  GILK_COMPLETES_VARIABLE,     /* kernel variable */
} GilkCompletionKind;

typedef struct {
  GilkCompletionKind kind;
  char              *text;
  char              *about;    /* (nullable): type of @text in C syntax, or a keyword's syntax */
} GilkCompletion;

/**
 * gilk_complete:
 * @offset: position of the cursor in bytes; not inside a character
 * @symbols: (nullable): offers names of functions and variables
 * @labels: (nullable): labels of the plan's hooks, NULL-terminated
 * @part: (out): the part of the word that is already written; each completion starts with it and
 *   replaces it
 * Returns: (element-type GilkCompletion) (transfer full): members in the order of their struct,
 *   others sorted by kind and name; at most GILK_COMPLETIONS_MAX; empty where nothing can be
 *   completed, such as inside a comment
 */
GPtrArray *gilk_complete (const char *text, gsize offset, const GilkProgramPlace *place, GilkSymbols *symbols,
                          const char *const *labels, GilkTextPart *part);

/* Returns whether @name is a keyword. */
gboolean   gilk_complete_is_word (const char *name);

G_END_DECLS
