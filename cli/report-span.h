/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-span.h - how long the calls of functions took that were recorded as spans
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

gboolean cli_span_report (Cli *cli, const CliSession *session, gboolean subtract_cost, GError **error);

G_END_DECLS
