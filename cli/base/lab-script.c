/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-script.c - runs lab/lab, which manages the labs
 */
#include "cli/base/lab-script.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"

char *
cli_lab_script (void)
{
  g_autofree char *beside = gilk_source_dir_path ("lab/lab");
  const char *places[] = { g_getenv ("GILK_LAB"), beside, GILK_DATADIR "/lab/lab" };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] != NULL && g_file_test (places[i], G_FILE_TEST_IS_EXECUTABLE))
      return g_strdup (places[i]);
  return NULL;
}

gboolean
cli_lab (const char *const *words,
         char             **output,
         GCancellable      *cancellable,
         GError           **error)
{
  g_autofree char *script = cli_lab_script ();
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GSubprocess) process = NULL;
  g_autofree char *text = NULL;

  if (script == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No lab found. The lab is part of Gilk's source: set $GILK_LAB to the "
                             "path of the file lab/lab in the source folder."));
      return FALSE;
    }
  g_ptr_array_add (argv, script);
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer) *words);
  g_ptr_array_add (argv, NULL);

  process = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE, error);
  if (process == NULL)
    return FALSE;
  if (!g_subprocess_communicate_utf8 (process, NULL, cancellable, &text, NULL, error))
    {
      g_subprocess_send_signal (process, SIGTERM);
      return FALSE;
    }
  if (!g_subprocess_get_successful (process))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED, _("\"lab/lab %s\" failed; see its messages above."),
                   (const char *) g_ptr_array_index (argv, 1));
      return FALSE;
    }
  if (output != NULL)
    *output = g_strchomp (g_steal_pointer (&text));

  return TRUE;
}
