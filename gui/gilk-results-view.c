/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.c - a session file: its runs, hooks, plots and figures
 *
 * Choosing anything starts a job and cancels the one before it; the old plot
 * stays until the new one is there.
 */
#include "gui/gilk-results-view.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "gui/gilk-plot-view.h"
#include "gui/gilk-session-data.h"
#include "gui/gilk-text.h"

struct _GilkResultsView {
  GtkBox          parent_instance;

  GilkSession    *session;
  GCancellable   *opening, *plotting;
  int             run, hook;       /* hook -1: all of the run */
  gboolean        filling;

  /* Template objects */
  GtkStack       *stack;
  GtkLabel       *file_label;
  GtkListBox     *runs, *hooks;
  GtkComboBoxText *quantity;
  GtkToggleButton *log_x, *log_y;
  GtkWidget      *toolbar;
  GilkPlotView   *plot;
  GtkLabel       *read_out;
  GtkGrid        *figures;
  GtkLabel       *figures_title, *command;
  GtkWidget      *loss_box;
  GtkLabel       *loss_label;
};

G_DEFINE_TYPE (GilkResultsView, gilk_results_view, GTK_TYPE_BOX)

enum { FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static GilkSessionRun *
current_run (GilkResultsView *self)
{
  if (self->session == NULL || self->run < 0 || self->run >= (int) self->session->runs->len)
    return NULL;

  return &g_array_index (self->session->runs, GilkSessionRun, self->run);
}

static const GilkStoredHook *
current_hook (GilkResultsView *self)
{
  GilkSessionRun *run = current_run (self);

  if (run == NULL || self->hook < 0 || self->hook >= (int) run->hooks->len)
    return NULL;

  return &g_array_index (run->hooks, GilkStoredHook, self->hook);
}

static void
report (GilkResultsView *self,
        const GError    *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      !g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
    g_signal_emit (self, signals[FAILED], 0, error);
}

/* ---- figures on the right ---- */

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

static void
clear_figures (GilkResultsView *self)
{
  gtk_container_foreach (GTK_CONTAINER (self->figures), destroy_child, NULL);
}

static void
add_figure (GilkResultsView *self,
            const char      *name,
            const char      *value)
{
  g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (self->figures));
  int row = g_list_length (children) / 2;
  GtkWidget *left = gtk_label_new (name);
  GtkWidget *right = gtk_label_new (value);

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_label_set_xalign (GTK_LABEL (right), 1);
  gtk_label_set_selectable (GTK_LABEL (right), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (right), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (left), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (right), "figure");
  gtk_grid_attach (self->figures, left, 0, row, 1, 1);
  gtk_grid_attach (self->figures, right, 1, row, 1, 1);
  gtk_widget_show (left);
  gtk_widget_show (right);
}

static void
add_si (GilkResultsView *self,
        const char      *name,
        double           value,
        const char      *unit)
{
  g_autofree char *text = gilk_format_si (value, unit != NULL ? unit : "", 4);

  add_figure (self, name, text);
}

static void
add_count (GilkResultsView *self,
           const char      *name,
           uint64_t         count)
{
  g_autofree char *text = gilk_text_count (count);

  add_figure (self, name, text);
}

static void
show_hook_figures (GilkResultsView      *self,
                   const GilkStoredHook *hook)
{
  g_autofree char *point = g_strdup_printf ("%s%s %s", hook->function, hook->block, hook->where);

  g_autofree char *cost = g_strdup_printf (g_dngettext (NULL, "%u instruction", "%u instructions", hook->cost), hook->cost);

  gtk_label_set_text (self->figures_title, hook->label);
  add_figure (self, _("Point"), point);
  add_figure (self, _("Instrument"), hook->instrument);
  add_figure (self, _("Tactic"), hook->tactic);
  add_figure (self, _("Cost"), cost);
  add_count (self, _("Hits"), hook->hits);
  add_count (self, _("Stored"), hook->stored);
  add_count (self, _("Lost"), hook->lost);
  if (hook->dropped > 0)
    add_count (self, _("Re-entries dropped"), hook->dropped);
}

static void
show_distribution (GilkResultsView    *self,
                   const GilkPlotData *plot)
{
  const GilkHistogram *h = plot->histogram;

  if (h == NULL || h->n == 0)
    return;
  add_count (self, _("Values"), h->n);
  add_si (self, _("Minimum"), h->min, plot->x_unit);
  add_si (self, _("Median"), h->median, plot->x_unit);
  add_si (self, _("90 %"), h->p90, plot->x_unit);
  add_si (self, _("99 %"), h->p99, plot->x_unit);
  add_si (self, _("99.9 %"), h->p999, plot->x_unit);
  add_si (self, _("Maximum"), h->max, plot->x_unit);
  add_si (self, _("Mean"), h->mean, plot->x_unit);
  add_si (self, _("Deviation"), h->stddev, plot->x_unit);
}

