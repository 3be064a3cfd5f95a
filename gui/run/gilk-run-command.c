/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-command.c - builds shell commands that are equivalent to actions of the workbench
 */
#include "gui/run/gilk-recorder.h"

#include <errno.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "gui/base/gilk-text.h"

static void
add_option (GString    *command,
            const char *option,
            const char *value)
{
  g_autofree char *word = value != NULL && *value != '\0' ? gilk_text_quote (value) : NULL;

  if (word != NULL)
    g_string_append_printf (command, " %s %s", option, word);
}

static char *
make_command (const char  *plan,
              char *const *targets,
              const char  *way,
              const char  *length,
              gboolean     partial,
              const char  *session)
{
  g_autoptr(GString) command = g_string_new ("gilk run");
  g_autofree char *absolute = g_canonicalize_filename (plan, NULL);
  g_autofree char *word = gilk_text_quote (absolute);

  for (guint i = 0; targets[i] != NULL; i++)
    add_option (command, "--target", targets[i]);
  add_option (command, "--by", way);
  add_option (command, "--for", length);
  if (partial)
    g_string_append (command, " --partial");
  add_option (command, "-o", session);
  g_string_append_printf (command, " %s", word);

  return g_string_free (g_steal_pointer (&command), FALSE);
}

char *
gilk_fleet_command (const char  *plan,
                    char *const *targets,
                    const char  *length,
                    gboolean     partial,
                    const char  *session)
{
  return make_command (plan, targets, NULL, length, partial, session);
}

char *
gilk_run_command (const char   *plan,
                  const char   *target,
                  enum gilk_way way,
                  const char   *length,
                  const char   *session)
{
  char *const targets[] = { (char *) target, NULL };

  return make_command (plan, targets, way == GILK_WAY_BPF ? gilk_way_name (way) : NULL, length, FALSE, session);
}

char *
gilk_workbench_command (const char *target,
                        const char *function)
{
  g_autoptr(GString) command = g_string_new ("gilk-workbench");

  add_option (command, "--target", target);
  add_option (command, "--function", function);

  return g_string_free (g_steal_pointer (&command), FALSE);
}

char *
gilk_run_command_save_plan (GilkPlan *plan,
                            GError  **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "gilk", "plans", NULL);
  g_autofree char *text = gilk_plan_to_text (plan);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *name = g_strdup_printf ("%.12s.plan", sum);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE, _("Cannot create the plan folder %s: %s. Check its "
                                                          "permissions, or remove the file in its place."),
                   folder, g_strerror (errno));
      return NULL;
    }

  return gilk_plan_save (plan, path, error) ? g_steal_pointer (&path) : NULL;
}
