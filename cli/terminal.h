/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - what is at the other end of a stream
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Columns of the terminal behind @stream, 0 if it is none. */
guint    cli_terminal_width       (FILE *stream);
/* Is it one that has colours, and can delete a line? */
gboolean cli_terminal_has_escapes (FILE *stream);

G_END_DECLS
