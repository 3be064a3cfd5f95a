/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-guide.c - opens the user's guide, in the help viewer or as HTML
 *
 * The help viewer finds "help:gilk" only among what is installed, and says so in a window
 * of its own if it does not; so whether the pages are there is looked at before. A program
 * that runs from the build tree has the HTML of its build.
 */
#include "gui/gilk-guide.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-place.h"

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

/* Without a window for its parent, of which GTK 3 keeps the exported name for good. */
static gboolean
show_uri (const char *uri)
{
  return gtk_show_uri_on_window (NULL, uri, GDK_CURRENT_TIME, NULL);
}

static gboolean
show_in_viewer (void)
{
  g_autoptr(GAppInfo) viewer = g_app_info_get_default_for_uri_scheme ("help");

  return viewer != NULL && is_installed () &&
    show_uri ("help:gilk");
}

/* (transfer full) (nullable) */
static char *
find_html (void)
{
  static const char installed[] = GILK_DATADIR "/../doc/gilk/html/index.html";

  return g_file_test (installed, G_FILE_TEST_IS_REGULAR) ? g_canonicalize_filename (installed, NULL)
                                                         : gilk_place_built ("data/help/html/index.html");
}

gboolean
gilk_guide_show (GError **error)
{
  g_autofree char *html = NULL, *uri = NULL;

  if (show_in_viewer ())
    return TRUE;
  html = find_html ();
  if (html == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("The guide is not here as HTML, and no help viewer is there to show its pages. "
                             "Install yelp, or read \"man gilk\"."));
      return FALSE;
    }
  uri = g_filename_to_uri (html, NULL, NULL);
  if (show_uri (uri))
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("There is neither a help viewer nor a web browser to show the guide with. Install yelp, or open %s "
                 "elsewhere."), html);
  return FALSE;
}
