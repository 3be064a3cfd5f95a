/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-fleet.h - a plan recorded on all of cli->targets at once
 */
#pragma once

#include "cli/cli.h"
#include "core/run/gilk-consent.h"

G_BEGIN_DECLS

typedef struct {
  const GilkPlan *plan;        /* checked */
  char          **hooks;       /* those of it that came from the command line, as cli_follow_find_places() takes them */
  const char     *output;      /* what sessions are named after; NULL: none is kept */
  uint64_t        duration_ns;
  gboolean        compress, partial;
  GilkConsent     granted;
} CliFleetRun;

/* All ends are told; an error if one of them did not end well. */
gboolean cli_run_fleet (Cli *cli, const CliFleetRun *how, GError **error);

G_END_DECLS
