/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-export.c - exports the current plot or graph, or the recorded data, to a file
 */
#include "gui/base/gilk-files.h"
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/session/gilk-session.h"

#define PAGE "page-"

/* ---- exporting recorded data in a format of core/export ---- */

typedef struct {
  GilkResultsView *self;
  GilkFileNotice  *notice;
} Export;

static void
export_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  Export *export = user_data;
  g_autoptr(GError) error = NULL;

  if (gilk_session_export_finish (result, &error))
    gilk_results_emit_written (export->self, gilk_file_notice_path (export->notice));
  else
    gilk_results_emit_failed (export->self, error);
  gilk_file_notice_end (export->notice);
  g_application_release (g_application_get_default ());
  g_object_unref (export->notice);
  g_object_unref (export->self);
  g_free (export);
}

static void
write_recorded (GilkResultsView        *self,
                const GilkExportFormat *format,
                const char             *path,
                gboolean                replace)
{
  const GilkStoredHook *hook = gilk_results_hook (self->choice);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  Export *export = g_new0 (Export, 1);
  const GilkSessionExport wanted = {
    self->choice->session->path, gilk_results_run (self->choice)->run.id, hook != NULL ? hook->id : 0, format, path, replace,
  };

  export->self = g_object_ref (self);
  export->notice = g_object_ref (gilk_file_notice_add (self->notices, path, cancellable));
  g_application_hold (g_application_get_default ());
  gilk_session_export_async (&wanted, gilk_file_notice_permille (export->notice), cancellable, export_cb, export);
}

/* ---- exporting pictures ---- */

/* Returns @format without the prefix "page-", which stands for the export of all visible plots. */
static const char *
get_extension (const char *format)
{
  return g_str_has_prefix (format, PAGE) ? format + strlen (PAGE) : format;
}

static gboolean
is_graph_shown (GilkResultsView *self)
{
  GilkResultsShown shown = gilk_results_shown (self->choice);

  return shown == GILK_RESULTS_GRAPH || shown == GILK_RESULTS_ACCESSES;
}

typedef struct {
  GilkResultsView *self;
  GilkFileNotice  *notice;
} PictureExport;

static PictureExport *
picture_export_new (GilkResultsView *self,
                    const char      *path)
{
  PictureExport *export = g_new (PictureExport, 1);

  export->self = g_object_ref (self);
  export->notice = g_object_ref (gilk_file_notice_add (self->notices, path, NULL));

  return export;
}

/* Reports the result and frees @export. @error: NULL: the file was written. */
static void
picture_export_end (PictureExport *export,
                    const GError  *error)
{
  if (error == NULL)
    gilk_results_emit_written (export->self, gilk_file_notice_path (export->notice));
  else
    gilk_results_emit_failed (export->self, error);
  gilk_file_notice_end (export->notice);
  g_object_unref (export->notice);
  g_object_unref (export->self);
  g_free (export);
}

static void
graph_written (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = gilk_graph_export_finish (result, &error);

  if (text != NULL)
    gtk_label_set_text (((PictureExport *) user_data)->self->read_out, text);
  picture_export_end (user_data, text != NULL ? NULL : error);
}

static void
write_graph (GilkResultsView *self,
             GilkPlotFormat   format,
             const char      *path)
{
  GilkGraphView *graph = gilk_results_view_graph (self);

  gilk_graph_export_async (gilk_graph_view_data (graph), gilk_graph_view_look (graph), path, format, graph_written,
                           picture_export_new (self, path));
}

