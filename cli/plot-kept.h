/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-kept.h - gilk plot --kept: histograms that programs kept
 */
#pragma once

#include "cli/session.h"
#include "core/analysis/gilk-figure.h"

G_BEGIN_DECLS

/* @name: of the thing; @hooks: labels, NULL: of all that keep it; @log: "x", "y", "xy", "none", or NULL for what
 * suits the values. (transfer full) */
GilkFigure *cli_kept_figure (const CliSession *session, const char *name, char *const *hooks, const char *log,
                             GError **error);

G_END_DECLS
