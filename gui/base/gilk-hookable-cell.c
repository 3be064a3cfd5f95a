/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hookable-cell.c - cell with two lines of text and a bar that shows how much of a function is
 * hookable
 */
#include "gui/base/gilk-rows.h"


#define LENGTH 28.0
#define HEIGHT 5.0
#define EDGE   2

struct _GilkHookableCell {
  GtkCellRendererText parent_instance;

  /* @jumped: fraction (0 to 1) of a function's points that can be hooked by a jump or a kprobe;
   * negative: the bar is not drawn. @trapped: fraction of those that need a trap. */
  double jumped, trapped;
};

G_DEFINE_FINAL_TYPE (GilkHookableCell, gilk_hookable_cell, GTK_TYPE_CELL_RENDERER_TEXT)

void
gilk_hookable_cell_set (GilkHookableCell    *self,
                        const GilkHookShare *share)
{
  self->jumped = share != NULL && share->points > 0 ? (share->jumped + share->kprobes) / (double) share->points : -1;
  self->trapped = self->jumped >= 0 ? share->trapped / (double) share->points : 0;
}

static void
paint_piece (cairo_t       *cr,
             const GdkRGBA *colour,
             double         alpha,
             double         x,
             double         y,
             double         width,
             double         height)
{
  cairo_set_source_rgba (cr, colour->red, colour->green, colour->blue, alpha);
  cairo_rectangle (cr, x, y, width, height);
  cairo_fill (cr);
}

static void
gilk_hookable_cell_render (GtkCellRenderer     *cell,
                           cairo_t             *cr,
                           GtkWidget           *widget,
                           const GdkRectangle  *background,
                           const GdkRectangle  *area,
                           GtkCellRendererState flags)
{
  GilkHookableCell *self = GILK_HOOKABLE_CELL (cell);
  double x = area->x + EDGE, y = area->y + area->height * 0.33 - HEIGHT / 2;
  GdkRGBA text;

  GTK_CELL_RENDERER_CLASS (gilk_hookable_cell_parent_class)->render (cell, cr, widget, background, area, flags);
  if (self->jumped < 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), gtk_cell_renderer_get_state (cell, widget, flags), &text);
  cairo_save (cr);
  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    {
      cairo_translate (cr, 2 * area->x + area->width, 0);
      cairo_scale (cr, -1, 1);
    }
  paint_piece (cr, &text, 0.16, x, y, LENGTH, HEIGHT);
  paint_piece (cr, &text, 0.5, x, y, LENGTH * self->jumped, HEIGHT);
  paint_piece (cr, &text, 0.5, x + LENGTH * self->jumped, y + HEIGHT / 2,
               LENGTH * self->trapped, HEIGHT / 2);
  cairo_restore (cr);
}

static void
gilk_hookable_cell_class_init (GilkHookableCellClass *klass)
{
  GTK_CELL_RENDERER_CLASS (klass)->render = gilk_hookable_cell_render;
}

static void
gilk_hookable_cell_init (GilkHookableCell *self)
{
  self->jumped = -1;
}
