/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.c - sets the errors of commands, and frees the values of their options
 */
#include "cli/base/cli.h"

#include <stdarg.h>

gboolean
cli_fail (GError **error, GilkErrorCode code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GILK_ERROR, code, format, args));
  va_end (args);
  return FALSE;
}

void
cli_options_free (const GOptionEntry *entries)
{
  for (; entries->long_name != NULL; entries++)
    {
      if (entries->arg == G_OPTION_ARG_STRING || entries->arg == G_OPTION_ARG_FILENAME)
        g_clear_pointer ((char **) entries->arg_data, g_free);
      else if (entries->arg == G_OPTION_ARG_STRING_ARRAY || entries->arg == G_OPTION_ARG_FILENAME_ARRAY)
        g_clear_pointer ((char ***) entries->arg_data, g_strfreev);
    }
}
