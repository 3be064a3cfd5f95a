/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-export.c - writes the plot or graph in view, or its samples, to a file
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

static void
csv_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;

  if (!gilk_session_csv_finish (result, &error))
    gilk_results_report (self, error);
}

/* In light colours, as for paper. */
static void
export_graph (GilkResultsView *self,
              const char      *path,
              GilkPlotFormat   format)
{
  g_autoptr(GError) error = NULL;
  GilkGraphLook look = *gilk_graph_view_look (self->graph);
  const GilkGraph *graph = gilk_graph_view_data (self->graph)->graph;
  GilkGraphPicture picture = { graph, &gilk_plot_light, &look };

  look.block = look.point = look.hover = -1;
  if (!gilk_plot_to_file (path, format, graph->layout->width + 2 * GILK_GRAPH_MARGIN,
                          graph->layout->height + 2 * GILK_GRAPH_MARGIN,
                          gilk_graph_paint_picture, &picture, &error))
    gilk_results_report (self, error);
}

static void
write_export (GilkResultsView *self,
              const char      *format,
              const char      *path)
{
  g_autoptr(GError) error = NULL;
  GilkPlotFormat kind = g_str_equal (format, "svg") ? GILK_PLOT_SVG
                        : g_str_equal (format, "pdf") ? GILK_PLOT_PDF : GILK_PLOT_PNG;

  if (gilk_results_function (self) != NULL)
    export_graph (self, path, kind);
  else if (g_str_equal (format, "csv"))
    gilk_session_csv_async (self->session, gilk_results_hook (self), path, NULL, csv_cb, g_object_ref (self));
  else if (!gilk_plot_view_export (self->plot, path, kind, &error))
    gilk_results_report (self, error);
}

static gboolean
can_export (GilkResultsView *self,
            const char      *format)
{
  if (self->session == NULL || (gilk_results_hook (self) == NULL && g_str_equal (format, "csv")))
    return FALSE;

  return gilk_results_function (self) != NULL ? gilk_graph_view_data (self->graph) != NULL
                                         : gilk_plot_view_has_plot (self->plot);
}

void
gilk_results_view_export (GilkResultsView *self,
                          const char      *format)
{
  g_autoptr(GtkFileChooserNative) dialog = NULL;
  g_autofree char *name = NULL;
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkStoredFunction *function = gilk_results_function (self);

  if (!can_export (self, format))
    {
      g_autoptr(GError) error = g_error_new_literal (GILK_ERROR, GILK_ERROR_USAGE,
                                                     _("There is nothing to export yet: open a session and choose a hook."));

      gilk_results_report (self, error);
      return;
    }

  name = g_strdup_printf ("%s.%s", function != NULL ? function->name : hook != NULL ? hook->label : "hits", format);
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
