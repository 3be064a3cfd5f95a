/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - entry point of gilk-workbench
 */
#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "core/base/gilk-error.h"
#include "gui/app/gilk-app.h"

int
main (int    argc,
      char **argv)
{
  g_autoptr(GilkApp) app = NULL;

  gilk_locale_init (FALSE);
  gtk_disable_setlocale ();
  g_set_application_name (_("Gilk Workbench"));

  app = gilk_app_new ();

  return g_application_run (G_APPLICATION (app), argc, argv);
}
