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

static void
write_export (GilkResultsView *self,
              const char      *format,
              const char      *path)
{
  g_autoptr(GError) error = NULL;
  GilkPlotFormat kind = gilk_graph_data_format (format);
  gboolean good = TRUE;

  if (gilk_results_function (self) != NULL)
    good = gilk_graph_data_export (gilk_graph_view_data (self->graph),
                                   gilk_graph_view_look (self->graph), path, kind, &error);
  else if (g_str_equal (format, "csv"))
    gilk_session_csv_async (self->session, gilk_results_hook (self), path, NULL, csv_cb, g_object_ref (self));
  else
    good = gilk_plot_view_export (self->plot, path, kind, &error);
  if (!good)
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
