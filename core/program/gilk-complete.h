/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-complete.h - what may be written at a place in a program
 *
 * The text need not be a program yet: of what stands before the place the declarations and lets that are whole are read,
 * and the operand in front of a "." or "->"; what stands behind it is not.
 *
 * Threads: any. What is returned is the caller's.
 */
#pragma once

#include "core/program/gilk-source.h"
#include "core/target/gilk-symbols.h"

G_BEGIN_DECLS

enum { GILK_COMPLETIONS_MAX = 500 };

typedef enum {
  GILK_COMPLETES_NAME,         /* declared by the program, an argument, or one of the language's values */
  GILK_COMPLETES_MEMBER,
  GILK_COMPLETES_WORD,         /* of the language; @about shows what goes with it */
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
  char              *about;    /* (nullable): its type as C writes it, or how a word is used */
} GilkCompletion;

/**
 * gilk_complete:
 * @offset: bytes, the place; not within a character
 * @symbols: (nullable): for names of functions and variables
 * @labels: (nullable): of the plan's hooks, NULL at the end
 * @part: (out): what is written of it already, which each of the completions begins with and takes the place of
 * Returns: of GilkCompletion: members in the order of their struct, others by name, names first; empty where nothing is
 *   known, as within a comment; no more than GILK_COMPLETIONS_MAX
 */
GPtrArray *gilk_complete (const char *text, gsize offset, const GilkProgramPlace *place, GilkSymbols *symbols,
                          const char *const *labels, GilkTextPart *part);

/* Is it a word of the language, rather than a name? */
gboolean   gilk_complete_is_word (const char *name);

G_END_DECLS
