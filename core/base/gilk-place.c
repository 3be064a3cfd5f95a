/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-place.c - files next to a program that runs in its build directory
 */
#include "core/base/gilk-place.h"

#ifndef GILK_BUILD_DIR
#define GILK_BUILD_DIR  ""
#define GILK_SOURCE_DIR ""
#endif

static char *
find (const char *folder,
      const char *path)
{
  g_autofree char *whole = g_build_filename (folder, path, NULL);

  return *folder != '\0' && g_file_test (whole, G_FILE_TEST_EXISTS) ? g_steal_pointer (&whole) : NULL;
}

char *
gilk_place_built (const char *path)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return self != NULL && g_str_has_prefix (self, GILK_BUILD_DIR "/") ? find (GILK_BUILD_DIR, path) : NULL;
}

char *
gilk_place_source (const char *path)
{
  return find (GILK_SOURCE_DIR, path);
}
