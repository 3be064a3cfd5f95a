/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-pipeline.h - GILK's case study: where the stages of a shell pipeline sleep
 *
 * Used if a run has hooks in both pipe_write and pipe_read whose samples name the process. Only
 * collects figures; core/stats/gilk-pipeline judges them.
 */
#pragma once

#include "cli/base/session.h"

G_BEGIN_DECLS

/* Whether the run's hooks make up such a study. */
gboolean cli_pipeline_applies (const CliSession *session);
/* @order: comma-separated stages in the order of data flow, NULL to derive it. */
gboolean cli_pipeline_report  (Cli *cli, const CliSession *session, const char *order,
                               GError **error);

G_END_DECLS
