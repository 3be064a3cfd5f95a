/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-share-cell.c - text cell with a background bar that shows a fraction of a total
 *
 * The bar has the text's colour, mostly transparent, so that the text is readable in any theme and
 * in a selected row.
 */
#include "gui/base/gilk-rows.h"

#define INSET 3
#define ALPHA 0.13

struct _GilkShareCell {
  GtkCellRendererText parent_instance;

  double share;
};

G_DEFINE_TYPE (GilkShareCell, gilk_share_cell, GTK_TYPE_CELL_RENDERER_TEXT)

void
gilk_share_cell_set (GilkShareCell *self, double share)
{
  self->share = CLAMP (share, 0.0, 1.0);
}

static void
gilk_share_cell_render (GtkCellRenderer     *cell,
                        cairo_t             *cr,
                        GtkWidget           *widget,
                        const GdkRectangle  *background,
                        const GdkRectangle  *area,
                        GtkCellRendererState flags)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  double length = (area->width - 2 * INSET) * GILK_SHARE_CELL (cell)->share;
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GdkRGBA colour;

  gtk_style_context_get_color (context, gtk_cell_renderer_get_state (cell, widget, flags), &colour);
  cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue, ALPHA * colour.alpha);
  cairo_rectangle (cr, mirrored ? area->x + area->width - INSET - length : area->x + INSET, area->y + INSET, length,
                   area->height - 2 * INSET);
  cairo_fill (cr);
  GTK_CELL_RENDERER_CLASS (gilk_share_cell_parent_class)->render (cell, cr, widget, background, area, flags);
}

static void
gilk_share_cell_class_init (GilkShareCellClass *klass)
{
  GTK_CELL_RENDERER_CLASS (klass)->render = gilk_share_cell_render;
}

static void
gilk_share_cell_init (GilkShareCell *self)
{
}
