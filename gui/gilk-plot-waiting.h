/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-waiting.h - progress overlay of a plot while its samples are being read, with a cancel
 * button
 *
 * Shown only if reading takes longer than a moment. Signal "cancelled".
 */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_TYPE_PLOT_WAITING (gilk_plot_waiting_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotWaiting, gilk_plot_waiting, GILK, PLOT_WAITING, GtkBox)

GtkWidget *gilk_plot_waiting_new   (void);
/* @read: atomic counter of samples read so far (transfer full) (nullable);
 * @to_read: total, 0: unknown */
void       gilk_plot_waiting_begin (GilkPlotWaiting *self, gsize *read, uint64_t to_read);
/* Moves to the corner beside the caption, so that the partial plot can be read. */
void       gilk_plot_waiting_go_on (GilkPlotWaiting *self);
void       gilk_plot_waiting_end   (GilkPlotWaiting *self);

G_END_DECLS
