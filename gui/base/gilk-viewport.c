/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-viewport.c - position and scale of a drawing in a widget
 */
#include "gui/base/gilk-canvas.h"

#include <math.h>

#define SCALE_MIN    0.04        /* minimum scale; smaller only if otherwise the whole drawing would
                                  * not fit */
#define SCALE_FIT_MIN  0.0005
#define SCALE_MAX    3.0
#define VISIBLE_MIN     80.0

static void
keep_visible (GilkViewport     *port,
              const GilkLayout *layout)
{
  double width = port->width / port->scale;
  double height = port->height / port->scale;

  port->x = CLAMP (port->x, -(width - VISIBLE_MIN), MAX (layout->width - VISIBLE_MIN, 0));
  port->y = CLAMP (port->y, -(height - VISIBLE_MIN), MAX (layout->height - VISIBLE_MIN, 0));
}

static double
compute_fit_scale (const GilkViewport *port,
                   const GilkLayout   *layout)
{
  return MIN ((port->width - 2 * GILK_VIEWPORT_MARGIN) / MAX (layout->width, 1),
              (port->height - 2 * GILK_VIEWPORT_MARGIN) / MAX (layout->height, 1));
}

void
gilk_viewport_zoom (GilkViewport     *port,
                    const GilkLayout *layout,
                    double            scale,
                    double            px,
                    double            py)
{
  scale = CLAMP (scale, MIN (SCALE_MIN, MAX (compute_fit_scale (port, layout), SCALE_FIT_MIN)), SCALE_MAX);
  port->x += px / port->scale - px / scale;
  port->y += py / port->scale - py / scale;
  port->scale = scale;
  keep_visible (port, layout);
}

void
gilk_viewport_move (GilkViewport     *port,
                    const GilkLayout *layout,
                    double            dx,
                    double            dy)
{
  port->x += dx;
  port->y += dy;
  keep_visible (port, layout);
}

void
gilk_viewport_fit (GilkViewport     *port,
                   const GilkLayout *layout)
{
  port->scale = CLAMP (compute_fit_scale (port, layout), SCALE_FIT_MIN, 1.0);
  port->x = (layout->width - port->width / port->scale) / 2;
  port->y = (layout->height - port->height / port->scale) / 2;
}

void
gilk_viewport_show_entry (GilkViewport     *port,
                          const GilkLayout *layout,
                          const GilkBox    *entry)
{
  double fit = compute_fit_scale (port, layout);

  port->scale = CLAMP (fit, 0.85, 1.0);
  port->x = entry->x + entry->width / 2.0 - port->width / (2 * port->scale);
  port->y = entry->y - GILK_VIEWPORT_MARGIN / port->scale;
  if (fit >= port->scale)
    port->x = (layout->width - port->width / port->scale) / 2;
}

void
gilk_viewport_extents (const GilkViewport *port,
                       const GilkBox      *box,
                       GdkRectangle       *extents)
{
  extents->x = round ((box->x - port->x) * port->scale);
  extents->y = round ((box->y - port->y) * port->scale);
  extents->width = round (box->width * port->scale);
  extents->height = round (box->height * port->scale);
}

void
gilk_viewport_scroll_to (GilkViewport  *port,
                         const GilkBox *box)
{
  const double margin = GILK_VIEWPORT_MARGIN;
  GdkRectangle at;

  gilk_viewport_extents (port, box, &at);
  if (at.x < margin || at.width > port->width - 2 * margin)
    port->x += (at.x - margin) / port->scale;
  else if (at.x + at.width > port->width - margin)
    port->x += (at.x + at.width - port->width + margin) / port->scale;
  if (at.y < margin || at.height > port->height - 2 * margin)
    port->y += (at.y - margin) / port->scale;
  else if (at.y + at.height > port->height - margin)
    port->y += (at.y + at.height - port->height + margin) / port->scale;
}
