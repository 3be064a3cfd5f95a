/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-event-dialog.c - dialog for adding or changing a tracepoint or timer of the plan
 *
 * The syntax of the event is checked when the user accepts it. Whether the kernel has the event is
 * not checked here: if not, the plan shows the hook as one that cannot be bound.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#define WIDTH 460              /* px */
#define PROGRAM_HEIGHT 90      /* px */

typedef struct {
  GilkPlanModel *model;
  char          *label;        /* label of the hook to change; NULL: add a new hook */
  GtkEntry      *what;
  GtkTextBuffer *code;
  GtkLabel      *problem;
} EventDialog;

static void
event_dialog_free (gpointer data)
{
  EventDialog *self = data;

  g_object_unref (self->model);
  g_free (self->label);
  g_free (self);
}

/* Returns the probe program that the user typed; NULL: no program. (transfer full) (nullable) */
static char *
get_code (EventDialog *self)
{
  GtkTextIter start, end;
  g_autofree char *text = NULL;

  gtk_text_buffer_get_bounds (self->code, &start, &end);
  text = g_strstrip (gtk_text_buffer_get_text (self->code, &start, &end, FALSE));

  return *text != '\0' ? g_steal_pointer (&text) : NULL;
}

static void
response_cb (GtkDialog *dialog, int response, EventDialog *self)
{
  const int index = self->label != NULL ? gilk_plan_model_index (self->model, self->label) : -1;
  g_autofree char *what = g_strstrip (g_strdup (gtk_entry_get_text (self->what))), *code = get_code (self);
  g_autoptr(GError) error = NULL;

  if (response == GTK_RESPONSE_OK && (self->label == NULL || index >= 0) &&
      !gilk_plan_model_put_event (self->model, index, what, code, &error))
    {
      gtk_label_set_text (self->problem, error->message);
      gtk_widget_show (GTK_WIDGET (self->problem));
      return;
    }
  gtk_widget_destroy (GTK_WIDGET (dialog));
}

static GtkWidget *
make_label (const char *mnemonic, GtkWidget *target)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (mnemonic);

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), target);
  gtk_label_set_xalign (GTK_LABEL (label), 0);

  return label;
}

/* Adds the entries to @box. */
static void
fill_box (EventDialog *self, GtkBox *box)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL), *view = gtk_text_view_new ();

  self->what = GTK_ENTRY (gtk_entry_new ());
  self->problem = GTK_LABEL (gtk_label_new (NULL));
  self->code = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_entry_set_activates_default (self->what, TRUE);
  gtk_entry_set_placeholder_text (self->what, _("tracepoint:sched:sched_switch, profile:99hz or interval:1s"));
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scrolled), GTK_SHADOW_IN);
  gtk_widget_set_size_request (scrolled, WIDTH, PROGRAM_HEIGHT);
  gtk_container_add (GTK_CONTAINER (scrolled), view);
  gtk_label_set_xalign (self->problem, 0);
  gtk_label_set_line_wrap (self->problem, TRUE);
  gtk_widget_set_no_show_all (GTK_WIDGET (self->problem), TRUE);
  gtk_box_pack_start (box, make_label (_("_Event"), GTK_WIDGET (self->what)), FALSE, FALSE, 0);
  gtk_box_pack_start (box, GTK_WIDGET (self->what), FALSE, FALSE, 0);
  gtk_box_pack_start (box, make_label (_("_Program (without one, hits are counted)"), view), FALSE, FALSE, 0);
  gtk_box_pack_start (box, scrolled, TRUE, TRUE, 0);
  gtk_box_pack_start (box, GTK_WIDGET (self->problem), FALSE, FALSE, 0);
}

/* Fills the dialog with the event and the program of the hook at @index. */
static void
show_hook (EventDialog *self, guint index)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);
  const char *code = gilk_plan_hook_code (gilk_plan_model_plan (self->model), hook);

  self->label = g_strdup (hook->label);
  gtk_entry_set_text (self->what, hook->function);
  gtk_text_buffer_set_text (self->code, code != NULL ? code : "", -1);
}

void
gilk_event_dialog_show (GtkWindow     *parent,
                        GilkPlanModel *model,
                        int            index)
{
  EventDialog *self = g_new0 (EventDialog, 1);
  GtkWidget *dialog = gtk_dialog_new_with_buttons (index >= 0 ? _("Edit tracepoint or timer") : _("Add a tracepoint or timer"), parent,
                                                   GTK_DIALOG_MODAL | GTK_DIALOG_USE_HEADER_BAR, _("_Cancel"), GTK_RESPONSE_CANCEL,
                                                   index >= 0 ? _("_Change") : _("_Add"), GTK_RESPONSE_OK, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->model = g_object_ref (model);
  gtk_container_set_border_width (GTK_CONTAINER (box), 12);
  fill_box (self, GTK_BOX (box));
  if (index >= 0)
    show_hook (self, (guint) index);
  gtk_container_add (GTK_CONTAINER (gtk_dialog_get_content_area (GTK_DIALOG (dialog))), box);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_OK);
  g_signal_connect_data (dialog, "response", G_CALLBACK (response_cb), self, (GClosureNotify) (void (*) (void)) event_dialog_free, 0);
  gtk_widget_show_all (dialog);
}
