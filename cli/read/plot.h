/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - pictures of "gilk plot"
 */
#pragma once

#include "cli/base/session.h"
#include "core/figure/gilk-figure.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

/* ---- plot-bars ---- */

typedef struct {
  GArray    *bars;          /* GilkBar */
  GPtrArray *strings;       /* owns the texts of @bars */
} CliBars;

void     cli_bars_clear (CliBars *bars);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliBars, cli_bars_clear)
/* @label: the hook; NULL: every hook with the field. @from, @to: range in seconds of the run, NaN:
 * unlimited. @condition: (nullable): which samples. @only: (out): the hook, if there is only
 * one. */
gboolean cli_bars_make  (CliBars *bars, const CliSession *session, const char *label, const char *field,
                         double from, double to, const char *condition, const GilkStoredHook **only, GError **error);

/* ---- plot-maps ---- */

/* @name: name of the histogram; @hooks: labels, NULL: all hooks that have it; @log: "x", "y", "xy",
 * "none", or NULL to choose by the values. (transfer full) */
GilkFigure *cli_maps_figure (const CliSession *session, const char *name, char *const *hooks, const char *log,
                             GError **error);

G_END_DECLS
