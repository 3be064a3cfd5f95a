/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-cost.h - what the hooks of a run cost, in a report
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* As it was measured; to a person nothing where it was not. */
gboolean cli_cost_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
