/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-store.h - gilk report --store URL: what many hosts have pushed, and figures of it
 */
#pragma once

#include "cli/report-figures.h"

G_BEGIN_DECLS

/* @figures: as of a session, but that its hooks are of any host: HOOK, HOOK@HOST or HOOK@RUN. Without
 * one of them the runs and hooks that there are. */
gboolean cli_store_report (Cli *cli, const char *url, const CliFigures *figures, GError **error);

G_END_DECLS
