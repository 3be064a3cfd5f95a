/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-spinner.c - spinner that spins only while it is mapped
 */
#include "gui/base/gilk-windows.h"

struct _GilkSpinner {
  GtkSpinner parent_instance;
};

G_DEFINE_FINAL_TYPE (GilkSpinner, gilk_spinner, GTK_TYPE_SPINNER)

static void
gilk_spinner_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gilk_spinner_parent_class)->map (widget);
  gtk_spinner_start (GTK_SPINNER (widget));
}

static void
gilk_spinner_unmap (GtkWidget *widget)
{
  gtk_spinner_stop (GTK_SPINNER (widget));
  GTK_WIDGET_CLASS (gilk_spinner_parent_class)->unmap (widget);
}

static void
gilk_spinner_class_init (GilkSpinnerClass *klass)
{
  GTK_WIDGET_CLASS (klass)->map = gilk_spinner_map;
  GTK_WIDGET_CLASS (klass)->unmap = gilk_spinner_unmap;
}

static void
gilk_spinner_init (GilkSpinner *self)
{
}

GtkWidget *
gilk_spinner_new (void)
{
  return g_object_new (GILK_TYPE_SPINNER, NULL);
}
