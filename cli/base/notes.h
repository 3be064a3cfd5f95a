/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - lists the notes on a run
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Adds "notes" to the open object, or prints a table below @head (nullable); nothing if there are
 * none. @n: (nullable) (out): their number. */
gboolean cli_notes_show (Cli *cli, const CliSession *session, const char *head, guint *n, GError **error);

G_END_DECLS
