/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-perturbation.h - gilk report --perturbation: the measured effect of hooks on the machine
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* @label: the control hook, NULL: the one with most samples; @field: of its samples, NULL: its rate
 * of hits; @file: (nullable): measurements of the workload itself, used instead of a control
 * hook. */
gboolean cli_perturbation_report (Cli *cli, const CliSession *session, const char *label, const char *field,
                                  const char *file, GError **error);

G_END_DECLS
