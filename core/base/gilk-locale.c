/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locale.c - sets the language of a program
 */
#include "core/base/gilk-error.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "core/base/gilk-build-dir.h"

#define DOMAIN "gilk"

void
gilk_locale_init (gboolean for_programs)
{
  g_autofree char *built = gilk_build_dir_path ("po");

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  if (for_programs)
    setlocale (LC_MESSAGES, "C");
  bindtextdomain (DOMAIN, built != NULL ? built : GILK_LOCALEDIR);
  bind_textdomain_codeset (DOMAIN, "UTF-8");
  textdomain (DOMAIN);
}
