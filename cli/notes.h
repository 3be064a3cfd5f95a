/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - the notes on a run, as rows
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* Member "notes" of the open object, or a table below @head (nullable). Of none nothing is shown. @n: (nullable): how many. */
gboolean cli_notes_show (Cli *cli, const CliSession *session, const char *head, guint *n, GError **error);

G_END_DECLS
