/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-user.c - reads the functions of user programs and libraries on the target
 *
 * The list of a file's functions lives as long as the kernel's list, because graphs and hooks may
 * refer to a file that was replaced.
 */
#include "core/cfg/gilk-function.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-name-match.h"
#include "core/image/gilk-image-user.h"

enum { SHOWN_NAMES = 8 };

gboolean
gilk_function_is_user (const char *name)
{
  return g_str_has_prefix (name, GILK_FUNCTION_USER);
}

gboolean
gilk_function_split_user (const char *name, char **path, const char **function)
{
  const char *begin = name + strlen (GILK_FUNCTION_USER), *colon = strrchr (begin, ':');
  const char *scope = strstr (begin, "::");

  /* The colons of a C++ name, as in "user:PATH:Class::name", are not part of the path. */
  for (const char *at = begin; scope != NULL && at < scope; at++)
    if (*at == ':')
      colon = at;
  if (*begin != '/' || colon == NULL || colon[1] == '\0')
    return FALSE;
  *path = g_strndup (begin, (gsize) (colon - begin));
  *function = colon + 1;

  return TRUE;
}

/* Returns the most recent list of functions for @path. Returns NULL if there is none or if the file
 * was replaced since; NULL with @error if the file cannot be checked. */
static GilkFunctions *
find_known_file (GilkFunctions *kernel, const char *path, GError **error)
{
  for (guint i = kernel->programs->len; i-- > 0;)
    {
      GilkFunctions *program = g_ptr_array_index (kernel->programs, i);
      gboolean is_current;

      if (strcmp (gilk_image_user_path (program->image), path) != 0)
        continue;
      return gilk_image_user_is_current (program->image, &is_current, NULL, error) && is_current ? program : NULL;
    }

  return NULL;
}

static GilkFunctions *
load_file (GilkFunctions *kernel, const char *path, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkImage) image = NULL;
  GilkFunctions *program = find_known_file (kernel, path, &local);

  if (program != NULL || local != NULL)
    {
      if (local != NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      return program;
    }
  image = gilk_image_new_user (kernel->image, path, NULL, error);
  if (image == NULL)
    return NULL;
  program = gilk_functions_new (image);
  g_ptr_array_add (kernel->programs, program);

  return program;
}

GilkFunctions *
gilk_functions_program (GilkFunctions *functions, const char *path, GError **error)
{
  GilkFunctions *program;

  g_mutex_lock (&functions->programs_lock);
  program = load_file (functions, path, error);
  g_mutex_unlock (&functions->programs_lock);

  return program;
}

/* ---- C++ and Rust names ---- */

/* Returns each matching function once: several symbols of a constructor share a body. */
static GPtrArray *
find_scoped (GilkFunctions *program, const char *mangled)
{
  GPtrArray *found = g_ptr_array_new ();
  guint count;
  const GilkSymbol *all = gilk_symbols_all (gilk_image_symbols (program->image), &count);

  for (guint i = 0; i < count; i++)
    {
      const GilkFunction *function = strchr ("tTwW", all[i].type) != NULL && gilk_cxx_name_is (all[i].name, mangled)
                                     ? gilk_functions_at (program, all[i].addr) : NULL;

      if (function != NULL && !g_ptr_array_find (found, function, NULL))
        g_ptr_array_add (found, (gpointer) function);
    }

  return found;
}

static void
set_ambiguous (const char *name, const GPtrArray *found, GError **error)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < MIN (found->len, SHOWN_NAMES); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((const GilkFunction *) g_ptr_array_index (found, i))->name);
  if (found->len > SHOWN_NAMES)
    g_string_append (names, ", …");
  g_set_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS,
               _("%s matches %u functions, which differ in their arguments: %s. Write one of these names."), name,
               found->len, names->str);
}

const GilkFunction *
gilk_functions_scoped (GilkFunctions *program, const char *name, GError **error)
{
  g_autofree char *mangled = gilk_cxx_name_mangled (name);
  g_autoptr(GPtrArray) found = mangled != NULL ? find_scoped (program, mangled) : NULL;

  if (found != NULL && found->len == 1)
    return g_ptr_array_index (found, 0);
  if (found != NULL && found->len > 1)
    set_ambiguous (name, found, error);

  return NULL;
}

static gboolean
has_function (const GilkFunctions *functions, const GilkFunction *function)
{
  return function >= functions->all && function < functions->all + functions->n_all;
}

GilkFunctions *
gilk_functions_of (GilkFunctions *functions, const GilkFunction *function)
{
  GilkFunctions *found = functions;

  if (has_function (functions, function))
    return functions;
  g_mutex_lock (&functions->programs_lock);
  for (guint i = 0; i < functions->programs->len; i++)
    if (has_function (g_ptr_array_index (functions->programs, i), function))
      found = g_ptr_array_index (functions->programs, i);
  g_mutex_unlock (&functions->programs_lock);

  return found;
}

const char *
gilk_functions_module_name (GilkFunctions *functions, const GilkFunction *function)
{
  return gilk_image_module_name (gilk_functions_of (functions, function)->image, function->module);
}
