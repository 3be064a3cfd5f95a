/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-clock.h - reports the accuracy of a run's times
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Reports the TSC rate, the errors of times, and the difference from which samples of two CPUs are
 * in order. */
gboolean cli_clock_report (Cli *cli, const CliSession *session, GError **error);

G_END_DECLS
