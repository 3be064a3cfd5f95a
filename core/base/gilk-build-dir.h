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

/* Returns the full path of the file @path, such as "agent/gilkd", in the build directory; NULL if
 * this program is not in that directory, or the file does not exist. (transfer full) (nullable) */
char *gilk_build_dir_path  (const char *path);
/* Returns the full path of the file @path in the source directory, wherever this program is; NULL
 * if the file does not exist. (transfer full) (nullable) */
char *gilk_source_dir_path (const char *path);

G_END_DECLS
