/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source-line.h - a line of source as one writes it on a command line: [MODULE:]FILE:LINE
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *module, *file;         /* (nullable) module */
  guint line;
} GilkSourceLine;

/* FALSE: it is none. @line is to be cleared either way. */
gboolean gilk_source_line_parse (const char *text, GilkSourceLine *line);
void     gilk_source_line_clear (GilkSourceLine *line);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSourceLine, gilk_source_line_clear)

G_END_DECLS
