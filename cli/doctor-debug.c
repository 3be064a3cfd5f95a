/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-debug.c - are there debug data of a target's kernel on this machine?
 */
#include "cli/doctor-debug.h"

#include <glib/gi18n.h>

#include "core/target/gilk-debug-find.h"

void
cli_doctor_add_debug (Cli *cli, GilkTarget *target, GArray *checks)
{
  const GilkDebugWanted wanted = {
    .hand = cli->debug != NULL ? cli->debug : g_getenv ("GILK_DEBUG"), .release = gilk_target_release (target),
    .module = "kernel", .build_id = gilk_target_build_id (target),
  };
  g_autoptr(GError) local = NULL;
  CliCheck check = { .name = "debug-data", .value = gilk_debug_find (&wanted, &local) };

  if (check.value == NULL)
    {
      check.value = g_strdup (_("none here"));
      check.state = g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) ? CLI_CHECK_NOTE : CLI_CHECK_WARN;
      check.remedy = check.state == CLI_CHECK_WARN
                     ? g_strdup (local->message)
                     : g_strdup_printf (_("Lines of source and local variables are known by them: install the package "
                                          "linux-image-%s-dbg, or give its vmlinux with --debug."), wanted.release);
    }
  g_array_append_val (checks, check);
}
