/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot-bars.h - gilk plot --groups: how many samples had which value
 */
#pragma once

#include "cli/session.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef struct {
  GArray    *bars;          /* GilkBar */
  GPtrArray *strings;       /* owns what is written beside them */
} CliBars;

void     cli_bars_clear (CliBars *bars);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliBars, cli_bars_clear)
/* @label: one hook's groups; NULL: those of every hook with the field. @from, @to: seconds
 * of the run, NaN: all. @condition: (nullable): which samples. @only: the one. */
gboolean cli_bars_make  (CliBars *bars, const CliSession *session, const char *label, const char *field,
                         double from, double to, const char *condition, const GilkStoredHook **only, GError **error);

G_END_DECLS
