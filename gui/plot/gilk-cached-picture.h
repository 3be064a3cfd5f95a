/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cached-picture.h - cached rendering of a widget
 *
 * Spreads the painting of a page of plots over several frames, so that none takes long. If a frame
 * has used its time, a stale widget shows its old rendering until the next frame.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Paints all of @widget, at its allocated size, including the background. */
typedef void (*GilkPicturePaint) (GtkWidget *widget, cairo_t *cr);

/* Embed this in the widget's struct, initialized to zero. */
typedef struct {
  cairo_surface_t *surface;       /* NULL: never painted */
  int              width, height, scale;
  gboolean         stale;         /* the rendering must be painted again */
  gboolean         waits;         /* painting waits for a frame that has time left */
  guint            tick;          /* id of the callback for the next frame; 0: none */
} GilkCachedPicture;

/* Must be called from the widget's ::draw. */
void gilk_cached_picture_draw       (GilkCachedPicture *picture, GtkWidget *widget, cairo_t *cr, GilkPicturePaint paint);
/* Marks the rendering as stale and queues a redraw of @widget. */
void gilk_cached_picture_invalidate (GilkCachedPicture *picture, GtkWidget *widget);
/* Frees the rendering. Call it when something else is shown, and before destroying the widget. */
void gilk_cached_picture_clear      (GilkCachedPicture *picture);

G_END_DECLS
