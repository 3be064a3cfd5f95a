/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-rate.h - gilk report --rate: hits of a counter over time, from its readings
 */
#pragma once

#include "cli/base/report-figures.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;             /* of the hook */
  const char *run, *host;       /* in a store; NULL: in a session */
} CliRateSource;

gboolean cli_report_rate    (Cli *cli, const CliSession *session, const CliFigures *figures, GError **error);
/* @times, @counts, @off: as from gilk_remote_readings() and gilk_store_count_series() */
void     cli_rate_show      (Cli *cli, const CliRateSource *origin, const GArray *times, const GArray *counts, const GArray *off);
/* Sets the error that no hook of that name counts (NULL: no hook at all). Always returns FALSE. */
gboolean cli_rate_set_error (const char *name, GError **error);

G_END_DECLS
