/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tour.h - guided tour of a window: one popover after the other, each pointing at a widget
 *
 * The popover takes the focus when it appears, and handles clicks only inside itself. Left and
 * Right go back and forward, Escape ends the tour. "ended" is emitted once; then the popover
 * destroys itself.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  const char *title, *text;
} GilkTourStep;

/* Makes the widget that step @step explains visible, and returns it. */
typedef GtkWidget *(*GilkTourTargetFunc) (gpointer object, guint step);

#define GILK_TYPE_TOUR (gilk_tour_get_type ())
G_DECLARE_FINAL_TYPE (GilkTour, gilk_tour, GILK, TOUR, GtkPopover)

/* Starts the tour. @steps: static, with untranslated texts. @object: (unowned): must outlive the
 * tour. (transfer none) */
GilkTour *gilk_tour_start (const GilkTourStep *steps, guint n_steps, GilkTourTargetFunc at, gpointer object);
