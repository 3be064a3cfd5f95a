/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-viewport.h - position and scale of a drawing in a widget
 *
 * One affine map: widget = (drawing - origin) * scale. Plain numbers, no widget.
 */
#pragma once

#include <gdk/gdk.h>

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

#define GILK_VIEWPORT_MARGIN 32.0

typedef struct {
  double x, y, scale;      /* x, y: drawing coordinates of the widget's origin */
  int    width, height;    /* of the widget, pixels */
} GilkViewport;

/* Sets the scale, clamped to the allowed range; the point at (@px, @py) of the widget stays there. */
void gilk_viewport_zoom   (GilkViewport *port, const GilkLayout *layout, double scale, double px, double py);
/* Moves the view by (@dx, @dy) in drawing units; part of the drawing always stays visible. */
void gilk_viewport_move   (GilkViewport *port, const GilkLayout *layout, double dx, double dy);
/* Shows the whole drawing, at a scale of at most 1. */
void gilk_viewport_fit    (GilkViewport *port, const GilkLayout *layout);
/* Sets the initial view: at a readable scale, with @entry at the top centre. */
void gilk_viewport_show_entry  (GilkViewport *port, const GilkLayout *layout, const GilkBox *entry);
/* Scrolls @box into view. */
void gilk_viewport_scroll_to (GilkViewport *port, const GilkBox *box);
void gilk_viewport_extents (const GilkViewport *port, const GilkBox *box, GdkRectangle *extents);

G_END_DECLS
