/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - gilk-workbench
 */
#include <glib/gi18n.h>
#include <locale.h>

#include "gui/gilk-app.h"

int
main (int    argc,
      char **argv)
{
  g_autoptr(GilkApp) app = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain ("gilk", GILK_LOCALEDIR);
  bind_textdomain_codeset ("gilk", "UTF-8");
  textdomain ("gilk");
  g_set_application_name (_("Gilk Workbench"));

  app = gilk_app_new ();

  return g_application_run (G_APPLICATION (app), argc, argv);
}
