/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-session.c - gilk session: compresses or verifies a session file
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store.h"

/* Opens an existing session for writing. */
static GilkStore *
open_session (const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return gilk_store_open (path, error);
  gilk_unreadable (path, ENOENT, error);

  return NULL;
}

static gboolean
print_sizes (Cli *cli, const char *path, uint64_t before, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, NULL, error);

  if (store == NULL)
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", path);
      cli_json_uint (cli->doc, "bytes_before", before);
      cli_json_uint (cli->doc, "bytes", gilk_store_bytes (store));
    }
  else
    {
      g_autofree char *was = g_format_size (before), *is = g_format_size (gilk_store_bytes (store));

      cli_print (cli, _("%s was compressed: its size is %s now, and "
                        "was %s before.\n"), path, is, was);
    }

  return TRUE;
}

static gboolean
compress_session (Cli *cli, const char *path, GError **error)
{
  g_autoptr(GilkStore) store = open_session (path, error);
  uint64_t before = store != NULL ? gilk_store_bytes (store) : 0;

  return store != NULL &&
    gilk_store_compress (store, cli_progress_for_core (cli->progress), cli->cancellable, error) &&
    gilk_store_close (g_steal_pointer (&store), error) &&
    print_sizes (cli, path, before, error);
}

static gboolean
verify_session (Cli *cli, const char *path, GError **error)
{
  g_autoptr(GPtrArray) problems = NULL;

  cli_interrupts_may_end (TRUE);
  problems = gilk_store_verify (path, cli_progress_for_core (cli->progress), cli->cancellable, error);
  if (problems == NULL)
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", path);
      cli_json_array (cli->doc, "problems");
      for (guint i = 0; i < problems->len; i++)
        cli_json_string (cli->doc, NULL, g_ptr_array_index (problems, i));
      cli_json_end (cli->doc);
      cli->keep_doc = TRUE;
    }
  else
    for (guint i = 0; i < problems->len; i++)
      cli_print (cli, "%s\n", (const char *) g_ptr_array_index (problems, i));
  if (problems->len > 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   ngettext ("%s is damaged (%u problem). Use a backup.",
                             "%s is damaged (%u problems). Use a backup.", problems->len),
                   path, problems->len);
      return FALSE;
    }
  if (cli->doc == NULL)
    cli_print (cli, _("%s is complete and undamaged.\n"), path);

  return TRUE;
}

gboolean
cmd_session (Cli *cli, int argc, char **argv, GError **error)
{
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("compress FILE: store samples in less space; reading takes somewhat longer.\n"
                    "verify FILE: check that all samples are there and can be read."), 2, 2, &words,
                  error))
    return FALSE;
  if (strcmp (words[0], "compress") == 0)
    return compress_session (cli, words[1], error);
  if (strcmp (words[0], "verify") == 0)
    return verify_session (cli, words[1], error);
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("Unknown action \"gilk session %s\". Use compress or verify."), words[0]);

  return FALSE;
}
