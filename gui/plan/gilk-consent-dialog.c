/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-consent-dialog.c - dialog that asks for consent before a plan may change or crash a kernel
 *
 * Lists each change with its hook. The default is to decline: Return and Escape cancel. If the plan
 * may crash the kernel, the user must also tick a separate check box.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-text.h"

#define ITEMS_SHOWN 1000
#define WIDTH       600
#define HEIGHT      220          /* height of the scrolled list, pixels */

typedef struct {
  GilkConsent       needed;
  GilkConsentAnswer answer;
  gpointer          user_data;
} Request;

static void
on_response (GtkDialog *dialog,
             int        response,
             Request   *request)
{
  const GilkConsent granted = response == GTK_RESPONSE_ACCEPT ? request->needed : GILK_CONSENT_NONE;
  const GilkConsentAnswer answer = request->answer;

  request->answer = NULL;
  answer (granted, request->user_data);
  gtk_widget_destroy (GTK_WIDGET (dialog));
}

/* Declines if the dialog is destroyed without an answer, as when its parent window is destroyed. */
static void
decline_unanswered (Request *request)
{
  if (request->answer != NULL)
    request->answer (GILK_CONSENT_NONE, request->user_data);
}

static void
append_item (GtkTextBuffer         *buffer,
             GtkTextIter           *end,
             const GilkConsentItem *item)
{
  g_autofree char *point = gilk_text_sanitise (item->point), *label = gilk_text_sanitise (item->label);
  g_autofree char *statement = gilk_text_sanitise (item->statement);
  g_autofree char *effect = g_strdup_printf ("\n%s\n", item->effect);

  gtk_text_buffer_insert_with_tags_by_name (buffer, end, statement, -1, "statement", NULL);
  gtk_text_buffer_insert (buffer, end, "   ", -1);
  gtk_text_buffer_insert_with_tags_by_name (buffer, end, point, -1, "point", NULL);
  if (g_strcmp0 (point, label) != 0)
    {
      g_autofree char *named = g_strdup_printf (" · %s", label);

      gtk_text_buffer_insert_with_tags_by_name (buffer, end, named, -1, "point", NULL);
    }
  gtk_text_buffer_insert_with_tags_by_name (buffer, end, effect, -1, "effect", NULL);
}

static GtkWidget *
make_list (const GPtrArray *items)
{
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL), *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter end;

  gtk_text_buffer_create_tag (buffer, "statement", "family", "monospace", "weight", PANGO_WEIGHT_BOLD, NULL);
  gtk_text_buffer_create_tag (buffer, "point", "scale", 0.9, NULL);
  gtk_text_buffer_create_tag (buffer, "effect", "left-margin", 18, "pixels-below-lines", 8, NULL);
  gtk_text_buffer_get_end_iter (buffer, &end);
  for (guint i = 0; i < MIN (items->len, ITEMS_SHOWN); i++)
    append_item (buffer, &end, g_ptr_array_index (items, i));
  if (items->len > ITEMS_SHOWN)
    {
      g_autofree char *more = g_strdup_printf (_("and %u more"), items->len - ITEMS_SHOWN);

      gtk_text_buffer_insert (buffer, &end, more, -1);
    }
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  g_object_set (view, "wrap-mode", GTK_WRAP_WORD_CHAR, "left-margin", 10, "right-margin", 10, "top-margin", 8, NULL);
  atk_object_set_name (gtk_widget_get_accessible (view), _("Changes to the kernel"));
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scroller), GTK_SHADOW_IN);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), HEIGHT);
  gtk_container_add (GTK_CONTAINER (scroller), view);

  return scroller;
}

static GtkWidget *
make_label (const char *text,
            const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 70);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_style_context_add_class (gtk_widget_get_style_context (label), style);

  return label;
}

/* Returns the check box that must be ticked if the plan may crash the kernel. */
static GtkWidget *
make_crash_check (GtkWidget *allow)
{
  GtkWidget *crash = gtk_check_button_new_with_mnemonic (_("The kernel may _crash; unsaved data on that machine would be "
                                                           "lost"));

  gtk_widget_set_sensitive (allow, FALSE);
  g_object_bind_property (crash, "active", allow, "sensitive", G_BINDING_DEFAULT);

  return crash;
}

void
gilk_consent_dialog_show (GtkWindow        *parent,
                          const GPtrArray  *items,
                          const char       *target,
                          GilkConsentAnswer answer,
                          gpointer          user_data)
{
  GtkWidget *dialog = gtk_dialog_new_with_buttons (_("Allow Changes to the Kernel"), parent,
                                                   GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                                   _("_Cancel"), GTK_RESPONSE_CANCEL, NULL);
  GtkWidget *allow = gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Allow and Run"), GTK_RESPONSE_ACCEPT);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *content = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  g_autofree char *head = g_strdup_printf (_("This plan changes how the kernel of %s behaves"), target);
  Request *request = g_new (Request, 1);

  *request = (Request) { gilk_consent_needed (items), answer, user_data };
  g_object_set (box, "margin", 16, NULL);
  gtk_box_pack_start (GTK_BOX (box), make_label (head, "panel-title"), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_label (_("During the run, the plan's programs do the following. Allow this "
                                                   "only on a machine that you can afford to break. Your consent "
                                                   "covers this run only."), NULL), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_list (items), TRUE, TRUE, 0);
  if ((request->needed & (GILK_CONSENT_CRASH | GILK_CONSENT_CRASH_WITHOUT_DUMP)) != 0)
    gtk_box_pack_start (GTK_BOX (box), make_crash_check (allow), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (content), box, TRUE, TRUE, 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (allow), "destructive-action");
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  gtk_window_set_default_size (GTK_WINDOW (dialog), WIDTH, -1);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), request, (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect_swapped (dialog, "destroy", G_CALLBACK (decline_unanswered), request);
  gtk_widget_show_all (dialog);
  gtk_widget_grab_focus (gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL));
}
