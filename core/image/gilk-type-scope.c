/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-type-scope.c - finds the types that apply at an instruction or to a variable
 */
#include "core/image/gilk-type-scope.h"

#include "core/base/gilk-error.h"

gboolean
gilk_types_are_missing (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND) || g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

static const char *
get_module_name (GilkImage *image, const GilkTypeScope *scope)
{
  return gilk_symbols_module (gilk_image_symbols (image), scope->module);
}

GilkBtf *
gilk_scope_types (GilkImage           *image,
                  const GilkTypeScope *scope,
                  GCancellable        *cancellable,
                  GError             **error)
{
  g_autoptr(GError) local = NULL;
  GilkBtf *btf = gilk_types_get (gilk_image_types (image), get_module_name (image, scope), cancellable, &local);

  if (btf != NULL)
    return btf;
  if (gilk_types_are_missing (local))
    return gilk_scope_debug_types (image, scope, cancellable, error);
  g_propagate_error (error, g_steal_pointer (&local));

  return NULL;
}

GilkBtf *
gilk_scope_debug_types (GilkImage           *image,
                        const GilkTypeScope *scope,
                        GCancellable        *cancellable,
                        GError             **error)
{
  const char *module = get_module_name (image, scope);
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkBtf) base = gilk_types_get (gilk_image_types (image), module, cancellable, &local);

  if (base == NULL && scope->module != 0 && gilk_types_are_missing (local))
    {
      g_clear_error (&local);
      base = gilk_types_get (gilk_image_types (image), NULL, cancellable, &local);
    }
  if (base == NULL && !gilk_types_are_missing (local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  return gilk_debug_types (gilk_image_debug (image), module, &scope->place, base, cancellable, error);
}
