/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source.h - the text of a program, and what is wrong with it
 *
 * The first error counts: what follows from it is not told.
 *
 * Threads: that of the one who reads the program.
 */
#pragma once

#include "core/program/gilk-program.h"

G_BEGIN_DECLS

/* Bytes of the text. */
typedef struct {
  uint32_t offset, length;
} GilkTextPart;

typedef struct {
  const char      *text;
  GError          *error;        /* of the first that failed */
  GilkProgramError where;
} GilkSource;

/* From the begin of one to the end of the other. */
GilkTextPart gilk_text_join    (GilkTextPart first, GilkTextPart last);

/* Returns: FALSE, for whoever has to */
gboolean     gilk_source_fail  (GilkSource *source, GilkTextPart at, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* @part as a message may show it: printable, and not long. Free it. */
char        *gilk_source_quote (const GilkSource *source, GilkTextPart part);

G_END_DECLS
