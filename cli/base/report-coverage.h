/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-coverage.h - reports the block coverage of a run's hooked functions
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Prints a row for each function, or adds "functions" and "coverage" to the document. */
gboolean cli_coverage_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
