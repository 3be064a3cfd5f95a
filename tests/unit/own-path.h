/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-path.h - files of a test that another run of the same test, at the same time, does not touch
 */
#pragma once

#include <glib.h>
#include <unistd.h>

/* A path in the folder for temporary files, of this process alone. Free it. */
static inline char *
own_path (const char *name)
{
  return g_strdup_printf ("%s/gilk-%d-%s", g_get_tmp_dir (), (int) getpid (), name);
}
