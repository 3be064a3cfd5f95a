/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-kept.h - what probe programs kept, in a report and for itself
 */
#pragma once

#include "cli/kept.h"

G_BEGIN_DECLS

/* The program of each hook that has one, and what it kept, in short; in a document all of it. */
void     cli_programs_report (Cli *cli, const GArray *kept);
/* gilk report --kept NAME: one thing in full, of each hook that has it. @hooks: labels; NULL: all */
gboolean cli_kept_report     (Cli *cli, const CliSession *session, const char *name, char *const *hooks,
                              GError **error);

G_END_DECLS
