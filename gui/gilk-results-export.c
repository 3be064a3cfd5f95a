/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-export.c - writes the plot or graph in view to a file, or what was recorded
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "gui/gilk-session-export.h"

#define SHOW_AFTER_MS 300
#define STEP_MS       100

/* ---- what was recorded, in a format of core/export ---- */

typedef struct {
  GilkResultsView *self;
  GCancellable    *cancellable;
  GtkWidget       *dialog;           /* NULL: not shown, or gone */
  GtkProgressBar  *bar;
  char            *name;
  guint            timer;
  int              permille;         /* written by the thread */
} Export;

static void
export_free (Export *export)
{
  g_clear_handle_id (&export->timer, g_source_remove);
  if (export->dialog != NULL)
    gtk_widget_destroy (export->dialog);
  g_application_release (g_application_get_default ());
  g_object_unref (export->cancellable);
  g_object_unref (export->self);
  g_free (export->name);
  g_free (export);
}

static void
export_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  Export *export = user_data;
  g_autoptr(GError) error = NULL;

  if (!gilk_session_export_finish (result, &error))
    gilk_results_report (export->self, error);
  export_free (export);
}

static void
on_response (Export *export)
{
  g_cancellable_cancel (export->cancellable);
  if (export->dialog != NULL)
    gtk_dialog_set_response_sensitive (GTK_DIALOG (export->dialog), GTK_RESPONSE_CANCEL, FALSE);
}

static void
on_destroy (Export *export)
{
  export->dialog = NULL;
  export->bar = NULL;
  g_cancellable_cancel (export->cancellable);
}

static void
show_dialog (Export *export)
{
  GtkWidget *box, *label, *bar;
  g_autofree char *text = g_strdup_printf (_("Writing %s"), export->name);

  export->dialog = gtk_dialog_new_with_buttons (_("Export"),
                                                GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (export->self))),
                                                GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                                _("_Cancel"), GTK_RESPONSE_CANCEL, NULL);
  gtk_window_set_resizable (GTK_WINDOW (export->dialog), FALSE);
  box = gtk_dialog_get_content_area (GTK_DIALOG (export->dialog));
  gtk_container_set_border_width (GTK_CONTAINER (box), 18);
  gtk_box_set_spacing (GTK_BOX (box), 12);
  label = gtk_label_new (text);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 50);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  bar = gtk_progress_bar_new ();
  gtk_widget_set_size_request (bar, 360, -1);
  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_container_add (GTK_CONTAINER (box), bar);
  export->bar = GTK_PROGRESS_BAR (bar);
  g_signal_connect_swapped (export->dialog, "response", G_CALLBACK (on_response), export);
  g_signal_connect_swapped (export->dialog, "delete-event", G_CALLBACK (gtk_true), NULL);
  g_signal_connect_swapped (export->dialog, "destroy", G_CALLBACK (on_destroy), export);
  gtk_widget_show_all (export->dialog);
}

static gboolean
step_dialog (gpointer user_data)
{
  Export *export = user_data;
  int permille = g_atomic_int_get (&export->permille);

  if (export->bar == NULL)
    return G_SOURCE_CONTINUE;
  if (permille < 0)
    gtk_progress_bar_pulse (export->bar);
  else
    gtk_progress_bar_set_fraction (export->bar, permille / 1000.0);

  return G_SOURCE_CONTINUE;
}

static gboolean
begin_dialog (gpointer user_data)
{
  Export *export = user_data;

  show_dialog (export);
  export->timer = g_timeout_add (STEP_MS, step_dialog, export);

  return G_SOURCE_REMOVE;
}

static void
write_recorded (GilkResultsView        *self,
                const GilkExportFormat *format,
                const char             *path,
                gboolean                replace)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  Export *export = g_new0 (Export, 1);
  const GilkSessionExport wanted = {
    self->session->path, gilk_results_run (self)->run.id, hook != NULL ? hook->id : 0, format, path, replace,
  };

  export->self = g_object_ref (self);
  export->cancellable = g_cancellable_new ();
  export->name = g_path_get_basename (path);
  export->permille = -1;
  export->timer = g_timeout_add (SHOW_AFTER_MS, begin_dialog, export);
  g_application_hold (g_application_get_default ());
  gilk_session_export_async (&wanted, &export->permille, export->cancellable, export_cb, export);
}

/* ---- a picture ---- */

