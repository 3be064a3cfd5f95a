/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kept-picture.h - what a widget painted, kept until it is another
 *
 * A page of plots is painted over some frames, so that none of them takes long: what has to be painted anew while its
 * frame has done enough is shown as it was until the next one.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All of @widget, at its allocated size, with its ground. */
typedef void (*GilkPicturePaint) (GtkWidget *widget, cairo_t *cr);

/* Part of the widget's own struct; all zero at first. */
typedef struct {
  cairo_surface_t *surface;       /* NULL: never painted */
  int              width, height, scale;
  gboolean         stale;         /* it would be painted otherwise now */
  gboolean         waits;         /* for a frame with time for it */
  guint            tick;          /* which draws it in the next; 0: none */
} GilkKeptPicture;

/* In the widget's ::draw. */
void gilk_kept_picture_draw  (GilkKeptPicture *picture, GtkWidget *widget, cairo_t *cr, GilkPicturePaint paint);
/* It would be painted otherwise now: @widget is drawn anew. */
void gilk_kept_picture_spoil (GilkKeptPicture *picture, GtkWidget *widget);
/* Keeps nothing any more: when something else is shown, and before the widget goes. */
void gilk_kept_picture_drop  (GilkKeptPicture *picture);

G_END_DECLS
