/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-targets.h - reports the recorded targets of a run's indirect calls
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Prints a table, or adds "targets" to the document; as text, nothing if there are none. */
gboolean cli_targets_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
