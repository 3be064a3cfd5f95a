/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-targets.h - where the indirect calls of a run went, in a report
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* A table, or the member "targets" of the document; nothing for people if the run has none. */
gboolean cli_targets_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
