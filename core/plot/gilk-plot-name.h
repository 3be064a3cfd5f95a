/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-name.h - titles of plots, and bars of counts by value
 *
 * Shared by the workbench and the command line.
 *
 * Threads: only the thread of the stores.
 */
#pragma once

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

/**
 * gilk_plot_name_figure:
 * @by: (nullable): the field by which the single hook is split
 * @condition: (nullable): condition by which the samples were selected
 * Sets title and subtitle of @figure, unless it has them.
 */
void gilk_plot_name_figure (GilkFigure *figure, const GilkFigureAsk *ask, const GilkFigureSource *sources, guint n,
                            const char *by, const char *condition);
/* Returns a text about the hook, such as "sleeps · pipe_write+0x2b1 post · 1,204 hits, 0 lost".
 * (transfer full) */
char *gilk_plot_name_hook   (const GilkStoredHook *hook);
/* Returns text such as "sleeps, run 2: after the patch", for a plot of hooks of several runs.
 * (transfer full) */
char *gilk_plot_name_in_run (const GilkStoredHook *hook, const GilkStoredRun *run);

/* Returns an empty array of GilkBar, which owns the bars' strings. (transfer full) */
GArray  *gilk_group_bars_new (void);
/* Adds a bar for each value of @field, at most @most of them, in descending order of the number of
 * samples, and one bar for all other values. @condition: (nullable): condition that samples must
 * meet, as in gilk_samples_add_condition() */
gboolean gilk_group_bars_add (GArray *bars, GilkStore *store, const GilkStoredHook *hook, const char *field, double from, double to,
                              const char *condition, guint most, GError **error);

G_END_DECLS
