/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-callees-dialog.c - adds counters to all callees of a function
 *
 * Each change of the depth starts a new search off the main thread; the found counters are then
 * bound to the kernel together with the plan, to compute their cost. The counters can be added to
 * the plan before the cost is known; adding them is one undo step.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>

#include "core/plan/gilk-plan-callees.h"
#include "gui/base/gilk-object.h"
#include "gui/run/gilk-connection.h"
#include "gui/base/gilk-text.h"

#define SHOW_MS 100

struct _GilkCalleesDialog {
  GtkDialog        parent_instance;

  GilkConnection  *connection;
  GilkPlanModel   *model;
  char            *function;
  GTask           *task;           /* the running search; its task data is a Job */
  GCancellable    *searching;
  GilkPlanCallees   *callees;      /* result of the search; NULL: none yet */
  guint            source;

  /* Objects that the .ui template creates */
  GtkButton       *add;
  GtkLabel        *function_label, *found, *cost, *left;
  GtkWidget       *left_box;
  GtkSpinButton   *depth;
  GtkToggleButton *fewest;
  GtkProgressBar  *progress;
};

G_DEFINE_TYPE (GilkCalleesDialog, gilk_callees_dialog, GTK_TYPE_DIALOG)

/* ---- searching callees in a worker thread ---- */

typedef struct {
  GilkPlan      *plan;
  GilkFunctions *functions;
  GilkImage     *image;
  char          *function;
  guint          depth;
  gboolean       fewest;
  int            permille;         /* progress in thousandths, accessed atomically;
                                   * negative: unknown */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  gilk_plan_unref (job->plan);
  gilk_functions_unref (job->functions);
  gilk_image_unref (job->image);
  g_free (job->function);
  g_free (job);
}

static void
store_progress (const char *what, double fraction, gpointer user_data)
{
  Job *job = user_data;

  g_atomic_int_set (&job->permille, fraction < 0 ? -1 : (int) (1000 * fraction));
}

static void
search_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;
  const GilkPlanCalleesSettings settings = { job->function, job->depth, job->fewest };
  const GilkProgress progress = { store_progress, job };
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  GError *error = NULL;
  GilkPlanCallees *reach = gilk_plan_callees_new (job->plan, &settings, job->functions, job->image, decoder, &progress, cancellable,
                                                  &error);

  if (reach != NULL)
    g_task_return_pointer (task, reach, (GDestroyNotify) gilk_plan_callees_free);
  else
    g_task_return_error (task, error);
}

static void
stop_search (GilkCalleesDialog *self)
{
  gilk_cancel (&self->searching);
  g_clear_object (&self->task);
  g_clear_handle_id (&self->source, g_source_remove);
  gtk_widget_hide (GTK_WIDGET (self->progress));
}

/* ---- showing progress, result and cost ---- */

static void
set_message (GilkCalleesDialog *self, const char *text, gboolean bad)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self->found));

  gtk_label_set_text (self->found, text);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self->depth)), text);
  if (bad)
    gtk_style_context_add_class (context, "bad");
  else
    gtk_style_context_remove_class (context, "bad");
}

static void
show_found (GilkCalleesDialog *self)
{
  guint functions = self->callees->n_cloned, counters = self->callees->hooks->len;
  g_autofree char *one = g_strdup_printf (g_dngettext (NULL, "%u function", "%u functions", functions), functions);
  g_autofree char *other = g_strdup_printf (g_dngettext (NULL, "%u counter", "%u counters", counters), counters);
  g_autofree char *text = g_strdup_printf ("%s, %s", one, other);
  g_autoptr(GPtrArray) left = gilk_plan_callees_describe_uncounted (self->callees);
  g_autofree char *sentences = NULL;

  g_ptr_array_add (left, NULL);
  sentences = g_strjoinv ("\n", (char **) left->pdata);
  set_message (self, text, FALSE);
  gtk_label_set_text (self->left, sentences);
  gtk_widget_set_visible (self->left_box, *sentences != '\0');
}

/* Shows the cost of the hooks to add. They are the last hooks of @bound, the plan with these hooks
 * as bound to the kernel. */
static void
show_cost (GilkCalleesDialog *self, const GilkBoundPlan *bound)
{
  guint first = bound->hooks->len - self->callees->hooks->len;
  g_autoptr(GilkPlanForecast) plan = gilk_plan_forecast_of_bound (bound, first, gilk_plan_model_measured (self->model));
  guint n = plan->sum.n, n_refused = self->callees->hooks->len - n;
  g_autofree char *mean = NULL, *measured = NULL, *refused = NULL, *words = NULL;

  measured = gilk_plan_forecast_source (plan, g_get_real_time () / G_USEC_PER_SEC);
  mean = g_strdup_printf (_("A counter costs %.1f ns per hit on average."), n > 0 ? plan->sum.ns / n : 0);
  refused = n_refused == 0 ? g_strdup ("")
    : g_strdup_printf (g_dngettext (NULL, " %u counter is refused.", " %u counters are refused.", n_refused), n_refused);
  words = g_strconcat (mean, refused, " ", measured, NULL);
  gtk_label_set_text (self->cost, words);
}

static gboolean
show_progress (gpointer user_data)
{
  GilkCalleesDialog *self = user_data;
  int permille = g_atomic_int_get (&((Job *) g_task_get_task_data (self->task))->permille);

  gtk_widget_show (GTK_WIDGET (self->progress));
  if (permille < 0)
    gtk_progress_bar_pulse (self->progress);
  else
    gtk_progress_bar_set_fraction (self->progress, permille / 1000.0);

  return G_SOURCE_CONTINUE;
}

