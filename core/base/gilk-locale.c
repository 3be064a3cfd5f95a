/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locale.c - the language that a program of Gilk speaks
 */
#include "core/base/gilk-locale.h"

#include <glib/gi18n.h>
#include <locale.h>

#define DOMAIN "gilk"

/* Where translations are: beside a program run from its build tree, else installed. */
static const char *
find_translations (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  if (self != NULL && g_str_has_prefix (self, GILK_BUILD_DIR "/"))
    return GILK_BUILD_DIR "/po";

  return GILK_LOCALEDIR;
}

void
gilk_locale_begin (gboolean for_programs)
{
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  if (for_programs)
    setlocale (LC_MESSAGES, "C");
  bindtextdomain (DOMAIN, find_translations ());
  bind_textdomain_codeset (DOMAIN, "UTF-8");
  textdomain (DOMAIN);
}
