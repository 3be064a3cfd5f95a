/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - gets properties of the terminal that a stream writes to, and shows a line of
 * progress
 */
#pragma once

#include <stdio.h>

#include "core/base/gilk-progress.h"

/* Returns the number of columns, 0 if @stream is not a terminal. */
guint    cli_terminal_width       (FILE *stream);
/* Returns whether @stream is a terminal that supports colours and deleting a line. */
gboolean cli_terminal_has_escapes (FILE *stream);

/* ---- line of progress in the terminal ---- */

typedef struct _CliProgress CliProgress;

/* Creates a line of progress. @enabled: FALSE: never shown (--quiet, --json, or no terminal) */
CliProgress *cli_progress_new  (gboolean enabled);
void         cli_progress_free (CliProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliProgress, cli_progress_free)

gboolean     cli_progress_enabled (CliProgress *progress);
/* Replaces the line of progress by @text, cut to the terminal's width. */
void         cli_progress_show  (CliProgress *progress, const char *text);
/* Removes the line of progress from the terminal. */
void         cli_progress_clear (CliProgress *progress);
/* Returns the callbacks through which the library reports progress: they show a bar and the current
 * step in @progress. (transfer none) */
const GilkProgress *cli_progress_for_core (CliProgress *progress);
