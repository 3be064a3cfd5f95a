/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-clock.h - what the times of a run are worth, in a report
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* Its rate, the errors of its times, and how far apart samples of two processors are ordered. */
gboolean cli_clock_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
