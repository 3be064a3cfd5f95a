/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source-line.h - parses a source line given on the command line, [MODULE:]FILE:LINE
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *module, *file;         /* module: (nullable) */
  guint line;
} GilkSourceLine;

/* Returns FALSE if @text is not a source line. The caller sets @line to zeros before the call, and
 * clears it afterwards, also on failure. */
gboolean gilk_source_line_parse (const char *text, GilkSourceLine *line);
void     gilk_source_line_clear (GilkSourceLine *line);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkSourceLine, gilk_source_line_clear)

G_END_DECLS
