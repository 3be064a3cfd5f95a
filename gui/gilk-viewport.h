/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-viewport.h - which part of a drawing a widget shows, and how large
 *
 * One affine map: widget = (drawing - origin) * scale. Plain numbers, no widget.
 */
#pragma once

#include <gdk/gdk.h>

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

#define GILK_VIEWPORT_MARGIN 32.0

typedef struct {
  double x, y, scale;      /* drawing at the widget's origin */
  int    width, height;    /* of the widget */
} GilkViewport;

/* To @scale, or the nearest that is allowed; what is at px,py of the widget stays there. */
void gilk_viewport_zoom   (GilkViewport *port, const GilkLayout *layout, double scale, double px, double py);
/* Moves the drawing by dx,dy of its own units; a corner of it stays in sight. */
void gilk_viewport_move   (GilkViewport *port, const GilkLayout *layout, double dx, double dy);
/* All of the drawing, not larger than life. */
void gilk_viewport_fit    (GilkViewport *port, const GilkLayout *layout);
/* First look: readable, @entry on top in the middle. */
void gilk_viewport_start  (GilkViewport *port, const GilkLayout *layout, const GilkBox *entry);
/* Into sight. */
void gilk_viewport_reveal (GilkViewport *port, const GilkBox *box);
void gilk_viewport_extents (const GilkViewport *port, const GilkBox *box, GdkRectangle *extents);

G_END_DECLS
