/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-list.c - lists the sessions in a folder
 */
#include "core/store/gilk-store-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
gilk_store_list_folder (const char *folder, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autoptr(GDir) dir = g_dir_open (folder, 0, &local);
  GPtrArray *paths;
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("%s. Name a folder that can be read."), local->message);
      return NULL;
    }
  paths = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, GILK_STORE_SUFFIX))
      g_ptr_array_add (paths, strcmp (folder, ".") == 0 ? g_strdup (name) : g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);

  return paths;
}
