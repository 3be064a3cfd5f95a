/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-path.h - makes temporary paths that no concurrent run of the same test uses
 */
#pragma once

#include <glib.h>
#include <unistd.h>

/* Returns: (transfer full): a path in the temporary folder, unique to this process */
static inline char *
own_path (const char *name)
{
  return g_strdup_printf ("%s/gilk-%d-%s", g_get_tmp_dir (), (int) getpid (), name);
}
