/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-build-dir.c - finds files for a program that runs in its build directory
 */
#include "core/base/gilk-build-dir.h"

#ifndef GILK_BUILD_DIR
#define GILK_BUILD_DIR  ""
#define GILK_SOURCE_DIR ""
#endif

static char *
find_in_folder (const char *folder,
                const char *path)
{
  g_autofree char *whole = g_build_filename (folder, path, NULL);

  return *folder != '\0' && g_file_test (whole, G_FILE_TEST_EXISTS) ? g_steal_pointer (&whole) : NULL;
}

char *
gilk_build_dir_path (const char *path)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return self != NULL && g_str_has_prefix (self, GILK_BUILD_DIR "/") ? find_in_folder (GILK_BUILD_DIR, path) : NULL;
}

char *
gilk_source_dir_path (const char *path)
{
  return find_in_folder (GILK_SOURCE_DIR, path);
}
