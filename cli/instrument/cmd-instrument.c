/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-instrument.c - gilk instrument: creates, tests and installs an instrument of the user's own
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/instrument/instrument.h"

gboolean
cmd_instrument (Cli *cli, int argc, char **argv, GError **error)
{
  g_autofree char *hook = NULL, *duration = NULL;
  const GOptionEntry entries[] = {
    { "hook", 0, 0, G_OPTION_ARG_STRING, &hook, N_("test: where to hook it (default: vfs_read@entry:pre)"),
      N_("POINT") },
    { "for", 0, 0, G_OPTION_ARG_STRING, &duration, N_("test: record for this time (default: 3s)"), N_("TIME") },
    { NULL },
  };
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("\"new NAME\" creates a folder of that name with a working instrument to start from.\n"
                    "\"test FOLDER\" builds it for the kernel of a lab (--target lab:6.1), loads it there, records for "
                    "a while and reports.\n"
                    "\"install FOLDER\" builds it for this machine's kernel, with DKMS if that builds the driver; "
                    "\"remove FOLDER\" undoes that. Both use sudo or polkit where root is needed.\n"
                    "How to write one: gilk-instruments(7), and the guide."),
                  2, 2, &words, error))
    return FALSE;
  if (strcmp (words[0], "new") == 0)
    return cli_instrument_new (cli, words[1], error);
  if (strcmp (words[0], "test") == 0)
    return cli_instrument_test (cli, words[1], hook != NULL ? hook : "vfs_read@entry:pre",
                                duration != NULL ? duration : "3s", error);
  if (strcmp (words[0], "install") == 0)
    return cli_instrument_install (cli, words[1], error);
  if (strcmp (words[0], "remove") == 0)
    return cli_instrument_remove (cli, words[1], error);
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("\"gilk instrument\" takes \"new NAME\", \"test FOLDER\", \"install FOLDER\" and \"remove FOLDER\", "
                 "not \"%s\"."),
               words[0]);

  return FALSE;
}
