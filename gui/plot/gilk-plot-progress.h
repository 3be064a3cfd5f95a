/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-progress.h - progress overlay of a plot while its samples are being read, with a cancel
 * button
 *
 * Shown only if reading takes longer than a moment. Signal "cancelled".
 */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_TYPE_PLOT_PROGRESS (gilk_plot_progress_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotProgress, gilk_plot_progress, GILK, PLOT_PROGRESS, GtkBox)

GtkWidget *gilk_plot_progress_new            (void);
/* @read: (transfer full) (nullable): atomic counter of samples read so far. @to_read: total number
 * of samples; 0: unknown */
void       gilk_plot_progress_start          (GilkPlotProgress *self, gsize *read, uint64_t to_read);
/* Moves to the corner beside the caption, so that the partial plot can be read. */
void       gilk_plot_progress_move_to_corner (GilkPlotProgress *self);
void       gilk_plot_progress_stop           (GilkPlotProgress *self);

G_END_DECLS
