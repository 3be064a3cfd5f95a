/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-cost.h - reports the measured cost of a run's hooks
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Prints no text if the cost was not measured. */
gboolean cli_cost_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
