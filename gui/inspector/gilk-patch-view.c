/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-view.c - the code of one hook as a picture
 */
#include "gui/inspector/gilk-patch-view.h"

#include <glib/gi18n.h>

#include "core/plot/gilk-patch-paint.h"
#include "gui/base/gilk-settings.h"

struct _GilkPatchView {
  GtkDrawingArea    parent_instance;

  GilkPatchListing *listing;       /* the code that is shown; NULL: none yet */
  GilkCfg          *cfg;
};

G_DEFINE_FINAL_TYPE (GilkPatchView, gilk_patch_view, GTK_TYPE_DRAWING_AREA)

static GilkPatchPicture
make_picture (GilkPatchView *self, GilkPlotStyle *style)
{
  gilk_style_fill (GTK_WIDGET (self), style);

  return (GilkPatchPicture) { self->listing, self->cfg, style, NULL };
}

static gboolean
gilk_patch_view_draw (GtkWidget *widget,
                      cairo_t   *cr)
{
  GilkPatchView *self = GILK_PATCH_VIEW (widget);
  GilkPlotStyle style;
  GilkPatchPicture picture;

  if (self->listing == NULL)
    return GDK_EVENT_PROPAGATE;
  picture = make_picture (self, &style);
  gilk_patch_paint (cr, gtk_widget_get_allocated_width (widget), gtk_widget_get_allocated_height (widget), &picture);

  return GDK_EVENT_PROPAGATE;
}

/* Returns the listing as text for screen readers. */
static char *
format_listing (const GilkPatchListing *listing)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < listing->patch->len; i++)
    g_string_append_printf (text, "%s\n", g_array_index (listing->patch, GilkPatchLine, i).text);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
drop_listing (GilkPatchView *self)
{
  g_clear_pointer (&self->listing, gilk_patch_listing_free);
  g_clear_pointer (&self->cfg, gilk_cfg_unref);
}

void
gilk_patch_view_show (GilkPatchView    *self,
                      GilkPatchListing *listing,
                      GilkCfg          *cfg,
                      int              *width,
                      int              *height)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));
  g_autofree char *text = format_listing (listing);
  GilkPlotStyle style;
  GilkPatchPicture picture;
  double wide, high;

  drop_listing (self);
  self->listing = listing;
  self->cfg = gilk_cfg_ref (cfg);
  picture = make_picture (self, &style);
  gilk_patch_picture_size (&picture, &wide, &high);
  *width = (int) wide;
  *height = (int) high;
  gtk_widget_set_size_request (GTK_WIDGET (self), *width, *height);
  atk_object_set_name (accessible, _("Machine code"));
  atk_object_set_description (accessible, text);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
gilk_patch_view_finalize (GObject *object)
{
  drop_listing (GILK_PATCH_VIEW (object));
  G_OBJECT_CLASS (gilk_patch_view_parent_class)->finalize (object);
}

static void
gilk_patch_view_class_init (GilkPatchViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_patch_view_finalize;
  GTK_WIDGET_CLASS (klass)->draw = gilk_patch_view_draw;
}

static void
gilk_patch_view_init (GilkPatchView *self)
{
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
}

GtkWidget *
gilk_patch_view_new (void)
{
  return g_object_new (GILK_TYPE_PATCH_VIEW, "visible", TRUE, NULL);
}
