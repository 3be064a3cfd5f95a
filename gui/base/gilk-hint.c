/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hint.c - hint in a bar, shown only if it fits completely; error display on a text entry
 */
#include "gui/base/gilk-windows.h"

struct _GilkHint {
  GtkLabel parent_instance;
};

G_DEFINE_FINAL_TYPE (GilkHint, gilk_hint, GTK_TYPE_LABEL)

static void
gilk_hint_get_preferred_width (GtkWidget *widget,
                               int       *minimum,
                               int       *natural)
{
  *minimum = *natural = 1;
}

static void
gilk_hint_size_allocate (GtkWidget     *widget,
                         GtkAllocation *place)
{
  GTK_WIDGET_CLASS (gilk_hint_parent_class)->size_allocate (widget, place);
  gtk_widget_set_opacity (widget, pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))) ? 0 : 1);
}

static void
gilk_hint_class_init (GilkHintClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->get_preferred_width = gilk_hint_get_preferred_width;
  widget_class->size_allocate = gilk_hint_size_allocate;
}

static void
gilk_hint_init (GilkHint *self)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  g_object_set (self, "ellipsize", PANGO_ELLIPSIZE_END, "hexpand", TRUE, "visible", TRUE, NULL);
  gtk_style_context_add_class (context, "dim-label");
  gtk_style_context_add_class (context, "small");
}

/* ---- error display on a text entry ---- */

void
gilk_entry_show_problem (GtkEntry   *entry,
                         const char *problem,
                         const char *help)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (entry));

  if (problem != NULL)
    gtk_style_context_add_class (context, "error");
  else
    gtk_style_context_remove_class (context, "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (entry), problem != NULL ? problem : help);
}
