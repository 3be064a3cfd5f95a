/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - properties of the terminal that a stream writes to
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Returns the number of columns, 0 if @stream is not a terminal. */
guint    cli_terminal_width       (FILE *stream);
/* Whether it is a terminal that supports colours and deleting a line. */
gboolean cli_terminal_has_escapes (FILE *stream);

G_END_DECLS