static void
write_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  GError *error = NULL;

  if (gilk_plot_write (g_object_get_data (G_OBJECT (task), "path"), task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
plot_written (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  picture_export_end (user_data, error);
}

/* Paints all visible plots in their positions on the page. */
static void
paint_page (cairo_t *cr,
            double   width,
            double   height,
            gpointer user_data)
{
  GilkResultsView *self = user_data;
  g_autoptr(GPtrArray) plots = gilk_results_page_plots (self->page);

  cairo_set_source_rgb (cr, gilk_plot_light.background.r, gilk_plot_light.background.g, gilk_plot_light.background.b);
  cairo_paint (cr);
  for (guint i = 0; i < plots->len; i++)
    {
      GtkWidget *plot = g_ptr_array_index (plots, i);
      int x, y;

      gtk_widget_translate_coordinates (plot, GTK_WIDGET (self->page), 0, 0, &x, &y);
      cairo_save (cr);
      cairo_translate (cr, x, y);
      cairo_rectangle (cr, 0, 0, gtk_widget_get_allocated_width (plot), gtk_widget_get_allocated_height (plot));
      cairo_clip (cr);
      gilk_plot_view_paint (GILK_PLOT_VIEW (plot), cr, gtk_widget_get_allocated_width (plot), gtk_widget_get_allocated_height (plot));
      cairo_restore (cr);
    }
}

static void
paint_plot (cairo_t *cr,
            double   width,
            double   height,
            gpointer user_data)
{
  gilk_plot_view_paint (user_data, cr, width, height);
}

/* (transfer full) */
static GByteArray *
render_picture (GilkResultsView *self,
                GilkPlotFormat   format,
                gboolean         page,
                GError         **error)
{
  guint width, height;

  if (page)
    return gilk_plot_to_bytes (format, gtk_widget_get_allocated_width (GTK_WIDGET (self->page)),
                               gtk_widget_get_allocated_height (GTK_WIDGET (self->page)), paint_page, self, error);
  gilk_plot_view_picture_size (gilk_results_page_current_plot (self->page), &width, &height);

  return gilk_plot_to_bytes (format, width, height, paint_plot, gilk_results_page_current_plot (self->page), error);
}

/* Paints on the main thread, which takes a few milliseconds, and writes the file in a worker
 * thread, because a disk may take seconds. */
static void
write_plot (GilkResultsView *self,
            GilkPlotFormat   format,
            gboolean         page,
            const char      *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GTask) task = NULL;
  GByteArray *bytes = render_picture (self, format, page, &error);

  if (bytes == NULL)
    {
      gilk_results_emit_failed (self, error);
      return;
    }
  task = g_task_new (NULL, NULL, plot_written, picture_export_new (self, path));
  g_task_set_task_data (task, bytes, (GDestroyNotify) g_byte_array_unref);
  g_object_set_data_full (G_OBJECT (task), "path", g_strdup (path), g_free);
  g_task_run_in_thread (task, write_thread);
}

static void
write_picture (GilkResultsView *self,
               const char      *format,
               const char      *path)
{
  GilkPlotFormat kind = gilk_graph_data_format (get_extension (format));

  if (is_graph_shown (self))
    write_graph (self, kind, path);
  else
    write_plot (self, kind, g_str_has_prefix (format, PAGE), path);
}

/* ---- choosing a file and a format ---- */

static gboolean
can_export (GilkResultsView *self,
            const char      *format)
{
  if (gilk_export_format_by_name (format) != NULL)
    return gilk_results_run (self->choice) != NULL && gilk_results_run (self->choice)->hooks->len > 0;

  return self->choice->session != NULL && gilk_results_shown (self->choice) != GILK_RESULTS_SAMPLES &&
         (is_graph_shown (self) ? gilk_graph_view_data (gilk_results_view_graph (self)) != NULL
                              : gilk_plot_view_has_plot (gilk_results_page_current_plot (self->page)));
}

static char *
make_view_name (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self->choice);
  const GilkStoredFunction *function = gilk_results_function (self->choice);

  return g_strdup (function != NULL ? function->name : hook != NULL ? hook->label : "hits");
}

/* Adds a filter for each format; the selected filter decides the format. */
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

/* Returns @path with the extension of @format. Replaces the extension of another format. (transfer
 * full) */
static char *
replace_extension (const char             *path,
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
              GtkFileChooser  *chooser)
{
  const char *format = g_object_get_data (G_OBJECT (chooser), "gilk-format");
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
  fitting = replace_extension (path, known);
  /* Overwrite only @path: the dialog has asked the user about @path, but not about @fitting, the
   * path with another extension. */
  write_recorded (self, known, fitting, strcmp (fitting, path) == 0);
}

static void
dialog_answered (GtkNativeDialog *dialog,
                 int              response,
                 GilkResultsView *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    write_chosen (self, GTK_FILE_CHOOSER (dialog));
}

void
gilk_results_view_export (GilkResultsView *self,
                          const char      *format)
{
  GtkFileChooserNative *dialog;
  g_autofree char *name = NULL, *view = NULL;
  const GilkExportFormat *known = gilk_export_format_by_name (format);

  if (!can_export (self, format))
    {
      g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE,
                                                     gilk_results_shown (self->choice) == GILK_RESULTS_SAMPLES
                                                     ? _("Cannot export a table as a picture. Export its samples as "
                                                         "CSV, or choose a plot.")
                                                     : _("Nothing to export yet: open a session and choose a hook."));

      gilk_results_emit_failed (self, error);
      return;
    }

  view = make_view_name (self);
  name = g_strconcat (view, known != NULL ? "" : ".", known != NULL ? known->extension : get_extension (format), NULL);
  dialog = gtk_file_chooser_native_new (_("Export"), GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))),
                                        GTK_FILE_CHOOSER_ACTION_SAVE, _("_Export"), _("_Cancel"));
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  if (known != NULL)
    add_formats (GTK_FILE_CHOOSER (dialog), format);
  g_object_set_data_full (G_OBJECT (dialog), "gilk-format", g_strdup (format), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (dialog_answered), self, 0);
  gilk_file_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
