/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-side-window.c - secondary windows: their common keys, and a window for a long text
 */
#include "gui/base/gilk-windows.h"

#include <glib/gi18n.h>

static gboolean
close_by_key (GtkWindow   *window,
              GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  gtk_window_close (window);

  return GDK_EVENT_STOP;
}

static gboolean
focus_results (GtkWidget   *search,
               GdkEventKey *event,
               GtkWidget   *found)
{
  if (event->keyval != GDK_KEY_Down)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_grab_focus (found);

  return GDK_EVENT_STOP;
}

void
gilk_side_window_set_keys (GtkWindow *window,
                           GtkWidget *search,
                           GtkWidget *found)
{
  g_signal_connect (window, "key-press-event", G_CALLBACK (close_by_key), NULL);
  if (search != NULL)
    g_signal_connect_object (search, "key-press-event", G_CALLBACK (focus_results), found, 0);
}

/* ---- window for a long text, such as a kernel log, to be read and copied ---- */

static void
copy_text (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (view), GDK_SELECTION_CLIPBOARD), text, -1);
}

static GtkWidget *
make_view (const char *title,
           const char *text)
{
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 8);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 8);
  gtk_style_context_add_class (gtk_widget_get_style_context (view), "code");
  atk_object_set_name (gtk_widget_get_accessible (view), title);

  return view;
}

/* Scrolls to the end, each time the view grows. */
static void
scroll_to_end (GtkAdjustment *adjustment)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

void
gilk_log_window_show (GtkWindow  *parent,
                      const char *title,
                      const char *text)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_mnemonic (_("_Copy"));
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget *view = make_view (title, text);

  gtk_header_bar_set_title (GTK_HEADER_BAR (bar), title);
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (bar), copy);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_text), view);
  gtk_window_set_titlebar (GTK_WINDOW (window), bar);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 860, 520);
  gilk_side_window_set_keys (GTK_WINDOW (window), NULL, NULL);
  gtk_container_add (GTK_CONTAINER (scroller), view);
  gtk_container_add (GTK_CONTAINER (window), scroller);
  g_signal_connect (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), "changed",
                    G_CALLBACK (scroll_to_end), NULL);
  gtk_widget_show_all (window);
  gtk_widget_grab_focus (view);
}
