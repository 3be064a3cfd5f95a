/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source-line.h - a line of source as one writes it on a command line: [MODULE:]FILE:LINE
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *module, *file;         /* (nullable) module */
  guint line;
} CliLine;

/* FALSE: it is none. @line is to be cleared either way. */
gboolean cli_line_parse (const char *text, CliLine *line);
void     cli_line_clear (CliLine *line);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliLine, cli_line_clear)

G_END_DECLS