static void
show_run_figures (GilkResultsView *self)
{
  const GilkStoredRun *run = &current_run (self)->run;

  gtk_label_set_text (self->figures_title, run->title != NULL && run->title[0] != '\0' ? run->title : _("This run"));
  add_figure (self, _("Target"), run->target);
  add_figure (self, _("Kernel"), run->release);
  add_figure (self, _("Started"), run->started);
  add_si (self, _("Length"), run->duration, "s");
  add_count (self, _("Samples"), run->samples);
  add_count (self, _("Lost"), run->lost);
  add_figure (self, _("Ended by"), run->end_reason);
}

static void
show_loss (GilkResultsView *self,
           uint64_t         lost)
{
  g_autofree char *count = gilk_text_count (lost);
  g_autofree char *text = g_strdup_printf (_("%s samples were lost because the rings were full. "
                                             "Counts stay exact; times and distributions miss them."), count);

  gtk_label_set_text (self->loss_label, text);
  gtk_widget_set_visible (self->loss_box, lost > 0);
}

static const GilkStoredField *
chosen_field (GilkResultsView *self,
              const char      *id)
{
  GArray *fields = g_ptr_array_index (current_run (self)->fields, self->hook);
  guint index = id[1] == ':' ? g_ascii_strtoull (id + 2, NULL, 10) : G_MAXUINT;

  return index < fields->len ? &g_array_index (fields, GilkStoredField, index) : NULL;
}

static void
show_command (GilkResultsView *self)
{
  static const char *const options[] = { "--rate", "--histogram", "--histogram", "--series", "--groups" };
  const GilkStoredHook *hook = current_hook (self);
  g_autofree char *name = g_path_get_basename (self->session->path);
  g_autofree char *quoted = gilk_text_word (name);
  g_autofree char *text = NULL;
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->quantity));

  if (hook == NULL || id == NULL)
    text = g_strdup_printf ("gilk report %s", quoted);
  else
    {
      const GilkStoredField *field = chosen_field (self, id);
      int quantity = g_ascii_digit_value (id[0]);

      text = g_strdup_printf ("gilk plot %s --hook %s %s%s%s --svg plot.svg", quoted, hook->label,
                              options[quantity], quantity == GILK_QUANTITY_RATE ? "" : " ",
                              quantity == GILK_QUANTITY_RATE ? ""
                              : field != NULL ? field->name : "interval");
    }
  gtk_label_set_text (self->command, text);
}

/* ---- plot ---- */

static void
plot_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_plot_finish (result, &error);

  if (plot == NULL)
    {
      report (self, error);
      return;
    }
  if (g_task_get_cancellable (G_TASK (result)) != self->plotting || current_hook (self) == NULL)
    {
      gilk_plot_data_free (plot);
      return;
    }
  plot->log_y = gtk_toggle_button_get_active (self->log_y);
  clear_figures (self);
  show_hook_figures (self, current_hook (self));
  show_distribution (self, plot);
  gilk_plot_view_take_data (self->plot, plot);
}

static void
show_overview (GilkResultsView *self)
{
  GilkSessionRun *run = current_run (self);
  GilkPlotData *plot = gilk_plot_data_new ();

  for (guint i = 0; i < run->hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (run->hooks, GilkStoredHook, i);
      g_autofree char *lost = gilk_text_count (hook->lost);
      g_autofree char *note = hook->lost > 0 ? g_strdup_printf (_("%s lost"), lost) : g_strdup ("");

      gilk_plot_data_add_bar (plot, hook->label, hook->hits, note);
    }
  plot->kind = GILK_PLOT_VIEW_BARS;
  plot->title = g_strdup (_("Hits of every hook"));
  plot->subtitle = g_strdup_printf (_("run %" G_GINT64_FORMAT " · %.1f s"), run->run.id, run->run.duration);
  if (run->hooks->len == 0)
    plot->message = g_strdup (_("This run has no hooks."));
  clear_figures (self);
  show_run_figures (self);
  show_loss (self, run->run.lost);
  gilk_plot_view_take_data (self->plot, plot);
}

