/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-perturbation.h - gilk report --perturbation: what the hooks did to the machine, as it was measured
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* @label: of the witness, NULL: the one with most samples; @field: of it, NULL: its rate; @file: (nullable):
 * of the workload's own numbers, in place of a witness. */
gboolean cli_perturbation_report (Cli *cli, const CliSession *session, const char *label, const char *field,
                                  const char *file, GError **error);

G_END_DECLS
