/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-proposals.c - completion of probe programs for GtkSourceView
 *
 * Each change of the text starts a worker thread, because the first request for a kernel's types
 * waits for the target.
 */
#include "gui/gilk-code-proposals.h"

#include <string.h>

#include "core/bind/gilk-point-complete.h"

struct _GilkCodeProposals {
  GObject parent_instance;

  GilkGraphData *data;
  guint          block;
  GilkWhere      where;
  gboolean       experiment;
  GStrv          labels;
  int            begin;        /* character offset where the completed text starts */
};

static void provider_init (GtkSourceCompletionProviderIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GilkCodeProposals, gilk_code_proposals, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROVIDER, provider_init))

/* Input of the worker thread. It does not change while the task runs. */
typedef struct {
  GilkGraphData              *data;
  guint                       block;
  GilkWhere                   where;
  gboolean                    experiment;
  GStrv                       labels;
  char                       *text;
  gsize                       offset;
  GtkSourceCompletionContext *context;
  GCancellable               *cancellable;
  gulong                      cancelled;       /* handler id on @context */
} Question;

static void
question_free (gpointer pointer)
{
  Question *question = pointer;

  g_signal_handler_disconnect (question->context, question->cancelled);
  g_object_unref (question->context);
  g_object_unref (question->cancellable);
  gilk_graph_data_unref (question->data);
  g_strfreev (question->labels);
  g_free (question->text);
  g_free (question);
}

typedef struct {
  GPtrArray   *found;
  GilkTextPart part;
} Answer;

static void
answer_free (gpointer pointer)
{
  Answer *answer = pointer;

  g_ptr_array_unref (answer->found);
  g_free (answer);
}

static void
ask (GTask        *task,
     gpointer      source G_GNUC_UNUSED,
     gpointer      task_data,
     GCancellable *cancellable)
{
  const Question *question = task_data;
  g_autofree Answer *answer = g_new0 (Answer, 1);
  g_autoptr(GError) error = NULL;

  answer->found = gilk_point_complete (question->data->cfg, question->block, question->where, question->experiment,
                                       (const char *const *) question->labels, question->text, question->offset,
                                       cancellable, &answer->part, &error);
  if (answer->found == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, g_steal_pointer (&answer), answer_free);
}

static GtkSourceCompletionProposal *
proposal_of (const GilkCompletion *completion)
{
  g_autofree char *text = g_markup_escape_text (completion->text, -1);
  g_autofree char *about = completion->about != NULL ? g_markup_escape_text (completion->about, -1) : g_strdup ("");
  g_autofree char *markup = g_strdup_printf ("%s  <span alpha=\"65%%\" size=\"smaller\">%s</span>", text, about);

  return g_object_new (GTK_SOURCE_TYPE_COMPLETION_ITEM, "markup", markup, "text", completion->text, NULL);
}

static void
answered (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data G_GNUC_UNUSED)
{
  GilkCodeProposals *self = GILK_CODE_PROPOSALS (object);
  Question *question = g_task_get_task_data (G_TASK (result));
  gboolean cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
  Answer *answer = g_task_propagate_pointer (G_TASK (result), NULL);
  GList *proposals = NULL;

  if (answer != NULL && !cancelled)
    {
      self->begin = (int) g_utf8_pointer_to_offset (question->text, question->text + answer->part.offset);
      for (guint i = answer->found->len; i-- > 0;)
        proposals = g_list_prepend (proposals, proposal_of (g_ptr_array_index (answer->found, i)));
    }
  if (!cancelled)
    gtk_source_completion_context_add_proposals (question->context, GTK_SOURCE_COMPLETION_PROVIDER (self), proposals, TRUE);
  g_list_free_full (proposals, g_object_unref);
  g_clear_pointer (&answer, answer_free);
}

/* ---- GtkSourceCompletionProvider ---- */