static gboolean
shows_graph (GilkResultsView *self)
{
  return gilk_results_function (self) != NULL || gilk_results_is_writers (self);
}

static void
write_picture (GilkResultsView *self,
               const char      *format,
               const char      *path)
{
  g_autoptr(GError) error = NULL;
  GilkGraphView *graph = gilk_results_view_graph (self);
  GilkPlotFormat kind = gilk_graph_data_format (format);
  gboolean good;

  if (shows_graph (self))
    good = gilk_graph_data_export (gilk_graph_view_data (graph), gilk_graph_view_look (graph), path, kind, &error);
  else
    good = gilk_plot_view_export (self->plot, path, kind, &error);
  if (!good)
    gilk_results_report (self, error);
}

/* ---- where to ---- */

static gboolean
can_export (GilkResultsView *self,
            const char      *format)
{
  if (gilk_export_format_by_name (format) != NULL)
    return gilk_results_run (self) != NULL && gilk_results_run (self)->hooks->len > 0;

  return self->session != NULL &&
         (shows_graph (self) ? gilk_graph_view_data (gilk_results_view_graph (self)) != NULL
                              : gilk_plot_view_has_plot (self->plot));
}

static char *
name_view (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkStoredFunction *function = gilk_results_function (self);

  return g_strdup (function != NULL ? function->name : hook != NULL ? hook->label : "hits");
}

/* A filter a format; the one in force decides. */
static void
add_formats (GtkFileChooser *chooser,
             const char     *format)
{
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      const GilkExportFormat *known = gilk_export_format (i);
      GtkFileFilter *filter = gtk_file_filter_new ();
      g_autofree char *pattern = g_strconcat ("*", known->extension, NULL);

      gtk_file_filter_set_name (filter, _(known->title));
      gtk_file_filter_add_pattern (filter, pattern);
      g_object_set_data (G_OBJECT (filter), "gilk-format", (gpointer) known);
      gtk_file_chooser_add_filter (chooser, filter);
      if (strcmp (known->name, format) == 0)
        gtk_file_chooser_set_filter (chooser, filter);
    }
}

/* The path with the extension of @format in place of another format's. (transfer full) */
static char *
fit_extension (const char             *path,
               const GilkExportFormat *format)
{
  gsize length = strlen (path);

  if (*format->extension != '\0' && g_str_has_suffix (path, format->extension))
    return g_strdup (path);
  for (guint i = 0; i < gilk_export_n_formats (); i++)
    {
      const char *extension = gilk_export_format (i)->extension;

      if (*extension != '\0' && g_str_has_suffix (path, extension))
        {
          length -= strlen (extension);
          break;
        }
    }

  return g_strdup_printf ("%.*s%s", (int) length, path, format->extension);
}

static void
write_chosen (GilkResultsView *self,
              GtkFileChooser  *chooser,
              const char      *format)
{
  g_autofree char *path = gtk_file_chooser_get_filename (chooser);
  g_autofree char *fitting = NULL;
  GtkFileFilter *filter = gtk_file_chooser_get_filter (chooser);
  const GilkExportFormat *known = gilk_export_format_by_name (format);

  if (known == NULL)
    {
      write_picture (self, format, path);
      return;
    }
  if (filter != NULL && g_object_get_data (G_OBJECT (filter), "gilk-format") != NULL)
    known = g_object_get_data (G_OBJECT (filter), "gilk-format");
  fitting = fit_extension (path, known);
  /* The dialog has asked about the name that was typed, and about no other. */
  write_recorded (self, known, fitting, strcmp (fitting, path) == 0);
}

void
gilk_results_view_export (GilkResultsView *self,
                          const char      *format)
{
  g_autoptr(GtkFileChooserNative) dialog = NULL;
  g_autofree char *name = NULL, *view = NULL;
  const GilkExportFormat *known = gilk_export_format_by_name (format);

  if (!can_export (self, format))
    {
      g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE,
                                                     _("There is nothing to export yet: open a session and choose a hook."));

      gilk_results_report (self, error);
      return;
    }

  view = name_view (self);
  name = g_strconcat (view, known != NULL ? "" : ".", known != NULL ? known->extension : format, NULL);
  dialog = gtk_file_chooser_native_new (_("Export"), GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))),
                                        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (known != NULL)
    add_formats (GTK_FILE_CHOOSER (dialog), format);
  if (gtk_native_dialog_run (GTK_NATIVE_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    write_chosen (self, GTK_FILE_CHOOSER (dialog), format);
}
