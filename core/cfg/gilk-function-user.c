/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-user.c - functions of programs and libraries on the target, beside the kernel's
 *
 * Lists of files live as long as the kernel's: graphs and hooks may be of one whose file was replaced since.
 */
#include "core/cfg/gilk-function-user.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/cfg/gilk-function-private.h"
#include "core/target/gilk-image-user.h"

gboolean
gilk_function_is_user (const char *name)
{
  return g_str_has_prefix (name, GILK_FUNCTION_USER);
}

gboolean
gilk_function_split_user (const char *name, char **path, const char **function)
{
  const char *begin = name + strlen (GILK_FUNCTION_USER), *colon = strrchr (begin, ':');

  if (*begin != '/' || colon == NULL || colon[1] == '\0')
    return FALSE;
  *path = g_strndup (begin, (gsize) (colon - begin));
  *function = colon + 1;

  return TRUE;
}

/* The last that was read of that path; NULL: none was, or it is another file by now, or cannot be asked. */
static GilkFunctions *
known_file (GilkFunctions *kernel, const char *path, GError **error)
{
  for (guint i = kernel->programs->len; i-- > 0;)
    {
      GilkFunctions *program = g_ptr_array_index (kernel->programs, i);
      gboolean is_now;

      if (strcmp (gilk_image_user_path (program->image), path) != 0)
        continue;
      return gilk_image_user_is_now (program->image, &is_now, NULL, error) && is_now ? program : NULL;
    }

  return NULL;
}

static GilkFunctions *
functions_of_file (GilkFunctions *kernel, const char *path, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkImage) image = NULL;
  GilkFunctions *program = known_file (kernel, path, &local);

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
  program = functions_of_file (functions, path, error);
  g_mutex_unlock (&functions->programs_lock);

  return program;
}

static gboolean
has (const GilkFunctions *functions, const GilkFunction *function)
{
  return function >= functions->all && function < functions->all + functions->n_all;
}

GilkFunctions *
gilk_functions_of (GilkFunctions *functions, const GilkFunction *function)
{
  GilkFunctions *found = functions;

  if (has (functions, function))
    return functions;
  g_mutex_lock (&functions->programs_lock);
  for (guint i = 0; i < functions->programs->len; i++)
    if (has (g_ptr_array_index (functions->programs, i), function))
      found = g_ptr_array_index (functions->programs, i);
  g_mutex_unlock (&functions->programs_lock);

  return found;
}

const char *
gilk_functions_module_name (GilkFunctions *functions, const GilkFunction *function)
{
  return gilk_image_module_name (gilk_functions_of (functions, function)->image, function->module);
}
