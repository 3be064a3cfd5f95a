/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-bars.h - gilk plot --group: number of samples by value
 */
#pragma once

#include "cli/base/session.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

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

G_END_DECLS
