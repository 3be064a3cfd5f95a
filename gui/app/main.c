/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - entry point of gilk-workbench
 */
#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "core/base/gilk-error.h"
#include "gui/app/gilk-app.h"

/* Makes GTK start without OpenGL, unless GDK_GL is set: the workbench draws with cairo only, and
 * loading OpenGL's drivers takes a third of its start. Must be called before there are threads. */
static void
disable_opengl (void)
{
  if (g_getenv ("GDK_GL") != NULL)
    return;

  g_setenv ("GDK_GL", "disable", TRUE);
  gtk_parse_args (NULL, NULL);             /* reads the variable */
  g_unsetenv ("GDK_GL");                   /* the help viewer, a child process, may need OpenGL */
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(GilkApp) app = NULL;

  gilk_locale_init (FALSE);
  gtk_disable_setlocale ();
  disable_opengl ();
  g_set_application_name (_("Gilk Workbench"));

  app = gilk_app_new ();

  return g_application_run (G_APPLICATION (app), argc, argv);
}
