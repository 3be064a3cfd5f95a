/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tour.h - a walk through a window: one bubble after the other, each at what it tells of
 *
 * The bubble takes the focus when it comes, and no clicks but those on itself. Left and Right go back and on, Escape ends it. "ended" is
 * emitted once; then it goes by itself.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *title, *text;
} GilkTourStep;

/* Brings what step @step tells of into view: where its bubble goes. */
typedef GtkWidget *(*GilkTourAt) (gpointer object, guint step);

#define GILK_TYPE_TOUR (gilk_tour_get_type ())
G_DECLARE_FINAL_TYPE (GilkTour, gilk_tour, GILK, TOUR, GtkPopover)

/* @steps: static, texts not yet translated. @object: (unowned): outlives it. Begins with the first step. (transfer none) */
GilkTour *gilk_tour_begin (const GilkTourStep *steps, guint n_steps, GilkTourAt at, gpointer object);

G_END_DECLS
