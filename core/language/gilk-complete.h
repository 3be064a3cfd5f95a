/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-complete.h - completion: what can be written at a place in a program
 *
 * The text need not be a valid program. Complete declarations and "let"s in front of the place are
 * read, and the operand in front of a "." or "->". Text after the place is ignored.
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
  GILK_COMPLETES_NAME,         /* declared in the program, an argument, or a value of the language */
  GILK_COMPLETES_MEMBER,
  GILK_COMPLETES_WORD,         /* of the language; @about shows its syntax */
  GILK_COMPLETES_TYPE,
  GILK_COMPLETES_CONSTANT,
  GILK_COMPLETES_REGISTER,
  GILK_COMPLETES_LABEL,        /* of a hook */
  GILK_COMPLETES_FUNCTION,
  GILK_COMPLETES_VARIABLE,     /* of the kernel */
} GilkCompletionKind;

typedef struct {
  GilkCompletionKind kind;
  char              *text;
  char              *about;    /* (nullable): its type in C syntax, or the syntax of a word */
} GilkCompletion;

/**
 * gilk_complete:
 * @offset: the place, in bytes; not inside a character
 * @symbols: (nullable): for names of functions and variables
 * @labels: (nullable): labels of the plan's hooks, NULL-terminated
 * @part: (out): the part of the word that is already written; each completion starts with it and
 *   replaces it
 * Returns: (element-type GilkCompletion) (transfer full): members in the order of their struct,
 *   others sorted by kind and name; at most GILK_COMPLETIONS_MAX; empty where nothing can be
 *   completed, as inside a comment
 */
GPtrArray *gilk_complete (const char *text, gsize offset, const GilkProgramPlace *place, GilkSymbols *symbols,
                          const char *const *labels, GilkTextPart *part);

/* Returns whether @name is a word of the language. */
gboolean   gilk_complete_is_word (const char *name);

G_END_DECLS
