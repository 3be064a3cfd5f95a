/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-progress.c - progress overlay of a plot while its samples are being read
 */
#include "gui/plot/gilk-plot-view.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-windows.h"

#define SHOW_DELAY_MS 100              /* reads that take longer show their progress */
#define MARGIN     12

struct _GilkPlotProgress {
  GtkBox      parent_instance;

  GtkLabel   *label;
  guint       timer;
  gsize      *read;                 /* NULL: unknown */
  uint64_t    to_read;
};

G_DEFINE_TYPE (GilkPlotProgress, gilk_plot_progress, GTK_TYPE_BOX)

static void
update_label (GilkPlotProgress *self)
{
  gsize read = self->read != NULL ? (gsize) g_atomic_pointer_get (self->read) : 0;
  guint percent = self->to_read > 0 ? (guint) MIN (100.0 * (double) read / (double) self->to_read, 99.0) : 0;
  g_autofree char *text = percent > 0 ? g_strdup_printf (_("Reading samples… %u %%"), percent) : g_strdup (_("Reading samples…"));

  if (g_strcmp0 (gtk_label_get_text (self->label), text) != 0)
    gtk_label_set_text (self->label, text);
}

static gboolean
show_progress (gpointer user_data)
{
  GilkPlotProgress *self = user_data;

  update_label (self);
  gtk_widget_show (GTK_WIDGET (self));

  return G_SOURCE_CONTINUE;
}

static void
start_timer (GilkPlotProgress *self,
             GtkAlign          align)
{
  gtk_widget_set_halign (GTK_WIDGET (self), align);
  gtk_widget_set_valign (GTK_WIDGET (self), align);
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (SHOW_DELAY_MS, show_progress, self);
}

void
gilk_plot_progress_start (GilkPlotProgress *self,
                          gsize            *read,
                          uint64_t          to_read)
{
  gilk_plot_progress_stop (self);
  self->read = read;
  self->to_read = to_read;
  update_label (self);
  start_timer (self, GTK_ALIGN_CENTER);
}

void
gilk_plot_progress_move_to_corner (GilkPlotProgress *self)
{
  start_timer (self, GTK_ALIGN_END);
}

void
gilk_plot_progress_stop (GilkPlotProgress *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_widget_hide (GTK_WIDGET (self));
  gtk_label_set_text (self->label, "");       /* for tests: no read is in progress */
  if (self->read != NULL)
    g_atomic_rc_box_release (self->read);
  self->read = NULL;
  self->to_read = 0;
}

static void
cancel_clicked (GilkPlotProgress *self)
{
  g_signal_emit_by_name (self, "cancelled");
}

static void
gilk_plot_progress_destroy (GtkWidget *widget)
{
  GilkPlotProgress *self = GILK_PLOT_PROGRESS (widget);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->read != NULL)
    g_atomic_rc_box_release (self->read);
  self->read = NULL;
  GTK_WIDGET_CLASS (gilk_plot_progress_parent_class)->destroy (widget);
}

static void
gilk_plot_progress_class_init (GilkPlotProgressClass *klass)
{
  GTK_WIDGET_CLASS (klass)->destroy = gilk_plot_progress_destroy;
  gilk_add_signal (klass, "cancelled", 0);
}

static void
gilk_plot_progress_init (GilkPlotProgress *self)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Cancel")), *spinner = gilk_spinner_new ();

  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_box_set_spacing (GTK_BOX (self), 10);
  g_object_set (self, "margin", MARGIN, "no-show-all", TRUE, NULL);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self)), "notice");
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self)), "waiting");
  gtk_box_pack_start (GTK_BOX (self), spinner, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->label), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), button, FALSE, FALSE, 0);
  gtk_widget_show (spinner);
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_widget_show (button);
  g_signal_connect_object (button, "clicked", G_CALLBACK (cancel_clicked), self, G_CONNECT_SWAPPED);
}

GtkWidget *
gilk_plot_progress_new (void)
{
  return g_object_new (GILK_TYPE_PLOT_PROGRESS, NULL);
}
