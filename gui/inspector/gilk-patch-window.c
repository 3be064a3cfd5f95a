/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-window.c - machine code of a planned hook: code before and after, and the patch
 *
 * A worker thread binds the plan again to get the machine code, because the code of a hook's
 * program depends on the hook's location. Nothing is armed.
 */

#include <glib/gi18n.h>

#include "core/bind/gilk-bound-listing.h"
#include "gui/run/gilk-connection.h"
#include "gui/base/gilk-panes.h"
#include "gui/inspector/gilk-patch-view.h"
#include "gui/base/gilk-windows.h"

#define WIDTH     1100
#define WIDTH_MAX 1400
#define HEIGHT    640
#define BORDER    24      /* pixels for scroll bar and edges */

struct _GilkPatchWindow {
  GtkWindow parent_instance;

  GtkHeaderBar     *header;
  GtkStack         *stack;
  GtkLabel         *problem;
  GilkPatchView    *patch;
  GCancellable     *cancellable;
  guint             hook;
  GilkBoundPlan    *bound;
};

G_DEFINE_FINAL_TYPE (GilkPatchWindow, gilk_patch_window, GTK_TYPE_WINDOW)

static void
show_listing (GilkPatchWindow  *self,
              GilkPatchListing *listing)
{
  g_autofree char *cost = g_strdup_printf (_("the patch replaces %u bytes of kernel text and adds %u instructions"),
                                           listing->footprint, listing->cost);
  int width, height;

  gilk_patch_view_show (self->patch, listing, g_array_index (self->bound->hooks, GilkBoundHook, self->hook).cfg, &width,
                        &height);
  gtk_window_resize (GTK_WINDOW (self), MIN (width + BORDER, MIN (WIDTH_MAX, gilk_panes_work_area_width (GTK_WINDOW (self)))), HEIGHT);
  gtk_header_bar_set_subtitle (self->header, cost);
  gtk_stack_set_visible_child_name (self->stack, "code");
}

static void
bound_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkPatchWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  GilkPatchListing *listing;

  self->bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, &error);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  listing = self->bound != NULL ? gilk_bound_listing_new (self->bound, self->hook, decoder, &error) : NULL;
  if (listing != NULL)
    show_listing (self, listing);
  else
    {
      gtk_label_set_text (self->problem, error->message);
      gtk_stack_set_visible_child_name (self->stack, "problem");
    }
}

void
gilk_patch_window_open (GtkWindow      *parent,
                        GilkConnection *connection,
                        const GilkPlan *plan,
                        guint           hook,
                        const char     *place)
{
  GilkPatchWindow *self = g_object_new (GILK_TYPE_PATCH_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE,
                                        "default-width", WIDTH, "default-height", HEIGHT, NULL);

  self->hook = hook;
  gtk_header_bar_set_title (self->header, place);
  gilk_connection_bind_async (connection, plan, self->cancellable, bound_cb, g_object_ref (self));
  gtk_window_present (GTK_WINDOW (self));
}

static void
gilk_patch_window_destroy (GtkWidget *widget)
{
  g_cancellable_cancel (GILK_PATCH_WINDOW (widget)->cancellable);
  GTK_WIDGET_CLASS (gilk_patch_window_parent_class)->destroy (widget);
}

static void
gilk_patch_window_finalize (GObject *object)
{
  GilkPatchWindow *self = GILK_PATCH_WINDOW (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->bound, gilk_bound_plan_free);
  G_OBJECT_CLASS (gilk_patch_window_parent_class)->finalize (object);
}

static void
gilk_patch_window_class_init (GilkPatchWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_patch_window_finalize;
  GTK_WIDGET_CLASS (klass)->destroy = gilk_patch_window_destroy;
}

static GtkWidget *
show_widget (GtkWidget *widget)
{
  gtk_widget_show (widget);

  return widget;
}

static void
gilk_patch_window_init (GilkPatchWindow *self)
{
  GtkWidget *spinner = show_widget (gilk_spinner_new ()), *scrolled = show_widget (gtk_scrolled_window_new (NULL, NULL));

  self->cancellable = g_cancellable_new ();
  self->header = GTK_HEADER_BAR (show_widget (gtk_header_bar_new ()));
  gtk_header_bar_set_show_close_button (self->header, TRUE);
  gtk_window_set_titlebar (GTK_WINDOW (self), GTK_WIDGET (self->header));
  self->stack = GTK_STACK (show_widget (gtk_stack_new ()));
  self->problem = GTK_LABEL (show_widget (gtk_label_new (NULL)));
  gtk_label_set_line_wrap (self->problem, TRUE);
  gtk_label_set_max_width_chars (self->problem, 60);
  self->patch = GILK_PATCH_VIEW (gilk_patch_view_new ());
  gilk_side_window_set_keys (GTK_WINDOW (self), NULL, NULL);
  gtk_container_add (GTK_CONTAINER (scrolled), GTK_WIDGET (self->patch));
  gtk_widget_set_halign (spinner, GTK_ALIGN_CENTER);
  gtk_stack_add_named (self->stack, spinner, "asking");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->problem), "problem");
  gtk_stack_add_named (self->stack, scrolled, "code");
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->stack));
}
