/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-paths.h - reports the blocks that slow calls reach and fast ones do not, of a plan by gilk
 * plan new --paths
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

gboolean cli_paths_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