static void
update_plot (GilkResultsView *self)
{
  const GilkStoredHook *hook = current_hook (self);
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->quantity));
  GilkQuantity quantity;

  if (self->filling || current_run (self) == NULL)
    return;
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->plotting);
  gtk_widget_set_visible (self->toolbar, hook != NULL);
  show_command (self);
  if (hook == NULL)
    {
      show_overview (self);
      return;
    }
  if (id == NULL)
    return;

  quantity = g_ascii_digit_value (id[0]);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_x),
                            quantity == GILK_QUANTITY_INTERVAL || quantity == GILK_QUANTITY_FIELD);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_y),
                            quantity == GILK_QUANTITY_INTERVAL || quantity == GILK_QUANTITY_FIELD);
  show_loss (self, hook->lost);
  self->plotting = g_cancellable_new ();
  gilk_session_plot_async (self->session, hook, current_run (self)->run.duration, quantity,
                           chosen_field (self, id), gtk_toggle_button_get_active (self->log_x),
                           self->plotting, plot_cb, g_object_ref (self));
}

/* ---- choices ---- */

static void
add_quantity (GilkResultsView *self,
              GilkQuantity     quantity,
              guint            field,
              const char      *format,
              const char      *name)
{
  g_autofree char *id = g_strdup_printf ("%d:%u", quantity, field);
  g_autofree char *text = name != NULL ? g_strdup_printf ("%s %s", format, name) : g_strdup (format);

  gtk_combo_box_text_append (self->quantity, id, text);
}

static void
fill_quantities (GilkResultsView *self)
{
  const GilkStoredHook *hook = current_hook (self);
  GArray *fields;

  gtk_combo_box_text_remove_all (self->quantity);
  if (hook == NULL)
    return;

  fields = g_ptr_array_index (current_run (self)->fields, self->hook);
  if (g_strcmp0 (hook->instrument, "count") != 0)
    add_quantity (self, GILK_QUANTITY_INTERVAL, G_MAXUINT, _("Time between hits"), NULL);
  add_quantity (self, GILK_QUANTITY_RATE, G_MAXUINT, _("Hits over time"), NULL);
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      add_quantity (self, GILK_QUANTITY_GROUPS, i, _("Hits by"), field->name);
      if (field->type == ILK_FIELD_TEXT)
        continue;
      add_quantity (self, GILK_QUANTITY_FIELD, i, _("Distribution of"), field->name);
      add_quantity (self, GILK_QUANTITY_FIELD_SERIES, i, _("Over time:"), field->name);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (self->quantity), 0);
}

static GtkWidget *
two_line_row (const char *title,
              const char *subtitle)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *top = gtk_label_new (title);
  GtkWidget *bottom = gtk_label_new (subtitle);

  gtk_label_set_xalign (GTK_LABEL (top), 0);
  gtk_label_set_xalign (GTK_LABEL (bottom), 0);
  gtk_label_set_ellipsize (GTK_LABEL (top), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (bottom), PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (top), "row-title");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "row-subtitle");
  gtk_container_add (GTK_CONTAINER (box), top);
  gtk_container_add (GTK_CONTAINER (box), bottom);
  gtk_style_context_add_class (gtk_widget_get_style_context (box), "list-row");
  gtk_widget_show_all (box);

  return box;
}

static void
clear_list (GtkListBox *list)
{
  gtk_container_foreach (GTK_CONTAINER (list), destroy_child, NULL);
}

static void
fill_hooks (GilkResultsView *self)
{
  GilkSessionRun *run = current_run (self);

  self->filling = TRUE;
  clear_list (self->hooks);
  self->hook = -1;
  if (run != NULL)
    {
      gtk_list_box_insert (self->hooks, two_line_row (_("All hooks"), _("hits side by side")), -1);
      for (guint i = 0; i < run->hooks->len; i++)
        {
          const GilkStoredHook *hook = &g_array_index (run->hooks, GilkStoredHook, i);
          g_autofree char *hits = gilk_text_count (hook->hits);
          g_autofree char *subtitle = g_strdup_printf (_("%s · %s · %s hits"), hook->where,
                                                       hook->instrument, hits);

          gtk_list_box_insert (self->hooks, two_line_row (hook->label, subtitle), -1);
        }
      gtk_list_box_select_row (self->hooks, gtk_list_box_get_row_at_index (self->hooks, 0));
    }
  self->filling = FALSE;
  update_plot (self);
}

