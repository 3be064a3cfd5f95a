/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-waiting.h - lies over a plot while its samples are being read: how far that is, and how to end it
 *
 * Seen only where it takes longer than a moment. Signal "cancelled".
 */
#pragma once

#include <gtk/gtk.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_TYPE_PLOT_WAITING (gilk_plot_waiting_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotWaiting, gilk_plot_waiting, GILK, PLOT_WAITING, GtkBox)

GtkWidget *gilk_plot_waiting_new   (void);
/* @read: samples read so far, an atomic box (transfer full) (nullable). @to_read: of how many, 0: not known. */
void       gilk_plot_waiting_begin (GilkPlotWaiting *self, gsize *read, uint64_t to_read);
/* In the corner beside the caption: what is there may be looked at. */
void       gilk_plot_waiting_go_on (GilkPlotWaiting *self);
void       gilk_plot_waiting_end   (GilkPlotWaiting *self);

G_END_DECLS
