/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-debug.c - checks for debug data of a target's kernel on this machine
 */
#include "core/doctor/gilk-doctor.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-debug-find.h"

void
gilk_doctor_add_debug (const char *hand, GilkTarget *target, GArray *checks)
{
  const GilkDebugWanted wanted = {
    .user_path = hand != NULL ? hand : g_getenv ("GILK_DEBUG"), .release = gilk_target_release (target),
    .module = "kernel", .build_id = gilk_target_build_id (target),
  };
  g_autoptr(GError) local = NULL;
  GilkCheck check = { .name = "debug-data", .value = gilk_debug_find (&wanted, &local) };

  if (check.value == NULL)
    {
      check.value = g_strdup (_("none found"));
      check.state = g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) ? GILK_CHECK_NOTE : GILK_CHECK_WARN;
      check.remedy = check.state == GILK_CHECK_WARN
                     ? g_strdup (local->message)
                     : g_strdup_printf (_("Debug data provide source lines and local variables: "
                                          "install the package linux-image-%s-dbg, or give its "
                                          "vmlinux with --debug."), wanted.release);
    }
  g_array_append_val (checks, check);
}
