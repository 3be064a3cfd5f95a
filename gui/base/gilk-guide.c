/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-guide.c - the user's guide in the help viewer or as HTML
 *
 * Starts the help viewer only if the guide's pages are installed, because otherwise the help viewer
 * would open only to show an error. A program run from the build tree uses the HTML of its build.
 */
#include "gui/base/gilk-windows.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"

static gboolean
has_pages (const char *folder)
{
  g_autofree char *index = g_build_filename (folder, "help", "C", "gilk", "index.page", NULL);

  return g_file_test (index, G_FILE_TEST_IS_REGULAR);
}

static gboolean
is_installed (void)
{
  gboolean found = has_pages (g_get_user_data_dir ());

  for (const char *const *folder = g_get_system_data_dirs (); *folder != NULL && !found; folder++)
    found = has_pages (*folder);
  return found;
}

/* Returns the path of the HTML file of @page; NULL: there is none. (transfer full) (nullable) */
static char *
find_html (const char *page)
{
  g_autofree char *name = g_strconcat (page, ".html", NULL);
  g_autofree char *installed = g_build_filename (GILK_DATADIR, "..", "doc", "gilk", "html", name, NULL);
  g_autofree char *built = g_build_filename ("data", "help", "html", name, NULL);

  return g_file_test (installed, G_FILE_TEST_IS_REGULAR) ? g_canonicalize_filename (installed, NULL)
                                                         : gilk_build_dir_path (built);
}

static gboolean
show_in_viewer (const char *page)
{
  g_autoptr(GAppInfo) viewer = g_app_info_get_default_for_uri_scheme ("help");
  g_autofree char *uri = g_strconcat ("help:gilk/", page, NULL);

  return viewer != NULL && is_installed () && g_app_info_launch_default_for_uri (uri, NULL, NULL);
}

static gboolean
show_page (const char *page,
           GError    **error)
{
  g_autofree char *html = NULL, *uri = NULL;

  if (show_in_viewer (page))
    return TRUE;
  html = find_html (page);
  if (html == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("Cannot show the guide: its HTML version and a help viewer are both missing. Install yelp, or "
                             "read \"man gilk\"."));
      return FALSE;
    }
  uri = g_filename_to_uri (html, NULL, NULL);
  if (g_app_info_launch_default_for_uri (uri, NULL, NULL))
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("Cannot show the guide: neither a help viewer nor a web browser was found. Install yelp, or open %s on "
                 "another machine."), html);
  return FALSE;
}

/* Runs in a worker thread, because finding the program for a file type reads many folders. */
static void
show_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  GError *error = NULL;

  if (show_page (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gilk_guide_show (GtkWidget          *widget,
                 const char         *page,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (widget, NULL, callback, user_data);

  g_task_set_task_data (task, g_strdup (page), g_free);
  g_task_run_in_thread (task, show_thread);
}

gboolean
gilk_guide_show_finish (GAsyncResult *result,
                        GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
