/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-span.h - reports the duration of calls recorded with the instrument span
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

gboolean cli_span_report (Cli *cli, const CliSession *session, gboolean subtract_cost, GError **error);

G_END_DECLS
