/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-edges.h - counts of all blocks and edges of a run's counted functions
 */
#pragma once

#include "cli/picture.h"
#include "cli/session.h"

G_BEGIN_DECLS

/* Needs the kernel that the run was recorded on as the target: sessions do not hold all
 * of a graph that counts depend on. @picture: (nullable): draws them as heat; of several functions each into a file of
 * its own, whose name has the function's before its end. */
gboolean cli_edges_report (Cli *cli, const CliSession *session, const CliPicture *picture, GError **error);

G_END_DECLS
