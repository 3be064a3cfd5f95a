/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-file-notice.c - progress bar for a file being written
 */
#include "gui/base/gilk-files.h"

#include <glib/gi18n.h>

#define SHOW_AFTER_MS 100
#define PROGRESS_MS       100

struct _GilkFileNotice {
  GtkInfoBar      parent_instance;

  GtkLabel       *label;
  GtkProgressBar *bar;
  char           *path;
  GCancellable   *cancellable;
  guint           timer;
  int             permille;         /* progress, written atomically by the writer's thread */
};

G_DEFINE_TYPE (GilkFileNotice, gilk_file_notice, GTK_TYPE_INFO_BAR)

enum { CANCEL = 1 };

static void
show_text (GilkFileNotice *self,
           const char     *text)
{
  gtk_label_set_text (self->label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), self->path);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), text);
}

static void
update_progress (GilkFileNotice *self)
{
  int permille = g_atomic_int_get (&self->permille);

  if (permille < 0)
    gtk_progress_bar_pulse (self->bar);
  else
    gtk_progress_bar_set_fraction (self->bar, permille / 1000.0);
}

static gboolean
on_progress_timer (gpointer self)
{
  update_progress (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_show_timer (gpointer user_data)
{
  GilkFileNotice *self = user_data;

  gtk_widget_show (GTK_WIDGET (self));
  update_progress (self);
  self->timer = g_timeout_add (PROGRESS_MS, on_progress_timer, self);

  return G_SOURCE_REMOVE;
}

static void
gilk_file_notice_response (GtkInfoBar *bar,
                           int         response)
{
  GilkFileNotice *self = GILK_FILE_NOTICE (bar);

  if (response == CANCEL)
    {
      g_cancellable_cancel (self->cancellable);
      gtk_info_bar_set_response_sensitive (bar, CANCEL, FALSE);
    }
}

static void
gilk_file_notice_dispose (GObject *object)
{
  GilkFileNotice *self = GILK_FILE_NOTICE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (gilk_file_notice_parent_class)->dispose (object);
}

static void
gilk_file_notice_finalize (GObject *object)
{
  g_free (GILK_FILE_NOTICE (object)->path);
  G_OBJECT_CLASS (gilk_file_notice_parent_class)->finalize (object);
}

static void
gilk_file_notice_class_init (GilkFileNoticeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_file_notice_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_file_notice_finalize;
  GTK_INFO_BAR_CLASS (klass)->response = gilk_file_notice_response;
}

static void
gilk_file_notice_init (GilkFileNotice *self)
{
  GtkWidget *box = gtk_info_bar_get_content_area (GTK_INFO_BAR (self));

  self->permille = -1;
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (self->label, 0);
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_widget_set_valign (GTK_WIDGET (self->bar), GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (GTK_WIDGET (self->bar), 160, -1);
  gtk_box_pack_start (GTK_BOX (box), GTK_WIDGET (self->label), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), GTK_WIDGET (self->bar), FALSE, FALSE, 0);
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_widget_show (GTK_WIDGET (self->bar));
}

GilkFileNotice *
gilk_file_notice_add (GtkBox       *box,
                      const char   *path,
                      GCancellable *cancellable)
{
  GilkFileNotice *self = g_object_new (GILK_TYPE_FILE_NOTICE, NULL);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_("Writing %s"), name);

  self->path = g_strdup (path);
  if (cancellable != NULL)
    {
      self->cancellable = g_object_ref (cancellable);
      gtk_info_bar_add_button (GTK_INFO_BAR (self), _("_Cancel"), CANCEL);
    }
  show_text (self, text);
  self->timer = g_timeout_add (SHOW_AFTER_MS, on_show_timer, self);
  gtk_box_pack_start (box, GTK_WIDGET (self), FALSE, FALSE, 0);
  gtk_box_reorder_child (box, GTK_WIDGET (self), 0);

  return self;
}

int *
gilk_file_notice_permille (GilkFileNotice *self)
{
  return &self->permille;
}

const char *
gilk_file_notice_path (GilkFileNotice *self)
{
  return self->path;
}

void
gilk_file_notice_end (GilkFileNotice *self)
{
  /* If the window was closed earlier, the notice has lost its parent. */
  if (gtk_widget_get_parent (GTK_WIDGET (self)) != NULL)
    gtk_widget_destroy (GTK_WIDGET (self));
}
