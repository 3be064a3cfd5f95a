/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-fleet.h - records a plan on all of cli->targets at the same time
 */
#pragma once

#include "cli/base/cli.h"
#include "core/bind/gilk-consent.h"

G_BEGIN_DECLS

typedef struct {
  const GilkPlan *plan;        /* already checked */
  char          **hooks;       /* those given on the command line, for cli_follow_find_points() */
  const char     *output;      /* base of the sessions' names; NULL: sessions are not kept */
  uint64_t        duration_ns;
  gboolean        compress, partial;
  GilkConsent     granted;
} CliFleetRun;

/* Reports the result of all targets; fails if one of them did not end well. */
gboolean cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error);

G_END_DECLS
