/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-install.c - installs an instrument of the user's own for this machine's kernel
 *
 * The Makefile in the folder does the work; this file checks prerequisites and obtains root.
 */
#include "cli/instrument/instrument.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/base/output.h"

/* Adds the command that runs @argv as root; nothing if we are root already. */
static gboolean
add_root_command (GPtrArray *argv, GError **error)
{
  static const char *const ways[] = { "sudo", "pkexec" };

  if (geteuid () == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autofree char *path = g_find_program_in_path (ways[i]);

      if (path == NULL)
        continue;
      g_ptr_array_add (argv, (gpointer) ways[i]);
      return TRUE;
    }
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                       _("Installing modules needs root, and neither sudo nor pkexec was found. Run the same command "
                         "as root."));

  return FALSE;
}

/* Runs make -C @folder @goal; with @as_root as root. */
static gboolean
run_make (Cli *cli, const char *folder, const char *goal, gboolean as_root, GError **error)
{
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  const char *const words[] = { "make", "--no-print-directory", "-s", "-C", whole, goal, NULL };

  if (as_root && !add_root_command (argv, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  process = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, error);
  if (process == NULL || !g_subprocess_wait (process, cli->cancellable, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("\"make %s\" failed in %s; see its messages above."), goal, folder);

  return FALSE;
}

/* Checks prerequisites, to report better errors than make would. */
static gboolean
check_machine (GError **error)
{
  static const char *const programs[] = { "make", "gcc" };
  struct utsname kernel;
  g_autofree char *headers = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path = g_find_program_in_path (programs[i]);

      if (path != NULL)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("Cannot build a module without %s. Install it: apt install build-essential"), programs[i]);
      return FALSE;
    }
  if (uname (&kernel) != 0)
    kernel.release[0] = '\0';
  headers = g_strdup_printf ("/lib/modules/%s/build/Makefile", kernel.release);
  if (g_file_test (headers, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               _("No headers of this kernel to build a module with. Install them: apt install linux-headers-%s"),
               kernel.release);

  return FALSE;
}

/* Whether DKMS builds the driver here; only then can it build instruments. */
static gboolean
has_dkms (void)
{
  g_autofree char *program = g_find_program_in_path ("dkms");
  g_autofree char *beside = program == NULL ? g_find_program_in_path ("/usr/sbin/dkms") : NULL;

  return (program != NULL || beside != NULL) && g_file_test ("/var/lib/dkms/ilk", G_FILE_TEST_IS_DIR);
}

gboolean
cli_instrument_install (Cli *cli, const char *folder, GError **error)
{
  gboolean dkms = has_dkms ();

  if (!cli_instrument_folder (folder, error) || !check_machine (error))
    return FALSE;
  /* Build errors appear before root is asked for. */
  if (!run_make (cli, folder, "all", FALSE, error) || !run_make (cli, folder, dkms ? "dkms" : "install", TRUE, error))
    return FALSE;

  if (cli->doc != NULL)
    cli_json_string (cli->doc, "installed_by", dkms ? "dkms" : "make");
  cli_print (cli, "%s", dkms ? _("Installed; DKMS will also build it for later kernels. See: gilk instruments --load "
                                 "-t local\n")
                             : _("Installed for this kernel. See: gilk instruments --load -t local\n"));

  return TRUE;
}

gboolean
cli_instrument_remove (Cli *cli, const char *folder, GError **error)
{
  return cli_instrument_folder (folder, error) && run_make (cli, folder, "remove", TRUE, error);
}
