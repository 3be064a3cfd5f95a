/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-name.h - what a plot is called, and bars of what is counted by value
 *
 * The workbench and the command line say and draw the same.
 *
 * Threads: that of the stores.
 */
#pragma once

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

/**
 * gilk_plot_name_figure:
 * @by: (nullable): the field that splits the one hook
 * @condition: (nullable): what samples meet
 * Title and subtitle of @figure, unless it has them.
 */
void gilk_plot_name_figure (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                            const char *by, const char *condition);
/* "sleeps · pipe_write+0x2b1 post · 1,204 hits, 0 lost". (transfer full) */
char *gilk_plot_name_hook   (const GilkStoredHook *hook);
/* "sleeps, run 2: after the patch": where hooks of several runs stand together. (transfer full) */
char *gilk_plot_name_in_run (const GilkStoredHook *hook, const GilkStoredRun *run);

/* Bars are GilkBar, whose words are theirs. (transfer full) */
GArray  *gilk_group_bars_new (void);
/* One for each value of @field, those with most samples first, of at most so many; the others are one more. @condition: which
 * samples, as of gilk_samples_add_condition(); nullable. */
gboolean gilk_group_bars_add (GArray *bars, GilkStore *store, const GilkStoredHook *hook, const char *field, double from, double to,
                              const char *condition, guint most, GError **error);

G_END_DECLS
