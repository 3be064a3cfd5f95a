/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tour.c - guided tour of a window: one popover after the other, each pointing at a widget
 */
#include "gui/window/gilk-tour.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"

#define WIDTH_CHARS 42
#define LARGE       150             /* px; if the explained widget is higher than this, the popover
                                     * points at a place near the widget's upper left corner */
#define LARGE_X     170
#define LARGE_Y     110

struct _GilkTour {
  GtkPopover parent_instance;

  const GilkTourStep *steps;
  guint       n_steps, step;
  GilkTourTargetFunc  at;
  gpointer    object;             /* (unowned) */
  gboolean    over;
  GtkWidget  *target;             /* (unowned): the widget that the step explains */
  GtkLabel   *place, *title, *text;
  GtkButton  *back, *next, *skip;
};

G_DEFINE_FINAL_TYPE (GilkTour, gilk_tour, GTK_TYPE_POPOVER)

static gboolean
destroy_idle (gpointer data)
{
  gtk_widget_destroy (data);

  return G_SOURCE_REMOVE;
}

static void
end_tour (GilkTour *self)
{
  if (self->over)
    return;
  self->over = TRUE;
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit_by_name (self, "ended");
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, destroy_idle, g_object_ref (self), g_object_unref);
}

/* Points at the current position of the step's widget. If that widget is insensitive, attaches the
 * popover to the widget's parent, because a popover on an insensitive widget is insensitive. */
static void
update_pointing (GilkTour *self)
{
  GtkWidget *parent = gtk_widget_get_parent (self->target), *on = gtk_widget_is_sensitive (self->target) ? self->target : parent;
  GdkRectangle place = {
    .width = gtk_widget_get_allocated_width (self->target), .height = gtk_widget_get_allocated_height (self->target),
  };

  if (on == parent)
    gtk_widget_translate_coordinates (self->target, parent, 0, 0, &place.x, &place.y);
  if (gtk_popover_get_relative_to (GTK_POPOVER (self)) != on)
    gtk_popover_set_relative_to (GTK_POPOVER (self), on);
  gtk_popover_set_position (GTK_POPOVER (self), place.height > LARGE ? GTK_POS_RIGHT : GTK_POS_BOTTOM);
  if (place.height > LARGE)
    place = (GdkRectangle) { place.x + MIN (place.width / 2, LARGE_X), place.y + MIN (place.height / 2, LARGE_Y), 1, 1 };
  gtk_popover_set_pointing_to (GTK_POPOVER (self), &place);
}

static void
set_target (GilkTour  *self,
            GtkWidget *target)
{
  if (self->target != NULL)
    g_signal_handlers_disconnect_by_func (self->target, update_pointing, self);
  self->target = target;
  g_signal_connect_object (target, "size-allocate", G_CALLBACK (update_pointing), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  update_pointing (self);
}

static void
show_step (GilkTour *self)
{
  const GilkTourStep *step = &self->steps[self->step];
  const gboolean is_last = self->step + 1 == self->n_steps;
  GtkWidget *at = self->at (self->object, self->step);
  g_autofree char *place = g_strdup_printf (_("%u of %u"), self->step + 1, self->n_steps);
  g_autofree char *name = g_strdup_printf (_("Tour, %s: %s"), place, _(step->title));

  gtk_label_set_text (self->place, place);
  gtk_label_set_text (self->title, _(step->title));
  gtk_label_set_text (self->text, _(step->text));
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), name);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self->next)), _(step->text));
  gtk_widget_set_sensitive (GTK_WIDGET (self->back), self->step > 0);
  gtk_button_set_label (self->next, is_last ? _("_Done") : _("_Next"));
  gtk_widget_set_visible (GTK_WIDGET (self->skip), !is_last);
  set_target (self, at);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->next));
}

static void
go_back (GilkTour *self)
{
  if (self->step == 0)
    return;
  self->step--;
  show_step (self);
}

static void
go_forward (GilkTour *self)
{
  if (self->step + 1 == self->n_steps)
    {
      end_tour (self);
      return;
    }
  self->step++;
  show_step (self);
}

static gboolean
gilk_tour_key_press (GtkWidget   *widget,
                     GdkEventKey *event)
{
  GilkTour *self = GILK_TOUR (widget);

  if (event->keyval == GDK_KEY_Escape)
    end_tour (self);
  else if (event->keyval == GDK_KEY_Left)
    go_back (self);
  else if (event->keyval == GDK_KEY_Right)
    go_forward (self);
  else
    return GTK_WIDGET_CLASS (gilk_tour_parent_class)->key_press_event (widget, event);

  return GDK_EVENT_STOP;
}

static void
gilk_tour_class_init (GilkTourClass *klass)
{
  GTK_WIDGET_CLASS (klass)->key_press_event = gilk_tour_key_press;
  gilk_add_signal (klass, "ended", 0);
}

static GtkLabel *
add_label (GtkBox *box, const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  if (class != NULL)
    gtk_style_context_add_class (gtk_widget_get_style_context (label), class);
  gtk_box_pack_start (box, label, FALSE, FALSE, 0);

  return GTK_LABEL (label);
}

static GtkButton *
add_button (GilkTour *self, GtkBox *box, const char *label, void (*clicked) (GilkTour *self))
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  gtk_box_pack_start (box, button, FALSE, FALSE, 0);

  return GTK_BUTTON (button);
}

static void
gilk_tour_init (GilkTour *self)
{
  GtkBox *all = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  GtkBox *buttons = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));

  g_object_set (all, "margin", 12, NULL);
  gtk_popover_set_modal (GTK_POPOVER (self), FALSE);
  self->place = add_label (all, "dim-label");
  self->title = add_label (all, "section");
  self->text = add_label (all, NULL);
  self->skip = add_button (self, buttons, _("_Skip"), end_tour);
  gtk_button_set_relief (self->skip, GTK_RELIEF_NONE);
  self->back = add_button (self, buttons, _("_Back"), go_back);
  self->next = add_button (self, buttons, _("_Next"), go_forward);
  gtk_button_set_use_underline (self->next, TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->next)), "suggested-action");
  gtk_widget_set_halign (GTK_WIDGET (buttons), GTK_ALIGN_END);
  gtk_widget_set_margin_top (GTK_WIDGET (buttons), 6);
  gtk_box_pack_start (all, GTK_WIDGET (buttons), FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (all));
  gtk_widget_show_all (GTK_WIDGET (all));
}

GilkTour *
gilk_tour_start (const GilkTourStep *steps,
                 guint               n_steps,
                 GilkTourTargetFunc  at,
                 gpointer            object)
{
  GilkTour *self = g_object_new (GILK_TYPE_TOUR, NULL);

  self->steps = steps;
  self->n_steps = n_steps;
  self->at = at;
  self->object = object;
  show_step (self);

  return self;
}
