/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-progress-box.c - bar above the content: the work in progress, and a button to cancel it
 */
#include "gui/window/gilk-status-bar.h"

#include <glib/gi18n.h>

struct _GilkProgressBox {
  GtkBox parent_instance;

  GilkConnection *connection;
  GilkRecorder   *recorder;
  gboolean        loading;             /* a graph is being loaded */

  GtkLabel       *label;
  GtkProgressBar *bar;
};

G_DEFINE_FINAL_TYPE (GilkProgressBox, gilk_progress_box, GTK_TYPE_BOX)

static void
update_progress (GilkProgressBox *self)
{
  double fraction = -1;
  const char *what = NULL;

  if (gilk_connection_state (self->connection) == GILK_CONNECTION_CONNECTING)
    what = gilk_connection_progress (self->connection, &fraction);
  else if (gilk_recorder_state (self->recorder) == GILK_RECORDER_PREPARING)
    what = _("Checking the plan against the kernel");
  else if (gilk_recorder_is_changing (self->recorder))
    what = _("Changing the hooks of the run");
  else if (self->loading)
    what = _("Drawing the graph");

  gtk_widget_set_visible (GTK_WIDGET (self), what != NULL);
  if (what == NULL)
    return;
  gtk_label_set_text (self->label, what);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (self->bar, fraction);
  else
    gtk_progress_bar_pulse (self->bar);
}

void
gilk_progress_box_set_loading (GilkProgressBox *self,
                               gboolean         loading)
{
  self->loading = loading;
  update_progress (self);
}

void
gilk_progress_box_follow (GilkProgressBox *self,
                          GilkConnection  *connection,
                          GilkRecorder    *recorder)
{
  self->connection = g_object_ref (connection);
  self->recorder = g_object_ref (recorder);
  g_signal_connect_object (connection, "changed", G_CALLBACK (update_progress), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (recorder, "changed", G_CALLBACK (update_progress), self, G_CONNECT_SWAPPED);
}

static void
gilk_progress_box_dispose (GObject *object)
{
  GilkProgressBox *self = GILK_PROGRESS_BOX (object);

  if (self->connection != NULL)
    g_signal_handlers_disconnect_by_data (self->connection, self);
  if (self->recorder != NULL)
    g_signal_handlers_disconnect_by_data (self->recorder, self);
  g_clear_object (&self->connection);
  g_clear_object (&self->recorder);
  G_OBJECT_CLASS (gilk_progress_box_parent_class)->dispose (object);
}

static void
gilk_progress_box_class_init (GilkProgressBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_progress_box_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/progress-box.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkProgressBox, label);
  gtk_widget_class_bind_template_child (widget_class, GilkProgressBox, bar);
}

static void
gilk_progress_box_init (GilkProgressBox *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