static void
fill_runs (GilkResultsView *self)
{
  g_autofree char *name = g_path_get_basename (self->session->path);

  gtk_label_set_text (self->file_label, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->file_label), self->session->path);
  clear_list (self->runs);
  for (guint i = 0; i < self->session->runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (self->session->runs, GilkSessionRun, i).run;
      g_autofree char *title = g_strdup_printf (_("Run %" G_GINT64_FORMAT), run->id);
      g_autofree char *subtitle = g_strdup_printf ("%s · %.1f s", run->started, run->duration);

      gtk_list_box_insert (self->runs, two_line_row (title, subtitle), -1);
    }
  gtk_stack_set_visible_child_name (self->stack, self->session->runs->len > 0 ? "session" : "no-runs");
  gtk_list_box_select_row (self->runs, gtk_list_box_get_row_at_index (self->runs, 0));
}

static void
run_selected (GilkResultsView *self,
              GtkListBoxRow   *row)
{
  if (row == NULL)
    return;
  self->run = gtk_list_box_row_get_index (row);
  fill_hooks (self);
}

static void
hook_selected (GilkResultsView *self,
               GtkListBoxRow   *row)
{
  if (row == NULL || self->filling)
    return;
  self->hook = gtk_list_box_row_get_index (row) - 1;
  self->filling = TRUE;
  fill_quantities (self);
  self->filling = FALSE;
  update_plot (self);
}

static void
read_out_changed (GilkResultsView *self,
                  const char      *text)
{
  gtk_label_set_text (self->read_out, text);
}

/* ---- files ---- */

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkSession *session = gilk_session_open_finish (result, &error);

  if (session == NULL)
    {
      report (self, error);
      return;
    }
  g_clear_pointer (&self->session, gilk_session_free);
  self->session = session;
  fill_runs (self);
}

void
gilk_results_view_open (GilkResultsView *self,
                        const char      *path)
{
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  self->opening = g_cancellable_new ();
  gilk_session_open_async (path, self->opening, opened_cb, g_object_ref (self));
}

const char *
gilk_results_view_path (GilkResultsView *self)
{
  return self->session != NULL ? self->session->path : NULL;
}

static void
csv_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;

  if (!gilk_session_csv_finish (result, &error))
    report (self, error);
}

static void
write_export (GilkResultsView *self,
              const char      *format,
              const char      *path)
{
  g_autoptr(GError) error = NULL;
  GilkPlotFormat kind = g_str_equal (format, "svg") ? GILK_PLOT_SVG
                        : g_str_equal (format, "pdf") ? GILK_PLOT_PDF : GILK_PLOT_PNG;

  if (g_str_equal (format, "csv"))
    gilk_session_csv_async (self->session, current_hook (self), path, NULL, csv_cb, g_object_ref (self));
  else if (!gilk_plot_view_export (self->plot, path, kind, &error))
    report (self, error);
}

void
gilk_results_view_export (GilkResultsView *self,
                          const char      *format)
{
  g_autoptr(GtkFileChooserNative) dialog = NULL;
  g_autofree char *name = NULL;
  const GilkStoredHook *hook = current_hook (self);

  if (self->session == NULL || (hook == NULL && g_str_equal (format, "csv")) ||
      !gilk_plot_view_has_plot (self->plot))
    {
      g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE,
                                                     _("There is nothing to export yet: open a session and choose a hook."));

      report (self, error);
      return;
    }

  name = g_strdup_printf ("%s.%s", hook != NULL ? hook->label : "hits", format);
  dialog = gtk_file_chooser_native_new (_("Export"), GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))),
                                        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (gtk_native_dialog_run (GTK_NATIVE_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    {
      g_autofree char *path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (dialog));

      write_export (self, format, path);
    }
}

static void
gilk_results_view_dispose (GObject *object)
{
  GilkResultsView *self = GILK_RESULTS_VIEW (object);

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->opening);
  g_clear_object (&self->plotting);
  g_clear_pointer (&self->session, gilk_session_free);
  G_OBJECT_CLASS (gilk_results_view_parent_class)->dispose (object);
}

static void
gilk_results_view_class_init (GilkResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_results_view_dispose;
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_PLOT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-view.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, file_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, runs);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, hooks);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, quantity);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_x);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_y);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, plot);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, read_out);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures_title);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, command);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_box);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_label);
  gtk_widget_class_bind_template_callback (widget_class, run_selected);
  gtk_widget_class_bind_template_callback (widget_class, hook_selected);
  gtk_widget_class_bind_template_callback (widget_class, update_plot);
  gtk_widget_class_bind_template_callback (widget_class, read_out_changed);
}

static void
gilk_results_view_init (GilkResultsView *self)
{
  self->run = self->hook = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
}
