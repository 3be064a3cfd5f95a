/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-maps.h - gilk plot --map: histograms of programs
 */
#pragma once

#include "cli/base/session.h"
#include "core/figure/gilk-figure.h"

G_BEGIN_DECLS

/* @name: of the histogram; @hooks: labels, NULL: all hooks that have it; @log: "x", "y", "xy",
 * "none", or NULL to choose by the values. (transfer full) */
GilkFigure *cli_maps_figure (const CliSession *session, const char *name, char *const *hooks, const char *log,
                             GError **error);

G_END_DECLS
