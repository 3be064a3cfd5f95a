/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.c - frees the values of the options of commands
 */
#include "cli/base/cli.h"

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
