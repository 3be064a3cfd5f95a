/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-button.c - button that starts and stops runs, labelled Run, Cancel, Stop or Stopping
 */
#include "gui/window/gilk-header-buttons.h"

#include <glib/gi18n.h>

struct _GilkRunButton {
  GtkButton parent_instance;

  GtkImage *image;
  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (GilkRunButton, gilk_run_button, GTK_TYPE_BUTTON)

void
gilk_run_button_set_state (GilkRunButton    *self,
                           GilkRecorderState state,
                           const char       *why)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  const char *label = state == GILK_RECORDER_IDLE ? _("Run")
                      : state == GILK_RECORDER_PREPARING ? _("Cancel")
                      : state == GILK_RECORDER_RUNNING ? _("Stop") : _("Stopping");

  gtk_label_set_text (self->label, label);
  gtk_image_set_from_icon_name (self->image, state == GILK_RECORDER_IDLE ? "media-playback-start-symbolic"
                                                                         : "media-playback-stop-symbolic", GTK_ICON_SIZE_BUTTON);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), why != NULL ? why : _("Start or stop the run (F5)"));
  if (state == GILK_RECORDER_IDLE)
    gtk_style_context_add_class (context, "suggested-action");
  else
    gtk_style_context_remove_class (context, "suggested-action");
}

GtkWidget *
gilk_run_button_icon (GilkRunButton *self)
{
  return GTK_WIDGET (self->image);
}

static void
gilk_run_button_class_init (GilkRunButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/run-button.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkRunButton, image);
  gtk_widget_class_bind_template_child (widget_class, GilkRunButton, label);
}

static void
gilk_run_button_init (GilkRunButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