static void
populate (GtkSourceCompletionProvider *provider,
          GtkSourceCompletionContext  *context)
{
  GilkCodeProposals *self = GILK_CODE_PROPOSALS (provider);
  GtkTextIter at, begin, end;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GTask) task = g_task_new (self, cancellable, answered, NULL);
  g_autofree char *before = NULL;
  Question *question;

  if (self->data == NULL || self->data->choices == NULL || !gtk_source_completion_context_get_iter (context, &at))
    {
      gtk_source_completion_context_add_proposals (context, provider, NULL, TRUE);
      return;
    }
  gtk_text_buffer_get_bounds (gtk_text_iter_get_buffer (&at), &begin, &end);
  before = gtk_text_iter_get_text (&begin, &at);
  question = g_new0 (Question, 1);
  *question = (Question) {
    gilk_graph_data_ref (self->data), self->block, self->where, self->experiment, g_strdupv (self->labels),
    gtk_text_iter_get_text (&begin, &end), strlen (before), g_object_ref (context), g_object_ref (cancellable),
    g_signal_connect_swapped (context, "cancelled", G_CALLBACK (g_cancellable_cancel), cancellable),
  };
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, ask);
}

/* Allows automatic completion only after a character of a name, "%", "." and "->". */
static gboolean
match (GtkSourceCompletionProvider *provider G_GNUC_UNUSED,
       GtkSourceCompletionContext  *context)
{
  GtkTextIter at;
  gunichar last, before = 0;

  if (!gtk_source_completion_context_get_iter (context, &at))
    return FALSE;
  if (gtk_source_completion_context_get_activation (context) == GTK_SOURCE_COMPLETION_ACTIVATION_USER_REQUESTED)
    return TRUE;
  if (!gtk_text_iter_backward_char (&at))
    return FALSE;
  last = gtk_text_iter_get_char (&at);
  if (gtk_text_iter_backward_char (&at))
    before = gtk_text_iter_get_char (&at);

  return g_unichar_isalnum (last) || last == '_' || last == '%' || last == '.' || (last == '>' && before == '-');
}

static gboolean
start_iter (GtkSourceCompletionProvider *provider,
            GtkSourceCompletionContext  *context,
            GtkSourceCompletionProposal *proposal G_GNUC_UNUSED,
            GtkTextIter                 *iter)
{
  GtkTextIter at;

  if (!gtk_source_completion_context_get_iter (context, &at))
    return FALSE;
  gtk_text_buffer_get_iter_at_offset (gtk_text_iter_get_buffer (&at), iter, GILK_CODE_PROPOSALS (provider)->begin);

  return TRUE;
}

static char *
name_of (GtkSourceCompletionProvider *provider G_GNUC_UNUSED)
{
  return g_strdup ("Gilk");
}

static void
provider_init (GtkSourceCompletionProviderIface *iface)
{
  iface->get_name = name_of;
  iface->populate = populate;
  iface->match = match;
  iface->get_start_iter = start_iter;
}

/* ---- object ---- */

void
gilk_code_proposals_set_point (GilkCodeProposals *self,
                               GilkGraphData     *data,
                               guint              block,
                               GilkWhere          where,
                               gboolean           experiment,
                               GStrv              labels)
{
  GilkGraphData *old = self->data;

  self->data = data != NULL ? gilk_graph_data_ref (data) : NULL;
  g_clear_pointer (&old, gilk_graph_data_unref);
  self->block = block;
  self->where = where;
  self->experiment = experiment;
  g_strfreev (self->labels);
  self->labels = labels;
}

GilkCodeProposals *
gilk_code_proposals_new (void)
{
  return g_object_new (GILK_TYPE_CODE_PROPOSALS, NULL);
}

static void
gilk_code_proposals_finalize (GObject *object)
{
  GilkCodeProposals *self = GILK_CODE_PROPOSALS (object);

  g_clear_pointer (&self->data, gilk_graph_data_unref);
  g_strfreev (self->labels);
  G_OBJECT_CLASS (gilk_code_proposals_parent_class)->finalize (object);
}

static void
gilk_code_proposals_class_init (GilkCodeProposalsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_code_proposals_finalize;
}

static void
gilk_code_proposals_init (GilkCodeProposals *self G_GNUC_UNUSED)
{
}
