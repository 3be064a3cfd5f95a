/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run-alternate.h - records a plan alternately after two commands, and compares the two sides
 */
#pragma once

#include "cli/base/cli.h"
#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

enum { CLI_ALTERNATE_ROUNDS = 5, CLI_ALTERNATE_ROUNDS_MAX = 1000 };

/* Records @plan once more into the session. */
typedef gboolean (*CliRecordFunc) (GilkPlan *plan, gpointer data, GError **error);

typedef struct {
  char         **commands;      /* two, run by sh on this machine; each sets up its side's state */
  guint          rounds;        /* runs a side */
  const char    *session;
  CliRecordFunc  record;
  gpointer       data;
} CliAlternate;

/* @commands: nullable; @rounds: 0: not given; @run_length_ns: 0: no end. FALSE with @error: invalid. */
gboolean cli_alternate_check (char **commands, int rounds, uint64_t run_length_ns, GError **error);
/**
 * cli_alternate:
 * Records @rounds runs of each side, in pairs. The order within a pair is random, so that a drift
 * of the machine affects both sides. Then shows a comparison of each hook that takes samples.
 * Ctrl-C stops the current run and ends the series.
 */
gboolean cli_alternate (Cli *cli, const CliAlternate *alternate, GilkPlan *plan, GError **error);

G_END_DECLS
