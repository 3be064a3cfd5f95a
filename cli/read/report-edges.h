/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-edges.h - reports counts of all blocks and edges of a run's counted functions
 */
#pragma once

#include "cli/base/picture.h"
#include "cli/base/session.h"

G_BEGIN_DECLS

/* Requires the run's kernel as the target, because sessions do not hold all of the graph that the
 * counts depend on. @picture: (nullable): draws the counts as heat, each function into a file of
 * its own if there are several; its name is inserted in front of the file's extension. */
gboolean cli_edges_report (Cli *cli, const CliSession *session, const CliPicture *picture, GError **error);

G_END_DECLS
