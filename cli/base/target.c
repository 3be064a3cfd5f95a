/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.c - chooses the target of a command without --target
 *
 * The last target that --target named is stored in a file of the user. A lab is chosen only while
 * it is running: a command without --target must not start a virtual machine.
 */
#include "cli/base/kernel.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/link/gilk-lab.h"

static char *
get_state_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "gilk", "target", NULL);
}

static gboolean
is_remembered (const char *spec)
{
  return strcmp (spec, "local") == 0 || g_str_has_prefix (spec, "ssh:") || gilk_lab_name (spec) != NULL;
}

/* (transfer full) (nullable) */
static char *
read_last_target (void)
{
  g_autofree char *path = get_state_path (), *text = NULL;
  const char *lab;

  if (!g_file_get_contents (path, &text, NULL, NULL) || !g_utf8_validate (text, -1, NULL))
    return NULL;
  g_strstrip (text);
  lab = gilk_lab_name (text);
  if (!is_remembered (text) || strpbrk (text, "\n\t ") != NULL || (lab != NULL && !gilk_lab_is_running (lab)))
    return NULL;

  return g_steal_pointer (&text);
}

/* (transfer full) (nullable) */
static char *
find_running_lab (void)
{
  g_auto(GStrv) names = gilk_lab_list_running ();

  return names[0] != NULL ? g_strdup_printf ("lab:%s", names[0]) : NULL;
}

gboolean
cli_choose_default_target (Cli *cli, GError **error)
{
  char *target;

  if (cli->target_named)
    return TRUE;
  target = read_last_target ();
  if (target != NULL)
    {
      cli_note (cli, _("Target: %s, the last one used."), target);
    }
  else
    {
      target = find_running_lab ();
      if (target == NULL)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                       _("No target given, and no lab is running. Name one: --target local is this machine, --target "
                         "ssh:HOST another one, and --target lab starts a virtual machine."));
          return FALSE;
        }
      cli_note (cli, _("Target: %s, a running lab."), target);
    }
  g_free (cli->target);
  cli->target = target;
  cli->target_named = TRUE;

  return TRUE;
}

void
cli_remember_target (const Cli *cli)
{
  g_autofree char *path = get_state_path (), *folder = g_path_get_dirname (path);

  if (cli->targets == NULL || !is_remembered (cli->target))
    return;
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_file_set_contents (path, cli->target, -1, NULL);
}
