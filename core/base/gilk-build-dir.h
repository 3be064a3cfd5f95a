/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-build-dir.h - finds files for a program that runs in its build directory
 *
 * No other code looks for files in the build directory or the source directory. Builds for packages
 * (in_place=false) do not look there.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the path of @path in the build directory, such as "agent/gilkd", if this program is in it
 * and the file exists; else NULL. (transfer full) (nullable) */
char *gilk_build_dir_path  (const char *path);
/* Returns the path of @path in the source directory if the file exists; else NULL. Also works if
 * this program is elsewhere. (transfer full) (nullable) */
char *gilk_source_dir_path (const char *path);

G_END_DECLS
