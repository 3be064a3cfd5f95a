/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-proposals.c - completion of probe programs for GtkSourceView
 *
 * Each change of the text starts a worker thread, because the first request for a kernel's types
 * waits for the target.
 */
#include "gui/inspector/gilk-code-view.h"

#include <string.h>

#include "core/bind/gilk-point-complete.h"

struct _GilkCodeProposals {
  GObject parent_instance;

  GilkGraphData *data;
  guint          block;
  GilkWhere      where;
  gboolean       may_change;
  GStrv          labels;
  int            start;        /* character offset where the completed text starts */
};

static void provider_init (GtkSourceCompletionProviderIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GilkCodeProposals, gilk_code_proposals, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_COMPLETION_PROVIDER, provider_init))

/* Input of the worker thread, not modified while the thread runs. */
typedef struct {
  GilkGraphData              *data;
  guint                       block;
  GilkWhere                   where;
  gboolean                    may_change;
  GStrv                       labels;
  char                       *text;
  gsize                       offset;
  GtkSourceCompletionContext *context;
  GCancellable               *cancellable;
  /* Id of the handler that is connected to the cancellation signal of @context. */
  gulong                      cancelled;
} Request;

static void
request_free (gpointer pointer)
{
  Request *request = pointer;

  g_signal_handler_disconnect (request->context, request->cancelled);
  g_object_unref (request->context);
  g_object_unref (request->cancellable);
  gilk_graph_data_unref (request->data);
  g_strfreev (request->labels);
  g_free (request->text);
  g_free (request);
}

typedef struct {
  GPtrArray   *found;
  GilkTextPart part;
} Response;

static void
response_free (gpointer pointer)
{
  Response *response = pointer;

  g_ptr_array_unref (response->found);
  g_free (response);
}

static void
complete_thread (GTask        *task,
                 gpointer      source G_GNUC_UNUSED,
                 gpointer      task_data,
                 GCancellable *cancellable)
{
  const Request *request = task_data;
  g_autofree Response *response = g_new0 (Response, 1);
  g_autoptr(GError) error = NULL;

  response->found = gilk_point_complete (request->data->cfg, request->block, request->where, request->may_change,
                                         (const char *const *) request->labels, request->text, request->offset,
                                         cancellable, &response->part, &error);
  if (response->found == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, g_steal_pointer (&response), response_free);
}

static GtkSourceCompletionProposal *
make_proposal (const GilkCompletion *completion)
{
  g_autofree char *text = g_markup_escape_text (completion->text, -1);
  g_autofree char *about = completion->about != NULL ? g_markup_escape_text (completion->about, -1) : g_strdup ("");
  g_autofree char *markup = g_strdup_printf ("%s  <span alpha=\"65%%\" size=\"smaller\">%s</span>", text, about);

  return g_object_new (GTK_SOURCE_TYPE_COMPLETION_ITEM, "markup", markup, "text", completion->text, NULL);
}

static void
completed_cb (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data G_GNUC_UNUSED)
{
  GilkCodeProposals *self = GILK_CODE_PROPOSALS (object);
  Request *request = g_task_get_task_data (G_TASK (result));
  gboolean cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
  Response *response = g_task_propagate_pointer (G_TASK (result), NULL);
  GList *proposals = NULL;

  if (response != NULL && !cancelled)
    {
      self->start = (int) g_utf8_pointer_to_offset (request->text, request->text + response->part.offset);
      for (guint i = response->found->len; i-- > 0;)
        proposals = g_list_prepend (proposals, make_proposal (g_ptr_array_index (response->found, i)));
    }
  if (!cancelled)
    gtk_source_completion_context_add_proposals (request->context, GTK_SOURCE_COMPLETION_PROVIDER (self), proposals, TRUE);
  g_list_free_full (proposals, g_object_unref);
  g_clear_pointer (&response, response_free);
}

/* ---- GtkSourceCompletionProvider interface ---- */

static void
provider_populate (GtkSourceCompletionProvider *provider,
                   GtkSourceCompletionContext  *context)
{
  GilkCodeProposals *self = GILK_CODE_PROPOSALS (provider);
  GtkTextIter at, begin, end;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GTask) task = g_task_new (self, cancellable, completed_cb, NULL);
  g_autofree char *before = NULL;
  Request *request;

  if (self->data == NULL || self->data->choices == NULL || !gtk_source_completion_context_get_iter (context, &at))
    {
      gtk_source_completion_context_add_proposals (context, provider, NULL, TRUE);
      return;
    }
  gtk_text_buffer_get_bounds (gtk_text_iter_get_buffer (&at), &begin, &end);
  before = gtk_text_iter_get_text (&begin, &at);
  request = g_new0 (Request, 1);
  *request = (Request) {
    gilk_graph_data_ref (self->data), self->block, self->where, self->may_change, g_strdupv (self->labels),
    gtk_text_iter_get_text (&begin, &end), strlen (before), g_object_ref (context), g_object_ref (cancellable),
    g_signal_connect_swapped (context, "cancelled", G_CALLBACK (g_cancellable_cancel), cancellable),
  };
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, complete_thread);
}

/* Returns whether to propose completions: always on request, automatically only after a character
 * of a name, "%", "." or "->". */
static gboolean
provider_match (GtkSourceCompletionProvider *provider G_GNUC_UNUSED,
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
provider_get_start_iter (GtkSourceCompletionProvider *provider,
                         GtkSourceCompletionContext  *context,
                         GtkSourceCompletionProposal *proposal G_GNUC_UNUSED,
                         GtkTextIter                 *iter)
{
  GtkTextIter at;

  if (!gtk_source_completion_context_get_iter (context, &at))
    return FALSE;
  gtk_text_buffer_get_iter_at_offset (gtk_text_iter_get_buffer (&at), iter, GILK_CODE_PROPOSALS (provider)->start);

  return TRUE;
}

static char *
provider_get_name (GtkSourceCompletionProvider *provider G_GNUC_UNUSED)
{
  return g_strdup ("Gilk");
}

static void
provider_init (GtkSourceCompletionProviderIface *iface)
{
  iface->get_name = provider_get_name;
  iface->populate = provider_populate;
  iface->match = provider_match;
  iface->get_start_iter = provider_get_start_iter;
}

/* ---- construction and GObject life cycle ---- */

void
gilk_code_proposals_set_point (GilkCodeProposals *self,
                               GilkGraphData     *data,
                               guint              block,
                               GilkWhere          where,
                               gboolean           may_change,
                               GStrv              labels)
{
  GilkGraphData *old = self->data;

  self->data = data != NULL ? gilk_graph_data_ref (data) : NULL;
  g_clear_pointer (&old, gilk_graph_data_unref);
  self->block = block;
  self->where = where;
  self->may_change = may_change;
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
