/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cached-picture.c - cached rendering of a widget
 *
 * A rendering becomes stale when it is invalidated or the widget is resized. The next draw of the
 * widget paints it again. But if the current main loop iteration has used its time budget, the draw
 * shows the old rendering, and painting waits for the next frame.
 *
 * A rendering that has waited is painted even if that frame has used its time as well, unless
 * another rendering was painted in the frame. So at least one rendering is painted per frame.
 */
#include "gui/plot/gilk-plot-view-private.h"

#define BUDGET_US 16000           /* time in us that a main loop iteration may take before
                                   * renderings are postponed */

/* Start time of the main loop iteration in which any window last painted a rendering. One variable
 * suffices, because all windows share one main loop. */
static gint64 last_painted;

/* Returns the start of this main loop iteration; 0: unknown. */
static gint64
get_iteration_start (void)
{
  GSource *source = g_main_current_source ();

  return source != NULL && !g_source_is_destroyed (source) ? g_source_get_time (source) : 0;
}

static gboolean
has_time (const GilkCachedPicture *picture)
{
  gint64 begin = get_iteration_start ();

  return begin == 0 || g_get_monotonic_time () - begin < BUDGET_US || (picture->waits && last_painted != begin);
}

static gboolean
on_next_frame (GtkWidget     *widget,
               GdkFrameClock *clock,
               gpointer       user_data)
{
  GilkCachedPicture *picture = user_data;

  picture->tick = 0;
  gtk_widget_queue_draw (widget);

  return G_SOURCE_REMOVE;
}

static void
wait_for_frame (GilkCachedPicture *picture,
                GtkWidget         *widget)
{
  picture->waits = TRUE;
  if (picture->tick == 0)
    picture->tick = gtk_widget_add_tick_callback (widget, on_next_frame, picture, NULL);
}

static gboolean
is_fresh (const GilkCachedPicture *picture,
          GtkWidget               *widget)
{
  return picture->surface != NULL && !picture->stale && picture->scale == gtk_widget_get_scale_factor (widget) &&
         picture->width == gtk_widget_get_allocated_width (widget) &&
         picture->height == gtk_widget_get_allocated_height (widget);
}

/* Paints in client memory, then uploads the image: an X server needs tens of milliseconds for
   some hundred slanted lines. */
static cairo_surface_t *
paint_image (GtkWidget       *widget,
             GilkPicturePaint paint)
{
  int scale = gtk_widget_get_scale_factor (widget);
  cairo_surface_t *image = gdk_window_create_similar_image_surface (gtk_widget_get_window (widget), CAIRO_FORMAT_RGB24,
                                                                    gtk_widget_get_allocated_width (widget) * scale,
                                                                    gtk_widget_get_allocated_height (widget) * scale, scale);
  cairo_t *cr = cairo_create (image);

  paint (widget, cr);
  cairo_destroy (cr);

  return image;
}

static void
repaint_picture (GilkCachedPicture *picture,
                 GtkWidget         *widget,
                 GilkPicturePaint   paint)
{
  cairo_surface_t *image = paint_image (widget, paint);
  cairo_t *cr;

  gilk_cached_picture_clear (picture);
  picture->width = gtk_widget_get_allocated_width (widget);
  picture->height = gtk_widget_get_allocated_height (widget);
  picture->scale = gtk_widget_get_scale_factor (widget);
  picture->surface = gdk_window_create_similar_surface (gtk_widget_get_window (widget), CAIRO_CONTENT_COLOR,
                                                        picture->width, picture->height);
  cr = cairo_create (picture->surface);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
  picture->stale = picture->waits = FALSE;
  last_painted = get_iteration_start ();
}

void
gilk_cached_picture_draw (GilkCachedPicture *picture,
                          GtkWidget         *widget,
                          cairo_t           *cr,
                          GilkPicturePaint   paint)
{
  if (!is_fresh (picture, widget))
    {
      if (has_time (picture))
        repaint_picture (picture, widget, paint);
      else
        wait_for_frame (picture, widget);
    }
  if (picture->surface == NULL)
    return;
  cairo_set_source_surface (cr, picture->surface, 0, 0);
  cairo_paint (cr);
}

void
gilk_cached_picture_invalidate (GilkCachedPicture *picture,
                                GtkWidget         *widget)
{
  picture->stale = TRUE;
  gtk_widget_queue_draw (widget);
}

void
gilk_cached_picture_clear (GilkCachedPicture *picture)
{
  g_clear_pointer (&picture->surface, cairo_surface_destroy);
}
