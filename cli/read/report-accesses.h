/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-accesses.h - reports the code that made the accesses seen by watchpoints
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Reports each watchpoint of the run, or those with @labels: as tables, or as "accesses" in the
 * document. @asked: fail if the run is without watchpoints. */
gboolean cli_accesses_report (Cli *cli, const CliSession *session, char *const *labels, gboolean asked, GError **error);

G_END_DECLS