/* ---- starting a search, and binding its result ---- */

static void
bound_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkCalleesDialog) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, &error);

  if (self->searching == NULL || g_task_get_cancellable (G_TASK (result)) != self->searching)
    return;
  if (bound != NULL)
    show_cost (self, bound);
  else
    gtk_label_set_text (self->cost, error->message);
}

static void
bind_found (GilkCalleesDialog *self)
{
  g_autoptr(GilkPlan) plan = gilk_plan_share (gilk_plan_model_plan (self->model));

  for (guint i = 0; i < self->callees->hooks->len; i++)
    g_ptr_array_add (plan->hooks, gilk_plan_hook_ref (g_ptr_array_index (self->callees->hooks, i)));
  gtk_label_set_text (self->cost, _("Determining the cost…"));
  gilk_connection_bind_async (self->connection, plan, self->searching, bound_cb, g_object_ref (self));
}

static void
found_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  GilkCalleesDialog *self = GILK_CALLEES_DIALOG (object);
  g_autoptr(GError) error = NULL;
  GilkPlanCallees *reach = g_task_propagate_pointer (G_TASK (result), &error);

  if (G_TASK (result) != self->task)
    {
      g_clear_pointer (&reach, gilk_plan_callees_free);
      return;
    }
  g_clear_handle_id (&self->source, g_source_remove);
  gtk_widget_hide (GTK_WIDGET (self->progress));
  if (reach == NULL)
    {
      set_message (self, error->message, TRUE);
      return;
    }
  self->callees = reach;
  show_found (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->add), reach->hooks->len > 0);
  bind_found (self);
}

static void
start_search (GilkCalleesDialog *self)
{
  Job *job;

  stop_search (self);
  g_clear_pointer (&self->callees, gilk_plan_callees_free);
  gtk_widget_set_sensitive (GTK_WIDGET (self->add), FALSE);
  gtk_label_set_text (self->cost, "");
  gtk_widget_hide (self->left_box);
  if (gilk_connection_target (self->connection) == NULL)
    {
      set_message (self, _("No kernel is connected: choose a target first."), TRUE);
      return;
    }
  set_message (self, _("Following calls…"), FALSE);
  job = g_new0 (Job, 1);
  job->plan = gilk_plan_share (gilk_plan_model_plan (self->model));
  job->functions = gilk_functions_ref (gilk_connection_functions (self->connection));
  job->image = gilk_image_ref (gilk_connection_image (self->connection));
  job->function = g_strdup (self->function);
  job->depth = (guint) gtk_spin_button_get_value_as_int (self->depth);
  job->fewest = gtk_toggle_button_get_active (self->fewest);
  job->permille = -1;
  self->searching = g_cancellable_new ();
  self->task = g_task_new (self, self->searching, found_cb, NULL);
  g_task_set_task_data (self->task, job, job_free);
  g_task_run_in_thread (self->task, search_thread);
  self->source = g_timeout_add (SHOW_MS, show_progress, self);
}

/* ---- the dialog and its responses ---- */

static void
gilk_callees_dialog_response (GtkDialog *dialog, int response)
{
  GilkCalleesDialog *self = GILK_CALLEES_DIALOG (dialog);

  if (response == GTK_RESPONSE_OK && self->callees != NULL)
    {
      g_autoptr(GPtrArray) hooks = g_ptr_array_ref (self->callees->hooks);

      gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                                  gilk_connection_build_id (self->connection));
      gilk_plan_model_add_many (self->model, hooks, NULL);
    }
  gtk_widget_destroy (GTK_WIDGET (dialog));
}

static void
gilk_callees_dialog_dispose (GObject *object)
{
  GilkCalleesDialog *self = GILK_CALLEES_DIALOG (object);

  gilk_cancel (&self->searching);
  g_clear_object (&self->task);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->callees, gilk_plan_callees_free);
  g_clear_pointer (&self->function, g_free);
  g_clear_object (&self->connection);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (gilk_callees_dialog_parent_class)->dispose (object);
}

static void
gilk_callees_dialog_class_init (GilkCalleesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_callees_dialog_dispose;
  GTK_DIALOG_CLASS (klass)->response = gilk_callees_dialog_response;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/callees-dialog.ui");
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkCalleesDialog, field)
  BIND (add);
  BIND (function_label);
  BIND (found);
  BIND (cost);
  BIND (left);
  BIND (left_box);
  BIND (depth);
  BIND (fewest);
  BIND (progress);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, start_search);
}

static void
gilk_callees_dialog_init (GilkCalleesDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
gilk_callees_dialog_show (GtkWindow      *parent,
                          GilkConnection *connection,
                          GilkPlanModel  *model,
                          const char     *function)
{
  GilkCalleesDialog *self = g_object_new (GILK_TYPE_CALLEES_DIALOG, "use-header-bar", 1, "transient-for", parent, NULL);

  self->connection = g_object_ref (connection);
  self->model = g_object_ref (model);
  self->function = g_strdup (function);
  gtk_window_set_title (GTK_WINDOW (self), _("Plan all callees"));
  gtk_label_set_text (self->function_label, function);
  gtk_dialog_set_default_response (GTK_DIALOG (self), GTK_RESPONSE_OK);
  start_search (self);
  /* Search again when the plan changes, because labels of new hooks must be unique in the plan. */
  g_signal_connect_object (model, "changed", G_CALLBACK (start_search), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self));
}
