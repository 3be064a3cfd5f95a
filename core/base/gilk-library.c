/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-library.c - shared libraries that are loaded when one of their functions is first needed
 */
#include "core/base/gilk-library.h"

#include <dlfcn.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

static GMutex lock;             /* guards the pointers of all libraries' functions */

static gboolean
find_functions (const char *soname, const GilkLibraryFunction *functions, guint n_functions, GError **error)
{
  void *library = dlopen (soname, RTLD_NOW | RTLD_LOCAL);

  for (guint i = 0; library != NULL && i < n_functions; i++)
    {
      *functions[i].address = dlsym (library, functions[i].name);
      if (*functions[i].address == NULL)
        library = NULL;
    }
  if (library == NULL)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("A library that this needs cannot be loaded: %s. Install its package."), dlerror ());

  return TRUE;
}

gboolean
gilk_library_load (const char *soname, const GilkLibraryFunction *functions, guint n_functions, GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&lock);

  /* The last pointer is set only if all the others are. */
  return *functions[n_functions - 1].address != NULL || find_functions (soname, functions, n_functions, error);
}
