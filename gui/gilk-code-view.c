/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-view.c - the text of a probe program, to be written
 */
#include "gui/gilk-code-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/gilk-plan.h"

#define FIRST_CODE "count();"
#define WRONG      "wrong"
#define LEAST      84

struct _GilkCodeView {
  GtkScrolledWindow parent_instance;

  GtkTextView *view;
  char        *code;       /* what the plan has, as it was last shown */
};

G_DEFINE_TYPE (GilkCodeView, gilk_code_view, GTK_TYPE_SCROLLED_WINDOW)

enum { TAKEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static char *
typed (GilkCodeView *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);

  return gtk_text_buffer_get_text (buffer, &begin, &end, FALSE);
}

char *
gilk_code_view_code (GilkCodeView *self)
{
  g_autofree char *text = typed (self);

  if (!gilk_plan_check_code (text, NULL))
    return g_strdup (self->code != NULL ? self->code : FIRST_CODE);

  return g_steal_pointer (&text);
}

char *
gilk_code_view_problem (GilkCodeView *self)
{
  g_autofree char *text = typed (self);
  g_autoptr(GError) error = NULL;

  return gilk_plan_check_code (text, &error) ? NULL : g_strdup (error->message);
}

/* Underlines what is wrong, in the text that was checked and in no other. */
static void
mark (GilkCodeView           *self,
      const GilkProgramError *wrong)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *text = typed (self);
  GtkTextIter begin, end;
  gsize length = strlen (text), last;

  gtk_text_buffer_get_bounds (buffer, &begin, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, WRONG, &begin, &end);
  if (wrong == NULL || wrong->line == 0 || g_strcmp0 (self->code, text) != 0 || length == 0)
    return;

  last = MIN ((gsize) wrong->offset + MAX (wrong->length, 1), length);
  gtk_text_buffer_get_iter_at_offset (buffer, &begin,
                                      g_utf8_pointer_to_offset (text, text + MIN (wrong->offset, last - 1)));
  gtk_text_buffer_get_iter_at_offset (buffer, &end, g_utf8_pointer_to_offset (text, text + last));
  gtk_text_buffer_apply_tag_by_name (buffer, WRONG, &begin, &end);
}

void
gilk_code_view_show (GilkCodeView           *self,
                     const char             *code,
                     const GilkProgramError *wrong)
{
  if (g_strcmp0 (self->code, code) != 0)
    {
      g_free (self->code);
      self->code = g_strdup (code);
      if (code != NULL)
        gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->view), code, -1);
    }
  mark (self, code != NULL ? wrong : NULL);
}

static gboolean
focus_left (GilkCodeView *self)
{
  g_signal_emit (self, signals[TAKEN], 0);

  return GDK_EVENT_PROPAGATE;
}

static gboolean
key_pressed (GilkCodeView *self,
             GdkEventKey  *event)
{
  if (!(event->state & GDK_CONTROL_MASK) || (event->keyval != GDK_KEY_Return && event->keyval != GDK_KEY_KP_Enter))
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[TAKEN], 0);

  return GDK_EVENT_STOP;
}

static void
gilk_code_view_finalize (GObject *object)
{
  g_free (GILK_CODE_VIEW (object)->code);
  G_OBJECT_CLASS (gilk_code_view_parent_class)->finalize (object);
}

static void
gilk_code_view_class_init (GilkCodeViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_code_view_finalize;
  signals[TAKEN] = g_signal_new ("taken", GILK_TYPE_CODE_VIEW, G_SIGNAL_RUN_LAST,
                                 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gilk_code_view_init (GilkCodeView *self)
{
  GtkTextBuffer *buffer;

  self->view = GTK_TEXT_VIEW (g_object_new (GTK_TYPE_TEXT_VIEW, "visible", TRUE, "monospace", TRUE, "accepts-tab", FALSE,
                                            "left-margin", 6, "right-margin", 6, "top-margin", 4, "bottom-margin", 4, NULL));
  buffer = gtk_text_view_get_buffer (self->view);
  gtk_text_buffer_create_tag (buffer, WRONG, "underline", PANGO_UNDERLINE_ERROR, NULL);
  gtk_text_buffer_set_text (buffer, FIRST_CODE, -1);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->view)), _("Probe program"));
  g_signal_connect_object (self->view, "focus-out-event", G_CALLBACK (focus_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "key-press-event", G_CALLBACK (key_pressed), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (self), GTK_SHADOW_IN);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self), LEAST);
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->view));
}
