/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source.h - the text of a program, and its first error
 *
 * Text is untrusted: its length, nesting and numbers are bounded. Only the first error is kept,
 * because later errors may be caused by the first one.
 *
 * Threads: one thread at a time for each program.
 */
#pragma once

#include <stdint.h>
#include "core/base/gilk-error.h"

G_BEGIN_DECLS

enum { GILK_PROGRAM_TEXT_MAX = 16384, GILK_PROGRAM_DEPTH_MAX = 64 };

typedef struct {
  uint32_t line, column;     /* from 1 */
  uint32_t offset, length;   /* position and length in the program text, in bytes */
} GilkProgramError;

/* A range of the text, in bytes. */
typedef struct {
  uint32_t offset, length;
} GilkTextPart;

typedef struct {
  const char      *text;
  GError          *error;        /* the first error */
  GilkProgramError where;
} GilkSource;

/* Returns the range from the start of @first to the end of @last. */
GilkTextPart gilk_text_join    (GilkTextPart first, GilkTextPart last);

/* Sets the error, unless one is set. Returns: FALSE */
gboolean     gilk_source_fail  (GilkSource *source, GilkTextPart at, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Returns @part for a message: printable and short. (transfer full) */
char        *gilk_source_quote (const GilkSource *source, GilkTextPart part);

G_END_DECLS
