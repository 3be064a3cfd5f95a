/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-store.h - gilk report --store URL: the runs that hosts have pushed, and figures of them
 */
#pragma once

#include "cli/base/report-figures.h"

G_BEGIN_DECLS

/* @figures: as for a session, but hooks may be of any host: HOOK, HOOK@HOST or HOOK@RUN. If no
 * figure is requested, lists runs and hooks. */
gboolean cli_store_report (Cli *cli, const char *url, const CliFigures *figures, GError **error);

G_END_DECLS
