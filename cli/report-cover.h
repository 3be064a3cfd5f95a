/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-cover.h - which blocks of the hooked functions of a run were run
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* A row a function, or the members "functions" and "coverage" of the document. */
gboolean cli_cover_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
